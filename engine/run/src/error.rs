//! The errors of starting, resuming and storing a run, with their messages.
//!
//! A node that fails is not an error of this kind: it is an [`crate::Outcome`]. These errors reach the
//! person who asked for the run, in an editor, over HTTP and on the command line alike: a message says what is wrong or
//! missing, and each interface adds what to do there.

use std::io;
use std::path::{Path, PathBuf};

use attractor_exec::MissingSecrets;
use attractor_snapshots::SnapshotError;

/// Why the engine cannot do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The pipeline has no start node.
    #[error("pipeline `{0}` has no start node; set `shape=Mdiamond` or `start=true` on one node")]
    NoStart(String),
    /// The validator finds errors in the pipeline.
    #[error("pipeline `{pipeline}` has errors; fix them before running:\n  {}", errors.join("\n  "))]
    Invalid {
        /// The pipeline.
        pipeline: String,
        /// Each with its line and its rule.
        errors: Vec<String>,
    },
    /// `--from` names an unknown node.
    #[error("pipeline `{pipeline}` has no node `{node}`")]
    UnknownNode {
        /// The name given.
        node: String,
        /// The pipeline.
        pipeline: String,
    },
    /// Inputs that the pipeline declares and the caller did not give.
    #[error("pipeline `{pipeline}` requires the inputs {}", names(missing))]
    MissingInputs {
        /// The pipeline.
        pipeline: String,
        /// Their names.
        missing: Vec<String>,
    },
    /// Secrets of an earlier process that this one does not know.
    #[error(
        "run `{run}` needs the secret {} {} again (secrets are not stored)",
        if missing.len() == 1 { "input" } else { "inputs" }, names(missing)
    )]
    MissingSecrets {
        /// The run.
        run: String,
        /// Their names.
        missing: Vec<String>,
        /// The variables of the environment they are looked for in.
        variables: Vec<String>,
    },
    /// A resumed run keeps the inputs it was started with.
    #[error(
        "inputs of run `{run}` cannot be changed (got `{name}`); only secrets may be passed on resume"
    )]
    NotASecret {
        /// The run.
        run: String,
        /// The input.
        name: String,
    },
    /// No such run.
    #[error("unknown run `{run}` in {}", runs_dir.display())]
    UnknownRun {
        /// What was asked for.
        run: String,
        /// Where it was looked for.
        runs_dir: PathBuf,
    },
    /// Several runs have ids with this prefix.
    #[error("run id `{prefix}` is ambiguous; candidates: {}", candidates.join(", "))]
    AmbiguousRun {
        /// What was asked for.
        prefix: String,
        /// The ids with this prefix.
        candidates: Vec<String>,
    },
    /// A directory that was to become a run, and whose process ended before the run was recorded.
    #[error(
        "{} is not a complete run: {reason}, so its process ended before the first step",
        directory.display()
    )]
    Incomplete {
        /// The directory.
        directory: PathBuf,
        /// What is missing.
        reason: &'static str,
    },
    /// A symbolic link, a pipe or a device is where attractor keeps files of its own.
    #[error("`{}` is a symbolic link, a pipe or a device, where attractor keeps files of its own; remove it", path.display())]
    NotOwn {
        /// The link, pipe or device.
        path: PathBuf,
    },
    /// A run that this user has not recorded.
    #[error(
        "run `{run}` was not recorded by you here: by somebody else, on another machine, or by an earlier version; its records \
         decide what runs next, and can say that a person approved a gate"
    )]
    NotSigned {
        /// The run.
        run: String,
    },
    /// The records of a run name a folder outside of the project that they are in.
    #[error(
        "the records of this run say that it worked in `{}`, which is outside of the project they are in (`{}`); they may come \
         from somebody else. Start the pipeline again, or move the records to the project they belong to",
        folder.display(), project.display()
    )]
    Foreign {
        /// Where it worked.
        folder: PathBuf,
        /// The project that has the records.
        project: PathBuf,
    },
    /// The run was written by another version of the engine.
    #[error(
        "{} has format {found}, but this version of attractor reads format {known}; use the version that wrote it{}",
        path.display(),
        if engine.is_empty() { String::new() } else { format!(" ({engine})") }
    )]
    UnknownFormat {
        /// The manifest.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format this engine reads and writes.
        known: u32,
        /// The version that wrote it, if it says so.
        engine: String,
    },
    /// Another live process owns the run.
    #[error(
        "run `{run}` is locked by {}; cancel it there or wait",
        owner(*pid, program, since)
    )]
    Locked {
        /// The run.
        run: String,
        /// The owner's process id; 0 when it is not known.
        pid: u32,
        /// The owner's program.
        program: String,
        /// When it took the run, RFC 3339.
        since: String,
    },
    /// Processes an earlier engine left cannot be ended.
    #[error(
        "run `{run}` still has processes that cannot be stopped ({}); stop them, then resume",
        processes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    )]
    StillRunning {
        /// The run.
        run: String,
        /// Their ids.
        processes: Vec<i32>,
    },
    /// The run has finished.
    #[error("run `{run}` has already finished ({state})")]
    AlreadyEnded {
        /// The run.
        run: String,
        /// How it ended.
        state: String,
    },
    /// The DOT file has changed.
    #[error("the pipeline has changed since the run started:\n{diff}")]
    Changed {
        /// What matters of the difference, line by line.
        diff: String,
    },
    /// The journal is damaged before its end.
    #[error("the journal {} is damaged at line {line} ({reason}); the events up to {saved} are intact and were saved to {}", path.display(), kept.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The first bad line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
        /// The last good event.
        saved: u64,
        /// A copy of the good part.
        kept: PathBuf,
    },
    /// The journal does not match the engine's transitions.
    #[error("the journal {} cannot be replayed at event {seq}: {reason}", path.display())]
    Replay {
        /// The journal.
        path: PathBuf,
        /// The event.
        seq: u64,
        /// What does not fit.
        reason: String,
    },
    /// A run cannot be forked at a visit that never was.
    #[error("run `{run}` has not visited `{visit}`; it visited {}", names(known))]
    UnknownVisit {
        /// The run.
        run: String,
        /// The visit: `NODE` or `NODE@VISIT`.
        visit: String,
        /// Those that were.
        known: Vec<String>,
    },
    /// A run cannot be forked inside a branch: the other branches have no beginning that belongs to that moment.
    #[error(
        "cannot fork at `{node}`: it ran in the parallel branch `{branch}`, next to others; fork at `{opener}`, which started them"
    )]
    ForkInside {
        /// The node.
        node: String,
        /// The branch.
        branch: String,
        /// The visit of the parallel node.
        opener: String,
    },
    /// A run cannot be forked at a node that is left in the step that enters it.
    #[error("cannot fork at `{visit}`: it does no work of its own; fork at the node after it")]
    NoForkPoint {
        /// The visit.
        visit: String,
    },
    /// What was before a change of the pipeline cannot be replayed.
    #[error("cannot fork at `{visit}`: the pipeline was changed after it; fork at a later visit")]
    ForkBeforeChange {
        /// The visit.
        visit: String,
    },
    /// A forked run would work on other files than those of its moment.
    #[error(
        "files are not as they were when `{visit}` began: {}",
        paths(files, *more)
    )]
    FilesDiffer {
        /// The visit.
        visit: String,
        /// Some of them.
        files: Vec<PathBuf>,
        /// How many there are beyond those.
        more: usize,
    },
    /// The files of a moment are not known.
    #[error("the files when `{visit}` began were not recorded")]
    FilesNotRecorded {
        /// The visit.
        visit: String,
    },
    /// A folder for files of a moment has files already.
    #[error("{} is not empty; specify a new folder", folder.display())]
    FolderInUse {
        /// The folder.
        folder: PathBuf,
    },
    /// No checkpoint of that name.
    #[error("unknown checkpoint `{name}`; this run has {}", names(known))]
    UnknownCheckpoint {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A folder without checkpoint files.
    #[error("no checkpoints in {}; expected files named `checkpoint_<ms>.json`", folder.display())]
    NoCheckpoints {
        /// The folder.
        folder: PathBuf,
    },
    /// A file of the run is not what it should be.
    #[error("{} is not readable as {expected}: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What it should be.
        expected: &'static str,
        /// Why it is not.
        reason: String,
    },
    /// Nothing is recorded of what a run or a node changed.
    #[error("{}", no_file_changes(run, node.as_deref()))]
    NoFileChanges {
        /// The run.
        run: String,
        /// The node, with the visit if one was given.
        node: Option<String>,
    },
    /// A visit has no end.
    #[error(
        "node `{node}` has not finished, or was interrupted; its changes are known when it has finished"
    )]
    VisitIsOpen {
        /// The node.
        node: String,
    },
    /// Snapshots of files cannot be read, compared or reverted.
    #[error(transparent)]
    Snapshots(#[from] SnapshotError),
    /// A file operation failed.
    #[error("{doing} {}: {source}", path.display())]
    Io {
        /// What was being done: `cannot write`.
        doing: &'static str,
        /// To which file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl RunError {
    /// Whether the request itself is wrong: it names something that does not exist.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::UnknownNode { .. }
                | Self::UnknownRun { .. }
                | Self::AmbiguousRun { .. }
                | Self::UnknownCheckpoint { .. }
                | Self::UnknownVisit { .. }
                | Self::ForkInside { .. }
                | Self::NoForkPoint { .. }
                | Self::ForkBeforeChange { .. }
        )
    }

    /// An error of the disk.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            doing,
            path,
            source,
        }
    }

    pub(crate) fn missing_secrets(run: &str, missing: MissingSecrets) -> Self {
        Self::MissingSecrets {
            run: run.to_owned(),
            missing: missing.names,
            variables: missing.variables,
        }
    }

    /// Whether what was written is no longer there: the folder of the run was deleted.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// The code editors and scripts can match on.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoStart(_) | Self::Invalid { .. } | Self::UnknownNode { .. } => "invalidPipeline",
            Self::MissingInputs { .. } | Self::MissingSecrets { .. } => "missingInputs",
            Self::NotASecret { .. } => "invalidInput",
            Self::UnknownRun { .. } | Self::AmbiguousRun { .. } => "unknownRun",
            Self::Locked { .. } | Self::StillRunning { .. } => "alreadyRunning",
            Self::AlreadyEnded { .. } => "alreadyEnded",
            Self::Changed { .. } => "pipelineChanged",
            Self::NotSigned { .. } => "foreignRun",
            Self::Damaged { .. } | Self::Replay { .. } => "damagedJournal",
            Self::UnknownCheckpoint { .. } | Self::NoCheckpoints { .. } => "unknownCheckpoint",
            Self::Format { .. }
            | Self::UnknownFormat { .. }
            | Self::Incomplete { .. }
            | Self::NotOwn { .. }
            | Self::Foreign { .. } => "badFile",
            Self::UnknownVisit { .. }
            | Self::ForkInside { .. }
            | Self::NoForkPoint { .. }
            | Self::ForkBeforeChange { .. } => "unknownVisit",
            Self::FilesDiffer { .. } | Self::FilesNotRecorded { .. } | Self::FolderInUse { .. } => {
                "filesDiffer"
            }
            Self::NoFileChanges { .. } | Self::VisitIsOpen { .. } => "noFileChanges",
            Self::Io { .. } | Self::Snapshots(_) => "io",
        }
    }
}

fn paths(paths: &[PathBuf], more: usize) -> String {
    let shown: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn no_file_changes(run: &str, node: Option<&str>) -> String {
    match node {
        Some(node) => format!("node `{node}` changed no files in run `{run}`"),
        None => format!(
            "run `{run}` recorded no files; runs of pipelines with an agent or a human gate are recorded"
        ),
    }
}

fn owner(pid: u32, program: &str, since: &str) -> String {
    match pid {
        0 => "another process, which is not visible from here".to_owned(),
        pid => format!("process {pid} ({program}) since {since}"),
    }
}

fn names(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_secret_names_its_variable() {
        let missing = MissingSecrets {
            names: vec!["no_such.token".to_owned()],
            variables: vec!["NO_SUCH_TOKEN".to_owned()],
        };
        assert_eq!(
            RunError::missing_secrets("R", missing).to_string(),
            "run `R` needs the secret input `no_such.token` again (secrets are not stored)"
        );
    }

    /// What to type is said by the command line alone.
    #[test]
    fn no_message_names_an_option_or_a_command() {
        let (messages, _) = include_str!("error.rs")
            .split_once("#[cfg(test)]")
            .expect("this module");
        let code = messages
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        let named: Vec<&str> = code
            .filter(|line| {
                line.contains(" --") || line.contains("`--") || line.contains("`attractor ")
            })
            .collect();
        assert_eq!(named, [""; 0]);
    }
}
