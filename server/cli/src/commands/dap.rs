//! `attractor dap`: debugs runs of pipelines in an editor.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_dap::{Host, LaunchArguments, LaunchMode, Restart, RestartFiles, serve};
use attractor_run::{
    AnswerPolicy, Changes, ForeignRuns, Fork, ForkFiles, Launch, Mode, PausePoints, Resume,
    RunHandle, fork, start,
};
use futures::FutureExt;
use futures::future::BoxFuture;

use super::block_on;
use super::resume::load_run;
use super::serve::stop_signal;
use crate::error::Error;
use crate::exit::Exit;
use crate::input::Source;
use crate::launch::{LaunchOptions, refuse_simulation};
use crate::launch_error::LaunchError;
use crate::option_names;
use crate::project::{RunFilter, find};

/// Debug runs of pipelines in an editor, over standard input and output
///
/// Speaks the Debug Adapter Protocol: breakpoints on nodes and edges, steps into sub-pipelines, steps back through the
/// journal, values that can be set, and frames that are restarted with the file as it is now. The editor launches a
/// pipeline or attaches to a run, also to one that has ended. The options are those of `attractor run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example, in the settings of an editor:
  command = \"attractor\", args = [\"dap\"]
  request = \"launch\", program = \"release.dot\", stopOnEntry = true")]
pub struct Dap {
    #[command(flatten)]
    common: LaunchOptions,
}

impl Dap {
    /// Serves one client.
    pub fn run(self) -> Result<Exit, Error> {
        let host = Arc::new(CommandLineHost {
            options: self.common,
        });
        block_on(async {
            let input = tokio::io::BufReader::new(tokio::io::stdin());
            let served = serve(input, tokio::io::stdout(), host, stop_signal()?).await;
            served.map_err(|reason| Error::Debugger { reason })
        })?;
        Ok(Exit::Success)
    }
}

/// Starts and finds runs as the commands do.
struct CommandLineHost {
    options: LaunchOptions,
}

impl CommandLineHost {
    fn prepare(&self, arguments: LaunchArguments) -> Result<Launch, LaunchError> {
        let source = Source::read(Path::new(&arguments.program))?;
        let names: Vec<String> = arguments.inputs.keys().cloned().collect();
        let graph = arguments.graph.as_deref();
        let mut launch = self.options.load(source, graph, &names)?;
        launch.inputs = arguments.inputs;
        if arguments.mode == LaunchMode::Simulate {
            launch.mode = Mode::Simulate;
        }
        option_names::check(&launch)?;
        refuse_simulation(&launch, "`mode: simulate`,")?;
        Ok(with_questions(launch))
    }
}

/// Questions stay open until they are answered where the run is shown.
fn with_questions(mut launch: Launch) -> Launch {
    if matches!(launch.answers, AnswerPolicy::Unattended) {
        launch.answers = AnswerPolicy::Ask;
    }
    launch
}

impl Host for CommandLineHost {
    fn launch(
        &self,
        arguments: LaunchArguments,
        points: PausePoints,
    ) -> BoxFuture<'static, Result<RunHandle, String>> {
        let prepared = self.prepare(arguments).map_err(message);
        async move {
            let mut launch = prepared?;
            *launch.points = points;
            let shown = launch.clone();
            let started = start(launch).await;
            started.map_err(|error| message(LaunchError::of_run(error, &shown)))
        }
        .boxed()
    }

    fn find(&self, run: &str) -> Result<PathBuf, String> {
        find(Some(run), RunFilter::Any).map_err(|error| error.to_string())
    }

    fn restart(&self, restart: Restart) -> BoxFuture<'static, Result<RunHandle, String>> {
        let loaded = load_run(&restart.run, None, &self.options).map_err(message);
        async move {
            let mut launch = with_questions(loaded?);
            *launch.points = restart.points;
            let point = Fork {
                run: restart.run,
                node: restart.node,
                visit: Some(restart.visit),
                files: match restart.files {
                    RestartFiles::Keep => ForkFiles::Keep,
                    RestartFiles::Restore => ForkFiles::Restore,
                },
            };
            let resume = Resume {
                launch,
                // The file as it is now is what the user asks for.
                changes: Changes::Accept,
                foreign: ForeignRuns::Refuse,
            };
            fork(point, resume).await.map_err(|error| error.to_string())
        }
        .boxed()
    }
}

/// What the client shows: the first error of an invalid pipeline, or the error.
fn message(error: LaunchError) -> String {
    match error {
        LaunchError::Error(error) => error.to_string(),
        LaunchError::Invalid { checked, .. } => {
            let first = checked.diagnostics.first();
            let first = first.map(|first| format!(": {}", first.message));
            format!("the pipeline has errors{}", first.unwrap_or_default())
        }
    }
}
