//! What the session of a node is started with.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use attractor_agent::language_server::ServerProcess;
use attractor_agent::mcp::McpServer;
use attractor_agent::prompt::{PromptParts, SessionLimits, build_system_prompt, prompt_changes};
use attractor_agent::shared::{SharedWorker, WorkerBudgetConfig};
use attractor_agent::tools::LoadSkill;
use attractor_agent::{
    Budget, EditorFiles, Limits, Person, ProviderProfile, SessionConfig, SessionJournal,
    SessionSetup, SessionStart, SystemClock, ToolRegistry, Workspace, add_language_tools,
    core_tools,
};
use attractor_exec::ExecutionEnvironment;
use attractor_llm::{Client, Message, ObjectSchema, Request, Warning};
use attractor_run::{BackendError, CodergenRequest, FailureClass, Progress};

use super::continued::Continued;
use super::{hooks, language_servers, mcp, safety, skills};
use crate::agent_settings::AgentSettings;
use crate::native::request;
use crate::native::shared::SharedStateOfRun;

/// The file of a node's session, in the folder of its attempt.
pub(in crate::native) const JOURNAL: &str = "session.jsonl";

/// A session that can be started.
pub(in crate::native) struct Prepared {
    pub(in crate::native) setup: SessionSetup,
    /// The messages of the session's file: it continues where another process was killed.
    pub(in crate::native) messages: Vec<Message>,
    /// The form of the last message.
    pub(in crate::native) schema: Option<ObjectSchema>,
    /// How often the model may be asked to correct it.
    pub(in crate::native) corrections: u32,
    /// What of the node could not be used.
    pub(in crate::native) warnings: Vec<String>,
}

/// What a node asks for.
pub(in crate::native) struct NodeCall<'n> {
    pub(in crate::native) client: &'n Client,
    pub(in crate::native) input: &'n CodergenRequest,
    pub(in crate::native) model: &'n str,
    /// The models of the configuration that are called while this one is not available.
    pub(in crate::native) fallback: Vec<String>,
    /// What the configuration says about agents.
    pub(in crate::native) settings: &'n AgentSettings,
    /// MCP servers besides those that the node names.
    pub(in crate::native) mcp_servers: &'n [McpServer],
    /// The editor that has the files of its folder open.
    pub(in crate::native) editor: Option<Arc<dyn EditorFiles>>,
    /// What the agents of the run share.
    pub(in crate::native) shared: SharedStateOfRun,
}

pub(in crate::native) async fn prepare(
    call: NodeCall<'_>,
    progress: &dyn Progress,
    person: Arc<dyn Person>,
) -> Result<Prepared, BackendError> {
    let NodeCall {
        client,
        input,
        model,
        fallback,
        settings,
        mcp_servers,
        editor,
        shared: SharedStateOfRun {
            state,
            problem: shared_problem,
        },
    } = call;
    let policy = &settings.policy;
    let configuration = |message: String| BackendError::new(FailureClass::Configuration, message);
    let workspace = Workspace::open(&input.working_dir)
        .map(|workspace| Arc::new(workspace.with_editor(editor)));
    let workspace = workspace.map_err(|error| {
        configuration(format!(
            "the agent of `{}` cannot work in `{}`: {error}",
            input.node,
            input.working_dir.display()
        ))
    })?;
    let path = input.stage_dir.join(JOURNAL);
    let opened = SessionJournal::open(&path, progress.redactor());
    let (mut journal, recorded) = opened
        .map_err(|error| configuration(format!("cannot write `{}`: {error}", path.display())))?;
    let continued = Continued::of(input, model, &recorded);
    let model = continued.model.as_str();
    let adapter = client.detect_provider(model, continued.provider.as_deref());
    let adapter =
        adapter.map_err(|error| configuration(continued.unavailable(&error.data().message)))?;
    let profile = ProviderProfile::of(adapter.provider_name());
    let mut warnings: Vec<Warning> = Vec::new();
    let mut request = request::base(input, model.to_owned(), fallback, &mut warnings);
    request.provider.clone_from(&continued.provider);
    request.reasoning_effort = request.reasoning_effort.or(continued.reasoning_effort);
    let schema = request::schema(input.option("output_schema"), &mut warnings);
    let mut config = config(input, &request, &mut warnings);
    let allowed = request::list(input.option("allowed_tools").unwrap_or_default());
    if !allowed.is_empty() && !allowed.iter().any(|rule| rule.starts_with("spawn_agent")) {
        config.max_subagent_depth = 0;
    }
    let step = format!("{}/{}-{}", input.node, input.visit, input.attempt);
    let connected = mcp::connect(
        input,
        (&settings.mcp_servers, mcp_servers),
        progress.redactor(),
        &step,
    )
    .await;
    let connected = connected.map_err(|reason| {
        configuration(format!(
            "the agent of `{}` cannot work: {reason}",
            input.node
        ))
    })?;
    let narrowing = safety::narrowing(input).map_err(configuration)?;
    let hooks = hooks::of(input, progress.execution()).map_err(configuration)?;
    let settings = safety::sandbox_settings(policy, &narrowing, workspace.root());
    let execution = safety::sandbox(settings.clone(), workspace.root(), progress.execution())
        .map_err(|error| configuration(format!("the sandbox cannot be prepared: {error}")))?;
    let execution = Arc::new(execution.setting_aside_in(input.stage_dir.clone()));
    let mut tools = profile.select(&core_tools());
    let process = ServerProcess {
        environment: Arc::clone(&execution) as Arc<dyn ExecutionEnvironment>,
        redactor: progress.redactor(),
        run: input.run.clone(),
        step: step.clone(),
    };
    if let Some(servers) =
        language_servers::start(policy, execution.protects_files(), &workspace, process)
    {
        add_language_tools(&mut tools, &Arc::new(servers));
    }
    connected.register(&mut tools);
    let home = std::env::home_dir();
    let found = skills::find(input, workspace.root(), home.as_deref());
    let found = found.map_err(|reason| {
        configuration(format!(
            "the agent of `{}` cannot work: {reason}",
            input.node
        ))
    })?;
    let is_contained = execution.is_contained();
    let excess = policy.configured().excess(&narrowing);
    let permissions = safety::permissions(policy, narrowing, workspace.root(), is_contained)
        .asking_for_skills(found.asked.clone());
    let skills = Arc::new(found.permitted(&permissions, person.is_there()));
    if !skills.skills.is_empty() {
        tools.register(Arc::new(LoadSkill::of(Arc::clone(&skills))));
    }
    let tools = allowed_tools(tools, &allowed);
    let session_limits = SessionLimits {
        sandbox: settings.mode,
        is_contained,
        network: settings.network,
        writable: settings
            .writable
            .iter()
            .map(|folder| folder.display().to_string())
            .collect(),
        command_timeout: Duration::from_millis(config.default_command_timeout_ms),
        longest_command: Duration::from_millis(config.max_command_timeout_ms),
        can_ask: person.is_there(),
    };
    let resolved = client
        .catalogue()
        .resolve(model, continued.provider.as_deref());
    let parts = PromptParts {
        limits: session_limits,
        model_id: resolved.map_or_else(|| model.to_owned(), |model| model.id),
        skills: skills.listed(),
        user_instructions: input.system_prompt.clone().unwrap_or_default(),
        ..PromptParts::read(
            &profile,
            workspace.root(),
            home.as_deref(),
            &today(),
            progress.execution().as_ref(),
        )
        .await
    };
    let subagents = WorkerBudgetConfig::default();
    let subagents = WorkerBudgetConfig {
        max_tokens: policy.subagents.max_tokens.unwrap_or(subagents.max_tokens),
        max_iterations: policy
            .subagents
            .max_turns
            .unwrap_or(subagents.max_iterations),
        ..subagents
    };
    let shared = SharedWorker::new(step.clone(), state, None).limiting_subworkers(subagents);
    let now = shared.system_prompt(&build_system_prompt(&profile, &parts), None);
    let now = progress.redactor().text(&now).into_owned();
    let (system_prompt, update) = if let Some(kept) = continued.system_prompt {
        let update = prompt_changes(&kept, &now);
        (kept, update)
    } else {
        let start = SessionStart {
            model: model.to_owned(),
            provider: adapter.provider_name().to_owned(),
            reasoning_effort: request
                .reasoning_effort
                .map(|effort| effort.as_str().to_owned()),
            system_prompt: now.clone(),
        };
        let written = journal.start(&start);
        written.map_err(|error| {
            configuration(format!("cannot write `{}`: {error}", path.display()))
        })?;
        (now, None)
    };
    let journal = Some(Arc::new(Mutex::new(journal)));
    let limits = request::budget(input);
    let setup = SessionSetup {
        config,
        client: client.clone(),
        request,
        system_prompt,
        update,
        shared,
        tools,
        policy: Arc::new(permissions),
        hooks: Arc::new(hooks),
        person,
        workspace,
        environment: execution,
        redactor: progress.redactor(),
        journal,
        budget: Budget::new(Limits {
            tokens: limits.tokens,
            cost: limits.cost,
            ..Limits::default()
        }),
        clock: Arc::new(SystemClock),
        run: input.run.clone(),
        step,
    };
    Ok(Prepared {
        setup,
        messages: recorded.messages,
        schema,
        corrections: request::corrections(input),
        warnings: warnings
            .into_iter()
            .map(|warning| warning.message)
            .chain(continued.warning)
            .chain(connected.problems.iter().map(ToString::to_string))
            .chain(skills.problems.iter().cloned())
            .chain(shared_problem)
            .chain(excess.iter().map(ToString::to_string))
            .collect(),
    })
}

fn config(
    input: &CodergenRequest,
    request: &Request,
    warnings: &mut Vec<Warning>,
) -> SessionConfig {
    let defaults = SessionConfig::default();
    let mut milliseconds = |name: &'static str, default: u64| {
        let text = input.option(name);
        let written = text.filter(|text| text.parse::<u64>().is_err());
        // A plain number is milliseconds; `30s` is a duration.
        let duration = written.and_then(attractor_lang::duration::parse);
        let duration = duration
            .map(|duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX));
        duration.unwrap_or_else(|| request::number(input, name, warnings).unwrap_or(default))
    };
    let max_command_timeout_ms =
        milliseconds("max_command_timeout_ms", defaults.max_command_timeout_ms);
    let default_command_timeout_ms = milliseconds(
        "default_command_timeout_ms",
        defaults.default_command_timeout_ms,
    );
    SessionConfig {
        model_id: request.model.clone(),
        reasoning_effort: request.reasoning_effort,
        max_turns: request::number(input, "max_turns", warnings).unwrap_or_default(),
        default_command_timeout_ms: default_command_timeout_ms.min(max_command_timeout_ms),
        max_command_timeout_ms,
        ..defaults
    }
}

/// The tools whose name a rule of `allowed_tools` begins with; all of them without a rule.
fn allowed_tools(mut tools: ToolRegistry, allowed: &[String]) -> ToolRegistry {
    if allowed.is_empty() {
        return tools;
    }
    let names: Vec<&str> = allowed
        .iter()
        .map(|rule| rule.split('(').next().unwrap_or(rule).trim())
        .collect();
    // A name that is not a tool's is a class or a pattern: what it allows is the policy's to say.
    let are_tools = names.iter().all(|name| tools.has_tool(name));
    if are_tools {
        tools.retain(|tool| names.contains(&tool));
    }
    tools
}

fn today() -> String {
    jiff::Zoned::now().date().to_string()
}
