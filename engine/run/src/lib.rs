//! The executor: runs a pipeline, survives crashes, and publishes what it does as events.
//!
//! Four layers: the crate `attractor_machine` decides (pure), `store` persists (a journal on disk), `handlers` execute (all side effects),
//! `driver` owns one run and connects them. Readers follow a run through its [`Event`]s and send commands through a
//! handle; only the driver holds its state.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        reason = "tests fail by panicking"
    )
)]

mod agent_activity;
mod agent_sandbox;
mod answer_policy;
mod artifact_store;
mod artifacts;
mod backend;
mod bundle;
mod checkpoint;
mod clock;
mod consent;
mod context_value;
mod control;
mod dialogue;
mod dot_file;
mod driver;
mod error;
#[cfg(test)]
mod faults;
mod file_changes;
mod folder_files;
mod fork;
mod handlers;
mod hard_links;
mod id;
mod inputs;
mod interviewer;
mod journal_tail;
mod launch;
mod node_order;
mod pause_request;
mod person;
mod project_files;
mod reality;
#[cfg(test)]
mod recording;
mod runs;
mod runs_dir;
mod status_report;
mod store;
mod stored_sources;
mod tool_hook_command;
mod wording;
mod worktrees;

pub use agent_activity::AgentActivity;
pub use answer_policy::{AnswerPolicy, Verdict};
pub use artifact_store::ArtifactStore;
pub use attractor_exec::Exit;
pub use attractor_machine::child_runs::{events_of_child, split_child};
pub use attractor_machine::event::{
    AgentModelCall, AgentNotice, AgentPlan, AgentProgress, ClauseValue, Event, EventKind,
    ForkedFiles, HookOutcome, HookReport, MergeConflict, MergedFile, ModelCall, NodeAttempt,
    OpenQuestion, RecentEvent, Rule, StatusReport, Stream, ToolCallEnd, ToolCallStart, VisitedNode,
    Workflow,
};
pub use attractor_machine::figures;
pub use attractor_machine::inquiry::{AskError, Reply};
pub use attractor_machine::limits::{DEFAULT_MAX_STEPS, Limits};
pub use attractor_machine::node_snapshot::NodeSnapshot;
pub use attractor_machine::outcome::{
    Failure, FailureClass, Outcome, Status, StopPlace, Usage, Verification,
};
pub use attractor_machine::pause::{
    FailurePoint, PausePoints, PauseReason, PointCondition, StepDepth, StepFrom, Visits,
    edge_point, node_point,
};
pub use attractor_machine::protocol::Protocol;
pub use attractor_machine::question::{
    Answer, Answered, Evidence, EvidenceFile, FileChange, Question, QuestionKind, QuestionOption,
    Reading, Typed, bare_label, normal_label,
};
pub use attractor_machine::remaining_budget::RemainingBudget;
pub use attractor_machine::report::RunReport;
pub use attractor_machine::snapshot::{ChildSnapshot, RunSnapshot};
pub use attractor_machine::statistics;
pub use attractor_machine::steering_message::SteeringMessage;
pub use attractor_machine::trail::elapsed_ms;
pub use attractor_machine::transcript::{
    EntryKind, EntryLine, EntryRole, EventWithEntry, TranscriptEntry, edit_lines, plan_lines,
};
pub use attractor_model::{NodeState, Reality, RunState};
pub use attractor_snapshots::{
    Change, ChangeKind, ConflictReason, FileKind, Reverted, SnapshotError,
};
pub use backend::{
    Agency, AgentCapabilities, BackendError, BackendRegistry, CodergenBackend, CodergenRequest,
    CodergenResponse, EditScope, Progress, RetriedBy, ShellScope, SimulateBackend, Simulation,
    Turn,
};
pub use bundle::PipelineBundle;
pub use checkpoint::Checkpoint;
pub use clock::{Clock, Rng, SeededRng, SystemClock, SystemRng, TestClock, WorkGuard, today};
pub use consent::{
    Consent, ConsentCommand, ConsentCounts, ConsentPipeline, ConsentStep, NamedPath,
    ProjectContent, visible,
};
pub use context_value::context_value;
pub use control::{ControlRequest, post, refusal};
pub use dialogue::Dialogue;
pub use dot_file::{DOT_EXTENSIONS, is_dot_file};
pub use driver::{
    DryRun, DryRuns, History, HistoryStep, ReplayCheck, ReplayDifference, ResumeFrom, RunFile,
    RunHandle, check_launch, check_replay, fork, resume, start, stored_checkpoint,
};
pub use error::RunError;
pub use file_changes::{FileChanges, FileDiff, changed_files, changes_of_node, changes_of_run};
pub use folder_files::{files_below, files_near};
pub use fork::{Fork, ForkFiles};
pub use handlers::commands::CommandRole;
pub use handlers::{
    CommandOutput, CommandSpec, Execution, HandlerEnv, HandlerError, HandlerRegistry, NodeHandler,
    NodeInput,
};
pub use id::{NotARunId, RunId};
pub use inputs::{
    DeclaredInput, check_inputs, check_secrets, declared_inputs, inputs_of, read_input,
};
pub use interviewer::{
    AutoApprove, Callback, Console, Interviewer, Playback, Queue, RecordedAnswer, Recording,
};
pub use journal_tail::JournalTail;
pub use launch::{
    Changes, ForeignRuns, Launch, Mode, ModeName, Resume, Script, ScriptedModels, ScriptedOutcome,
    Source,
};
pub use pause_request::PauseRequest;
pub use person::{person_at_terminal, person_using};
pub use project_files::{ProjectFiles, project_root, project_root_of_folder};
pub use reality::reality_continued;
pub use runs::{
    RunSummary, UnreadableRun, UnreadableRuns, children, find_run, journal_bytes, list_runs,
    load_events, newest_run, owner_of, prunable, prune, snapshot_of, source_file, stage_directory,
    stored_pipeline, summary, survey_runs,
};
pub use runs_dir::{make_runs_dir, runs_dir};
pub use status_report::{status_report, take_status_report};
pub use store::RecordKey;
pub use stored_sources::StoredSources;
pub use tool_hook_command::ToolHookCommand;
