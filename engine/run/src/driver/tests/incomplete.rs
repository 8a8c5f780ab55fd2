//! Directories of runs that are not whole: a process died while it made one, or another version wrote it.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use attractor_exec::RealDisk;
use attractor_machine::transition::Begin;
use expect_test::{Expect, expect};

use super::*;
use crate::driver::resume::resume_run;
use crate::driver::start::start_on;
use crate::launch::Resume;
use crate::testing::faults::{Fault, FaultyDisk};

const SILENT: &str =
    "digraph { s [shape=Mdiamond]; e [shape=Msquare]; a [command=true]; s -> a -> e }";

/// What is in a folder of runs, but for its `.gitignore`.
fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != ".gitignore")
        .collect();
    names.sort();
    names
}

/// What resuming `directory` says.
fn check_refused(bench: &Harness, directory: &Path, expected: &Expect) {
    let how = Resume::new(bench.launch(SILENT));
    let error = resume_run(directory, how, Arc::new(RealDisk))
        .err()
        .unwrap();
    let name = directory.display().to_string();
    expected.assert_eq(&error.to_string().replace(&name, "RUN"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_has_its_name_only_when_its_start_is_recorded() {
    let bench = Harness::new();
    let runs = bench.launch(SILENT).runs_dir;
    let full = Arc::new(FaultyDisk::new(Fault::Full, 0));
    let refused = start_on(bench.launch(SILENT), Begin::default(), full, None);
    assert!(refused.is_err());
    assert_eq!(entries(&runs), Vec::<String>::new());

    let full = Arc::new(FaultyDisk::new(Fault::Full, 1));
    let handle = start_on(bench.launch(SILENT), Begin::default(), full, None).unwrap();
    assert_eq!(entries(&runs), [handle.id().to_string()]);
    assert!(handle.directory().join("manifest.json").exists());
    let events = crate::load_events(handle.directory()).unwrap();
    assert!(matches!(
        events.first().unwrap().kind,
        EventKind::PipelineStarted { .. }
    ));
    handle.wait().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_whole_is_refused_with_a_reason() {
    let bench = Harness::new();
    let (_, handle) = finish(bench.launch(SILENT)).await;
    let directory = handle.directory();
    let journal = fs::read(directory.join("journal.jsonl")).unwrap();
    fs::remove_file(directory.join("checkpoint.json")).unwrap();
    for length in [0, 40] {
        fs::write(directory.join("journal.jsonl"), &journal[..length]).unwrap();
        check_refused(
            &bench,
            directory,
            &expect![
                "RUN is not a complete run: its journal does not record the start, so its process ended before the first step"
            ],
        );
        assert!(crate::summary(directory).is_err());
    }
    fs::remove_file(directory.join("manifest.json")).unwrap();
    check_refused(
        &bench,
        directory,
        &expect![
            "RUN is not a complete run: it has no `manifest.json`, so its process ended before the first step"
        ],
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_format_is_refused() {
    let bench = Harness::new();
    let (_, handle) = finish(bench.launch(SILENT)).await;
    let manifest = handle.directory().join("manifest.json");
    fs::write(&manifest, r#"{"format": 99, "engine": "7.0", "run": {}}"#).unwrap();
    check_refused(
        &bench,
        handle.directory(),
        &expect![
            "RUN/manifest.json has format 99, but this version of attractor reads format 1; use the version that wrote it (7.0)"
        ],
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn pruning_deletes_what_is_finished_or_was_never_recorded() {
    let bench = Harness::new();
    let runs = bench.launch(SILENT).runs_dir;
    let mut finished = Vec::new();
    for _ in 0..3 {
        finished.push(finish(bench.launch(SILENT)).await.1.id().to_string());
    }
    let long_ago = SystemTime::now() - Duration::from_hours(1);
    for (name, changed) in [
        (".new-01ARZ3NDEKTSV4RRFFQ69G5FAA", long_ago),
        (".new-01ARZ3NDEKTSV4RRFFQ69G5FAB", SystemTime::now()),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAC", long_ago),
        ("notes", long_ago),
    ] {
        fs::create_dir(runs.join(name)).unwrap();
        let directory = File::open(runs.join(name)).unwrap();
        directory.set_modified(changed).unwrap();
    }
    assert_eq!(crate::list_runs(&runs).len(), 3);
    assert_eq!(
        crate::prune(&runs, 1, crate::UnreadableRuns::Keep)
            .unwrap()
            .len(),
        4
    );
    finished.sort();
    let mut expected = vec![
        ".new-01ARZ3NDEKTSV4RRFFQ69G5FAB".to_owned(),
        finished.pop().unwrap(),
        "notes".to_owned(),
    ];
    expected.sort();
    assert_eq!(entries(&runs), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_writes_nothing_leaves_nothing() {
    let bench = Harness::new();
    let dot = "digraph { s [shape=Mdiamond]; e [shape=Msquare]; quiet [command=true]; loud [command=\"echo x\"]; s -> quiet -> loud -> e }";
    let (_, handle) = finish(bench.launch(dot)).await;
    let logs = |node: &str| entries(&handle.directory().join(node).join("1-1"));
    assert!(!handle.directory().join("quiet").exists());
    assert_eq!(logs("loud"), ["stdout.log"]);
}
