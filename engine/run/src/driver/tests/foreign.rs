//! Records of runs that came with a project, from somebody else.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use attractor_exec::RealDisk;

use super::durable::resumed;
use super::*;
use crate::driver::resume::resume_run;
use crate::error::RunError;
use crate::launch::record_key::RecordKey;
use crate::launch::{ForeignRuns, Resume};
use crate::runs::{UnreadableRuns, prune};
use crate::{Fork, fork};

const FAILS: &str = "digraph { s [shape=Mdiamond]; e [shape=Msquare]; a [shape=parallelogram, command=\"test -e ready\"]; s -> a -> e }";

/// A run of a project that failed, with its records where a project has them.
async fn failed(bench: &Harness) -> (Launch, RunHandle) {
    let mut launch = bench.launch(FAILS);
    launch.runs_dir = crate::runs_dir(bench.path());
    let (_, handle) = finish(launch).await;
    let mut launch = bench.launch(FAILS);
    launch.runs_dir = crate::runs_dir(bench.path());
    (launch, handle)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_worked_elsewhere_is_not_continued_here() {
    let bench = Harness::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let (launch, handle) = failed(&bench).await;
    let manifest = handle.directory().join("manifest.json");
    let mut records: serde_json::Value =
        serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    records["workdir"] = elsewhere.path().to_str().unwrap().into();
    fs::write(&manifest, records.to_string()).unwrap();
    let refused = resumed(handle.directory(), launch).await.unwrap_err();
    assert!(matches!(refused, RunError::Foreign { .. }), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_with_links_in_its_records_is_not_continued() {
    let bench = Harness::new();
    let (launch, handle) = failed(&bench).await;
    let other = bench.path().join("other.txt");
    fs::write(&other, "mine").unwrap();
    symlink(&other, handle.directory().join("more.log")).unwrap();
    let refused = resumed(handle.directory(), launch).await.unwrap_err();
    assert!(matches!(refused, RunError::NotOwn { .. }), "{refused}");
    assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
}

#[tokio::test(flavor = "multi_thread")]
async fn links_in_the_place_of_the_folders_of_records_are_refused() {
    for link in [".attractor", ".attractor/runs", ".attractor/objects"] {
        let bench = Harness::new();
        let elsewhere = tempfile::tempdir().unwrap();
        let history = elsewhere.path().join("ab/cdef");
        fs::create_dir_all(history.parent().unwrap()).unwrap();
        fs::write(&history, "history").unwrap();
        let place = bench.path().join(link);
        fs::create_dir_all(place.parent().unwrap_or(Path::new(""))).unwrap();
        symlink(elsewhere.path(), &place).unwrap();
        let mut launch = bench.launch(FAILS);
        launch.runs_dir = crate::runs_dir(bench.path());
        if link != ".attractor/objects" {
            assert!(start(launch).await.is_err(), "{link}");
        }
        let pruned = prune(&crate::runs_dir(bench.path()), 0, UnreadableRuns::Prune);
        assert!(pruned.is_err(), "{link}");
        let left = fs::read_dir(elsewhere.path()).unwrap().count();
        assert_eq!(
            (fs::read_to_string(&history).unwrap().as_str(), left),
            ("history", 1),
            "{link}"
        );
    }
}

#[test]
fn a_link_in_the_place_of_an_ignore_file_is_not_written_through() {
    let bench = Harness::new();
    let runs = crate::runs_dir(bench.path());
    fs::create_dir_all(&runs).unwrap();
    let elsewhere = bench.path().join("elsewhere");
    symlink(&elsewhere, runs.join(".gitignore")).unwrap();
    crate::make_runs_dir(&runs).unwrap();
    assert!(!elsewhere.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_another_user_signed_is_continued_only_on_request() {
    let (mine, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let key = |folder: &tempfile::TempDir| Some(RecordKey::of_user(Some(folder.path())));
    let bench = Harness::new();
    let launch_with = |record_key| Launch {
        record_key,
        ..bench.launch(FAILS)
    };
    for signed_with in [None, key(&theirs)] {
        let (_, handle) = finish(launch_with(signed_with)).await;
        let run = handle.directory();
        let refused = resumed(run, launch_with(key(&mine))).await.unwrap_err();
        assert!(matches!(refused, RunError::NotSigned { .. }), "{refused}");
        let point = Fork {
            run: run.to_owned(),
            node: "a".to_owned(),
            ..Fork::default()
        };
        let forked = fork(point, Resume::new(launch_with(key(&mine)))).await;
        assert!(matches!(forked.err(), Some(RunError::NotSigned { .. })));
        let accepted = Resume {
            foreign: ForeignRuns::Accept,
            ..Resume::new(launch_with(key(&mine)))
        };
        let again = resume_run(run, accepted, Arc::new(RealDisk)).unwrap();
        again.wait().await;
        // From now on it is a run of this user.
        resumed(run, launch_with(key(&mine))).await.unwrap();
        let refused = resumed(run, launch_with(key(&theirs))).await.unwrap_err();
        assert!(matches!(refused, RunError::NotSigned { .. }), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn links_that_a_command_made_do_not_prevent_that_its_run_continues() {
    let bench = Harness::new();
    let dot = FAILS.replace(
        "test -e ready",
        "ln -sf /etc/hostname $ATTRACTOR_STAGE_DIR/link; test -e ready",
    );
    let (_, handle) = finish(bench.launch(&dot)).await;
    let link = handle.directory().join("a/1-1/link");
    assert!(link.is_symlink());
    fs::write(bench.path().join("ready"), "").unwrap();
    let report = resumed(handle.directory(), bench.launch(&dot))
        .await
        .unwrap();
    assert_eq!(report.status, RunState::Success);
}
