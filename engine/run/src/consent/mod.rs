//! Everything a run can do, for a person to read before the first run: every command in full, every prompt and model,
//! every file, every sub-pipeline.
//!
//! Pure, and read from the same [`Launch`] that starts the run, by the functions the run itself uses
//! (`handlers::commands`, the plan's lookup of sub-pipelines): what is not in here cannot be started.
//! [`Consent::document`] writes it down; nothing is shortened.

mod document;
mod hidden_values;
mod named_paths;
mod program_files;
mod project;
mod project_content;
mod script_paths;
mod scripts;
#[cfg(test)]
mod tests;
mod visible;

use std::collections::BTreeSet;

use attractor_exec::AgentSandbox;
use attractor_lang::lists::variables;
use attractor_machine::plan::node_order::{calls_model, node_refs, reachable};
use attractor_machine::plan::{NodeRef, Plan};
use attractor_model::NodeWork;
use attractor_model::{NodeKind, Reality, ToolHook};

use crate::backend::{AgentCapabilities, Simulation};
use crate::handlers::commands::{self, CommandRole, Program};
use crate::handlers::{codergen, is_agent, tool_hooks};
use crate::launch::agent_sandbox::agent_sandbox;
use crate::launch::reality::{KnownInputs, simulation};
use crate::launch::{Launch, Mode};

pub use named_paths::NamedPath;
pub use project_content::ProjectContent;
pub use visible::visible;

/// Everything a run can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    /// The pipeline that is started.
    pub pipeline: String,
    /// Its file.
    pub file: String,
    /// Where commands run unless their node says otherwise.
    pub folder: String,
    /// Whether all models are simulated.
    pub simulated: bool,
    /// Whether nothing is executed.
    pub is_dry: bool,
    /// Values the run must be given.
    pub inputs: Vec<String>,
    /// The pipelines, the started one first, each with its nodes in the order they can be reached.
    pub pipelines: Vec<ConsentPipeline>,
    /// Files that are read with the pipeline and are not the text of a command: path as written, and content.
    pub files: Vec<(String, String)>,
    /// What the run may cost, in USD, where that is limited.
    pub max_cost: Option<String>,
    /// What commands of its agents run in; missing where none runs commands.
    pub sandbox: Option<AgentSandbox>,
    /// What of the project decides what it does; see [`Consent::in_project`].
    pub project: ProjectContent,
}

/// One pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentPipeline {
    /// Its name, as it is called by.
    pub name: String,
    /// What its nodes do.
    pub steps: Vec<ConsentStep>,
    /// The paths that it names itself.
    pub paths: Vec<NamedPath>,
}

/// What one node does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentStep {
    /// The node.
    pub node: String,
    /// Its handler.
    pub handler: String,
    /// The programs it starts, in order.
    pub commands: Vec<ConsentCommand>,
    /// Why its commands cannot run, when they cannot.
    pub problem: Option<String>,
    /// Whether it asks a model.
    pub model: bool,
    /// What its agent may do; missing where it has none.
    pub agent: Option<AgentCapabilities>,
    /// Whether what answers may start programs: an agent with tools, or an agent that is another program. So does what
    /// is only known when values go in.
    pub starts_programs: bool,
    /// Why the model's answer will be simulated, as far as that is known before values go in.
    pub simulated: Option<Simulation>,
    /// The pipeline it runs, as written, and whether that was found.
    pub calls: Option<(String, bool)>,
    /// Its attributes that are not shown with a command: name and value.
    pub settings: Vec<(String, String)>,
    /// The paths that its attributes name.
    pub paths: Vec<NamedPath>,
}

/// One program that is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentCommand {
    /// When it runs.
    pub role: CommandRole,
    /// The attribute it is written in.
    pub attribute: &'static str,
    /// The program and its arguments, without `text`.
    pub program: Vec<String>,
    /// The code the program is given as its last argument, before values go in.
    pub text: Option<String>,
    /// The file the code comes from.
    pub file: Option<String>,
    /// The language of the code, for colouring.
    pub language: &'static str,
    /// The name of the configured handler it is the command of.
    pub handler: Option<String>,
    /// The hook of the configuration it is the command of.
    pub hook: Option<ToolHook>,
    /// Where it runs, when that is not the folder of the run: a template.
    pub folder: Option<String>,
    /// Variables it is given: name and template.
    pub environment: Vec<(String, String)>,
    /// What it standard input: a template, or the context key after `key `.
    pub stdin: Option<String>,
}

/// How much there is to agree to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConsentCounts {
    /// Programs that are started, hooks included.
    pub commands: usize,
    /// Of those, hooks.
    pub hooks: usize,
    /// Of those, commands of handlers of the configuration.
    pub handlers: usize,
    /// Nodes that ask a model.
    pub models: usize,
    /// Of those, nodes whose model is simulated.
    pub simulated: usize,
    /// Sub-pipelines.
    pub pipelines: usize,
    /// Files that are read.
    pub files: usize,
}

/// Attributes of a tool that are shown with its commands.
const WITH_COMMAND: &[&str] = &[
    "command",
    "pre_hook",
    "post_hook",
    "shell",
    "tool_env",
    "stdin",
    "stdin_source",
    "working_dir",
];

/// Attributes that are shown elsewhere for every node, or only matter for the picture.
const NEVER: &[&str] = &[
    "shape",
    "handler",
    "sub_pipeline",
    "tool_hooks.pre",
    "tool_hooks.post",
    "color",
    "fillcolor",
    "fontcolor",
    "fontname",
    "fontsize",
    "style",
    "penwidth",
    "width",
    "height",
    "pos",
    "tooltip",
];

/// What a node that asks a model takes from the graph when it does not say it itself.
const POLICY: &[&str] = &["model", "provider", "reasoning_effort", "backend"];

impl Consent {
    /// What the run that `launch` starts can do.
    pub fn of(launch: &Launch) -> Self {
        let plan = Plan::new(launch.pipeline.clone(), launch.library.clone());
        let inputs = KnownInputs::of(launch);
        let pipelines = reachable(&plan).into_iter().map(|pipeline| {
            let steps = node_refs(pipeline).into_iter();
            let steps = steps.map(|node_ref| step(node_ref, &plan, launch, &inputs));
            ConsentPipeline {
                name: pipeline.name.clone(),
                steps: steps.collect(),
                paths: named_paths::of(&pipeline.attributes),
            }
        });
        let pipelines: Vec<ConsentPipeline> = pipelines.collect();
        let is_code = |path: &str| {
            let steps = pipelines
                .iter()
                .flat_map(|pipeline: &ConsentPipeline| &pipeline.steps);
            let mut commands = steps.flat_map(|step| &step.commands);
            commands.any(|command| command.file.as_deref() == Some(path))
        };
        let files = launch.files.iter().filter(|(path, _)| !is_code(path));
        let declared = launch.pipeline.attributes.text("vars").unwrap_or_default();
        Self {
            pipeline: launch.pipeline.name.clone(),
            file: launch.source.path.display().to_string(),
            folder: launch.workdir.display().to_string(),
            simulated: pipelines
                .iter()
                .flat_map(|pipeline| &pipeline.steps)
                .all(|step| !step.model || step.simulated.is_some()),
            is_dry: matches!(launch.mode, Mode::DryRun(_)),
            inputs: variables(declared)
                .0
                .into_iter()
                .map(|variable| variable.name)
                .collect(),
            files: files.cloned().collect(),
            max_cost: max_cost(launch),
            sandbox: agent_sandbox(launch),
            pipelines,
            project: ProjectContent::default(),
        }
    }

    /// What all of its agents may do, how many models they call, and what that may cost, as a sentence; `None` without a
    /// model.
    pub fn capabilities(&self) -> Option<String> {
        let models: BTreeSet<Option<&str>> = self
            .steps()
            .filter(|step| step.model && step.simulated.is_none())
            .map(|step| step.setting("model"))
            .collect();
        let agents = || self.steps().filter_map(|step| step.agent.as_ref());
        let mut parts = Vec::new();
        if let Some(edits) = agents().map(|one| one.edits.clone()).max()
            && let Some(shell) = agents().map(|one| one.shell).max()
        {
            let web: BTreeSet<&String> = agents().flat_map(|one| &one.web).collect();
            let web = web.into_iter().cloned().collect();
            parts.push(AgentCapabilities { edits, shell, web }.to_string());
        }
        match models.len() {
            0 if self.steps().any(|step| step.model) => {
                parts.push("models: all simulated".to_owned());
            }
            0 => return None,
            count => {
                parts.push(format!("models: {count}"));
                let cost = self.max_cost.as_ref();
                parts.push(cost.map_or_else(
                    || "no limit of cost".to_owned(),
                    |cost| format!("up to ${cost}"),
                ));
            }
        }
        let parts = parts.join(" · ");
        let (first, rest) = parts.split_at_checked(1)?;
        Some(format!("{}{rest}.", first.to_uppercase()))
    }

    /// Every command of every pipeline.
    pub fn commands(&self) -> impl Iterator<Item = &ConsentCommand> {
        self.steps().flat_map(|step| &step.commands)
    }

    /// Every step of every pipeline.
    pub fn steps(&self) -> impl Iterator<Item = &ConsentStep> {
        self.pipelines.iter().flat_map(|pipeline| &pipeline.steps)
    }

    /// How real the run is.
    pub fn reality(&self) -> Reality {
        if self.is_dry {
            return Reality::Dry;
        }
        let counts = self.counts();
        Reality::of_models(counts.models, counts.simulated)
    }

    /// The steps whose model would be simulated although nothing requests it.
    pub fn unrequested_simulations(&self) -> impl Iterator<Item = (&ConsentStep, &Simulation)> {
        let simulated = self
            .steps()
            .filter_map(|step| Some((step, step.simulated.as_ref()?)));
        simulated.filter(|(_, simulation)| !simulation.is_requested)
    }

    /// How much there is.
    pub fn counts(&self) -> ConsentCounts {
        let scripts = self.commands().filter(|command| command.file.is_some());
        ConsentCounts {
            commands: self.commands().count(),
            hooks: self
                .commands()
                .filter(|command| command.role != CommandRole::Main)
                .count(),
            handlers: self
                .commands()
                .filter(|command| command.handler.is_some())
                .count(),
            models: self.steps().filter(|step| step.model).count(),
            simulated: self.steps().filter(|step| step.simulated.is_some()).count(),
            pipelines: self.pipelines.len().saturating_sub(1),
            files: self.files.len() + scripts.count(),
        }
    }
}

impl ConsentStep {
    /// The value of one of its attributes.
    fn setting(&self, name: &str) -> Option<&str> {
        let mut settings = self.settings.iter();
        let (_, value) = settings.find(|(known, _)| known == name)?;
        Some(value)
    }
}

fn step(node_ref: NodeRef<'_>, plan: &Plan, launch: &Launch, inputs: &KnownInputs) -> ConsentStep {
    let node = node_ref.node;
    let work = node_ref.work();
    let found = match work {
        NodeWork::Commands => {
            commands::of(node_ref, &launch.files, &launch.options.custom_handlers)
        }
        NodeWork::Model => tool_hooks::of(node_ref, &launch.files, &launch.options.tool_hooks),
        _ => Ok(Vec::new()),
    };
    let (found, problem) = match found {
        Ok(found) => (found, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let model = calls_model(&node_ref);
    let calls = node_ref.called();
    let simulated = model
        .then(|| simulation(node_ref, launch, inputs))
        .flatten();
    ConsentStep {
        node: node.id.to_string(),
        handler: node.handler().to_owned(),
        commands: found
            .iter()
            .map(|command| shown(node_ref, command))
            .collect(),
        problem,
        model,
        agent: is_agent(node_ref)
            .then(|| codergen::capabilities(node_ref, &launch.backends))
            .flatten(),
        starts_programs: model && starts_programs(node_ref, &launch.mode, simulated.as_ref()),
        simulated,
        calls: calls.map(|name| (name.to_owned(), plan.called(name).is_some())),
        settings: settings(node_ref, work, model),
        paths: named_paths::of(&node.attributes),
    }
}

/// Whether what answers for a node that asks a model may start programs. A model that cannot be called now may be when
/// values have gone in.
fn starts_programs(node_ref: NodeRef<'_>, mode: &Mode, simulated: Option<&Simulation>) -> bool {
    if !matches!(mode, Mode::Run) {
        return false;
    }
    match node_ref.inherited("backend").map(str::trim) {
        Some("simulate") => false,
        None | Some("native" | "") => {
            is_agent(node_ref) && !simulated.is_some_and(|simulated| simulated.is_requested)
        }
        Some(_) => true,
    }
}

/// The limit of the launch, else that of the pipeline.
fn max_cost(launch: &Launch) -> Option<String> {
    let declared = || {
        launch
            .pipeline
            .attributes
            .text("max_cost")
            .map(str::to_owned)
    };
    let of_launch = launch.limits.max_cost.map(|cost| cost.to_string());
    of_launch.or_else(declared)
}

fn shown(node_ref: NodeRef<'_>, command: &commands::NodeCommand<'_>) -> ConsentCommand {
    let is_main = command.role == CommandRole::Main;
    let template = command.program.template();
    let mut program = command.program.argv("");
    if template.is_some() {
        program.pop();
    }
    let (language, handler, hook) = match &command.program {
        Program::Shell { .. } => ("sh", None, None),
        Program::Python(_) => ("python", None, None),
        Program::Handler(handler) => ("", Some(handler), None),
        Program::Hook(hook) => ("", None, Some(*hook)),
    };
    let own = || node_ref.written("working_dir").map(str::to_owned);
    let folder = match (handler, hook) {
        (Some(handler), _) => handler.folder.clone(),
        (None, Some(hook)) => hook.folder.clone().or_else(own),
        (None, None) => own(),
    };
    let is_around_tool_calls = matches!(
        command.role,
        CommandRole::BeforeToolCall | CommandRole::AfterToolCall
    );
    let key = || Some(format!("key {}", node_ref.written("stdin_source")?));
    let stdin = node_ref.written("stdin").map(str::to_owned).or_else(key);
    ConsentCommand {
        role: command.role,
        attribute: command.attribute,
        text: template.map(str::to_owned),
        program,
        file: command.file.map(str::to_owned),
        language,
        folder,
        environment: if is_around_tool_calls {
            Vec::new()
        } else {
            commands::environment(node_ref)
        },
        stdin: stdin.filter(|_| is_main && handler.is_none()),
        handler: handler.map(|handler| handler.name.clone()),
        hook: hook.cloned(),
    }
}

fn settings(node_ref: NodeRef<'_>, work: NodeWork, model: bool) -> Vec<(String, String)> {
    let with_command = |name: &str| WITH_COMMAND.contains(&name) || name.starts_with("env.");
    let is_tool = work == NodeWork::Commands && node_ref.node.kind != NodeKind::Custom;
    // A stylesheet sets models of all nodes; only those that call one use it.
    let unused = |name: &str| !model && POLICY.contains(&name);
    let kept =
        |name: &str| !(NEVER.contains(&name) || unused(name) || is_tool && with_command(name));
    let attributes = node_ref.node.attributes.iter();
    let mut settings: Vec<(String, String)> = attributes
        .filter(|attribute| kept(attribute.name()))
        .map(|attribute| (attribute.name().to_owned(), attribute.value().to_owned()))
        .collect();
    for name in POLICY.iter().filter(|_| model) {
        let known = settings.iter().any(|(known, _)| known == name);
        if let (false, Some(value)) = (known, node_ref.inherited(name)) {
            settings.push(((*name).to_owned(), value.to_owned()));
        }
    }
    settings
}
