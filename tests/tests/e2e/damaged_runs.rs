//! Runs whose records are damaged: they are listed, say what was saved, hold nothing up, and can be deleted.

use std::fs;
use std::process::Command;

use attractor_tests::Project;
use serde_json::Value;

const PIPELINE: &str = "digraph p {
  start [shape=Mdiamond]
  one [shape=parallelogram, command=\"true\"]
  two [shape=parallelogram, command=\"false\"]
  done [shape=Msquare]
  start -> one -> two -> done
}
";

/// A project with a run that failed; its id.
fn failed_run() -> (Project, String) {
    let project = Project::with("p.dot", PIPELINE);
    project.damages_runs();
    project.run(["run", "p.dot"]).expect_code(1);
    let list = project.run(["runs", "--format", "json"]).json();
    let run = list["runs"][0]["run"].as_str().expect("a run").to_owned();
    (project, run)
}

/// Damages the journal of the run.
fn damage(project: &Project, run: &str, kind: &str) {
    let path = project.file(&format!(".attractor/runs/{run}/journal.jsonl"));
    // What was replayed before is in the checkpoint.
    fs::remove_file(path.with_file_name("checkpoint.json")).expect("a checkpoint");
    let text = fs::read_to_string(&path).expect("a journal");
    let mut lines: Vec<&str> = text.lines().collect();
    match kind {
        "a lost line" => drop(lines.remove(3)),
        "a doubled line" => lines.insert(3, lines[3]),
        "empty" => lines.clear(),
        "garbage" => lines = vec!["garbage"; 5],
        _ => {
            fs::remove_file(&path).expect("the journal");
            let made = Command::new("mkfifo").arg(&path).status();
            assert!(made.expect("mkfifo").success());
            return;
        }
    }
    let text: String = lines.iter().flat_map(|line| [*line, "\n"]).collect();
    fs::write(&path, text).expect("the journal");
}

#[test]
fn a_damaged_run_is_listed_with_what_was_saved_and_can_be_deleted() {
    for (kind, reason) in [
        ("a lost line", "line 4"),
        ("a doubled line", "line 5"),
        ("empty", "does not record the start"),
        ("garbage", "line 1"),
        ("a pipe", "not a regular file"),
    ] {
        let (project, run) = failed_run();
        damage(&project, &run, kind);
        let listed = project.run(["runs"]).expect_code(0);
        let line = format!("{run} is unreadable: ");
        assert!(listed.stdout.contains(&line), "{kind}: {listed}");
        assert!(listed.stdout.contains(reason), "{kind}: {listed}");
        let list = project.run(["runs", "--format", "json"]).json();
        assert_eq!(list["runs"], Value::Array(Vec::new()), "{kind}");
        assert_eq!(list["unreadable"][0]["run"], *run, "{kind}");
        let shown = project.run(["runs", "show", &run]).expect_code(1);
        assert!(shown.stderr.contains(reason), "{kind}: {shown}");
        let resumed = project.run(["resume", &run]);
        assert_ne!(resumed.code, Some(0), "{kind}: {resumed}");
        project.run(["runs", "prune", "--yes"]).expect_code(0);
        assert!(
            project.file(".attractor/runs").join(&run).exists(),
            "{kind}"
        );
        let pruned = project
            .run(["runs", "prune", "--unreadable", "--yes"])
            .expect_code(0);
        assert!(pruned.stdout.contains("1 run deleted"), "{kind}: {pruned}");
        assert!(
            !project.file(".attractor/runs").join(&run).exists(),
            "{kind}"
        );
    }
}
