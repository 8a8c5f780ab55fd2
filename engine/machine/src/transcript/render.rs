//! Which entry each event has. The match is exhaustive, so that a new event has to be decided about.

use super::entry::{EntryKind, EntryRole, TranscriptEntry};
use super::stage::Used;
use super::{agent, parallel, pausing, pipeline, question, stage, tool_call};
use crate::event::{EventKind, NodeAttempt, Stream};
use crate::transcript::figures;

impl TranscriptEntry {
    /// The entry of an event; none for events that are not shown.
    pub fn of(event: &EventKind) -> Option<Self> {
        Some(match event {
            // Shown by the state of the node, by its report, or by the events that follow.
            EventKind::AgentProgress { .. }
            | EventKind::StatusReport { .. }
            | EventKind::ChildObserved { .. }
            | EventKind::ParallelBranchCompleted { .. }
            | EventKind::ParallelBranchStarted { worktree: None, .. } => return None,

            EventKind::PipelineStarted {
                pipeline,
                goal,
                reality,
                ..
            } => pipeline::started(pipeline, goal, *reality),
            EventKind::PipelineResumed { reality, .. } => pipeline::resumed(*reality),
            EventKind::PipelineForked {
                from,
                at,
                files,
                reality,
                ..
            } => pipeline::forked(from, at, files, *reality),
            EventKind::PipelineCompleted {
                steps,
                duration_ms,
                usage,
            } => pipeline::completed(*steps, *duration_ms, usage),
            EventKind::PipelineFailed {
                failure,
                steps,
                duration_ms,
            } => pipeline::failed(failure, *steps, *duration_ms),
            EventKind::PipelineCancelled { by, steps } => {
                pipeline::stopped("cancelled", by, *steps)
            }
            EventKind::PipelineInterrupted { by, steps } => {
                pipeline::stopped("interrupted", by, *steps)
            }
            EventKind::PipelinePaused {
                reason,
                by,
                node,
                graph,
                detail,
                ..
            } => {
                let place = node.as_deref().map(|node| (graph.as_deref(), node));
                pausing::paused(*reason, by, place, detail.as_deref())
            }
            EventKind::PipelineContinued { by, paused_ms } => pausing::continued(by, *paused_ms),
            EventKind::PausePointsSet { by, count } => pausing::points_set(by, *count),
            EventKind::ContextOverridden { by, keys, next, .. } => {
                pausing::overridden(by, keys, next.as_deref())
            }
            EventKind::GoalGateUnmet { unmet, redirect } => {
                pipeline::goals_unmet(unmet, redirect.as_deref())
            }
            EventKind::Expired {
                stall_timeout_ms,
                stale_after_turns,
            } => pipeline::expired(*stall_timeout_ms, *stale_after_turns),
            EventKind::ValidationWarning {
                message,
                rule,
                line,
            } => Self::line('!', EntryRole::Attention, &format!("line {line}"))
                .with_headline(&format!("{message} ({rule})"), &[]),
            EventKind::BudgetWarning {
                limit,
                used,
                allowed,
            } => {
                let text = format!("{limit}: {used} of {allowed} used");
                Self::line('!', EntryRole::Attention, &text)
            }
            EventKind::EdgeSelected {
                from,
                to,
                graph,
                rule,
                label,
                condition,
                warnings,
                ..
            } => pipeline::transition(to, *rule, label.as_deref(), condition.as_deref())
                .of_node(graph.as_deref(), from)
                .with(pipeline::warnings(warnings)),

            EventKind::StageStarted {
                at,
                kind,
                label,
                until,
            } => stage::started(at, kind, label, until.as_deref()),
            EventKind::StageRerun { at } => {
                let text = "runs again: its outcome before the interruption is unknown";
                Self::line('↻', EntryRole::Attention, text).at(at)
            }
            EventKind::StageCompleted {
                at,
                status,
                duration_ms,
                summary,
                usage,
                model,
            } => {
                let used = Used {
                    duration_ms: *duration_ms,
                    usage,
                    model: model.as_deref(),
                };
                stage::completed(at, status, summary, &used)
            }
            EventKind::StageFailed {
                at,
                reason,
                will_retry,
                duration_ms,
                usage,
                model,
                ..
            } => {
                let used = Used {
                    duration_ms: *duration_ms,
                    usage,
                    model: model.as_deref(),
                };
                stage::failed(at, reason, *will_retry, &used)
            }
            EventKind::StageStopped { at, usage } => {
                let used = figures::usage(usage);
                Self::line('■', EntryRole::Plain, "stopped")
                    .with_headline("", &Vec::from_iter(used))
                    .at(at)
            }
            EventKind::StageRetrying {
                at,
                delay,
                max_attempts,
                until,
                waiting_for,
            } => {
                let provider = waiting_for.as_deref().unwrap_or("the provider");
                let rate_limit = until.as_deref().map(|until| (provider, until));
                stage::retrying(at, *delay, *max_attempts, rate_limit)
            }
            EventKind::StageOutput { at, stream, .. } => output(at, *stream),
            EventKind::Verification { at, check, passed } => {
                let (glyph, role) = if *passed {
                    ('✓', EntryRole::Success)
                } else {
                    ('✗', EntryRole::Failure)
                };
                Self::line(glyph, role, &format!("verify {check}")).at(at)
            }
            EventKind::CheckpointSaved { at, name } => {
                Self::line('◆', EntryRole::Plain, &format!("checkpoint {name}")).at(at)
            }
            EventKind::Escalated {
                at, level, reason, ..
            } => Self::line('▲', EntryRole::Attention, level)
                .with_headline(reason, &[])
                .at(at),

            EventKind::AgentToolCallStart { at, call } => tool_call::call(at, call),
            EventKind::AgentToolCallEnd { at, call } => tool_call::result(at, call),
            EventKind::AgentToolHook { at, report } => tool_call::hook(at, report),
            EventKind::AgentModelCall { at, call } => agent::model_call(at, call),
            EventKind::AgentPlan { at, plan } => agent::plan(at, plan),
            EventKind::AgentNotice { at, notice } => agent::notice(at, notice),

            EventKind::ParallelStarted { at, branches } => parallel::started(at, branches),
            EventKind::ParallelCompleted {
                at,
                succeeded,
                failed,
            } => parallel::completed(at, *succeeded, *failed),
            EventKind::ParallelBranchStarted {
                at,
                name,
                worktree: Some(folder),
                ..
            } => parallel::branch_folder(at, name, folder),
            EventKind::FilesMerged {
                at,
                files,
                more_files,
                conflicts,
                ..
            } => parallel::merged(at, files, *more_files, conflicts),
            EventKind::ChildStarted {
                at,
                pipeline,
                nodes,
                ..
            } => parallel::child_started(at, pipeline, *nodes),
            EventKind::ChildCompleted {
                at,
                child,
                status,
                reason,
            } => parallel::child_completed(at, child, status, reason.as_deref()),

            EventKind::InterviewStarted { at, question } => question::asked(at, question),
            EventKind::InterviewCompleted {
                at,
                answer,
                text,
                by,
                ..
            } => question::answered(at, answer, text.as_deref(), by),
            EventKind::InterviewTimeout { at, default, .. } => {
                question::timed_out(at, default.as_deref())
            }
            EventKind::InterviewWithdrawn { at, reason, .. } => question::withdrawn(at, reason),
            EventKind::SteeringInjected {
                to, message, by, ..
            } => question::message(to, message, by),
            EventKind::SteeringDeferred { at, message, by } => question::deferred(at, message, by),
        })
    }
}

/// A piece of output; its text is that of the event, which is not sent twice.
fn output(at: &NodeAttempt, stream: Stream) -> TranscriptEntry {
    let (glyph, role) = match stream {
        Stream::Stdout | Stream::Stderr => ('│', EntryRole::Output),
        Stream::Thinking => ('┆', EntryRole::Thinking),
        Stream::Model => (' ', EntryRole::Plain),
        Stream::Note => ('·', EntryRole::Output),
    };
    TranscriptEntry::new(EntryKind::Output, glyph, role, "").at(at)
}
