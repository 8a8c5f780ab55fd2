//! `attractor test --from-run`: what a run did, as a scenario of its pipeline. A file that exists is only added to.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use attractor_model::Severity;
use attractor_run::{History, RunSummary, summary};
use attractor_scenario::{GeneratedScenario, ScenarioFile, record, scenario_path, write_one};

use super::suite::read_pipeline;
use crate::commands::block_on;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::project::{RunFilter, find};

/// Adds the scenario of a run, the newest without a name, to the scenario file of its pipeline.
pub fn run(run: Option<&str>) -> Result<Exit, Error> {
    let directory = find(run, RunFilter::Any)?;
    let run = summary(&directory)?;
    check_inside(&directory, &run)?;
    let (pipeline, subject) = read_pipeline(&run.path)?;
    if let Some(problem) = pipeline.diagnostics.first() {
        return Err(refused(&run.run, &problem.message));
    }
    let history = History::open(&directory)?;
    let recorded = block_on(async { Ok(record(&subject, &run.pipeline, &history).await) })?;
    let mut scenario = recorded.map_err(|reason| refused(&run.run, &reason.to_string()))?;
    let is_first = subject
        .pipelines()
        .next()
        .is_some_and(|first| first.name == run.pipeline);
    let graph = (!is_first).then_some(run.pipeline.as_str());
    add(&run, &mut scenario, graph)
}

/// A run's records name the pipeline's file: nothing is written outside of the project that has the run.
fn check_inside(directory: &Path, run: &RunSummary) -> Result<(), Error> {
    // The folder of a run may be given relative to this one.
    let directory = directory.canonicalize().ok();
    let project = directory.as_deref().and_then(|run| run.ancestors().nth(3));
    let folder = run.path.parent().map(Path::canonicalize);
    match (project, folder) {
        (Some(project), Some(Ok(folder))) if folder.starts_with(project) => Ok(()),
        _ => {
            let path = run.path.display();
            let reason = format!("its pipeline `{path}` is not in this project");
            Err(refused(&run.run, &reason))
        }
    }
}

fn refused(run: &str, reason: &str) -> Error {
    Error::NotRecordable {
        run: run.to_owned(),
        reason: reason.to_owned(),
    }
}

/// Adds a scenario to a file, unless the file has it.
fn add(
    run: &RunSummary,
    scenario: &mut GeneratedScenario,
    graph: Option<&str>,
) -> Result<Exit, Error> {
    let target = scenario_path(&run.path);
    let shown = target.display().to_string();
    let unwritable = |cause| Error::unwritable(shown.clone(), cause);
    let existing = read(&target)?;
    let text = existing.as_deref().unwrap_or_default();
    let (file, problems) = ScenarioFile::parse(text);
    let is_of_another = file.pipeline.as_ref().is_some_and(|pipeline| {
        let path = target
            .parent()
            .unwrap_or(Path::new(""))
            .join(&pipeline.value);
        path.file_name() != run.path.file_name()
    });
    if problems.iter().any(|one| one.severity == Severity::Error) || is_of_another {
        let reason =
            format!("`{shown}` has errors, or is about another pipeline; correct it first");
        return Err(refused(&run.run, &reason));
    }
    let is_known = |name: &str| file.scenarios.iter().any(|one| one.name.value == name);
    let content = without_name(&write_one(scenario, graph)).to_owned();
    if text.contains(&content) {
        console::line(&format!(
            "{} already has a scenario with the path of run {}",
            target.display(),
            run.run
        ))?;
        return Ok(Exit::Success);
    }
    let name = scenario.name.clone();
    let written = |name: &str| graph.map_or(name.to_owned(), |graph| format!("{graph}: {name}"));
    let mut number = 2;
    while is_known(&written(&scenario.name)) {
        scenario.name = format!("{name} ({number})");
        number += 1;
    }
    let added = match &existing {
        None => format!(
            "# Scenarios of {}.\n\n{}",
            file_name(&run.path),
            write_one(scenario, graph)
        ),
        Some(text) => format!(
            "{}\n{}",
            if text.is_empty() || text.ends_with('\n') {
                ""
            } else {
                "\n"
            },
            write_one(scenario, graph)
        ),
    };
    // A file may have its scenarios in a form that no other can follow.
    let (_, problems) = ScenarioFile::parse(&format!("{text}{added}"));
    if let Some(problem) = problems.iter().find(|one| one.severity == Severity::Error) {
        let reason = format!("`{shown}` would have an error with it: {}", problem.message);
        return Err(refused(&run.run, &reason));
    }
    // Answers are kept as they were given, and the file is made to be committed.
    let redactor = attractor_exec::redactor([]);
    if redactor.text(&added) != added {
        return Err(refused(&run.run, "its scenario would contain a secret"));
    }
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(&target)
        .and_then(|mut file| file.write_all(added.as_bytes()))
        .map_err(unwritable)?;
    console::line(&format!(
        "added scenario `{}` to {}; its dry run takes the same path as run {}",
        written(&scenario.name),
        target.display(),
        run.run
    ))?;
    Ok(Exit::Success)
}

/// The text of an ordinary file; none where there is no file. A link is not followed: a repository may have put it there.
fn read(target: &Path) -> Result<Option<String>, Error> {
    let shown = || target.display().to_string();
    let unreadable = |cause| Error::unreadable(shown(), cause);
    match fs::symlink_metadata(target) {
        Ok(found) if found.is_file() => Ok(Some(fs::read_to_string(target).map_err(unreadable)?)),
        Ok(_) => Err(unreadable(io::Error::other("it is not an ordinary file"))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(error)),
    }
}

/// The lines of a scenario after its name.
fn without_name(scenario: &str) -> &str {
    let mut rest = scenario;
    for _ in 0..2 {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest
}

fn file_name(path: &Path) -> String {
    let name = path.file_name();
    name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
