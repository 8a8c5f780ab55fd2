//! Checkpoint files: what they say and where a run continues from them.

use super::*;
use crate::launch::Resume;
use crate::{Checkpoint, ResumeFrom};

const STEPS: &str = r#"digraph p { s [shape=Mdiamond]; e [shape=Msquare]
    a [command="echo a >> log.txt"]; b [command="echo b >> log.txt; test -e ready"]; c [command="echo c >> log.txt"]
    s -> a -> b -> c -> e }"#;

async fn run_with_points(bench: &Harness, dot: &str) -> (Arc<RunReport>, std::path::PathBuf) {
    let points = bench.path().join("points");
    let mut launch = bench.launch(dot);
    launch.checkpoint_dir = Some(points.clone());
    (run(launch).await, points)
}

async fn resumed(bench: &Harness, dot: &str, from: std::path::PathBuf) -> Arc<RunReport> {
    let resume = Resume::new(bench.launch(dot));
    let handle = crate::resume(ResumeFrom::File(from), resume).await;
    handle.unwrap().wait().await
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_failure_the_newest_file_runs_the_failed_node_again() {
    let bench = Harness::new();
    let (report, points) = run_with_points(&bench, STEPS).await;
    assert_eq!(report.failure.clone().unwrap().node.as_deref(), Some("b"));
    let latest = Checkpoint::latest(&points).unwrap().unwrap();
    assert_eq!(
        (latest.current_node.as_str(), latest.next_node.as_deref()),
        ("b", Some("b"))
    );
    assert_eq!(latest.completed_nodes, ["s", "a"]);

    std::fs::write(bench.path().join("ready"), "").unwrap();
    let report = resumed(&bench, STEPS, points).await;
    assert_eq!(report.status, RunState::Success);
    assert_eq!(path(&report), "s a b c e");
    assert_eq!(bench.file("log.txt"), "a\nb\nb\nc\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_that_leads_on_and_a_success_are_gone_on_from() {
    let bench = Harness::new();
    let routed = STEPS.replace("s -> a", "b -> c [condition=\"outcome=fail\"]; s -> a");
    let routed = routed.replace("a -> b -> c", "a -> b; c");
    let (report, points) = run_with_points(&bench, &routed).await;
    assert_eq!(report.status, RunState::Success);
    let nexts: Vec<_> = Checkpoint::list(&points)
        .unwrap()
        .iter()
        .map(|path| {
            Checkpoint::load(path)
                .unwrap()
                .next_node
                .unwrap_or_default()
        })
        .collect();
    assert_eq!(nexts, ["", "e", "c", "b", "a"]);
    let before = bench.file("log.txt");
    let report = resumed(&bench, &routed, points).await;
    assert_eq!(report.status, RunState::Success);
    assert_eq!(bench.file("log.txt"), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_without_checkpoints_is_said() {
    let bench = Harness::new();
    let resume = Resume::new(bench.launch(STEPS));
    let from = ResumeFrom::File(bench.path().to_owned());
    let error = crate::resume(from, resume).await.err().unwrap().to_string();
    assert!(error.starts_with("no checkpoints in "), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_file_is_an_event_but_the_last_one() {
    let bench = Harness::new();
    let points = bench.path().join("points");
    std::fs::write(bench.path().join("ready"), "").unwrap();
    let mut launch = bench.launch(STEPS);
    launch.checkpoint_dir = Some(points.clone());
    let (_, handle) = finish(launch).await;
    let events = handle.events(0);
    let saved = events.iter().filter_map(|event| match &event.kind {
        EventKind::CheckpointSaved { at, name } => Some((at.node.as_str(), points.join(name))),
        _ => None,
    });
    let (nodes, files): (Vec<_>, Vec<_>) = saved.unzip();
    assert_eq!(nodes, ["s", "a", "b", "c"]);
    let mut listed = Checkpoint::list(&points).unwrap();
    listed.reverse();
    assert_eq!(files, listed[..4]);
    assert!(events.last().unwrap().kind.is_end());
}
