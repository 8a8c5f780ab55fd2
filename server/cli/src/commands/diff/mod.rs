//! `attractor diff`: what a change of pipelines changes in meaning.
//!
//! ```text
//! attractor diff old.dot new.dot      two files, or two folders
//! attractor diff --git HEAD           the files of a commit and those of the working tree
//! attractor diff PATH OLD …           seven arguments: as the diff driver of Git
//! ```

mod compared;
mod driver;
mod git;
mod human;

use std::path::PathBuf;

use attractor_diff::{Report, markdown};
use clap::ValueEnum;

use self::compared::{Flowcharts, Pair, compare};
use crate::console;
use crate::error::Error;
use crate::exit::Exit;

/// Compare pipelines by what they mean
///
/// Shows first what a pipeline may do that it could not do before: commands, permissions, limits and models; then nodes,
/// routes and attributes of the graph. Another layout is not a difference. Git can use it as its diff driver.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "attractor diff [OPTIONS] OLD NEW\n       attractor diff [OPTIONS] --git REV [FILE]...",
    after_help = "Examples:
  attractor diff old.dot new.dot                     two files, or two folders
  attractor diff --git HEAD                          what has changed since the last commit
  attractor diff --git main release.dot              one file, since a branch
  attractor diff --git origin/main --format markdown --flowchart
                                                     for a comment on a pull request

As the diff driver of Git:
  echo '*.dot diff=attractor' >> .gitattributes
  git config diff.attractor.command 'attractor diff'"
)]
pub struct Diff {
    /// The old and the new file or folder; with `--git`, files and folders to compare
    #[arg(value_name = "FILE")]
    paths: Vec<PathBuf>,
    /// Compare files in a commit with the working tree
    #[arg(long, value_name = "REV")]
    git: Option<String>,
    /// Exit with 1 if there are differences
    #[arg(long)]
    exit_code: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// Add a Mermaid flowchart of each pipeline, with what has changed marked; needs `--format markdown`
    #[arg(long)]
    flowchart: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines with marks, texts by words
    #[default]
    Human,
    /// JSON (stable)
    Json,
    /// Markdown, for comments
    Markdown,
}

impl Diff {
    /// Compares every pair of files; those that cannot be read are reported at the end.
    pub fn run(self) -> Result<Exit, Error> {
        if self.flowchart && self.format != Format::Markdown {
            return Err(Error::FlowchartFormat);
        }
        if self.git.is_none() && driver::is_call(&self.paths) {
            return self.run_driver();
        }
        let pairs = match (&self.git, self.paths.as_slice()) {
            (Some(revision), paths) => git::pairs(revision, paths)?,
            (None, [old, new]) => Pair::of_paths(old, new)?,
            (None, _) => return Err(Error::DiffArguments),
        };
        let mut unreadable = Vec::new();
        let mut files = Vec::new();
        for pair in pairs {
            match pair.map(|pair| compare(pair, self.flowcharts())) {
                Ok(compared) => files.extend(compared),
                Err(error) => unreadable.push(error),
            }
        }
        let report = Report { files };
        self.print(&report)?;
        for error in &unreadable {
            console::error(error);
        }
        let worst = unreadable
            .iter()
            .map(Error::exit)
            .max_by_key(|exit| exit.code());
        Ok(match worst {
            Some(exit) => exit,
            None if report.has_problems() => Exit::Failed,
            None => self.exit(&report),
        })
    }

    /// Git stops at a driver that fails, so what cannot be read is only reported.
    fn run_driver(&self) -> Result<Exit, Error> {
        let pair = driver::pair(&self.paths).transpose();
        match pair.map(|pair| compare(pair?, self.flowcharts())) {
            Ok(file) => {
                let files = file.into_iter().collect();
                let report = Report { files };
                self.print(&report)?;
                Ok(self.exit(&report))
            }
            Err(error) => {
                console::error(&error);
                Ok(Exit::Success)
            }
        }
    }

    fn flowcharts(&self) -> Flowcharts {
        if self.flowchart {
            Flowcharts::Mermaid
        } else {
            Flowcharts::None
        }
    }

    fn print(&self, report: &Report) -> Result<(), Error> {
        match self.format {
            Format::Human => console::print(&human::report(report, console::styles())),
            Format::Json => console::json(report),
            Format::Markdown => console::print(&console::plain(&markdown(report))),
        }
    }

    fn exit(&self, report: &Report) -> Exit {
        if self.exit_code && report.has_changes() {
            Exit::Failed
        } else {
            Exit::Success
        }
    }
}
