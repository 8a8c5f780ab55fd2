//! `attractor test --from-run`: what a run did, as a scenario of its pipeline. A file that exists is only added to.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

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
    let unwritable = |cause| Error::unwritable(target.display().to_string(), cause);
    let existing = match fs::read_to_string(&target) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(unwritable(error)),
    };
    let text = existing.as_deref().unwrap_or_default();
    let (file, _) = ScenarioFile::parse(text);
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
    let added = match existing {
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
