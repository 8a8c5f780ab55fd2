//! What each released version has stored can be used by this one: runs, sessions, configuration, recordings and
//! scenarios. `tests/fixtures/versions` has a folder per release, as its program wrote it.

use std::fs;
use std::path::{Path, PathBuf};

use attractor_tests::{MockProvider, Project, Reply, repository};

/// Where the stored runs were made. In the copy of a test, manifests name the folder of the test.
const ORIGINAL_FOLDER: &str = "/tmp/project";

/// The folders, one per version.
fn versions() -> Vec<PathBuf> {
    let folder = repository().join("tests/fixtures/versions");
    let entries = fs::read_dir(folder).expect("the stored versions");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    folders.sort();
    assert!(!folders.is_empty());
    folders
}

/// A copy of what a version has stored, as it was in its project.
fn project(version: &Path) -> Project {
    let project = Project::new();
    copy(version, project.path());
    // Under its own name, Git would ignore it.
    fs::rename(project.file("attractor"), project.file(".attractor")).expect("a rename");
    for run in runs(&project) {
        let manifest = format!(".attractor/runs/{run}/manifest.json");
        let here = project.path().to_string_lossy();
        project.write(
            &manifest,
            project.read(&manifest).replace(ORIGINAL_FOLDER, &here),
        );
    }
    project
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&target).expect("a folder");
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// The names in a folder of a project.
fn names(project: &Project, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(project.file(folder)).expect("a folder");
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    names
}

fn runs(project: &Project) -> Vec<String> {
    names(project, ".attractor/runs")
}

/// The id of the run of a pipeline with a state.
fn run_of(project: &Project, pipeline: &str, state: &str) -> String {
    let listed = project
        .run(["runs", "--format", "json"])
        .expect_code(0)
        .json();
    let runs = listed["runs"].as_array().expect("a list");
    let run = runs
        .iter()
        .find(|run| run["pipeline"] == pipeline && run["state"] == state);
    let run = run.and_then(|run| run["run"].as_str());
    run.expect("a run of the fixture").to_owned()
}

#[test]
fn the_present_version_has_its_folder() {
    let version = env!("CARGO_PKG_VERSION");
    let known = versions();
    assert!(
        known.iter().any(|folder| folder.ends_with(version)),
        "{known:?}"
    );
}

#[test]
fn nothing_of_a_machine_is_stored() {
    for version in versions() {
        for name in ["manifest.json", "journal.jsonl", "checkpoint.json", "lock"] {
            for run in fs::read_dir(version.join("attractor/runs")).expect("runs") {
                let file = run.expect("a run").path().join(name);
                // A run that was killed early has no checkpoint.
                let text = fs::read_to_string(&file).unwrap_or_default();
                for part in text.split('"').filter(|part| part.starts_with('/')) {
                    let is_neutral = part.starts_with(ORIGINAL_FOLDER)
                        || part.starts_with("/tmp/attractor-control-");
                    assert!(is_neutral, "{}: {part}", file.display());
                }
            }
        }
    }
}

#[test]
fn stored_runs_are_listed_shown_and_replayed() {
    for version in versions() {
        let project = project(&version);
        let listed = project
            .run(["runs", "--format", "json"])
            .expect_code(0)
            .json();
        assert_eq!(listed["unreadable"], serde_json::json!([]));
        let runs = runs(&project);
        assert_eq!(listed["runs"].as_array().map(Vec::len), Some(runs.len()));
        for run in &runs {
            project.run(["runs", "show", run]).expect_code(0);
            project.run(["runs", "events", run]).expect_code(0);
            project.run(["replay", run, "--check"]).expect_code(0);
        }
    }
}

#[test]
fn a_stored_run_that_failed_is_resumed() {
    for version in versions() {
        let project = project(&version);
        let run = run_of(&project, "release", "fail");
        project.write("repaired", "");
        let output = project
            .run(["resume", &run, "--accept-foreign"])
            .expect_code(0);
        assert!(output.stdout.contains("release success"), "{output}");
    }
}

#[test]
fn a_stored_run_that_was_killed_at_a_question_is_resumed() {
    for version in versions() {
        let project = project(&version);
        let run = run_of(&project, "release", "interrupted");
        project.write("repaired", "");
        let output = project
            .run([
                "resume",
                &run,
                "--answer",
                "review=Approve",
                "--accept-foreign",
            ])
            .expect_code(0);
        assert!(output.stdout.contains("release success"), "{output}");
    }
}

#[test]
fn a_stored_run_is_forked_with_its_files() {
    for version in versions() {
        let project = project(&version);
        let run = run_of(&project, "release", "fail");
        project.write("notes.txt", "changed since\n");
        let fork = [
            "fork",
            &run,
            "review",
            "--restore-files",
            "--answer",
            "review=Approve",
            "--accept-foreign",
        ];
        // The file that the last step needs is missing in the restored folder.
        project.run(fork).expect_code(1);
        assert_eq!(project.read("notes.txt"), "The tests pass.\n");
        let shown = project.run(["runs", "show"]).expect_code(0).stdout;
        assert!(shown.contains("review"), "{shown}");
    }
}

#[test]
fn stored_configuration_is_read() {
    for version in versions() {
        let project = project(&version);
        let output = project.run(["config"]).expect_code(0);
        assert_eq!(output.stderr, "", "{output}");
        assert!(output.stdout.contains("write(vendor/**)"), "{output}");
        project.run(["validate", "--strict", "."]).expect_code(0);
    }
}

#[test]
fn stored_scenarios_and_recordings_are_used() {
    for version in versions() {
        let project = project(&version);
        project
            .run(["test", "--coverage-fail-under", "100", "."])
            .expect_code(0);
        let replay = ["run", "notes.dot", "--replay", "notes.cassette"];
        let output = project.run(replay).expect_code(0);
        assert!(output.stdout.contains("ready to release"), "{output}");
    }
}

#[test]
fn a_stored_session_continues() {
    for version in versions() {
        let project = project(&version);
        let provider = MockProvider::start(vec![Reply::Says("There is nothing left.")]);
        for session in names(&project, ".attractor/sessions") {
            let mut command = project.command([
                "agent",
                "--session",
                &session,
                "--accept-foreign",
                "What is left?",
            ]);
            command.envs(provider.variables());
            let output = command.output().expect("the program starts");
            assert!(output.status.success(), "{output:?}");
        }
        let sent = format!("{:?}", provider.sent());
        assert!(sent.contains("Write that the tests pass"), "{sent}");
    }
}
