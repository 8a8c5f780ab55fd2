//! `attractor stats`: what the runs of a pipeline took, by node.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor::{RunStatistics, relative};
use attractor_model::Pipeline;
use attractor_run::figures::{dollars, duration};
use attractor_run::statistics::{MIN_RUNS, NodeStatistics, PipelineStatistics, Spread};
use attractor_run::{project_root_of_folder, runs_dir};
use serde_json::json;

use super::ListFormat;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::input::Source;
use crate::render::{counted, table};

/// Show what the runs of a pipeline took: time, cost and failures of each node
///
/// Reads the runs of the project that have ended and were not simulated. Their figures are kept in `.attractor/node-stats.jsonl`, also when the runs are deleted.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor stats release.dot                  time, cost and failures by node
  attractor stats release.dot --format json    the same for programs")]
pub struct Stats {
    /// A pipeline file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: ListFormat,
}

impl Stats {
    /// Prints the statistics of every pipeline of the file.
    pub fn run(self) -> Result<Exit, Error> {
        let source = Source::read(&self.file)?;
        let pipelines = Pipeline::from_text(&source.text);
        if pipelines.is_empty() {
            return Err(Error::NoPipeline { path: source.name });
        }
        let known = FileStatistics::update(&self.file)?;
        let of = |pipeline: &Arc<Pipeline>| {
            let statistics = known.of_pipeline(&pipeline.name, &source.text);
            (pipeline.name.clone(), statistics)
        };
        let statistics: Vec<(String, PipelineStatistics)> = pipelines.iter().map(of).collect();
        if self.format == ListFormat::Json {
            let pipelines: Vec<_> = statistics
                .iter()
                .map(|(name, statistics)| json!({"pipeline": name, "statistics": statistics}))
                .collect();
            console::json(&json!({"file": source.name, "pipelines": pipelines}))?;
            return Ok(Exit::Success);
        }
        let mut ran = statistics.iter().filter(|(_, one)| one.runs > 0).peekable();
        if ran.peek().is_none() {
            console::line(&format!(
                "no run of {} has ended; simulated runs do not count",
                console::plain(&source.name)
            ))?;
        }
        for (name, one) in ran {
            print(name, one)?;
        }
        Ok(Exit::Success)
    }
}

/// The statistics of the runs of one file.
pub struct FileStatistics {
    known: RunStatistics,
    /// The file, from the folder of its project.
    path: PathBuf,
}

impl FileStatistics {
    /// Reads them, with runs that have ended since they were read last. Writes nothing.
    pub fn read(file: &Path) -> Result<Self, Error> {
        Self::of(file, RunStatistics::read)
    }

    /// The same, and keeps what is new. Where that cannot be written, it says so.
    fn update(file: &Path) -> Result<Self, Error> {
        Self::of(file, |runs| match RunStatistics::update(runs) {
            Ok(known) => Ok(known),
            Err(error) => {
                let known = RunStatistics::read(runs)?;
                console::remark(&format!("statistics of runs are not kept: {error}"));
                Ok(known)
            }
        })
    }

    fn of(
        file: &Path,
        read: impl FnOnce(&Path) -> io::Result<RunStatistics>,
    ) -> Result<Self, Error> {
        let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let folder = path.parent().unwrap_or(Path::new("."));
        let runs = runs_dir(&project_root_of_folder(folder));
        let known = read(&runs)
            .map_err(|cause| Error::unreadable("the statistics of runs".to_owned(), cause))?;
        let path = relative(&path, &runs).to_owned();
        Ok(Self { known, path })
    }

    /// What the runs of one of its pipelines took, compared with its text.
    pub fn of_pipeline(&self, pipeline: &str, text: &str) -> PipelineStatistics {
        self.known.of_pipeline(&self.path, pipeline, text)
    }
}

fn print(name: &str, statistics: &PipelineStatistics) -> Result<(), Error> {
    console::line(&format!(
        "{} · {}, {} succeeded",
        console::plain(name),
        counted(statistics.runs, "run"),
        statistics.succeeded
    ))?;
    if statistics.runs >= MIN_RUNS {
        let mut parts = vec![range(statistics.active_ms, milliseconds)];
        if statistics.cost.high > 0.0 {
            parts.push(range(statistics.cost, dollars));
        }
        let mut line = format!("8 of 10 runs took {}", parts.join(", "));
        if statistics.people_ms.median > 0.0 {
            line += ", and ";
            line += &range(statistics.people_ms, milliseconds);
            line += " until people answered";
        }
        console::line(&line)?;
    }
    let has_cost = statistics.nodes.iter().any(|node| node.cost.high > 0.0);
    let has_edits = statistics
        .nodes
        .iter()
        .any(|node| node.since_edit.is_some());
    let mut headings = vec!["NODE", "ATTEMPTS", "FAILED", "MEDIAN", "1 IN 10 OVER"];
    if has_cost {
        headings.push("COST");
    }
    if has_edits {
        headings.push("SINCE YOUR EDIT");
    }
    let has_model = statistics.nodes.iter().any(|node| node.model.is_some());
    if has_model {
        headings.push("MODEL");
    }
    let rows = statistics.nodes.iter().map(|node| row(node, &headings));
    console::line("")?;
    console::print(&table::draw(&headings, rows))
}

/// The cells of a node under these headings.
fn row(node: &NodeStatistics, headings: &[&str]) -> Vec<String> {
    // A gate has no other work than to wait.
    let time = if node.people_ms.median > node.active_ms.median {
        node.people_ms
    } else {
        node.active_ms
    };
    let cell = |heading: &&str| match *heading {
        "NODE" => match &node.graph {
            Some(graph) => format!("{graph}/{}", node.node),
            None => node.node.clone(),
        },
        "ATTEMPTS" => node.attempts.to_string(),
        "FAILED" => node.failures.to_string(),
        "MEDIAN" => milliseconds(time.median),
        "1 IN 10 OVER" => milliseconds(time.high),
        "COST" => dollars(node.cost.median),
        "SINCE YOUR EDIT" => node
            .since_edit
            .map_or_else(String::new, |(attempts, failures)| {
                format!("{attempts}, {failures} failed")
            }),
        _ => node.model.clone().unwrap_or_default(),
    };
    headings.iter().map(cell).collect()
}

/// `12 s–40 s`; one figure where both ends are the same.
fn range(spread: Spread, shown: fn(f64) -> String) -> String {
    let (low, high) = (shown(spread.low), shown(spread.high));
    if low == high {
        low
    } else {
        format!("{low} – {high}")
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "milliseconds of a run, not negative"
)]
fn milliseconds(ms: f64) -> String {
    duration(ms as u64)
}
