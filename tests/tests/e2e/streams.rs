//! A run does not depend on its standard streams: it continues without them, and its exit code is unchanged.

use std::process::Stdio;

use attractor_tests::{ProcessOutput, Project, program};

/// Two steps; the second one waits until the reader of the output is gone.
const SLOW: &str = r#"digraph slow {
  start [shape=Mdiamond]
  wait [shape=parallelogram, command="until test -e closed; do sleep 0.01; done"]
  last [shape=parallelogram, command="touch finished"]
  done [shape=Msquare]
  start -> wait -> last -> done
}"#;

const FAILS: &str = r#"digraph fails {
  start [shape=Mdiamond]
  wait [shape=parallelogram, command="until test -e closed; do sleep 0.01; done; exit 3"]
  done [shape=Msquare]
  start -> wait -> done
}"#;

/// Runs a pipeline whose reader leaves before the first line is written.
fn without_reader(text: &str, format: &str) -> (Project, ProcessOutput) {
    let project = Project::with("p.dot", text);
    let mut command = project.command(["run", "p.dot", "--format", format]);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    project.write("closed", "");
    let output = child.wait_with_output().expect("the program ends");
    (project, ProcessOutput::new(&output))
}

#[test]
fn closed_stdout_does_not_end_the_run() {
    for format in ["human", "json", "events"] {
        let (project, ended) = without_reader(SLOW, format);
        assert_eq!(ended.code, Some(0), "{format}: {ended}");
        assert_eq!(ended.stderr, "", "{format}");
        assert!(project.file("finished").exists(), "{format}");
        let list = project.run(["runs", "--format", "json"]).json();
        assert_eq!(list["runs"][0]["state"], "success", "{format}");
        let (_, ended) = without_reader(FAILS, format);
        assert_eq!(ended.code, Some(1), "{format}: {ended}");
    }
}

#[test]
fn full_disk_does_not_end_the_run() {
    for format in ["human", "json", "events"] {
        let project = Project::with("p.dot", SLOW);
        project.write("closed", "");
        let line = format!(
            "{} run p.dot --format {format} > /dev/full",
            program().display()
        );
        let mut shell = project.other_command("sh");
        shell.args(["-c", &line]);
        let ended = project.start_other(shell).end().expect_code(0);
        assert!(ended.stderr.contains("No space left on device"), "{ended}");
        assert!(project.file("finished").exists(), "{format}");
    }
}

#[test]
fn closed_streams_do_not_panic() {
    let project = Project::with("p.dot", SLOW);
    project.write("closed", "");
    let line = format!(
        "{} run p.dot >&- 2>&- <&-; echo $? > code",
        program().display()
    );
    let mut shell = project.other_command("sh");
    shell.args(["-c", &line]);
    project.start_other(shell).end().expect_code(0);
    assert_eq!(project.read("code"), "0\n");
}
