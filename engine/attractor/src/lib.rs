//! The engine as a library: what is needed to run pipelines from a program.
//!
//! ```
//! use attractor::{Engine, Execution, NodeHandler, NodeInput, Outcome, Queue};
//!
//! /// Does the work of `handler=deploy` nodes.
//! struct Deploy;
//!
//! impl NodeHandler for Deploy {
//!     fn execute(&self, input: NodeInput<'_>) -> Execution {
//!         let version = input.attribute("version").unwrap_or_default();
//!         Execution::run(|_| async { Outcome::success().with("deployed", version) })
//!     }
//! }
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), attractor::Error> {
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("release.dot");
//! # std::fs::write(&path, r#"digraph release {
//! #     start [shape=Mdiamond]; done [shape=Msquare]
//! #     review [shape=hexagon, label="Deploy {version}?"]
//! #     deploy [handler=deploy, version="{version}"]
//! #     start -> review -> deploy -> done
//! # }"#).unwrap();
//! let engine = Engine::builder()
//!     .handler("deploy", Deploy)
//!     .interviewer(Queue::new(["yes"]))
//!     .build()?;
//! let run = engine.run_file(&path).input("version", "1.2").start().await?;
//! let report = run.wait().await;
//! assert_eq!(report.context["deployed"], "1.2");
//! # Ok(())
//! # }
//! ```
//!
//! The manual is `docs/embedding.md`. The executor (`attractor-run`) knows no language model and the client
//! (`attractor-llm`) knows no pipeline; this crate connects them. [`Providers`] are the models that environment and
//! configuration give access to, and [`NativeBackend`] answers the prompts of a run with them.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "tests fail by panicking"
    )
)]

mod acp_agent;
mod acp_programs;
mod agent_settings;
mod approvals;
mod backends;
mod cli_agent;
mod condition;
mod consent;
mod context;
mod edit;
mod engine;
mod error;
mod estimate;
mod goal_gate;
mod launcher;
mod mcp_servers;
mod native;
mod notify;
mod other_agents;
mod pipeline;
mod pipeline_builder;
mod preflight;
mod prepared_run;
mod providers;
mod replay;
mod run;
mod run_observer;
mod run_start;
mod settings;
mod statistics;
mod stylesheet;
mod transform;
mod working_folder;

pub use attractor_config::Configuration;
pub use attractor_exec::git::run_as_git;
pub use attractor_exec::{ExecutionEnvironment, FilteredEnvironment, LocalEnvironment};
pub use attractor_model::{
    CustomAttribute, CustomType, Diagnostic, Edge, Node, NodeKind, Options, Severity,
};
pub use attractor_run::{
    Agency, Answer, Answered, ArtifactStore, AskError, AutoApprove, BackendError, Callback,
    Checkpoint, Clock, CodergenBackend, CodergenRequest, CodergenResponse, CommandOutput,
    CommandSpec, Console, Event, EventKind, Execution, Exit, Failure, FailureClass, ForkFiles,
    HandlerEnv, HandlerError, HandlerRegistry, Interviewer, Limits, NodeHandler, NodeInput,
    Outcome, PausePoints, PauseRequest, Playback, Progress, Question, QuestionKind, QuestionOption,
    Queue, RecordKey, RecordedAnswer, Recording, Reply, Rng, RunError, RunReport, RunSnapshot,
    RunState, Script, SeededRng, SimulateBackend, Status, SteeringMessage, SystemClock, SystemRng,
    TestClock, Usage, status_report,
};

pub use acp_agent::AcpBackend;
pub use agent_settings::AgentSettings;
pub use approvals::{Approval, ApprovalError, ApprovalKey, Approvals};
pub use backends::backends;
pub use cli_agent::CliBackend;
pub use condition::{ConditionError, evaluate_condition, validate_condition_syntax};
pub use consent::consent;
pub use context::PipelineContext;
pub use edit::PipelineEdit;
pub use engine::{Engine, EngineBuilder, OnMissingInterviewer};
pub use error::{Error, ParseError};
pub use estimate::{ASSUMPTIONS, NodeEstimate, estimates};
pub use goal_gate::GoalGate;
pub use launcher::Launcher;
pub use native::{
    AgentOptions, NativeBackend, SessionSummary, StartAgentError, StartFrom, StartedAgent,
    agent_sessions, delete_session, latest_own_session, session_messages, session_summaries,
    start_agent,
};
pub use notify::Notifier;
pub use pipeline::{
    Pipeline, has_errors, parse_dot_file, parse_dot_str, validate_dot_file, validate_pipeline,
};
pub use pipeline_builder::PipelineBuilder;
pub use preflight::{Check, missing_hooks, preflight};
pub use prepared_run::PreparedRun;
pub use providers::{EditorKeys, ProviderStatus, Providers};
pub use replay::{cassette_normaliser, replay_backends};
pub use run::Run;
pub use run_observer::RunObserver;
pub use statistics::{RunStatistics, relative};
pub use stylesheet::ModelStylesheet;
pub use transform::Transform;

/// What a node returns: another name of [`Outcome`].
pub type NodeResult = Outcome;

/// The examples of the manual, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
struct Manual;
