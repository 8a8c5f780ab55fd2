//! The statistics of a project's runs, kept in `.attractor/node-stats.jsonl`: one line for each run that has ended.
//!
//! The lines are read from journals, when figures are asked for and before runs are deleted, and outlive them. They hold
//! names of nodes and models, times and costs; no prompt, answer or output. Simulated runs do not count.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use attractor_model::catalogue::graphviz_attribute;
use attractor_model::{Pipeline, Reality};
use attractor_run::statistics::{PipelineStatistics, RunRecord, attempts};
use attractor_run::{
    ModeName, RunSummary, journal_bytes, load_events, stored_pipeline, survey_runs,
};
use sha2::{Digest, Sha256};

/// The file, next to the folder of the runs.
const FILE: &str = "node-stats.jsonl";
/// Bytes of the largest file that is read.
const MAX_BYTES: u64 = 256 << 20;
/// Bytes of a hash that are kept.
const HASH_BYTES: usize = 6;

/// The records of the runs of a project, the newest last.
#[derive(Debug, Clone, Default)]
pub struct RunStatistics {
    records: Vec<RunRecord>,
}

impl RunStatistics {
    /// Reads what is known of the runs below `runs_dir`, with those that have ended since. Writes nothing.
    ///
    /// # Errors
    /// The file cannot be read, or is not an ordinary file in the project.
    pub fn read(runs_dir: &Path) -> io::Result<Self> {
        Ok(Self::gather(runs_dir)?.0)
    }

    /// The same, and adds what is new to the file.
    ///
    /// # Errors
    /// As [`RunStatistics::read`], or the file cannot be written.
    pub fn update(runs_dir: &Path) -> io::Result<Self> {
        let (statistics, added) = Self::gather(runs_dir)?;
        if !added.is_empty() {
            OpenOptions::new()
                .append(true)
                .create(true)
                .open(file_of(runs_dir))?
                .write_all(added.as_bytes())?;
        }
        Ok(statistics)
    }

    /// The records, and the lines that the file lacks.
    fn gather(runs_dir: &Path) -> io::Result<(Self, String)> {
        let file = file_of(runs_dir);
        check_ordinary(&file)?;
        let mut known = read(&file)?;
        let mut added = String::new();
        for run in survey_runs(runs_dir).0 {
            let bytes = journal_bytes(&run.directory);
            let is_new = known
                .get(&run.run)
                .is_none_or(|record| record.journal_bytes != bytes);
            if let Some(record) = is_new.then(|| record(&run, runs_dir, bytes)).flatten() {
                // Numbers and names are valid JSON.
                let line = serde_json::to_string(&record).unwrap_or_default();
                added += &line;
                added.push('\n');
                known.insert(record.run.clone(), record);
            }
        }
        let statistics = Self {
            records: known.into_values().collect(),
        };
        Ok((statistics, added))
    }

    /// What the runs of a pipeline of this file took. Nodes are compared with the pipelines of `text` as it is now.
    pub fn of_pipeline(&self, path: &Path, pipeline: &str, text: &str) -> PipelineStatistics {
        let definitions = definitions(text);
        let runs = self
            .records
            .iter()
            .filter(|run| Path::new(&run.path) == path && run.pipeline == pipeline);
        PipelineStatistics::of(runs, |graph, node| {
            let graph = graph.unwrap_or(pipeline);
            definitions
                .get(&(graph.to_owned(), node.to_owned()))
                .cloned()
        })
    }
}

fn file_of(runs_dir: &Path) -> PathBuf {
    runs_dir.parent().unwrap_or(runs_dir).join(FILE)
}

/// Refuses to follow links, which a repository may have put there, and to read what has no end.
fn check_ordinary(file: &Path) -> io::Result<()> {
    let refused = |path: &Path, expected: &str| {
        let found = path.display();
        Err(io::Error::other(format!("`{found}` is not {expected}")))
    };
    let folder = file.parent().unwrap_or(file);
    match fs::symlink_metadata(folder) {
        Ok(found) if !found.is_dir() => return refused(folder, "a folder"),
        _ => {}
    }
    match fs::symlink_metadata(file) {
        Ok(found) if !found.is_file() => refused(file, "an ordinary file"),
        Ok(found) if found.len() > MAX_BYTES => {
            refused(file, "of at most 256 MiB; delete it to begin again")
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The records by run, which is in order of time. Of a run with several the last counts; lines of another version, and the
/// part of a line that was being written when a process ended, are left out.
fn read(file: &Path) -> io::Result<BTreeMap<String, RunRecord>> {
    let text = match fs::read(file) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let records = text
        .lines()
        .filter_map(|line| serde_json::from_str::<RunRecord>(line).ok());
    Ok(records.map(|record| (record.run.clone(), record)).collect())
}

/// The record of a run; none of one that has not ended, is simulated, or cannot be read.
fn record(run: &RunSummary, runs_dir: &Path, journal_bytes: u64) -> Option<RunRecord> {
    let is_real = run.mode == ModeName::Run && run.reality == Reality::Real;
    if !is_real || !run.state.is_end() {
        return None;
    }
    let events = load_events(&run.directory).ok()?;
    let text = stored_pipeline(&run.directory).unwrap_or_default();
    let definitions = definitions(&text);
    let mut attempts = attempts(&events);
    for attempt in &mut attempts {
        let graph = attempt.graph.as_ref().unwrap_or(&run.pipeline).clone();
        attempt.definition = definitions.get(&(graph, attempt.node.clone())).cloned();
    }
    Some(RunRecord {
        run: run.run.clone(),
        pipeline: run.pipeline.clone(),
        path: relative(&run.path, runs_dir).to_string_lossy().into_owned(),
        state: run.state,
        started_at: run.started_at.clone(),
        journal_bytes,
        attempts,
    })
}

/// A path from the folder of the project.
pub fn relative<'p>(path: &'p Path, runs_dir: &Path) -> &'p Path {
    let project = runs_dir.parent().and_then(Path::parent);
    project
        .and_then(|project| path.strip_prefix(project).ok())
        .unwrap_or(path)
}

/// Hashes of what defines the nodes of a text, by pipeline and name: all attributes that are not for drawing.
fn definitions(text: &str) -> HashMap<(String, String), String> {
    let pipelines = Pipeline::from_text(text);
    let nodes = pipelines.iter().flat_map(|pipeline| {
        pipeline.nodes.iter().map(|node| {
            let attributes = node.attributes.iter();
            let attributes = attributes.filter(|one| graphviz_attribute(one.name()).is_none());
            let mut lines: Vec<String> = attributes
                .map(|one| format!("{:?}={:?}", one.name(), one.value()))
                .collect();
            lines.sort();
            lines.push(node.kind.name().to_owned());
            let key = (pipeline.name.clone(), node.id.to_string());
            (key, hash(&lines.join("\n")))
        })
    });
    nodes.collect()
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest
        .iter()
        .take(HASH_BYTES)
        .fold(String::new(), |mut hash, byte| {
            // Writing to a string cannot fail.
            let _ = write!(hash, "{byte:02x}");
            hash
        })
}
