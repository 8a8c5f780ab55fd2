//! The subagents of a session: starting them, their results, their end.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use indexmap::IndexMap;
use tokio::sync::watch;

use super::environment::SubagentEnvironment;
use crate::budget::Budget;
use crate::error::AgentError;
use crate::event::{AgentEventKind, AgentEvents, EventEmitter};
use crate::session::{Completion, SessionSetup};
use crate::workspace::FileError;
use attractor_agent_events::{HookReport, ToolCallEnd, ToolCallStart};

/// A session, as the one that started it sees it.
#[async_trait]
pub(crate) trait SubSession: Send + Sync {
    /// Works on an input to its end.
    async fn submit(&self, input: String) -> Result<Completion, AgentError>;
    /// Adds a message that is worked on after the current input.
    fn follow_up(&self, message: String) -> Result<(), AgentError>;
    /// Ends it.
    async fn shutdown(&self);
}

/// Starts a session.
pub(crate) type StartSession =
    Box<dyn Fn(SessionSetup) -> (Arc<dyn SubSession>, AgentEvents) + Send + Sync>;

/// The subagents of a session.
pub(crate) struct Subagents {
    start: StartSession,
    /// What each of them is started with; without the tools for subagents of its own.
    setup: SessionSetup,
    /// The account of the input that is worked on: what subagents use counts towards it.
    budget: Mutex<Budget>,
    events: EventEmitter,
    agents: Mutex<IndexMap<String, Subagent>>,
    started: AtomicU64,
}

/// One of them.
#[derive(Clone)]
pub(super) struct Subagent {
    pub(super) session: Arc<dyn SubSession>,
    /// What came of its last input; none while it works.
    result: watch::Sender<Option<Result<Completion, AgentError>>>,
}

impl Subagents {
    pub(crate) fn new(start: StartSession, setup: SessionSetup, events: EventEmitter) -> Self {
        Self {
            start,
            budget: Mutex::new(setup.budget.clone()),
            // File and update are those of the session alone.
            setup: SessionSetup {
                environment: Arc::new(SubagentEnvironment(Arc::clone(&setup.environment))),
                journal: None,
                update: None,
                ..setup
            },
            events,
            agents: Mutex::default(),
            started: AtomicU64::new(0),
        }
    }

    /// Sets the account that subagents started from now on count towards.
    pub(crate) fn set_budget(&self, budget: Budget) {
        *self.budget.lock().unwrap_or_else(PoisonError::into_inner) = budget;
    }

    /// Ends all of them.
    pub(crate) async fn close_all(&self) {
        let agents = std::mem::take(&mut *self.agents());
        for agent in agents.into_values() {
            agent.session.shutdown().await;
        }
    }

    /// Starts one on a task, and gives its id.
    pub(super) fn spawn(
        &self,
        task: String,
        model: Option<String>,
        max_turns: Option<u64>,
        folder: Option<&Path>,
    ) -> Result<String, FileError> {
        let workspace = match folder {
            Some(folder) => Arc::new(self.setup.workspace.in_folder(folder)?),
            None => Arc::clone(&self.setup.workspace),
        };
        let id = self.new_id();
        let shared = self.setup.shared.subworker(&id);
        let budget = self.budget.lock().unwrap_or_else(PoisonError::into_inner);
        let mut setup = SessionSetup {
            budget: budget.child(crate::budget::Limits::default()),
            system_prompt: shared.system_prompt(&self.setup.system_prompt, Some(task.clone())),
            shared,
            workspace,
            ..self.setup.clone()
        };
        drop(budget);
        setup.config.max_subagent_depth = setup.config.max_subagent_depth.saturating_sub(1);
        if let Some(model) = model {
            // The provider of the model is found by its name.
            setup.request.provider = None;
            setup.config.model_id = model;
        }
        if let Some(turns) = max_turns {
            let own = setup.config.max_turns;
            setup.config.max_turns = if own == 0 { turns } else { turns.min(own) };
        }
        let (session, events) = (self.start)(setup);
        tokio::spawn(publish(events, self.events.clone(), id.clone()));
        let agent = Subagent {
            session,
            result: watch::Sender::new(None),
        };
        agent.begin(task);
        self.agents().insert(id.clone(), agent);
        Ok(id)
    }

    /// `subagent_` and eight hexadecimal digits, not used by another one.
    fn new_id(&self) -> String {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let hash = RandomState::new().hash_one(number);
        format!("subagent_{:08x}", hash >> 32)
    }

    pub(super) fn find(&self, id: &str) -> Result<Subagent, String> {
        let agents = self.agents();
        agents.get(id).cloned().ok_or_else(|| {
            let known: Vec<&str> = agents.keys().map(String::as_str).collect();
            let known = if known.is_empty() {
                "there is none".to_owned()
            } else {
                format!("there are: {}", known.join(", "))
            };
            format!("error: unknown subagent `{id}`; {known}")
        })
    }

    pub(super) fn remove(&self, id: &str) -> Result<Subagent, String> {
        let agent = self.find(id)?;
        self.agents().shift_remove(id);
        Ok(agent)
    }

    fn agents(&self) -> MutexGuard<'_, IndexMap<String, Subagent>> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subagent {
    /// Works on an input in the background.
    pub(super) fn begin(&self, input: String) {
        self.result.send_replace(None);
        let agent = self.clone();
        tokio::spawn(async move {
            let result = agent.session.submit(input).await;
            agent.result.send_replace(Some(result));
        });
    }

    /// Whether it works on an input.
    pub(super) fn is_working(&self) -> bool {
        self.result.borrow().is_none()
    }

    /// Waits until it has ended its input.
    pub(super) async fn wait(&self) -> Result<Completion, AgentError> {
        let mut results = self.result.subscribe();
        let result = results.wait_for(Option::is_some).await;
        match result.as_deref() {
            Ok(Some(result)) => result.clone(),
            _ => Err(AgentError::internal("the subagent ended without a result")),
        }
    }
}

/// Publishes the tool calls of a subagent as those of the session, with its id before theirs.
async fn publish(mut events: AgentEvents, emitter: EventEmitter, agent: String) {
    while let Some(event) = events.recv().await {
        let of_agent = |id: String| format!("{agent}/{id}");
        let kind = match event.kind {
            AgentEventKind::ToolCallStart(call) => AgentEventKind::ToolCallStart(ToolCallStart {
                tool_call_id: of_agent(call.tool_call_id),
                ..call
            }),
            AgentEventKind::ToolCallEnd { call, full_output } => AgentEventKind::ToolCallEnd {
                call: ToolCallEnd {
                    tool_call_id: of_agent(call.tool_call_id),
                    ..call
                },
                full_output,
            },
            AgentEventKind::ToolHook(report) => AgentEventKind::ToolHook(HookReport {
                tool_call_id: of_agent(report.tool_call_id),
                ..report
            }),
            AgentEventKind::FilesChanged {
                tool_call_id,
                paths,
            } => AgentEventKind::FilesChanged {
                tool_call_id: of_agent(tool_call_id),
                paths,
            },
            AgentEventKind::Warning { message: text }
            | AgentEventKind::LoopDetection { warning: text }
            | AgentEventKind::Error { error: text, .. } => AgentEventKind::Warning {
                message: format!("{agent}: {text}"),
            },
            AgentEventKind::TurnLimit { turns, limit } => AgentEventKind::Warning {
                message: format!("{agent}: {turns} of {limit} turns are used"),
            },
            kind @ (AgentEventKind::ModelUsage { .. } | AgentEventKind::Compacted { .. }) => kind,
            // Its text is the result of `wait`, the session reports progress for both, and its plan is about a part of the
            // work.
            AgentEventKind::SessionStart { .. }
            | AgentEventKind::SessionEnd { .. }
            | AgentEventKind::UserInput { .. }
            | AgentEventKind::AssistantTextStart {}
            | AgentEventKind::AssistantTextDelta { .. }
            | AgentEventKind::AssistantTextEnd { .. }
            | AgentEventKind::ThinkingDelta { .. }
            | AgentEventKind::ToolCallOutputDelta { .. }
            | AgentEventKind::SteeringInjected { .. }
            | AgentEventKind::PlanUpdated(_)
            | AgentEventKind::Progress(_) => continue,
        };
        emitter.emit(kind);
        emitter.flow().await;
    }
}
