//! Why a launch was refused, and how that is reported.

use std::sync::Arc;

use attractor_model::{Attribute, Diagnostic, Severity};
use attractor_run::{Launch, RunError, RunReport};
use serde::Serialize;

use crate::analysis;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::follow::progress_printer::Format;
use crate::input::Source;
use crate::render::{Checked, github, human, json};

/// The rule of diagnostics about declared inputs without a value.
const MISSING_INPUT: &str = "missing_input";

/// Why a launch was refused.
pub enum LaunchError {
    /// The pipeline has errors, which have been printed on standard error.
    Invalid {
        /// For programs.
        report: Box<RunReport>,
        /// The file and its diagnostics.
        checked: Box<Checked>,
    },
    /// Any other error.
    Error(Error),
}

/// The report of an invalid pipeline among the events of runs.
#[derive(Serialize)]
#[serde(tag = "type", rename = "pipeline_refused")]
struct PipelineRefused<'r> {
    #[serde(flatten)]
    report: &'r RunReport,
}

impl<E: Into<Error>> From<E> for LaunchError {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

impl LaunchError {
    /// An invalid pipeline.
    pub fn invalid(pipeline: String, checked: Checked) -> Self {
        let diagnostics = json::diagnostics(&checked);
        Self::Invalid {
            report: Box::new(RunReport::invalid(pipeline, diagnostics)),
            checked: Box::new(checked),
        }
    }

    /// Why the engine refused a launch. Missing inputs are diagnostics, like any other error of the pipeline.
    pub fn of_run(error: RunError, launch: &Launch) -> Self {
        let RunError::MissingInputs { pipeline, missing } = error else {
            return error.into();
        };
        let declared = launch.pipeline.attributes.get("vars");
        let range = declared.and_then(Attribute::range);
        let range = range.unwrap_or(launch.pipeline.range);
        let diagnostics = missing.iter().map(|name| {
            let message = format!("input `{name}` is missing; pass --input {name}=VALUE");
            Diagnostic::new(MISSING_INPUT, Severity::Error, range, message)
        });
        let source = Source::of_text(&launch.source.path, Arc::clone(&launch.source.text));
        let checked = analysis::checked(source, diagnostics.collect());
        console::remark(human::report(&checked, human::ReportDetail::Problems).trim_end());
        Self::invalid(pipeline, checked)
    }

    /// Prints the report of an invalid pipeline in formats for programs. Gives the exit code.
    pub fn end(self, format: Format) -> Result<Exit, Error> {
        match self {
            Self::Error(error) => {
                if let Some(checked) = Checked::unreadable(&error) {
                    let diagnostics = json::diagnostics(&checked);
                    let report = RunReport::invalid(String::new(), diagnostics);
                    print(&report, &checked, format)?;
                }
                Err(error)
            }
            Self::Invalid { report, checked } => {
                print(&report, &checked, format)?;
                Ok(Exit::of(&report))
            }
        }
    }
}

/// Prints the report of an invalid pipeline in formats for programs.
fn print(report: &RunReport, checked: &Checked, format: Format) -> Result<(), Error> {
    match format {
        Format::Human => Ok(()),
        Format::Github => console::print(&github::report(std::slice::from_ref(checked))),
        Format::Json => console::json(report),
        Format::Events => console::json_line(&PipelineRefused { report }),
    }
}
