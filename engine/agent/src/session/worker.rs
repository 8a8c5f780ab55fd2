//! What the work on an input needs: what the session was started with, and its events.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use attractor_agent_events::AgentPlan;
use attractor_exec::{ExecutionEnvironment, Redactor, printable};
use attractor_llm::{Client, Message, Request, ToolDefinition};
use tokio_util::sync::CancellationToken;

use super::config::{SessionConfig, SessionSetup};
use super::controls::Controls;
use super::output::Deltas;
use super::schemas::Schemas;
use crate::background::BackgroundCommands;
use crate::budget::Budget;
use crate::event::{AgentEventKind, EventEmitter};
use crate::hooks::ToolHooks;
use crate::person::Person;
use crate::policy::{GitGate, PermissionGate, SkillLimits};
use crate::session_journal::SessionJournal;
use crate::shared::SharedWorker;
use crate::subagent::Subagents;
use crate::tool::{ToolContext, ToolRegistry};
use crate::undo::FileChangeTracker;
use crate::workspace::Workspace;

/// What the work on an input needs.
pub(super) struct Worker {
    pub(super) config: SessionConfig,
    pub(super) client: Client,
    pub(super) request: Request,
    pub(super) system_prompt: String,
    /// A message before the first input.
    pub(super) update: Mutex<Option<String>>,
    pub(super) tools: ToolRegistry,
    /// Computed once: the tools are part of the cached prefix.
    pub(super) definitions: Vec<ToolDefinition>,
    pub(super) schemas: Schemas,
    pub(super) gate: Arc<PermissionGate>,
    pub(super) hooks: Arc<ToolHooks>,
    pub(super) person: Arc<dyn Person>,
    pub(super) workspace: Arc<Workspace>,
    pub(super) environment: Arc<dyn ExecutionEnvironment>,
    pub(super) redactor: Arc<Redactor>,
    /// The account of the input: a child of the session's.
    pub(super) budget: Budget,
    pub(super) events: EventEmitter,
    pub(super) controls: Arc<Controls>,
    pub(super) shared: SharedWorker,
    pub(super) journal: Option<Arc<Mutex<SessionJournal>>>,
    pub(super) running: RunningTools,
    pub(super) background: Arc<BackgroundCommands>,
    /// Those of the skills that are followed.
    pub(super) limits: Mutex<Vec<SkillLimits>>,
    /// The plan, in a line; none when nothing is left of it.
    pub(super) plan: Mutex<Option<String>>,
    pub(super) subagents: Option<Arc<Subagents>>,
    pub(super) changes: Arc<FileChangeTracker>,
    pub(super) run: String,
    pub(super) step: String,
}

impl Worker {
    pub(super) fn new(
        setup: SessionSetup,
        person: Arc<dyn Person>,
        events: EventEmitter,
        controls: Arc<Controls>,
    ) -> Self {
        let definitions = setup.tools.definitions();
        Self {
            config: setup.config,
            client: setup.client,
            request: setup.request,
            system_prompt: setup.system_prompt,
            update: Mutex::new(setup.update),
            tools: setup.tools,
            schemas: Schemas::of(&definitions),
            definitions,
            gate: Arc::new(PermissionGate::new(setup.policy, Arc::clone(&person))),
            hooks: setup.hooks,
            person,
            workspace: setup.workspace,
            environment: setup.environment,
            redactor: setup.redactor,
            budget: setup.budget,
            events,
            controls,
            shared: setup.shared,
            journal: setup.journal,
            running: RunningTools::default(),
            background: Arc::default(),
            limits: Mutex::default(),
            plan: Mutex::default(),
            subagents: None,
            changes: Arc::new(FileChangeTracker::new(setup.clock)),
            run: setup.run,
            step: setup.step,
        }
    }
}

impl Worker {
    /// Writes the messages that are complete.
    pub(super) fn save(&self, messages: &[Message]) {
        if let Some(journal) = &self.journal {
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            self.report(journal.write(messages));
        }
    }

    /// Writes a conversation that takes the place of the one before.
    pub(super) fn replace(&self, messages: &[Message]) {
        if let Some(journal) = &self.journal {
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            self.report(journal.replace(messages));
        }
    }

    /// Keeps what is shared with other sessions.
    pub(super) fn save_shared(&self) {
        if let Err(error) = self.shared.state().save() {
            self.events.emit(AgentEventKind::Warning {
                message: format!("the shared state of the run cannot be kept: {error}"),
            });
        }
    }

    fn report(&self, written: std::io::Result<()>) {
        if let Err(error) = written {
            self.events.emit(AgentEventKind::Warning {
                message: format!("the session cannot be written to its file: {error}"),
            });
        }
    }

    /// Whether the model takes images, as far as that is known.
    pub(super) fn takes_images(&self) -> bool {
        let catalogue = self.client.catalogue();
        let provider = self.request.provider.as_deref();
        let model = catalogue.resolve(&self.config.model_id, provider);
        model.is_none_or(|model| model.rules.takes_images())
    }

    /// The limits of the skills that are followed.
    pub(super) fn skill_limits(&self) -> MutexGuard<'_, Vec<SkillLimits>> {
        self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows a plan, without secrets and control characters.
    pub(super) fn show_plan(&self, plan: AgentPlan) {
        let plan = plan.map(|step| printable(&self.redactor.text(step)).into_owned());
        let summary = (!plan.is_completed()).then(|| plan.summary());
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = summary;
        self.events.emit(AgentEventKind::PlanUpdated(plan));
    }

    /// The plan, in a line; none when nothing is left of it.
    pub(super) fn plan_in_a_line(&self) -> Option<String> {
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        plan.clone()
    }

    /// Takes the message before the first input.
    pub(super) fn take_update(&self) -> Option<String> {
        let mut update = self.update.lock().unwrap_or_else(PoisonError::into_inner);
        update.take()
    }

    /// What a call works with.
    pub(super) fn context(&self, tool: &str, call: &str, cancel: CancellationToken) -> ToolContext {
        let shown = self.config.truncation_config.char_limit(tool);
        ToolContext {
            workspace: Arc::clone(&self.workspace),
            environment: Arc::clone(&self.environment),
            commands: self.config.commands(),
            background: Arc::clone(&self.background),
            run: self.run.clone(),
            step: self.step.clone(),
            redactor: Arc::clone(&self.redactor),
            person: Arc::clone(&self.person),
            git: Some(Arc::new(GitGate {
                gate: Arc::clone(&self.gate),
                call: call.to_owned(),
            })),
            output: Arc::new(Deltas {
                events: self.events.clone(),
                call: call.to_owned(),
                left: Mutex::new(shown),
            }),
            cancel,
        }
    }
}

/// The names of the tools that run.
#[derive(Debug, Clone, Default)]
pub(super) struct RunningTools(Arc<Mutex<Vec<String>>>);

/// A tool that runs until this is dropped.
pub(super) struct RunningTool {
    tools: RunningTools,
    name: String,
}

impl RunningTools {
    pub(super) fn enter(&self, name: &str) -> RunningTool {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.push(name.to_owned());
        RunningTool {
            tools: self.clone(),
            name: name.to_owned(),
        }
    }

    /// The one that started first.
    pub(super) fn first(&self) -> Option<String> {
        let names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.first().cloned()
    }
}

impl Drop for RunningTool {
    fn drop(&mut self) {
        let mut names = self.tools.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = names.iter().position(|name| *name == self.name) {
            names.remove(index);
        }
    }
}
