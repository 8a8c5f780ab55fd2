//! Whole runs, in process: real files, real commands, real handles.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use attractor_machine::event::{Event, EventKind};
use attractor_machine::outcome::Status;
use attractor_machine::plan::Plan;
use attractor_machine::report::RunReport;
use attractor_machine::transition::State;
use attractor_model::{Files, Options, Pipeline};
use serde_json::Value;
use tempfile::TempDir;

use super::start::start_on;
use super::{RunHandle, start};
use crate::handlers::script::Script;
use crate::launch::{Launch, Mode, Source};
use crate::replay::steps::replay;
use crate::store::artifacts::Artifacts;
use crate::store::{Layout, Snapshot, load};
use attractor_model::RunState;

mod attributes;
mod checkpoints;
mod commands;
mod conformance;
mod cuts;
mod durable;
mod foreign;
mod handlers;
mod incomplete;
mod interviewers;
mod models;
mod node_questions;
mod pausing;
mod people;
mod refusals;
mod routing;
mod runs;
mod steering;
mod syncs;

/// A folder to run in, gone with the test.
struct Harness {
    folder: TempDir,
}

impl Harness {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A launch of the first pipeline of `dot`, in this folder.
    fn launch(&self, dot: &str) -> Launch {
        launch_in(self.path(), dot)
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap_or_default()
    }
}

/// The files of a folder.
struct Folder<'f>(&'f Path);

impl Files for Folder<'_> {
    fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.0.join(path)).ok()
    }

    fn exists(&self, path: &str) -> bool {
        self.0.join(path).exists()
    }

    fn list(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

fn launch_in(folder: &Path, dot: &str) -> Launch {
    let pipelines = Pipeline::from_text(dot);
    let source = Source {
        path: folder.join("test.dot"),
        text: dot.into(),
    };
    let pipeline = pipelines.first().expect("a pipeline").clone();
    let options = Options::default();
    let files = Folder(folder);
    let bundle = crate::PipelineBundle::collect(&pipeline, &pipelines, &options, &files);
    Launch::new(pipeline, source).with_bundle(bundle, options)
}

/// Runs to the end, and checks what holds for every run: events without holes, and a journal whose replay
/// gives the very bytes of the last state.
async fn finish(launch: Launch) -> (Arc<RunReport>, RunHandle) {
    let plan = Plan::new(launch.pipeline.clone(), launch.library.clone());
    // Without the validator, which refuses what some tests are about.
    let disk = Arc::new(attractor_exec::RealDisk);
    let handle = start_on(
        launch,
        attractor_machine::transition::Begin::default(),
        disk,
        None,
    )
    .unwrap();
    let report = handle.wait().await;
    check_journal(&plan, &handle);
    (report, handle)
}

fn check_journal(plan: &Plan, handle: &RunHandle) {
    let events = handle.events(0);
    for (index, event) in events.iter().enumerate() {
        assert_eq!(event.seq, index as u64 + 1);
    }
    let layout = Layout::new(handle.directory().to_owned());
    if !layout.journal().exists() {
        return;
    }
    let loaded = load(&layout.journal()).unwrap();
    let written: Vec<&Event> = loaded.records.iter().map(|record| &record.event).collect();
    let seen: Vec<&Event> = events.iter().map(AsRef::as_ref).collect();
    assert_eq!(written, seen);
    let plan = plan
        .clone()
        .knowing(Arc::new(Artifacts::new(layout.artifacts())));
    let beginning = (State::default(), 0);
    let (state, missing) = replay(&plan, beginning, &loaded.records, &layout.journal()).unwrap();
    assert!(missing.is_empty());
    let kept = Snapshot::load(&layout.checkpoint()).unwrap();
    let bytes = |state| serde_json::to_string(state).unwrap();
    assert_eq!(bytes(&state), bytes(&kept.state));
}

async fn run(launch: Launch) -> Arc<RunReport> {
    finish(launch).await.0
}

/// Walks the first pipeline of `dot` with scripted outcomes.
async fn walk(dot: &str, outcomes: &[(&str, &[&str])]) -> Arc<RunReport> {
    let mut launch = launch_in(Path::new("/nowhere"), dot);
    launch.mode = dry(outcomes);
    run(launch).await
}

fn dry(outcomes: &[(&str, &[&str])]) -> Mode {
    let outcomes = outcomes
        .iter()
        .map(|(node, words)| {
            let words = words.iter().map(|word| Status::parse(word).into());
            ((*node).to_owned(), words.collect())
        })
        .collect();
    Mode::DryRun(Script {
        outcomes,
        ..Script::default()
    })
}

fn path(report: &RunReport) -> String {
    report.path.join(" ")
}

fn value<'r>(report: &'r RunReport, key: &str) -> &'r Value {
    report.context.get(key).unwrap_or(&Value::Null)
}

fn kinds(handle: &RunHandle) -> Vec<String> {
    let name = |event: &Arc<Event>| {
        let value = serde_json::to_value(&event.kind).unwrap();
        value["type"].as_str().unwrap().to_owned()
    };
    handle.events(0).iter().map(name).collect()
}
