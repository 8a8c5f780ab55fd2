//! `attractor test`: runs the scenarios of pipelines.

mod from_run;
mod human;
pub mod init;
mod json;
mod junit;
mod suite;

use std::path::{Path, PathBuf};

use attractor_run::is_dot_file;
use attractor_scenario::{ENDING, scenario_path};
use clap::ValueEnum;
use clap_complete::ArgValueCandidates;

use super::block_on;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::input::files_under;
use crate::option_values::check_report;
use crate::project::RunFilter;
use suite::{Suite, Totals};

/// Run the scenarios of pipelines: dry runs with given outcomes and expected paths
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor test --init release.dot                write scenarios that cover every edge
  attractor test --from-run                        add what the newest run did as a scenario
  attractor test                                   run all scenarios of this folder
  attractor test release.dot -k revise             run scenarios of one pipeline by name
  attractor test --report junit=scenarios.xml --coverage-fail-under 100

A scenario file NAME.test.toml is next to NAME.dot. Exit codes: 0 all passed, 1 a scenario failed or the coverage is \
too low, 2 usage or an invalid scenario file.")]
pub struct Test {
    /// Scenario files, pipeline files and folders
    #[arg(value_name = "FILE|DIR", default_value = ".")]
    files: Vec<PathBuf>,
    /// Write scenarios that cover every edge of pipelines that have no scenario file; nothing is overwritten
    #[arg(long, conflicts_with_all = ["filter", "coverage_fail_under", "report", "format"])]
    init: bool,
    /// Add a scenario with the inputs, outcomes, answers and path of a run that has ended [default: the newest]
    #[arg(
        long, value_name = "RUN", num_args = 0..=1, default_missing_value = "",
        add = ArgValueCandidates::new(|| RunFilter::Any.complete()),
        conflicts_with_all = ["files", "init", "filter", "coverage_fail_under", "report", "format"]
    )]
    from_run: Option<String>,
    /// Run only scenarios whose name contains this text, in any case
    #[arg(short = 'k', value_name = "TEXT")]
    filter: Option<String>,
    /// Fail when fewer edges are covered, in percent
    #[arg(long, value_name = "PERCENT", value_parser = crate::option_values::percent)]
    coverage_fail_under: Option<u8>,
    /// Print only failures
    #[arg(short, long)]
    quiet: bool,
    /// Write a JUnit report, with a test case per scenario
    #[arg(long, value_name = "junit=FILE", value_parser = crate::option_values::junit)]
    report: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line per scenario, failures, and edges that are not covered
    #[default]
    Human,
    /// JSON (stable)
    Json,
}

impl Test {
    /// Runs the scenarios of every file.
    pub fn run(self) -> Result<Exit, Error> {
        if let Some(run) = &self.from_run {
            return from_run::run(Some(run.as_str()).filter(|run| !run.is_empty()));
        }
        if self.init {
            return init::run(&self.files);
        }
        if let Some(path) = &self.report {
            check_report(path)?;
        }
        let mut files = Vec::new();
        for path in &self.files {
            files.extend(scenario_files(path)?);
        }
        files.dedup();
        let mut suites = Vec::new();
        for path in files {
            suites.push(Suite::load(&path, self.filter.as_deref())?);
        }
        if let Some(text) = &self.filter
            && suites.iter().all(Suite::is_empty)
        {
            let text = text.clone();
            return Err(Error::NoScenarioNamed { text });
        }
        block_on(async {
            for suite in &mut suites {
                suite.run().await;
                if self.format == Format::Human {
                    console::print(&human::suite(suite, self.quiet))?;
                }
            }
            Ok(())
        })?;
        let totals = Totals::of(&suites);
        match self.format {
            Format::Human => console::print(&human::summary(&suites, &totals, self.quiet))?,
            Format::Json => console::json(&json::report(&suites, &totals))?,
        }
        let too_little = self.too_little(&totals);
        if let Some(path) = &self.report {
            std::fs::write(path, junit::report(&suites, too_little.as_deref()))
                .map_err(|cause| Error::unwritable(path.display().to_string(), cause))?;
        }
        if let Some(message) = too_little.filter(|_| totals.invalid_files == 0) {
            console::remark(&message);
            return Ok(Exit::Failed);
        }
        Ok(exit(&totals))
    }

    /// What the coverage lacks.
    fn too_little(&self, totals: &Totals) -> Option<String> {
        let percent = totals.percent();
        let wanted = self
            .coverage_fail_under
            .filter(|wanted| percent < *wanted)?;
        Some(format!(
            "{percent}% of edges are covered; expected at least {wanted}% (--coverage-fail-under)"
        ))
    }
}

fn exit(totals: &Totals) -> Exit {
    if totals.invalid_files > 0 {
        Exit::Usage
    } else if totals.failed > 0 || totals.invalid_pipelines > 0 {
        Exit::Failed
    } else {
        Exit::Success
    }
}

/// The scenario files of a path: those of a folder, that of a pipeline, or the file itself.
fn scenario_files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let is_scenario_file = |path: &Path| path.to_string_lossy().ends_with(ENDING);
    let shown = || path.display().to_string();
    if path.is_file() && is_dot_file(path) {
        let file = scenario_path(path);
        if file.is_file() {
            return Ok(vec![file]);
        }
        return Err(Error::NoScenariosOf {
            path: shown(),
            expected: file.display().to_string(),
        });
    }
    let files = files_under(path, is_scenario_file);
    if files.is_empty() {
        return Err(Error::NoScenarios { path: shown() });
    }
    Ok(files)
}
