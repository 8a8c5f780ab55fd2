//! Reads what `attractor` alone reports about the current folder: its pipelines, its newest run, its configuration.
//!
//! It must answer at once in any folder: the search for files is bounded, and nothing is asked over the network.

use std::path::Path;
use std::time::SystemTime;

use attractor::Providers;
use attractor_lang::stylesheet::Stylesheet;
use attractor_model::Severity;
use attractor_run::{RunState, RunSummary, files_near, is_dot_file, newest_run};
use attractor_scenario::scenario_path;

use crate::analysis::{Analyzed, analyze_unreported};
use crate::configuration;
use crate::input::Source;
use crate::next_steps::{FolderFacts, PipelineFile, RunStep, UnfinishedRun};
use crate::project::{runs_here, shown};
use crate::render::time;

/// How many DOT files are read; the newest ones.
const MAX_FILES: usize = 20;

/// The facts of the current folder.
pub fn folder_facts() -> FolderFacts {
    let here = std::env::current_dir().unwrap_or_default();
    let configuration = configuration::read(&here);
    let newest = newest_run(&runs_here(), |_| true);
    let worked_on = newest.as_ref().map(|run| run.path.clone());
    FolderFacts {
        pipelines: pipelines(&here, worked_on.as_deref()),
        run: newest.as_ref().and_then(unfinished),
        has_models: Providers::from_environment(&configuration)
            .statuses()
            .iter()
            .any(|status| status.problem.is_none()),
        has_broken_configuration: configuration
            .layers()
            .iter()
            .any(|layer| !layer.problems.is_empty()),
    }
}

/// The pipelines in a folder: first the file of the newest run, then by the time of their last change.
fn pipelines(folder: &Path, worked_on: Option<&Path>) -> Vec<PipelineFile> {
    let mut files = files_near(folder, is_dot_file);
    files.sort_by_cached_key(|file| {
        let changed = file.metadata().and_then(|data| data.modified());
        let changed = changed.unwrap_or(SystemTime::UNIX_EPOCH);
        let is_worked_on = worked_on == Some(file);
        std::cmp::Reverse((is_worked_on, changed))
    });
    files.truncate(MAX_FILES);
    files.iter().filter_map(|file| pipeline(file)).collect()
}

/// What is known of a file, if it holds a pipeline.
fn pipeline(file: &Path) -> Option<PipelineFile> {
    let source = Source::read(file).ok()?;
    let analyzed = analyze_unreported(source, Stylesheet::default());
    analyzed.analysis.pipelines().next()?;
    Some(PipelineFile {
        path: for_shell(&shown(file)),
        errors: errors(&analyzed),
        has_scenarios: scenario_path(file).exists(),
    })
}

fn errors(analyzed: &Analyzed) -> usize {
    analyzed.checked(|_| true).count(Severity::Error)
}

/// A path as a word of a shell command.
fn for_shell(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "._-/+,@%".contains(c);
    if path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

/// The newest run, if something is left to do with it.
fn unfinished(run: &RunSummary) -> Option<UnfinishedRun> {
    let place = run.node.as_ref().map(|node| format!(" at {node}"));
    let place = place.unwrap_or_default();
    let (next, verb) = match run.state {
        RunState::Waiting => (RunStep::Answer, "waits for an answer"),
        RunState::Running => (RunStep::Watch, "is active"),
        RunState::Paused => (RunStep::Resume, "is paused"),
        RunState::Interrupted => (RunStep::Resume, "was interrupted"),
        RunState::Cancelled => (RunStep::Resume, "was cancelled"),
        RunState::Fail => (RunStep::Resume, "failed"),
        RunState::Success | RunState::Escalated | RunState::Invalid => return None,
    };
    let when = run
        .ended_at
        .as_deref()
        .map(|end| format!(" {}", time::ago(end)));
    Some(UnfinishedRun {
        pipeline: run.pipeline.clone(),
        state: format!("{verb}{place}{}", when.unwrap_or_default()),
        next,
    })
}

#[cfg(test)]
mod tests {
    use super::for_shell;

    #[test]
    fn paths_with_spaces_are_quoted() {
        assert_eq!(for_shell("a/release-2.dot"), "a/release-2.dot");
        assert_eq!(for_shell("my file.dot"), "'my file.dot'");
        assert_eq!(for_shell("it's.dot"), r"'it'\''s.dot'");
    }
}
