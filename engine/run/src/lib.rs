//! The executor: runs a pipeline, survives crashes, and publishes what it does as events.
//!
//! Four layers: `machine` decides (pure), `store` persists (a journal on disk), `handlers` execute (all side effects),
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
mod answer_policy;
mod artifact_store;
mod artifacts;
mod backend;
mod bundle;
mod checkpoint;
mod child_runs;
mod clock;
mod consent;
mod context;
mod context_value;
mod dialogue;
mod driver;
mod error;
mod event;
#[cfg(test)]
mod faults;
mod file_changes;
mod file_name;
mod fork;
mod handlers;
mod id;
mod inputs;
mod inquiry;
mod interviewer;
mod launch;
mod limits;
mod machine;
mod new_question;
mod outcome;
mod person;
mod prepared_answer;
mod project_files;
mod question;
#[cfg(test)]
mod recording;
mod report;
mod run_state;
mod runs;
mod runs_dir;
#[cfg(test)]
mod schemas;
mod snapshot;
mod snapshot_report;
mod status_report_text;
mod steering_message;
mod store;
mod stored_sources;
mod text;
mod tool_hook_command;
mod trail;
mod wording;
mod worktree;
mod worktrees;

pub use agent_activity::AgentActivity;
pub use answer_policy::{AnswerPolicy, Verdict};
pub use artifact_store::ArtifactStore;
pub use attractor_exec::Exit;
pub use attractor_snapshots::{
    Change, ChangeKind, ConflictReason, FileKind, Reverted, SnapshotError,
};
pub use backend::{
    Agency, BackendError, BackendRegistry, CodergenBackend, CodergenRequest, CodergenResponse,
    Progress, RemainingBudget, RetriedBy, SimulateBackend, Turn,
};
pub use bundle::PipelineBundle;
pub use checkpoint::Checkpoint;
pub use child_runs::{events_of_child, split_child};
pub use clock::{Clock, Rng, SeededRng, SystemClock, SystemRng, TestClock, WorkGuard, today};
pub use consent::{Consent, ConsentCommand, ConsentCounts, ConsentPipeline, ConsentStep, visible};
pub use context_value::context_value;
pub use dialogue::Dialogue;
pub use driver::{
    DryRun, DryRuns, InboxRequest, ReplayCheck, ReplayDifference, ResumeFrom, RunHandle,
    check_replay, fork, post, resume, start, stored_checkpoint,
};
pub use error::RunError;
pub use event::{
    AgentModelCall, AgentProgress, ClauseValue, Event, EventKind, ForkedFiles, HookOutcome,
    HookReport, MergeConflict, MergedFile, ModelCall, NodeAttempt, OpenQuestion, RecentEvent, Rule,
    StatusReport, Stream, VisitedNode, Workflow,
};
pub use file_changes::{FileChanges, FileDiff, changed_files, changes_of_node, changes_of_run};
pub use fork::{Fork, ForkFiles};
pub use handlers::commands::CommandRole;
pub use handlers::{
    CommandOutput, CommandSpec, Execution, HandlerEnv, HandlerError, HandlerRegistry, NodeHandler,
    NodeInput,
};
pub use id::{NotARunId, RunId};
pub use inputs::read_input;
pub use inquiry::{AskError, Reply};
pub use interviewer::{
    AutoApprove, Callback, Console, Interviewer, Playback, Queue, RecordedAnswer, Recording,
};
pub use launch::{
    Changes, Launch, Mode, ModeName, Resume, Script, ScriptedModels, ScriptedOutcome, Source,
};
pub use limits::Limits;
pub use outcome::{Failure, FailureClass, Outcome, Status, Usage, Verification};
pub use person::{person_at_terminal, person_using};
pub use project_files::{ProjectFiles, project_root, project_root_of_folder};
pub use question::{
    Answer, Answered, Evidence, EvidenceFile, FileChange, Question, QuestionKind, QuestionOption,
    Reading, Typed, bare_label, normal_label,
};
pub use report::{RunReport, RunStatus};
pub use run_state::RunState;
pub use runs::{
    RunSummary, children, find_run, list_runs, load_events, newest_run, owner_of, prune,
    snapshot_of, source_file, stage_directory, summary,
};
pub use runs_dir::runs_dir;
pub use snapshot::{ChildSnapshot, NodeSnapshot, NodeState, RunSnapshot};
pub use steering_message::SteeringMessage;
pub use stored_sources::StoredSources;
pub use tool_hook_command::ToolHookCommand;
