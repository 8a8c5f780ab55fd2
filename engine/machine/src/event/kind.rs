//! Everything that can happen in a run: a row per event, with what it carries.

use attractor_model::Reality;
use serde::{Deserialize, Serialize};

use super::{
    AgentModelCall, AgentNotice, AgentPlan, AgentProgress, ClauseValue, ForkedFiles, HookReport,
    MergeConflict, MergedFile, NodeAttempt, Rule, StatusReport, Stream, ToolCallEnd, ToolCallStart,
};
use crate::control::PauseReason;
use crate::outcome::{Failure, FailureClass, ModelCall, Status, Usage};
use crate::question::Question;

/// What can happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "snake_case"
)]
#[non_exhaustive]
pub enum EventKind {
    /// The run began.
    PipelineStarted {
        /// The pipeline's name.
        pipeline: String,
        /// Its goal, expanded.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        goal: String,
        /// How many nodes it has.
        nodes: u32,
        /// Where it starts.
        start: String,
        /// The pipeline's label, when it has one.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        label: String,
        /// After how many model turns without a transition it expires.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stale_after_turns: Option<u32>,
        /// What commands of its agents run in, and what they can do nevertheless; none without agents.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sandbox: Option<String>,
        /// How real it is; absent in journals of older engines.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, schemars(schema_with = "crate::report::schemas::reality"))]
        reality: Option<Reality>,
    },
    /// The run reached its end.
    PipelineCompleted {
        /// Nodes executed.
        steps: u64,
        /// Active time, milliseconds.
        duration_ms: u64,
        /// What it cost.
        usage: Usage,
    },
    /// The run failed.
    PipelineFailed {
        /// Why.
        failure: Failure,
        /// Nodes executed.
        steps: u64,
        /// Active time, milliseconds.
        duration_ms: u64,
    },
    /// The run was stopped.
    PipelineCancelled {
        /// By whom.
        by: String,
        /// Nodes executed.
        steps: u64,
    },
    /// Its process was asked to end; the run continues with `attractor resume`.
    PipelineInterrupted {
        /// What ended it: `SIGTERM`, `the editor's end`.
        by: String,
        /// Nodes executed.
        steps: u64,
    },
    /// The run continues after its process ended.
    PipelineResumed {
        /// Nodes whose attempt had begun and has no outcome.
        #[serde(default)]
        unknown: Vec<NodeAttempt>,
        /// How real it is from here; absent in journals of older engines.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, schemars(schema_with = "crate::report::schemas::reality"))]
        reality: Option<Reality>,
    },
    /// The run is paused: nothing new starts, and what runs ends its step.
    PipelinePaused {
        /// Why.
        reason: PauseReason,
        /// By whom; empty where it paused by itself.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
        /// The node it paused before, or that failed; none when a user asked for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<String>,
        /// The sub-pipeline the node belongs to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        graph: Option<String>,
        /// The parallel branch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
        /// The key that was set, or why a node failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// A paused run continues.
    PipelineContinued {
        /// By whom.
        by: String,
        /// Milliseconds it was paused.
        paused_ms: u64,
    },
    /// A debugger has set where the run pauses by itself.
    PausePointsSet {
        /// Who.
        by: String,
        /// How many points there are now.
        count: u32,
    },
    /// A user has changed a paused run.
    ContextOverridden {
        /// Who.
        by: String,
        /// The keys of the context with a new value.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        keys: Vec<String>,
        /// The sub-pipeline whose context it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        graph: Option<String>,
        /// The parallel branch whose context it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
        /// The node that the run continues with there, where that was changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    },
    /// The events up to here are those of another run, under the id of this one, which begins again at the node.
    PipelineForked {
        /// The other run.
        from: String,
        /// The visit that begins again.
        #[serde(flatten)]
        at: NodeAttempt,
        /// Keys of the context that were set.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set: Vec<String>,
        /// Which files the run works on.
        files: ForkedFiles,
        /// How real it is from here; absent in journals of older engines.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, schemars(schema_with = "crate::report::schemas::reality"))]
        reality: Option<Reality>,
    },
    /// An attempt of a node begins.
    StageStarted {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The node's kind.
        kind: String,
        /// The node's label.
        label: String,
        /// When a wait node continues, RFC 3339.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<String>,
    },
    /// A command had begun when the engine stopped, so that its outcome is unknown; nothing is declared about
    /// repeating it (`idempotent`, `at_most_once`), and it is run again.
    StageRerun {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
    },
    /// A node is done and the run continues from it.
    StageCompleted {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The result word.
        #[cfg_attr(test, schemars(with = "String"))]
        status: Status,
        /// Milliseconds since the attempt began.
        duration_ms: u64,
        /// A line for people.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        summary: String,
        /// What it cost.
        #[serde(default, skip_serializing_if = "Usage::is_zero")]
        usage: Usage,
        /// The model it called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<Box<ModelCall>>,
    },
    /// An attempt failed.
    StageFailed {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// Why.
        reason: String,
        /// What kind of failure.
        class: FailureClass,
        /// Whether the node is tried again.
        will_retry: bool,
        /// Milliseconds since the attempt began.
        duration_ms: u64,
        /// What it cost.
        #[serde(default, skip_serializing_if = "Usage::is_zero")]
        usage: Usage,
        /// The model it called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<Box<ModelCall>>,
    },
    /// An attempt was stopped: its branch is not needed, or the engine was killed within it. It had used a model.
    StageStopped {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// What it had cost until then.
        usage: Usage,
    },
    /// The node will be tried again.
    StageRetrying {
        /// Where; `attempt` is the coming one.
        #[serde(flatten)]
        at: NodeAttempt,
        /// Milliseconds until then.
        delay: u64,
        /// How many attempts there can be.
        max_attempts: u32,
        /// When that is, RFC 3339, where the node waits for a rate limit to end (`on_rate_limit=wait`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<String>,
        /// The provider it waits for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        waiting_for: Option<String>,
    },
    /// A step wrote something.
    StageOutput {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// Which stream.
        stream: Stream,
        /// The text, control characters neutralised, secrets removed.
        text: String,
    },
    /// The agent of a node calls a tool.
    #[serde(rename = "agent.tool_call_start")]
    AgentToolCallStart {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The call.
        #[serde(flatten)]
        call: ToolCallStart,
    },
    /// A tool call of an agent has ended.
    #[serde(rename = "agent.tool_call_end")]
    AgentToolCallEnd {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The call and its output.
        #[serde(flatten)]
        call: ToolCallEnd,
    },
    /// A hook ran before or after a tool call of an agent.
    #[serde(rename = "agent.tool_hook")]
    AgentToolHook {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The hook, the call and what came of it.
        #[serde(flatten)]
        report: Box<HookReport>,
    },
    /// The agent of a node, or a subagent of it, has called its model.
    #[serde(rename = "agent.model_call")]
    AgentModelCall {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The model, what the call used and how long it took.
        #[serde(flatten)]
        call: Box<AgentModelCall>,
    },
    /// The agent of a node reports something else; `notice` says what, with its fields: `loop_detection` (`warning`), `turn_limit` (`turns`, `limit`), `compacted` (messages and tokens before and after), `warning` (`message`), `files_changed` (`tool_call_id`, `paths`) or `error` (`error`, `phase`).
    #[serde(rename = "agent.notice")]
    AgentNotice {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// What.
        #[serde(flatten)]
        notice: Box<AgentNotice>,
    },
    /// The agent of a node has made or changed its plan.
    #[serde(rename = "agent.plan")]
    AgentPlan {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// All steps.
        #[serde(flatten)]
        plan: AgentPlan,
    },
    /// How far the agent of a node is, every few seconds while it works. It is not an activity: `stall_timeout` counts from
    /// what the agent did last.
    #[serde(rename = "agent.progress")]
    AgentProgress {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// Its turns, tools, tokens, cost and idle time.
        #[serde(flatten)]
        progress: AgentProgress,
    },
    /// A way was chosen.
    EdgeSelected {
        /// From this node.
        from: String,
        /// To this node.
        to: String,
        /// The sub-pipeline both belong to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        graph: Option<String>,
        /// The parallel branch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
        /// By which rule.
        rule: Rule,
        /// The edge's label.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
        /// The edge's condition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
        /// The values of the comparisons that were evaluated.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        clauses: Vec<ClauseValue>,
        /// Comparisons that made no sense.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
    },
    /// A node's `verify` was checked.
    Verification {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The check as written.
        check: String,
        /// Whether it held.
        passed: bool,
    },
    /// Branches begin.
    ParallelStarted {
        /// The parallel node.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The branches, by name.
        branches: Vec<String>,
    },
    /// A branch begins.
    ParallelBranchStarted {
        /// The parallel node.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The branch's name.
        name: String,
        /// Its position, from 0.
        index: u32,
        /// The folder it works in, with `isolation=worktree`: the path from the directory of the run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        worktree: Option<String>,
    },
    /// A branch is done.
    ParallelBranchCompleted {
        /// The parallel node.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The branch's name.
        name: String,
        /// Its position, from 0.
        index: u32,
        /// Its result.
        #[cfg_attr(test, schemars(with = "String"))]
        status: Status,
    },
    /// All needed branches are done.
    ParallelCompleted {
        /// The parallel node.
        #[serde(flatten)]
        at: NodeAttempt,
        /// Branches that succeeded.
        succeeded: u32,
        /// Branches that failed.
        failed: u32,
    },
    /// The files that branches changed in folders of their own (`isolation=worktree`) are merged, or cannot be: then none of
    /// them is, and the node fails.
    FilesMerged {
        /// The node that the branches meet at, else the parallel node.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The branches, by name.
        branches: Vec<String>,
        /// The files they changed, by path. Where there are conflicts, none was written.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<MergedFile>,
        /// How many there are beyond those.
        #[serde(default, skip_serializing_if = "is_zero")]
        more_files: u64,
        /// The files that cannot be merged.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conflicts: Vec<MergeConflict>,
    },
    /// A person is asked, by a human gate or by the work of a node.
    InterviewStarted {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The question.
        question: Question,
    },
    /// A person answered.
    InterviewCompleted {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The question's id.
        question: String,
        /// The labels chosen, or the text.
        answer: String,
        /// Text given next to a choice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// Who, and from where.
        by: String,
    },
    /// The question was not answered in time.
    InterviewTimeout {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The question's id.
        question: String,
        /// The choice taken instead; without one, a human gate is tried again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        default: Option<String>,
    },
    /// A question is closed without an answer: nobody can give one, or the node does not need it any more.
    InterviewWithdrawn {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The question's id.
        question: String,
        /// Why.
        reason: String,
    },
    /// A checkpoint that can be resumed from was written: that of a `checkpoint` node, or a file of
    /// `--checkpoint-dir`, of which the last one has no event.
    CheckpointSaved {
        /// The node it is at.
        #[serde(flatten)]
        at: NodeAttempt,
        /// Its name, or that of the file.
        name: String,
    },
    /// Goals that were not met when the run ended, or that sent it back.
    GoalGateUnmet {
        /// What is missing, for people.
        unmet: Vec<String>,
        /// The node the run goes back to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        redirect: Option<String>,
    },
    /// The validator warns of something that it sees only when the inputs of the run are known.
    ValidationWarning {
        /// What it says.
        message: String,
        /// The lint.
        rule: String,
        /// The line of the file, from 1.
        line: u32,
    },
    /// Most of a limit is used up.
    BudgetWarning {
        /// Which limit.
        limit: String,
        /// How much is used.
        used: f64,
        /// How much there is.
        allowed: f64,
    },
    /// The run was handed to someone else.
    Escalated {
        /// Where.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The PACE level.
        level: String,
        /// Why.
        reason: String,
        /// Whether the run ends here.
        ends: bool,
    },
    /// The position of the run, for the person who takes over: before every escalation.
    StatusReport {
        /// The report.
        report: Box<StatusReport>,
    },
    /// A supervisor starts its sub-pipeline, which is a run of its own for readers.
    ChildStarted {
        /// The supervisor.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The name of that run within this one.
        child: String,
        /// The sub-pipeline.
        pipeline: String,
        /// How many nodes it has.
        nodes: u32,
    },
    /// The sub-pipeline of a supervisor has ended.
    ChildCompleted {
        /// The supervisor.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The name of its run.
        child: String,
        /// How it went.
        #[cfg_attr(test, schemars(with = "String"))]
        status: Status,
        /// Why it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A supervisor looks at its sub-pipeline.
    ChildObserved {
        /// The supervisor.
        #[serde(flatten)]
        at: NodeAttempt,
        /// The name of the run of the sub-pipeline.
        child: String,
        /// Where that is.
        report: Box<StatusReport>,
    },
    /// A message to a node: for its work when it reads messages, else for its next prompt.
    SteeringInjected {
        /// The node, `GRAPH/NODE` in a sub-pipeline, or the run of a sub-pipeline.
        to: String,
        /// What it says.
        message: String,
        /// Who sends it: a person, or the supervisor.
        by: String,
        /// The attempt that gets it while it runs; none of a message that waits for the next prompt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<NodeAttempt>,
    },
    /// A node has ended without having read a message: the next prompt of the run has it, and a `steering_injected` event
    /// says so then.
    SteeringDeferred {
        /// The attempt that ended.
        #[serde(flatten)]
        at: NodeAttempt,
        /// What it says.
        message: String,
        /// Who sends it: a person, or the supervisor.
        by: String,
    },
    /// Nothing happened for longer than `stall_timeout`, or the run stayed at a node for `stale_after_turns`.
    Expired {
        /// The first limit, milliseconds, when it was that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stall_timeout_ms: Option<u64>,
        /// The second limit, model turns, when it was that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stale_after_turns: Option<u32>,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
