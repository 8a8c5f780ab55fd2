//! `attractor convert`: JSON plan libraries to DOT, and pipelines of any dialect to canonical names.

use std::path::PathBuf;

use attractor_model::convert::canonical;
use attractor_model::plan::to_dot;
use serde_json::Value;

use crate::analysis::analyze;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::input::Source;

/// Convert a JSON plan library to DOT, or a pipeline of another dialect to canonical names
#[derive(Debug, clap::Args)]
pub struct Convert {
    /// A JSON or DOT file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Convert {
    /// Prints the DOT; what could not be carried over is said on standard error.
    pub fn run(self) -> Result<Exit, Error> {
        let source = Source::read(&self.file)?;
        if !source.text.trim_start().starts_with(['{', '[']) {
            return to_canonical(source);
        }
        let library: Value = serde_json::from_str(&source.text).map_err(|error| Error::NoPlan {
            path: source.name.clone(),
            reason: error.to_string(),
        })?;
        let (dot, problems) = to_dot(&library);
        console::print(&dot)?;
        for problem in &problems {
            console::remark(&format!("attractor: {}", console::plain(problem)));
        }
        Ok(if problems.is_empty() {
            Exit::Success
        } else {
            Exit::Failed
        })
    }
}

/// Prints a pipeline with canonical names; comments and layout stay.
fn to_canonical(source: Source) -> Result<Exit, Error> {
    let analyzed = analyze(source, None);
    let text = &analyzed.source.text;
    let edits = canonical(text, &analyzed.parse, &analyzed.analysis);
    console::print(&attractor_dot::apply(text, &edits))?;
    Ok(if analyzed.has_syntax_errors() {
        Exit::Failed
    } else {
        Exit::Success
    })
}
