//! `attractor resume`: resumes a run that was interrupted or cancelled, or has failed, and lets a paused one continue.

use std::path::{Path, PathBuf};

use attractor_run::{
    Checkpoint, Launch, Mode, ModeName, Resume as How, ResumeFrom, RunError, RunHandle, owner_of,
    reality_continued, resume, snapshot_of, summary,
};
use clap_complete::ArgValueCandidates;

use super::block_on;
use super::pause::continue_paused;
use crate::accept_options::AcceptOptions;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::input::Source;
use crate::launch::{LaunchOptions, refuse_simulation};
use crate::launch_error::LaunchError;
use crate::option_values::{inputs, pair};
use crate::project::{RunFilter, find};
use crate::terminal_run::TerminalRun;

/// The copy of the pipeline in a run's folder, for when the original file is gone.
const COPY: &str = "pipeline.dot";

/// Resume a run
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor resume           the newest run that was interrupted or cancelled, or has failed
  attractor resume 01KA      the run whose id begins with 01KA, also one that is paused in another process")]
pub struct Resume {
    /// A run (id, unique prefix or folder), a checkpoint file, or a folder of checkpoint files, of which the newest is
    /// used [default: the newest resumable run]
    #[arg(value_name = "RUN|FOLDER|CHECKPOINT", add = ArgValueCandidates::new(|| RunFilter::Resumable.complete()))]
    run: Option<String>,
    /// Start a new run from the checkpoint node of this name
    #[arg(long, value_name = "NAME")]
    checkpoint: Option<String>,
    /// The pipeline file; required for a checkpoint file, or when the file has moved
    #[arg(long, value_name = "FILE")]
    pipeline_dot: Option<PathBuf>,
    #[command(flatten)]
    accept: AcceptOptions,
    /// A secret input of the run (secrets are not stored); the environment variable of its name in capitals is
    /// used too
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    input: Vec<(String, String)>,
    /// Secret inputs of the run, as JSON or TOML
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    #[command(flatten)]
    common: LaunchOptions,
}

impl Resume {
    /// Runs the pipeline to its end.
    pub fn run(self) -> Result<Exit, Error> {
        if let Some(directory) = self.paused_elsewhere()
            && continue_paused(&directory)?
        {
            return Ok(Exit::Success);
        }
        let (from, mut launch) = match self.find() {
            Ok(found) => found,
            Err(refused) => return refused.end(self.common.format),
        };
        launch.inputs = inputs(self.inputs.as_deref(), &self.input, &[])?;
        block_on(async {
            refuse_simulation(&launch, "a new run with `run --simulate`,")?;
            let terminal = TerminalRun::of(&launch, &self.common)?;
            let terminal = terminal.with_resumed(resumed(&from, &launch));
            let file = launch.source.path.display().to_string();
            let run = resume_asking(from.clone(), self.accept.resume(launch)).await;
            let run = run.map_err(|error| named(error, &from, file))?;
            terminal.follow(&run).await
        })
    }

    /// The named run, or the newest one, if a process works on it.
    fn paused_elsewhere(&self) -> Option<PathBuf> {
        let directory = find(self.run.as_deref(), RunFilter::Any).ok()?;
        owner_of(&directory).map(|_| directory)
    }

    fn find(&self) -> Result<(ResumeFrom, Launch), LaunchError> {
        let named = self.run.as_deref().map(Path::new);
        let has_checkpoints =
            |path: &Path| Checkpoint::list(path).is_ok_and(|files| !files.is_empty());
        let is_checkpoint = |path: &&Path| path.is_file() || has_checkpoints(path);
        if let Some(path) = named.filter(is_checkpoint) {
            let Some(dot) = &self.pipeline_dot else {
                return Err(Error::NeedsPipeline {
                    checkpoint: path.display().to_string(),
                }
                .into());
            };
            let launch = self.common.load(Source::read(dot)?, None, &[])?;
            return Ok((ResumeFrom::File(path.to_path_buf()), launch));
        }
        let directory = find(self.run.as_deref(), RunFilter::Resumable)?;
        let launch = load_run(&directory, self.pipeline_dot.as_deref(), &self.common)?;
        let from = match &self.checkpoint {
            None => ResumeFrom::Run(directory),
            Some(name) => ResumeFrom::Checkpoint {
                run: directory,
                name: name.clone(),
            },
        };
        Ok((from, launch))
    }
}

/// The engine's refusal, with the run and its file where it names none.
fn named(error: Error, from: &ResumeFrom, file: String) -> Error {
    let ResumeFrom::Run(directory) = from else {
        return error;
    };
    let Error::Run(cause) = error else {
        return error;
    };
    let run = directory.file_name().unwrap_or_default().to_string_lossy();
    if cause.to_string().contains(&*run) {
        return Error::Run(cause);
    }
    Error::NotResumed {
        run: run.into_owned(),
        file,
        cause: Box::new(cause),
    }
}

/// Where a run continues, and how real it is from there on: `resumed at test · real`.
fn resumed(from: &ResumeFrom, launch: &Launch) -> Option<String> {
    let ResumeFrom::Run(directory) = from else {
        return None;
    };
    let before = snapshot_of(directory).ok()?;
    let reality = reality_continued(&before, launch);
    let failed = before.failure.and_then(|failure| failure.node);
    let node = failed.or(before.current)?;
    let reality = reality.mark().unwrap_or(reality.name());
    Some(format!("resumed at {node} · {reality}"))
}

/// The pipeline of a run as it is now, from `pipeline_dot` if that is given, with the folders of the run.
pub fn load_run(
    directory: &Path,
    pipeline_dot: Option<&Path>,
    common: &LaunchOptions,
) -> Result<Launch, LaunchError> {
    let summary = summary(directory)?;
    let source = match pipeline_dot {
        Some(dot) => Source::read(dot)?,
        None if summary.path.exists() => Source::read(&summary.path)?,
        None => Source {
            path: Some(summary.path),
            ..Source::read(&directory.join(COPY))?
        },
    };
    let mut launch = common.load_again(source, &summary.pipeline)?;
    if let Some(runs_dir) = directory.parent() {
        launch.runs_dir = runs_dir.to_path_buf();
    }
    if summary.mode == ModeName::Simulate {
        launch.mode = Mode::Simulate;
    }
    if summary.workdir.is_dir() {
        launch.workdir = summary.workdir;
    }
    Ok(launch)
}

/// Resumes; asks for missing secrets at a terminal.
async fn resume_asking(from: ResumeFrom, mut how: How) -> Result<RunHandle, Error> {
    match resume(from.clone(), how.clone()).await {
        Err(RunError::MissingSecrets { missing, .. }) if console::can_ask() => {
            for name in missing {
                let secret = console::ask_secret(&format!("{name}: "))?;
                how.launch.inputs.insert(name, secret.into());
            }
            Ok(resume(from, how).await?)
        }
        resumed => Ok(resumed?),
    }
}
