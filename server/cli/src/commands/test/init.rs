//! `attractor test --init`: writes scenarios that cover every edge. A file that exists is never changed: what it lacks
//! is printed.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use attractor_scenario::{Generated, Subject, generate, scenario_path, write, write_missing};

use super::suite::{Suite, read_pipeline};
use crate::commands::block_on;
use crate::console::{self, plain};
use crate::error::Error;
use crate::exit::Exit;
use crate::input::under;
use crate::render::line_column::Lines;
use crate::render::{Checked, counted, human};

/// Writes the scenario files of pipelines.
pub fn run(paths: &[PathBuf]) -> Result<Exit, Error> {
    let mut exit = Exit::Success;
    for path in paths {
        let files = under(path);
        if files.is_empty() {
            return Err(Error::NoFiles {
                path: path.display().to_string(),
            });
        }
        for file in files {
            match read_pipeline(&file) {
                // A folder may hold plain graphs.
                Err(Error::NoPipeline { .. }) if path.is_dir() => {}
                Err(error) => return Err(error),
                Ok((pipeline, _)) if !pipeline.diagnostics.is_empty() => {
                    console::remark(
                        human::report(&pipeline, human::ReportDetail::Problems).trim_end(),
                    );
                    exit = Exit::Failed;
                }
                Ok((pipeline, subject)) => {
                    let generated = generate_all(&subject)?;
                    let target = scenario_path(&file);
                    if target.exists() {
                        exit = compare(&target, &generated, exit)?;
                    } else {
                        create(&target, &pipeline, &generated)?;
                    }
                }
            }
        }
    }
    Ok(exit)
}

/// The scenario files that [`run`] would create for the pipelines of a folder.
pub fn missing(folder: &Path) -> Vec<PathBuf> {
    let is_correct = |file: &PathBuf| {
        read_pipeline(file).is_ok_and(|(pipeline, _)| pipeline.diagnostics.is_empty())
    };
    let targets = under(folder)
        .into_iter()
        .filter(is_correct)
        .map(|file| scenario_path(&file));
    targets.filter(|target| !target.exists()).collect()
}

/// The scenarios of every pipeline of a file.
fn generate_all(subject: &Subject) -> Result<Vec<Generated>, Error> {
    block_on(async {
        let mut all = Vec::new();
        for pipeline in subject.pipelines() {
            all.extend(generate(subject, &pipeline.name).await);
        }
        Ok(all)
    })
}

fn create(target: &Path, pipeline: &Checked, generated: &[Generated]) -> Result<(), Error> {
    let name = Path::new(&pipeline.source.name).file_name();
    let name = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let text = write(&name, generated);
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(target)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|cause| Error::unwritable(target.display().to_string(), cause))?;
    let scenarios: usize = generated.iter().map(|one| one.scenarios.len()).sum();
    let edges: usize = generated.iter().map(|one| one.edges).sum();
    let uncovered = generated.iter().flat_map(|one| &one.uncovered);
    console::line(&format!(
        "created {}: {}, {} of {} covered",
        target.display(),
        counted(scenarios, "scenario"),
        edges - uncovered.clone().count(),
        counted(edges, "edge"),
    ))?;
    let lines = Lines::new(&pipeline.source.text);
    for one in uncovered {
        let at = lines.position(one.range.start());
        let file = plain(&pipeline.source.name);
        let edge = plain(&one.edge).into_owned();
        console::line(&format!(
            "  {file}:{}:{}: not covered: {edge}: {}",
            at.line, at.column, one.reason
        ))?;
    }
    Ok(())
}

/// Prints the scenarios that a file lacks.
fn compare(target: &Path, generated: &[Generated], exit: Exit) -> Result<Exit, Error> {
    let mut suite = Suite::load(target, None)?;
    let suite = block_on(async {
        suite.run().await;
        Ok(suite)
    })?;
    let missing = write_missing(generated, &suite.coverage);
    let name = target.display();
    if missing.is_empty() {
        console::line(&format!(
            "{name} exists and covers every edge that can be covered"
        ))?;
        return Ok(exit);
    }
    console::remark(&format!(
        "{name} exists and is not changed; these scenarios would cover more edges:"
    ));
    console::print(&missing)?;
    Ok(Exit::Failed)
}
