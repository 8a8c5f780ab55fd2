//! From a pipeline and the options of `run`, `resume` and `fork` to a launch of the engine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor::{AgentSettings, Providers};
use attractor_config::Configuration;
use attractor_llm::middleware::{Cassette, Middleware};
use attractor_model::Pipeline;
use attractor_run::{AnswerPolicy, Consent, Launch, Limits, Mode, RecordKey};

use crate::analysis;
use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::follow::Verbosity;
use crate::follow::progress_printer::{FollowOptions, Format};
use crate::input::Source;
use crate::launch_error::LaunchError;
use crate::option_values::{check_report, dollars, junit, pair, table, texts};
use crate::pipeline_options::{LoadedPipeline, PipelineOptions, PrintedProblems};

/// The note of a run with simulated models.
pub const MODELS_SIMULATED: &str = "Models are simulated; everything else is real.";

/// The note of a run in which other models are called.
pub const SOME_SIMULATED: &str = "Some models are simulated.";

/// Options that `run`, `resume` and `fork` share.
#[derive(Clone, Debug, clap::Args)]
pub struct LaunchOptions {
    /// Approve every gate (recorded in the journal)
    #[arg(long, conflicts_with_all = ["answers", "answer"])]
    auto_approve: bool,
    /// Prepared answers by node, as JSON or TOML: `review = ["Revise", "Approve"]`
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// A prepared answer; several for a node are used in order, the last one repeats
    #[arg(long, value_name = "NODE=ANSWER", value_parser = pair)]
    answer: Vec<(String, String)>,
    /// Maximum number of steps
    #[arg(long, value_name = "NUMBER")]
    max_steps: Option<u64>,
    /// Maximum cost of models, in USD
    #[arg(long, value_name = "USD", value_parser = dollars)]
    max_cost: Option<f64>,
    #[command(flatten)]
    pipeline: PipelineOptions,
    /// Record the answers of models to this file
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    record: Option<PathBuf>,
    /// Replay the answers of models from this file, without a provider
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Write a `checkpoint_<ms>.json` to this folder after every node
    #[arg(long, value_name = "FOLDER")]
    checkpoint_dir: Option<PathBuf>,
    /// Print the output of commands, routing reasons, and the final context
    #[arg(short, long)]
    verbose: bool,
    /// Print only a failure, in one line
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Write a JUnit report, with a test case per node
    #[arg(long, value_name = "junit=FILE", value_parser = junit)]
    report: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
}

impl LaunchOptions {
    /// How a run of this launch is printed.
    pub fn follow_options(&self, launch: &Launch) -> FollowOptions {
        let source = Source::of_text(&launch.source.path, Arc::clone(&launch.source.text));
        FollowOptions {
            format: self.format,
            detail: self.detail(),
            note: note(launch),
            resumed: None,
            unrequested_simulation: Consent::of(launch)
                .unrequested_simulations()
                .next()
                .is_some(),
            file: launch.source.path.clone(),
            nodes: analysis::node_lines(&source, &launch.pipeline),
            junit: self.report.clone(),
            ways: Vec::new(),
        }
    }

    /// Reads a file and everything around it. `graph` names one of its pipelines; without it the first
    /// one is taken. `inputs` are the names of those that the run will have.
    pub fn load(
        &self,
        source: Source,
        graph: Option<&str>,
        inputs: &[String],
    ) -> Result<Launch, LaunchError> {
        self.launch(self.pipeline.load(source, graph, self.printed(inputs))?)
    }

    /// As [`Self::load`] for the pipeline of a run that has begun, whose warnings have been printed.
    pub fn load_again(&self, source: Source, graph: &str) -> Result<Launch, LaunchError> {
        let printed = PrintedProblems::Errors;
        self.launch(self.pipeline.load(source, Some(graph), printed)?)
    }

    /// As [`Self::load`]; `name` gives the name of one of its pipelines, if any.
    pub fn load_with(
        &self,
        source: Source,
        inputs: &[String],
        name: impl FnOnce(&[Arc<Pipeline>]) -> Result<Option<String>, Error>,
    ) -> Result<Launch, LaunchError> {
        let printed = self.printed(inputs);
        let loaded = self.pipeline.load_with(source, None, printed, name)?;
        self.launch(loaded)
    }

    fn printed<'i>(&self, inputs: &'i [String]) -> PrintedProblems<'i> {
        if self.quiet {
            PrintedProblems::Errors
        } else {
            PrintedProblems::Warnings { inputs }
        }
    }

    fn launch(&self, loaded: LoadedPipeline) -> Result<Launch, LaunchError> {
        let LoadedPipeline {
            mut launch,
            configuration,
        } = loaded;
        if let Some(report) = &self.report {
            check_report(report)?;
        }
        let providers = self.providers(&configuration)?;
        let agents = AgentSettings::from_environment(&configuration);
        launch.backends = attractor::backends(providers, agents);
        launch.answers = self.answer_policy()?;
        launch.limits = Limits {
            max_steps: self.max_steps,
            max_cost: self.max_cost,
            ..Limits::default()
        };
        launch.checkpoint_dir.clone_from(&self.checkpoint_dir);
        launch.record_key = Some(record_key());
        Ok(launch)
    }

    fn detail(&self) -> Verbosity {
        match (self.verbose, self.quiet) {
            (true, _) => Verbosity::Verbose,
            (false, true) => Verbosity::Quiet,
            (false, false) => Verbosity::Brief,
        }
    }

    /// The providers that the run of a launch calls.
    pub fn providers_of(&self, launch: &Launch) -> Result<Providers, Error> {
        let path = std::path::absolute(&launch.source.path);
        let path = path.unwrap_or_else(|_| launch.source.path.clone());
        self.providers(&configuration::read(&path))
    }

    /// The providers of models: those that are configured, recorded if that is asked for, or a recording.
    fn providers(&self, configuration: &Configuration) -> Result<Providers, Error> {
        let cassette = |made: Result<Cassette, attractor_llm::Error>| match made {
            Ok(cassette) => Ok(Arc::new(cassette) as Arc<dyn Middleware>),
            Err(error) => Err(Error::Cassette(error.data().message.clone())),
        };
        let masks = attractor::cassette_normaliser(Path::new("."), attractor_exec::redactor([]));
        match (&self.record, &self.replay) {
            (_, Some(path)) => Ok(Providers::replaying(cassette(Cassette::replay(
                path, masks,
            ))?)),
            (Some(path), None) => Ok(Providers::with_layers(
                configuration,
                vec![cassette(Cassette::record(path, masks))?],
            )),
            (None, None) => Ok(Providers::from_environment(configuration)),
        }
    }

    /// Who answers questions: as the options say, else the user at the terminal, else none.
    fn answer_policy(&self) -> Result<AnswerPolicy, Error> {
        if self.auto_approve {
            return Ok(AnswerPolicy::AutoApprove);
        }
        let mut answers: BTreeMap<String, Vec<String>> = BTreeMap::new();
        if let Some(path) = &self.answers {
            for (node, value) in table(path)? {
                answers.insert(node, texts(value));
            }
        }
        for (node, answer) in &self.answer {
            answers
                .entry(node.clone())
                .or_default()
                .push(answer.clone());
        }
        Ok(match answers.is_empty() {
            false => AnswerPolicy::Scripted(answers),
            true if console::can_ask() => AnswerPolicy::Ask,
            true => AnswerPolicy::Unattended,
        })
    }
}

/// What the runs of this user are signed with.
pub fn record_key() -> RecordKey {
    RecordKey::of_user(attractor_config::state_folder().as_deref())
}

/// Refuses a run in continuous integration that would simulate models although nothing requests it: it would end in a
/// success that no model has earned.
///
/// `allow` is the command that allows it.
///
/// # Errors
/// Such a run.
pub fn refuse_simulation(launch: &Launch, allow: &'static str) -> Result<(), Error> {
    if !is_continuous_integration()
        || launch.pipeline.attributes.text("simulation") == Some("allow")
    {
        return Ok(());
    }
    let consent = Consent::of(launch);
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (step, simulation) in consent.unrequested_simulations() {
        let nodes = reasons.entry(&simulation.reason).or_default();
        nodes.push(&step.node);
    }
    if reasons.is_empty() {
        return Ok(());
    }
    let reasons = reasons
        .iter()
        .map(|(reason, nodes)| format!("{}: {reason}", nodes.join(", ")));
    Err(Error::Simulated {
        pipeline: launch.pipeline.name.clone(),
        reasons: reasons.collect::<Vec<_>>().join("\n  "),
        allow,
    })
}

/// Whether `CI` is set, as the systems for continuous integration do.
fn is_continuous_integration() -> bool {
    std::env::var("CI").is_ok_and(|value| !matches!(value.trim(), "" | "false"))
}

/// What is simulated in a run, and why.
fn note(launch: &Launch) -> Option<String> {
    if matches!(launch.mode, Mode::DryRun(_)) {
        return Some("Dry run: nothing is executed.".to_owned());
    }
    let consent = Consent::of(launch);
    let counts = consent.counts();
    if counts.simulated == 0 {
        return None;
    }
    let all = counts.simulated == counts.models;
    if all && matches!(launch.mode, Mode::Simulate) {
        return Some(MODELS_SIMULATED.to_owned());
    }
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for step in consent.steps() {
        if let Some(simulation) = &step.simulated {
            let nodes = reasons.entry(&simulation.reason).or_default();
            nodes.push(&step.node);
        }
    }
    let title = if all {
        MODELS_SIMULATED
    } else {
        SOME_SIMULATED
    };
    let reasons = reasons
        .iter()
        .map(|(reason, nodes)| format!("  {}: {reason}", nodes.join(", ")));
    let lines: Vec<String> = std::iter::once(title.to_owned()).chain(reasons).collect();
    Some(lines.join("\n"))
}
