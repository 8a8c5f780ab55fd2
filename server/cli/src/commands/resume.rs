//! `attractor resume`: goes on with a run that was interrupted, cancelled or has failed.

use std::path::{Path, PathBuf};

use attractor_run::{
    Changes, Checkpoint, Launch, Resume as How, ResumeFrom, RunError, RunHandle, resume, summary,
};
use clap_complete::ArgValueCandidates;

use super::block_on;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::follow::terminal::follow;
use crate::input::Source;
use crate::launching::{Common, Refused, inputs, pair};
use crate::project::{Fits, find};

/// The copy of its pipeline that every run keeps, for when the file itself is gone.
const COPY: &str = "pipeline.dot";

/// Go on with a run
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor resume           the newest run that was interrupted, cancelled or has failed
  attractor resume 01KA      the run whose id begins so")]
pub struct Resume {
    /// A run's id or the beginning of it, its folder, a checkpoint file, or a folder of such files, of which the
    /// newest is taken; the newest run that can be resumed otherwise
    #[arg(value_name = "RUN|FOLDER|CHECKPOINT", add = ArgValueCandidates::new(|| Fits::Resumable.complete()))]
    run: Option<String>,
    /// Begin a new run after the checkpoint node of this name
    #[arg(long, value_name = "NAME")]
    checkpoint: Option<String>,
    /// The pipeline's file: needed for a checkpoint file, and when the file has moved
    #[arg(long, value_name = "FILE")]
    pipeline_dot: Option<PathBuf>,
    /// Go on although the pipeline has changed since the run began
    #[arg(long)]
    accept_changes: bool,
    /// A secret input of the run once more: secrets are kept nowhere. A variable of the environment with
    /// its name in capitals does as well
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    input: Vec<(String, String)>,
    /// Secret inputs of the run once more, as JSON or TOML
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

impl Resume {
    /// Runs it to its end.
    pub fn run(self) -> Result<Exit, Error> {
        let (from, mut launch) = match self.find() {
            Ok(found) => found,
            Err(refused) => return refused.end(self.common.format),
        };
        launch.inputs = inputs(self.inputs.as_deref(), &self.input, &[])?;
        let changes = if self.accept_changes {
            Changes::Accept
        } else {
            Changes::Refuse
        };
        block_on(async {
            let telling = self.common.telling(&launch);
            let run = resume_asking(from, How { launch, changes }).await?;
            follow(&run, telling).await
        })
    }

    fn find(&self) -> Result<(ResumeFrom, Launch), Refused> {
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
            let launch = self.common.load(Source::read(dot)?, None)?;
            return Ok((ResumeFrom::File(path.to_path_buf()), launch));
        }
        let directory = find(self.run.as_deref(), Fits::Resumable)?;
        let summary = summary(&directory)?;
        let source = match &self.pipeline_dot {
            Some(dot) => Source::read(dot)?,
            None if summary.path.exists() => Source::read(&summary.path)?,
            None => Source {
                path: Some(summary.path),
                ..Source::read(&directory.join(COPY))?
            },
        };
        let mut launch = self.common.load(source, Some(&summary.pipeline))?;
        if let Some(runs_dir) = directory.parent() {
            launch.runs_dir = runs_dir.to_path_buf();
        }
        if summary.workdir.is_dir() {
            launch.workdir = summary.workdir;
        }
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

/// Resumes; secrets that are missing are asked for where there is someone to ask.
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
