//! From a file and the options of `run` and `resume` to a launch of the engine.
//!
//! All reading is here: the file, the files it names, inputs, prepared answers. A pipeline with errors is
//! refused before anything starts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor::{AgentSettings, Providers};
use attractor_config::Configuration;
use attractor_lang::stylesheet::{Rule, Stylesheet};
use attractor_llm::middleware::{Cassette, Middleware};
use attractor_model::{Attribute, Diagnostic, Pipeline, Severity};
use attractor_run::{
    AnswerPolicy, Consent, Launch, Limits, Mode, PipelineBundle, RunError, RunReport,
};

use crate::analysis::{self, Analyzed, analyze};
use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::follow::Verbosity;
use crate::follow::progress_printer::{FollowOptions, Format};
use crate::input::Source;
use crate::option_values::{junit, pair, table, texts};
use crate::outer_stylesheet::StylesheetOption;
use crate::render::{Checked, github, human, json};

/// The note of a run with simulated models.
pub const MODELS_SIMULATED: &str = "Models are simulated; everything else is real.";

/// The note of a run in which other models are called.
pub const SOME_SIMULATED: &str = "Some models are simulated.";

/// The rule of diagnostics about declared inputs without a value.
const MISSING_INPUT: &str = "missing_input";

/// Options that `run` and `resume` share.
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
    #[arg(long, value_name = "USD")]
    max_cost: Option<f64>,
    /// Default model
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Default provider
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    #[command(flatten)]
    stylesheet: StylesheetOption,
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

/// Why a launch was refused.
pub enum LaunchError {
    /// The pipeline has errors, which have been printed on standard error.
    Invalid {
        /// For programs.
        report: Box<RunReport>,
        /// The file and its diagnostics.
        checked: Box<Checked>,
    },
    /// Any other error.
    Error(Error),
}

impl<E: Into<Error>> From<E> for LaunchError {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

impl LaunchError {
    /// Prints the report of an invalid pipeline in formats for programs. Gives the exit code.
    pub fn end(self, format: Format) -> Result<Exit, Error> {
        match self {
            Self::Error(error) => Err(error),
            Self::Invalid { report, checked } => {
                match format {
                    Format::Human => {}
                    Format::Github => {
                        console::print(&github::report(std::slice::from_ref(&*checked)))?;
                    }
                    Format::Json => console::json(&*report)?,
                    Format::Events => console::json_line(&*report)?,
                }
                Ok(Exit::of(&report))
            }
        }
    }
}

impl LaunchOptions {
    /// How a run of this launch is printed.
    pub fn follow_options(&self, launch: &Launch) -> FollowOptions {
        let source = Source::of_text(&launch.source.path, Arc::clone(&launch.source.text));
        FollowOptions {
            format: self.format,
            detail: match (self.verbose, self.quiet) {
                (true, _) => Verbosity::Verbose,
                (false, true) => Verbosity::Quiet,
                (false, false) => Verbosity::Brief,
            },
            note: note(launch),
            file: launch.source.path.clone(),
            nodes: analysis::node_lines(&source, &launch.pipeline),
            junit: self.report.clone(),
        }
    }

    /// Reads a file and everything around it. `graph` names one of its pipelines; without it the first
    /// one is taken.
    pub fn load(&self, source: Source, graph: Option<&str>) -> Result<Launch, LaunchError> {
        self.load_as(source, graph, |_| Ok(graph.map(str::to_owned)))
    }

    /// As [`Self::load`]; `name` gives the name of one of its pipelines, if any.
    pub fn load_with(
        &self,
        source: Source,
        name: impl FnOnce(&[Arc<Pipeline>]) -> Result<Option<String>, Error>,
    ) -> Result<Launch, LaunchError> {
        self.load_as(source, None, name)
    }

    fn load_as(
        &self,
        source: Source,
        graph: Option<&str>,
        name: impl FnOnce(&[Arc<Pipeline>]) -> Result<Option<String>, Error>,
    ) -> Result<Launch, LaunchError> {
        let analyzed = analyze(source, self.outer_stylesheet(graph)?);
        if let Some(path) = &analyzed.broken_configuration {
            return Err(Error::Configuration { path: path.clone() }.into());
        }
        check(&analyzed, graph)?;
        let siblings: Vec<Arc<Pipeline>> = analyzed
            .analysis
            .graphs
            .iter()
            .filter_map(|info| info.pipeline.clone())
            .collect();
        let name = name(&siblings)?;
        let pipeline = Arc::clone(choose(&siblings, name.as_deref(), &analyzed.source.name)?);
        let bundle =
            PipelineBundle::collect(&pipeline, &siblings, &analyzed.options, &analyzed.files);
        let source = attractor_run::Source {
            path: analyzed
                .source
                .path
                .unwrap_or_else(|| PathBuf::from(analyzed.source.name)),
            text: analyzed.source.text,
        };
        let mut launch = Launch::new(pipeline, source).with_bundle(bundle, analyzed.options);
        launch.workdir = PathBuf::from(".");
        let providers = self.providers(&analyzed.configuration)?;
        let agents = AgentSettings::from_environment(&analyzed.configuration);
        launch.backends = attractor::backends(providers, agents);
        launch.answers = self.answer_policy()?;
        launch.limits = Limits {
            max_steps: self.max_steps,
            max_cost: self.max_cost,
            ..Limits::default()
        };
        launch.checkpoint_dir.clone_from(&self.checkpoint_dir);
        Ok(launch)
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
        let masks = attractor::cassette_normaliser(Path::new("."));
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

    /// `--model` and `--provider` as rules for every node that calls a model, then `--stylesheet`. They follow the
    /// rules of the pipeline: a class or an ID there is stronger, its rule for the kind is not. A file with
    /// errors is reported like a pipeline with errors.
    fn outer_stylesheet(&self, graph: Option<&str>) -> Result<Stylesheet, LaunchError> {
        let given = [("model", &self.model), ("provider", &self.provider)];
        let given = given
            .iter()
            .filter_map(|(name, value)| Some((*name, value.as_deref()?)));
        let mut sheet = Stylesheet::default();
        let rules = given.map(|one| Rule::for_names(&["codergen", "prompt"], &[one]));
        sheet.rules.extend(rules);
        if let Some((outer, checked)) = self.stylesheet.read()? {
            if checked.count(Severity::Error) > 0 {
                console::remark(human::report(&checked, human::ReportDetail::Problems).trim_end());
                return Err(invalid(graph.unwrap_or_default().to_owned(), checked));
            }
            sheet.rules.extend(outer.rules);
        }
        Ok(sheet)
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

/// Prints errors and warnings on standard error; refuses errors. `graph` is the requested pipeline.
fn check(analyzed: &Analyzed, graph: Option<&str>) -> Result<(), LaunchError> {
    let grave = |severity| matches!(severity, Severity::Error | Severity::Warning);
    let checked = analyzed.checked(|one| grave(one.severity));
    if checked.diagnostics.is_empty() {
        return Ok(());
    }
    console::remark(human::report(&checked, human::ReportDetail::Problems).trim_end());
    if checked.count(Severity::Error) == 0 {
        return Ok(());
    }
    let mut names = analyzed.analysis.pipelines().map(|pipeline| &pipeline.name);
    let name = graph.map(str::to_owned).or_else(|| names.next().cloned());
    Err(invalid(name.unwrap_or_default(), checked))
}

fn invalid(pipeline: String, checked: Checked) -> LaunchError {
    let diagnostics = json::diagnostics(&checked);
    LaunchError::Invalid {
        report: Box::new(RunReport::invalid(pipeline, diagnostics)),
        checked: Box::new(checked),
    }
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
        if let Some(reason) = &step.simulated {
            reasons.entry(reason).or_default().push(&step.node);
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

/// Why the engine refused a launch. Missing inputs are diagnostics, like any other error of the pipeline.
pub fn not_started(error: RunError, launch: &Launch) -> LaunchError {
    let RunError::MissingInputs { pipeline, missing } = error else {
        return error.into();
    };
    let declared = launch.pipeline.attributes.get("vars");
    let range = declared.and_then(Attribute::range);
    let range = range.unwrap_or(launch.pipeline.range);
    let diagnostics = missing.iter().map(|name| {
        let message = format!("input `{name}` is missing; pass --input {name}=VALUE");
        Diagnostic::new(MISSING_INPUT, Severity::Error, range, message)
    });
    let source = Source::of_text(&launch.source.path, Arc::clone(&launch.source.text));
    let checked = analysis::checked(source, diagnostics.collect());
    console::remark(human::report(&checked, human::ReportDetail::Problems).trim_end());
    invalid(pipeline, checked)
}

/// The pipeline of that name; without a name the first one.
fn choose<'p>(
    pipelines: &'p [Arc<Pipeline>],
    name: Option<&str>,
    path: &str,
) -> Result<&'p Arc<Pipeline>, Error> {
    let chosen = match name {
        None => pipelines.first(),
        Some(name) => pipelines.iter().find(|pipeline| pipeline.name == name),
    };
    chosen.ok_or_else(|| match name {
        None => Error::NoPipeline {
            path: path.to_owned(),
        },
        Some(name) => Error::UnknownGraph {
            path: path.to_owned(),
            what: "pipeline",
            name: name.to_owned(),
            names: pipelines
                .iter()
                .map(|pipeline| pipeline.name.clone())
                .collect(),
        },
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    /// Who decides the model of a node, the strongest source first: without it the next one does.
    #[test]
    fn sources_of_a_model_by_precedence() {
        use clap::Parser;

        #[derive(clap::Parser)]
        struct Options {
            #[command(flatten)]
            common: super::LaunchOptions,
        }

        const SOURCES: [&str; 9] = [
            "own attribute",
            "node defaults",
            "#id of the pipeline",
            ".class of the pipeline",
            "kind in --stylesheet",
            "--model",
            "kind of the pipeline",
            "* of the pipeline",
            "graph",
        ];
        let folder = tempfile::tempdir().unwrap();
        let css = folder.path().join("outer.css");
        for first in 0..=SOURCES.len() {
            let has = |source: usize| source >= first;
            let part = |source: usize, text: &str| {
                if has(source) {
                    text.to_owned()
                } else {
                    String::new()
                }
            };
            let dot = format!(
                "digraph {{ {} {} model_stylesheet=\"{} {} {} {}\"; s [shape=Mdiamond]; n [class=hard, prompt=x{}]; s -> n }}",
                part(8, "model=m8;"),
                part(1, "node [model=m1];"),
                part(2, "#n { model: m2 }"),
                part(3, ".hard { model: m3 }"),
                part(6, "codergen { model: m6 }"),
                part(7, "* { model: m7 }"),
                part(0, ", model=m0"),
            );
            std::fs::write(&css, part(4, "codergen { model: m4 }")).unwrap();
            let mut arguments = vec![
                "run".into(),
                "--stylesheet".into(),
                css.clone().into_os_string(),
            ];
            if has(5) {
                arguments.extend(["--model".into(), "m5".into()]);
            }
            let options = Options::try_parse_from(arguments).unwrap();
            let source = super::Source::of_text(&folder.path().join("p.dot"), dot.as_str().into());
            let launch = options.common.load(source, None).ok().unwrap();
            let node = launch.pipeline.node_by_id("n").unwrap();
            let model = node
                .attributes
                .get("model")
                .map(|model| model.value().to_owned());
            let expected = SOURCES.get(first).map(|_| format!("m{first}"));
            assert_eq!(
                model,
                expected,
                "{}",
                SOURCES.get(first).unwrap_or(&"nothing")
            );
        }
    }
}
