//! `attractor run`: runs a pipeline and prints its progress.

use std::path::{Path, PathBuf};

use attractor::preflight;
use attractor_run::{Launch, Mode, start};
use clap::ArgGroup;
use clap_complete::ArgValueCandidates;

use super::block_on;
use super::doctor::print_checks;
use crate::console;
use crate::dry_run;
use crate::error::Error;
use crate::exit::Exit;
use crate::input::Source;
use crate::launch::{LaunchOptions, refuse_simulation};
use crate::launch_error::LaunchError;
use crate::option_names;
use crate::option_values::{inputs, pair, script};
use crate::plan_choice::{CHOSEN, ChoiceOptions};
use crate::render::counted;
use crate::shell_completion;
use crate::terminal_run::TerminalRun;

/// Run a pipeline
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor run release.dot                        ask at the terminal at human gates
  attractor run release.dot --dry-run              show what each step would do
  attractor run release.dot --input branch=main    set an input
  attractor run release.dot --auto-approve -q      run in a script
  attractor run --library plans.json --task \"fix the login bug\"
  attractor run release.dot --format github --report junit=report.xml")]
#[command(group(ArgGroup::new(CHOSEN).args(["library"])))]
pub struct Run {
    /// A pipeline file; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "library")]
    file: Option<PathBuf>,
    /// The pipeline to run, when the file has several [default: the first]
    #[arg(long, value_name = "NAME")]
    graph: Option<String>,
    /// Run the plan of this file that fits `--task` best
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "graph"], requires = "task")]
    library: Option<PathBuf>,
    /// The task; nodes read it as the context value `task`
    #[arg(
        long,
        value_name = "TEXT",
        requires = "library",
        conflicts_with = "file"
    )]
    task: Option<String>,
    #[command(flatten)]
    choice: ChoiceOptions,
    /// Set an initial context value; `true`, `no`, `8` and JSON are parsed
    #[arg(long, visible_alias = "set", value_name = "KEY=VALUE", value_parser = pair)]
    input: Vec<(String, String)>,
    /// Set an initial context value as text, without parsing it
    #[arg(long, value_name = "KEY=TEXT", value_parser = pair)]
    input_text: Vec<(String, String)>,
    /// Initial context values, as JSON or TOML
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Start at this node instead of the start node
    #[arg(long, value_name = "NODE", add = ArgValueCandidates::new(shell_completion::nodes))]
    from: Option<String>,
    /// Simulate models; run everything else
    #[arg(long)]
    simulate: bool,
    /// Traverse the pipeline without side effects: no processes, models or timers
    #[arg(long = "dry-run", id = "dry_run", conflicts_with = "simulate")]
    dry: bool,
    /// Scripted outcomes of a node in a dry run, one per visit; the last repeats
    #[arg(long, value_name = "NODE=STATUS,…", value_parser = pair, requires = "dry_run")]
    outcome: Vec<(String, String)>,
    /// Check models and programs first; run only if all are there
    #[arg(long, conflicts_with_all = ["dry_run", "simulate"])]
    preflight: bool,
    #[command(flatten)]
    common: LaunchOptions,
}

impl Run {
    /// Runs the pipeline to its end.
    pub fn run(self) -> Result<Exit, Error> {
        let mut inputs = inputs(self.inputs.as_deref(), &self.input, &self.input_text)?;
        if let Some(task) = &self.task {
            inputs
                .entry("task".to_owned())
                .or_insert_with(|| task.as_str().into());
        }
        let names: Vec<String> = inputs.keys().cloned().collect();
        let mut launch = match self.load(&names) {
            Ok(launch) => launch,
            Err(refused) => return refused.end(self.common.format),
        };
        launch.inputs = inputs;
        launch.from = self.from;
        if self.dry {
            launch.mode = Mode::DryRun(script(&self.outcome));
        } else if self.simulate {
            launch.mode = Mode::Simulate;
        }
        option_names::check(&launch)?;
        if self.dry {
            return block_on(dry_run::run(launch, &self.common));
        }
        block_on(async {
            if self.preflight {
                let providers = self.common.providers_of(&launch)?;
                let checks = preflight(&launch, Some(&providers)).await;
                if checks.iter().any(|check| check.problem.is_some()) {
                    let exit = print_checks(&checks)?;
                    let failed = checks.iter().filter(|check| check.problem.is_some());
                    let failed = counted(failed.count(), "check");
                    console::remark(&format!("not started: {failed} failed"));
                    return Ok(exit);
                }
            }
            refuse_simulation(&launch, "`--simulate`,")?;
            let terminal = TerminalRun::of(&launch, &self.common)?;
            match start(launch.clone()).await {
                Ok(run) => terminal.follow(&run).await,
                Err(error) => LaunchError::of_run(error, &launch).end(self.common.format),
            }
        })
    }

    /// The pipeline of the file, or the plan of the library, for a run with these inputs.
    fn load(&self, inputs: &[String]) -> Result<Launch, LaunchError> {
        if let (Some(library), Some(task)) = (&self.library, &self.task) {
            return self
                .common
                .load_with(Source::read(library)?, inputs, |pipelines| {
                    let pipelines = pipelines.iter().map(AsRef::as_ref);
                    let name = self.choice.choose(task, library, pipelines)?;
                    Ok(Some(name.to_owned()))
                });
        }
        let source = Source::read(self.file.as_deref().unwrap_or(Path::new("-")))?;
        self.common.load(source, self.graph.as_deref(), inputs)
    }
}
