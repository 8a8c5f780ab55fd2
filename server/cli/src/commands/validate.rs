//! `attractor validate`: checks pipelines without running them.

use std::path::{Path, PathBuf};

use attractor_model::Severity;
use clap::ValueEnum;

use crate::analysis::{analyze, analyze_named};
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::input::{Source, under};
use crate::outer_stylesheet::{StyledPipelines, StylesheetOption};
use crate::render::human::ReportDetail;
use crate::render::{Checked, github, human, json, sarif};

/// Check pipelines without running them
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor validate release.dot                     one file
  attractor validate .                               every pipeline in this folder
  attractor validate . --strict --format github      in CI: warnings are errors, as annotations")]
pub struct Validate {
    /// Pipeline files and folders of them; `-` is standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    files: Vec<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    stylesheet: StylesheetOption,
    /// Show notes and hints too
    #[arg(long)]
    notes: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Source lines with carets and fixes
    #[default]
    Human,
    /// JSON (stable)
    Json,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// GitHub Actions annotations
    Github,
}

/// The files of a path; a folder without DOT files is an error.
fn named(path: &Path) -> Vec<Result<PathBuf, Error>> {
    let files = under(path);
    if files.is_empty() {
        return vec![Err(Error::NoFiles {
            path: path.display().to_string(),
        })];
    }
    files.into_iter().map(Ok).collect()
}

/// Whether a path names the file itself, not a folder around it.
fn names(path: &Path, source: &Source) -> bool {
    source.path.as_deref().is_none_or(|file| file == path)
}

impl Validate {
    /// Checks every file; those that cannot be read are reported at the end.
    pub fn run(self) -> Result<Exit, Error> {
        let mut unreadable = Vec::new();
        let mut checked = Vec::new();
        let outer = self.stylesheet.read()?;
        let mut styled = StyledPipelines::default();
        let stylesheet = outer.as_ref().map(|outer| outer.rules.clone());
        let stylesheet = stylesheet.unwrap_or_default();
        for path in self.files.iter().flat_map(|path| named(path)) {
            match path.and_then(|path| Source::read(&path)) {
                Ok(source) => {
                    let is_named = self.files.iter().any(|file| names(file, &source));
                    let analyzed = if is_named {
                        analyze_named(source, stylesheet.clone())
                    } else {
                        analyze(source, stylesheet.clone())
                    };
                    if let Some(path) = &analyzed.broken_configuration {
                        let error = Error::Configuration { path: path.clone() };
                        let known = |known: &Error| known.to_string() == error.to_string();
                        if !unreadable.iter().any(known) {
                            unreadable.push(error);
                        }
                    }
                    if outer.is_some() {
                        styled.add(&analyzed);
                    }
                    let found = analyzed.checked(|_| true);
                    // An error may be why there is no pipeline.
                    let has_none = analyzed.analysis.graphs.is_empty()
                        && !analyzed.is_library()
                        && found.count(Severity::Error) == 0;
                    if is_named && has_none {
                        let path = found.source.name.clone();
                        unreadable.push(Error::NoPipeline { path });
                    }
                    // What is wrong with it is said by the error otherwise.
                    if !(is_named && has_none && found.diagnostics.is_empty()) {
                        checked.push(found);
                    }
                }
                Err(error) => unreadable.push(error),
            }
        }
        if let Some(outer) = outer {
            checked.insert(0, outer.checked(&styled));
        }
        if !matches!(self.format, Format::Human) {
            let is_new = |one: &Checked| {
                let mut known = checked.iter();
                !known.any(|known| known.source.name == one.source.name)
            };
            let new = unreadable.iter().filter_map(Checked::unreadable);
            let new: Vec<Checked> = new.filter(is_new).collect();
            checked.extend(new);
        }
        match self.format {
            Format::Human => {
                let shown = if self.notes {
                    ReportDetail::Everything
                } else {
                    ReportDetail::Problems
                };
                for file in &checked {
                    console::print(&human::report(file, shown))?;
                }
            }
            Format::Json => console::json(&json::report(&checked))?,
            Format::Sarif => console::json(&sarif::report(&checked))?,
            Format::Github => console::print(&github::report(&checked))?,
        }
        for error in &unreadable {
            console::error(error);
        }
        let fails = |file: &Checked| {
            file.count(Severity::Error) > 0 || self.strict && file.count(Severity::Warning) > 0
        };
        let worst = unreadable
            .iter()
            .map(Error::exit)
            .max_by_key(|exit| exit.code());
        Ok(match worst {
            Some(exit) => exit,
            None if checked.iter().any(fails) => Exit::Failed,
            None => Exit::Success,
        })
    }
}
