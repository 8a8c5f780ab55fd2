//! `attractor resume`: goes on with a run that was interrupted, cancelled or has failed.

use std::path::{Path, PathBuf};

use attractor_run::{
    Changes, Checkpoint, Launch, Resume as How, ResumeFrom, RunError, RunHandle, find_run, resume,
    runs_dir, summary,
};

use super::block_on;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::follow::terminal::follow;
use crate::input::Source;
use crate::launching::{Common, Refused, inputs, pair};

/// The copy of its pipeline that every run keeps, for when the file itself is gone.
const COPY: &str = "pipeline.dot";

/// Go on with a run
#[derive(Debug, clap::Args)]
pub struct Resume {
    /// A run's id or the beginning of it, its folder, a checkpoint file, or a folder of such files, of which the
    /// newest is taken
    #[arg(value_name = "RUN|FOLDER|CHECKPOINT")]
    run: String,
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
            let run = resume_asking(from, How { launch, changes }).await?;
            follow(&run, self.common.format, self.common.detail()).await
        })
    }

    fn find(&self) -> Result<(ResumeFrom, Launch), Refused> {
        let path = Path::new(&self.run);
        let has_checkpoints = || Checkpoint::list(path).is_ok_and(|files| !files.is_empty());
        if path.is_file() || has_checkpoints() {
            let Some(dot) = &self.pipeline_dot else {
                return Err(Error::NeedsPipeline {
                    checkpoint: self.run.clone(),
                }
                .into());
            };
            let launch = self.common.load(Source::read(dot)?, None)?;
            return Ok((ResumeFrom::File(path.to_path_buf()), launch));
        }
        let directory = find_run(&runs_dir(Path::new(".")), &self.run)?;
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
        if let Some(project) = project_of(&directory) {
            launch.runs_dir = runs_dir(&project);
            launch.workdir = project;
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

/// The folder whose `.attractor/runs` a run's folder stands in.
fn project_of(directory: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(directory).ok()?;
    let project = absolute.ancestors().nth(3)?;
    (runs_dir(project) == *absolute.parent()?).then(|| project.to_path_buf())
}
