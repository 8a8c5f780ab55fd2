//! `attractor convert`: pipelines and JSON plan libraries, each to any dialect or to a plan library.
//!
//! ```text
//! attractor convert flow.dot                canonical names
//! attractor convert flow.dot --to fabro     names of another engine
//! attractor convert flow.dot --to plan      as a JSON plan library
//! attractor convert plans.json              a JSON plan library as DOT
//! ```

use std::path::{Path, PathBuf};

use attractor_convert::dialects::{differences, to};
use attractor_convert::plan::to_json;
use attractor_dot::format::format;
use attractor_model::{Dialect, Severity};
use clap::builder::PossibleValuesParser;
use serde_json::Value;

use crate::analysis::{Analyzed, analyze};
use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::input::Source;
use crate::render::human;
use attractor_lang::stylesheet::Stylesheet;

/// Convert pipelines between dialects and JSON plan libraries
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor convert flow.dot                canonical names
  attractor convert flow.dot --to fabro     names of another engine
  attractor convert flow.dot --to plan      a JSON plan library
  attractor convert plans.json              a JSON plan library as DOT")]
pub struct Convert {
    /// A JSON or DOT file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The dialect to write, or `plan` for a JSON plan library
    #[arg(long, value_name = "WHAT", default_value = Dialect::default().name(), value_parser = targets())]
    to: String,
}

/// The target that is not a dialect.
const PLAN: &str = "plan";

fn targets() -> PossibleValuesParser {
    let dialects = Dialect::ALL.iter().map(|dialect| dialect.name());
    PossibleValuesParser::new(dialects.chain([PLAN]))
}

impl Convert {
    /// Prints the result; what could not be converted is reported on standard error.
    pub fn run(self) -> Result<Exit, Error> {
        let source = Source::read(&self.file)?;
        let mut problems = Vec::new();
        let analyzed = analyze(source, Stylesheet::default());
        if analyzed.is_library() && analyzed.has_syntax_errors() {
            let checked = analyzed.checked(|one| one.severity == Severity::Error);
            console::remark(human::report(&checked, human::ReportDetail::Problems).trim_end());
            if analyzed.source.text.is_empty() {
                return Ok(Exit::Failed);
            }
        }
        if let Some(dialect) = Dialect::from_name(&self.to) {
            let text = in_dialect(dialect, &analyzed, &mut problems);
            console::print(&laid_out(text, &analyzed, &self.file))?;
        } else {
            console::json(&as_plan(&analyzed, &mut problems)?)?;
        }
        for problem in &problems {
            console::remark(&format!("warning: {}", console::plain(problem)));
        }
        Ok(if problems.is_empty() && !analyzed.has_syntax_errors() {
            Exit::Success
        } else {
            Exit::Failed
        })
    }
}

/// A text in the layout of the project, where that is the layout of what it is made from. A plan library has none.
fn laid_out(text: String, analyzed: &Analyzed, file: &Path) -> String {
    let file = std::path::absolute(file).unwrap_or_default();
    let options = configuration::read(&file).format().options();
    let source = &analyzed.source.text;
    if analyzed.is_library() || *format(source, &options) == **source {
        format(&text, &options)
    } else {
        text
    }
}

/// The pipelines as a JSON plan library. Reports what other readers of plans do not understand.
fn as_plan(analyzed: &Analyzed, problems: &mut Vec<String>) -> Result<Value, Error> {
    let pipelines: Vec<_> = analyzed.analysis.pipelines().cloned().collect();
    if pipelines.is_empty() {
        return Err(Error::NoPipeline {
            path: analyzed.source.name.clone(),
        });
    }
    let library = to_json(&pipelines);
    problems.extend(library.beyond);
    Ok(library.json)
}

/// The text in a dialect. Reports what has no exact equivalent.
fn in_dialect(dialect: Dialect, analyzed: &Analyzed, problems: &mut Vec<String>) -> String {
    let text = to(dialect, &analyzed.source.text, &analyzed.options);
    let source = Source {
        text: text.as_str().into(),
        ..analyzed.source.clone()
    };
    let after = analyze(source, Stylesheet::default()).analysis;
    let before = analyzed.analysis.pipelines();
    let changed = before
        .zip(after.pipelines())
        .flat_map(|(before, after)| differences(before, after));
    let name = dialect.name();
    problems.extend(changed.map(|what| format!("no exact equivalent in {name}: {what}")));
    text
}
