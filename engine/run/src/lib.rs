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

mod backend;
mod clock;
mod consent;
mod control;
mod driver;
mod error;
mod file_changes;
mod handlers;
mod id;
mod launch;
mod project;
mod questions;
mod replay;
mod runs;
mod store;
#[cfg(test)]
mod testing;
mod worktrees;

pub use attractor_exec::Exit;
pub use attractor_machine::control::SteeringMessage;
pub use attractor_machine::control::{
    FailurePoint, PausePoints, PauseReason, PointCondition, StepDepth, StepFrom, Visits,
    edge_point, node_point,
};
pub use attractor_machine::event::Protocol;
pub use attractor_machine::event::{
    AgentModelCall, AgentNotice, AgentPlan, AgentProgress, ClauseValue, Event, EventKind,
    ForkedFiles, HookOutcome, HookReport, MergeConflict, MergedFile, NodeAttempt, OpenQuestion,
    RecentEvent, Rule, StatusReport, Stream, ToolCallEnd, ToolCallStart, VisitedNode, Workflow,
};
pub use attractor_machine::outcome::ModelCall;
pub use attractor_machine::outcome::RemainingBudget;
pub use attractor_machine::outcome::{DEFAULT_MAX_STEPS, Limits};
pub use attractor_machine::outcome::{
    Failure, FailureClass, Outcome, Status, StopPlace, Usage, Verification,
};
pub use attractor_machine::question::{
    Answer, Answered, Evidence, EvidenceFile, FileChange, Question, QuestionKind, QuestionOption,
    Reading, Typed, bare_label, normal_label,
};
pub use attractor_machine::question::{AskError, Reply};
pub use attractor_machine::report::RunReport;
pub use attractor_machine::snapshot::NodeSnapshot;
pub use attractor_machine::snapshot::elapsed_ms;
pub use attractor_machine::snapshot::{ChildSnapshot, RunSnapshot};
pub use attractor_machine::snapshot::{events_of_child, split_child};
pub use attractor_machine::statistics;
pub use attractor_machine::transcript::figures;
pub use attractor_machine::transcript::{
    EntryKind, EntryLine, EntryRole, EventWithEntry, TranscriptEntry, edit_lines, plan_lines,
};
pub use attractor_model::{NodeState, Reality, RunState};
pub use attractor_snapshots::{
    Change, ChangeKind, ConflictReason, FileKind, Reverted, SnapshotError,
};
pub use backend::agent_activity::AgentActivity;
pub use backend::tool_hook_command::ToolHookCommand;
pub use backend::{
    Agency, AgentCapabilities, BackendError, BackendRegistry, CodergenBackend, CodergenRequest,
    CodergenResponse, EditScope, Progress, RetriedBy, ShellScope, SimulateBackend, Simulation,
    Turn,
};
pub use clock::{Clock, Rng, SeededRng, SystemClock, SystemRng, TestClock, WorkGuard, today};
pub use consent::{
    Consent, ConsentCommand, ConsentCounts, ConsentPipeline, ConsentStep, NamedPath,
    ProjectContent, visible,
};
pub use control::pause_request::PauseRequest;
pub use control::{ControlRequest, post, refusal};
pub use driver::{DryRun, DryRuns, ResumeFrom, RunHandle, check_launch, fork, resume, start};
pub use error::RunError;
pub use file_changes::{FileChanges, FileDiff, changed_files, changes_of_node, changes_of_run};
pub use handlers::commands::CommandRole;
pub use handlers::script::{Script, ScriptedModels, ScriptedOutcome};
pub use handlers::{
    CommandOutput, CommandSpec, Execution, HandlerEnv, HandlerError, HandlerRegistry, NodeHandler,
    NodeInput,
};
pub use id::{NotARunId, RunId};
pub use launch::bundle::PipelineBundle;
pub use launch::fork::{Fork, ForkFiles};
pub use launch::inputs::{DeclaredInput, check_inputs, declared_inputs, read_input};
pub use launch::reality::reality_continued;
pub use launch::record_key::RecordKey;
pub use launch::{Changes, ForeignRuns, Launch, Mode, ModeName, Resume, Source};
pub use project::dot_file::{DOT_EXTENSIONS, is_dot_file};
pub use project::files::{ProjectFiles, project_root, project_root_of_folder};
pub use project::folder_files::{files_below, files_near};
pub use project::runs_dir::{make_runs_dir, runs_dir};
pub use questions::answer_policy::{AnswerPolicy, Verdict};
pub use questions::dialogue::Dialogue;
pub use questions::interviewer::{
    AutoApprove, Callback, Console, Interviewer, Playback, Queue, RecordedAnswer, Recording,
};
pub use questions::person::{person_at_terminal, person_using};
pub use replay::check::{ReplayCheck, ReplayDifference, check_replay};
pub use replay::history::{History, HistoryStep, RunFile};
pub use replay::stored_checkpoint::stored_checkpoint;
pub use runs::status_report::{status_report, take_status_report};
pub use runs::{
    RunSummary, UnreadableRun, UnreadableRuns, children, find_run, journal_bytes, list_runs,
    load_events, newest_run, owner_of, prunable, prune, snapshot_of, source_file, stage_directory,
    stored_pipeline, summary, survey_runs,
};
pub use store::artifact_store::ArtifactStore;
pub use store::checkpoint_file::Checkpoint;
pub use store::context_value::context_value;
pub use store::journal_tail::JournalTail;
pub use store::stored_inputs::{check_secrets, inputs_of};
pub use store::stored_sources::StoredSources;
