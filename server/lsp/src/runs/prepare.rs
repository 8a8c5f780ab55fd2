//! From a document to a pipeline that is ready to run: choose it, check it, collect the files it uses.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use attractor::{AgentSettings, ApprovalKey, EditorKeys, Notifier, Providers};
use attractor_config::NotifiedRuns;
use attractor_ide::model::Pipeline;
use attractor_run::{
    AnswerPolicy, Consent, Launch, Mode, PipelineBundle, RecordKey, Script, ScriptedModels,
    ScriptedOutcome, Source, read_input,
};
use lsp_types::Uri;
use serde_json::Value;

use super::registry::RunRegistry;
use super::run_record::statements;
use super::run_source::RunSource;
use super::server_run::{RunDocument, ServerRun};
use crate::errors::{PipelineError, ServerError};
use crate::ext::commands::{OutcomeArg, RunArgs, RunMode};
use crate::paths;
use crate::trust::{Trust, question};
use crate::workspace::Workspace;
use attractor_proto::to_proto;
use attractor_proto::{RequestContext, RequestError};

/// Errors of a pipeline that an error response lists.
const MAX_ERRORS: usize = 10;

/// A pipeline with everything its run needs, at the time of the command.
#[derive(Clone)]
pub(crate) struct PreparedRun {
    uri: Uri,
    file: PathBuf,
    /// The run, without the options of the command.
    launch: Launch,
    /// Who is notified of it, or why nobody is although the configuration says so.
    notifier: Result<Option<Notifier>, String>,
    /// Everything it can do.
    pub(crate) consent: Arc<Consent>,
    /// What a trust decision is about.
    pub(crate) trust_key: ApprovalKey,
}

/// The options of a command that starts or resumes a run.
#[derive(Clone, Default)]
pub(crate) struct RunOptions {
    /// Which effects are real.
    pub(crate) mode: RunMode,
    /// Values for `vars`.
    pub(crate) inputs: BTreeMap<String, Value>,
    /// The node to start at.
    pub(crate) from: Option<String>,
    /// What nodes of a dry run result in.
    pub(crate) outcomes: BTreeMap<String, Vec<ScriptedOutcome>>,
    /// How gates of a dry run are answered.
    pub(crate) answers: BTreeMap<String, Vec<String>>,
}

impl RunOptions {
    /// Those of a dry run.
    pub(crate) fn of_dry_run(
        inputs: BTreeMap<String, Value>,
        outcomes: BTreeMap<String, Vec<OutcomeArg>>,
        answers: BTreeMap<String, Vec<String>>,
    ) -> Self {
        Self {
            mode: RunMode::DryRun,
            inputs: read_inputs(inputs),
            from: None,
            outcomes: read_outcomes(outcomes),
            answers,
        }
    }
}

/// The outcomes that a client picks.
fn read_outcomes(
    outcomes: BTreeMap<String, Vec<OutcomeArg>>,
) -> BTreeMap<String, Vec<ScriptedOutcome>> {
    let outcomes = outcomes.into_iter();
    outcomes
        .map(|(node, all)| (node, all.into_iter().map(Into::into).collect()))
        .collect()
}

impl From<RunArgs> for RunOptions {
    fn from(args: RunArgs) -> Self {
        Self {
            mode: args.mode,
            inputs: read_inputs(args.inputs),
            from: args.from,
            outcomes: read_outcomes(args.outcomes),
            answers: args.answers,
        }
    }
}

/// The inputs a client sends. What was typed into a text box arrives as a string and is read as JSON if it is.
fn read_inputs(inputs: BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    let read = |(name, value): (String, Value)| match &value {
        Value::String(text) => {
            let value = read_input(&name, text);
            (name, value)
        }
        _ => (name, value),
    };
    inputs.into_iter().map(read).collect()
}

/// Prepares a pipeline of a document, the first one without a name. Reads files.
pub(crate) fn prepare(
    context: &RequestContext,
    workspace: &Workspace,
    keys: &EditorKeys,
    graph: Option<&str>,
) -> Result<PreparedRun, ServerError> {
    let pipeline = choose(context, graph)?;
    check(context, &pipeline)?;
    prepare_pipeline(context, workspace, keys, pipeline)
}

/// What trust decisions about a document are about: one key per pipeline. Reads files.
pub(crate) fn trust_keys(
    context: &RequestContext,
    workspace: &Workspace,
    keys: &EditorKeys,
) -> Result<Vec<ApprovalKey>, ServerError> {
    let graphs = context.document.analysis.graphs.iter();
    let pipelines: Vec<_> = graphs.filter_map(|graph| graph.pipeline.clone()).collect();
    if pipelines.is_empty() {
        return Err(RequestError::NoPipeline {
            uri: context.uri.as_str().to_owned(),
        }
        .into());
    }
    let prepared = pipelines
        .into_iter()
        .map(|pipeline| prepare_pipeline(context, workspace, keys, pipeline));
    prepared.map(|prepared| Ok(prepared?.trust_key)).collect()
}

fn prepare_pipeline(
    context: &RequestContext,
    workspace: &Workspace,
    keys: &EditorKeys,
    pipeline: Arc<Pipeline>,
) -> Result<PreparedRun, ServerError> {
    let unreadable = || RequestError::Unreadable {
        uri: context.uri.as_str().to_owned(),
        reason: "save the document first".to_owned(),
    };
    let file = paths::path_of(&context.uri).ok_or_else(unreadable)?;
    let (configuration, _) = workspace.configuration(&file);
    if let Some((path, problem)) = configuration.fatal_problem() {
        return Err(ServerError::Configuration {
            path: path.display().to_string(),
            problem: problem.to_string(),
        });
    }
    let siblings: Vec<Arc<Pipeline>> = context
        .document
        .analysis
        .graphs
        .iter()
        .filter_map(|graph| graph.pipeline.clone())
        .collect();
    let bundle = PipelineBundle::collect(
        &pipeline,
        &siblings,
        &context.document.options,
        context.files().as_ref(),
    );
    let text = Arc::clone(&context.document.text);
    let source = Source {
        path: file.clone(),
        text,
    };
    let mut launch =
        Launch::new(pipeline, source).with_bundle(bundle, context.document.options.clone());
    // As on the command line: commands run in the project's folder, paths in the file stay relative to it.
    launch.workdir = workspace.root_of(&file);
    launch.runs_dir = workspace.runs_dir(&file);
    launch.record_key = Some(RecordKey::of_user(
        workspace.settings().state_folder().as_deref(),
    ));
    launch.mode = Mode::Run;
    launch.answers = AnswerPolicy::Ask;
    let providers = Providers::with_editor_keys(&configuration, keys);
    launch.backends =
        attractor::backends(providers, AgentSettings::from_environment(&configuration));
    let consent = attractor::consent(&launch, &configuration);
    let folder = workspace.folder_of(&file);
    let trust_key = ApprovalKey::new(&launch, &consent, folder.as_deref());
    Ok(PreparedRun {
        uri: context.uri.clone(),
        file,
        launch,
        notifier: Notifier::of(&configuration, NotifiedRuns::Editor)
            .map_err(|error| error.to_string()),
        consent: Arc::new(consent),
        trust_key,
    })
}

/// The pipeline of that name, or the first one of a document.
pub(crate) fn choose(
    context: &RequestContext,
    graph: Option<&str>,
) -> Result<Arc<Pipeline>, ServerError> {
    let graphs = context.document.analysis.graphs.iter();
    let pipelines: Vec<_> = graphs.filter_map(|graph| graph.pipeline.as_ref()).collect();
    let uri = context.uri.as_str().to_owned();
    let Some(first) = pipelines.first() else {
        return Err(RequestError::NoPipeline { uri }.into());
    };
    let Some(graph) = graph else {
        return Ok(Arc::clone(first));
    };
    let named = pipelines.iter().find(|pipeline| pipeline.name == graph);
    named.map(|found| Arc::clone(found)).ok_or_else(|| {
        let known: Vec<_> = pipelines
            .iter()
            .map(|pipeline| pipeline.name.as_str())
            .collect();
        RequestError::UnknownGraph {
            uri,
            graph: graph.to_owned(),
            known: known.join(", "),
        }
        .into()
    })
}

/// A pipeline with errors does not run.
fn check(context: &RequestContext, pipeline: &Pipeline) -> Result<(), ServerError> {
    let all: Vec<_> = context.document.analysis.errors_of(pipeline).collect();
    let errors: Vec<_> = all
        .iter()
        .take(MAX_ERRORS)
        .map(|diagnostic| PipelineError {
            rule: diagnostic.rule,
            message: diagnostic.message.clone(),
            line: to_proto::position(context, diagnostic.range.start()).line + 1,
        })
        .collect();
    if errors.is_empty() {
        return Ok(());
    }
    Err(ServerError::InvalidPipeline {
        pipeline: pipeline.name.clone(),
        errors,
        total: all.len(),
    })
}

impl PreparedRun {
    /// One run of a graph at a time: two would write the same files.
    pub(crate) fn check_not_running(&self, runs: &RunRegistry) -> Result<(), ServerError> {
        match runs.active_run_of(&self.file, &self.launch.pipeline.name) {
            Some(run) => Err(ServerError::AlreadyRunning {
                pipeline: run.graph.clone(),
                run: run.id.clone(),
            }),
            None => Ok(()),
        }
    }

    /// A run gets a value for each input that it requires.
    pub(crate) fn check_inputs(&self, options: &RunOptions) -> Result<(), ServerError> {
        let checked = attractor_run::check_inputs(&self.launch.pipeline, &options.inputs);
        checked.map_err(|error| ServerError::from(&error))
    }

    /// What the engine is to run. Questions stay open until they are answered in the editor.
    pub(crate) fn launch(&self, options: RunOptions) -> Launch {
        let is_dry = options.mode == RunMode::DryRun;
        let answers = if is_dry && !options.answers.is_empty() {
            AnswerPolicy::Scripted(options.answers)
        } else {
            self.launch.answers.clone()
        };
        Launch {
            mode: match options.mode {
                RunMode::Run => Mode::Run,
                RunMode::Simulate => Mode::Simulate,
                RunMode::DryRun => Mode::DryRun(Script {
                    outcomes: options.outcomes,
                    models: ScriptedModels::None,
                }),
            },
            answers,
            inputs: options.inputs,
            from: options.from,
            ..self.launch.clone()
        }
    }

    /// The name of the pipeline.
    pub(crate) fn pipeline(&self) -> &str {
        &self.launch.pipeline.name
    }

    /// Notifies of a run that has just been started or resumed, as the configuration says. Returns why that cannot be.
    pub(crate) fn notify(&self, handle: &attractor_run::RunHandle) -> Result<(), String> {
        if let Some(notifier) = self.notifier.as_ref().map_err(Clone::clone)? {
            notifier.follow(handle);
        }
        Ok(())
    }

    /// The question about trust.
    pub(crate) fn question(&self, trust: &Trust) -> String {
        question::text(&self.consent, trust.approval(&self.trust_key))
    }

    /// A run of this pipeline that the engine has just started or resumed.
    pub(crate) fn server_run(&self, handle: attractor_run::RunHandle) -> Arc<ServerRun> {
        let pipeline = &self.launch.pipeline;
        let statements = statements(pipeline, &self.launch.source.text);
        let graph = pipeline.name.clone();
        let document = RunDocument {
            uri: self.uri.clone(),
            file: self.file.clone(),
        };
        let source = RunSource::Local(handle);
        Arc::new(ServerRun::new(document, graph, statements, source))
    }
}
