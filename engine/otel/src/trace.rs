//! Events → spans. Pure: a fold over the events of one run that gives the spans that end with each.

use std::time::{Duration, SystemTime};

use attractor_run::{Event, EventKind, NodeAttempt};
use jiff::Timestamp;
use opentelemetry::KeyValue;
use opentelemetry::trace::{SpanId, SpanKind, Status, TraceId};
use opentelemetry_sdk::trace::SpanData;

use crate::attributes::{self, CHAT, INVOKE_WORKFLOW};
use crate::ids;
use crate::span::{Ending, OpenSpan, error};
use crate::visit::{Attempt, AttemptResult, ToolCall, Visit, chat_ending};

/// The status of a span that ended with its process.
const ENDED: &str = "the process ended";

/// The spans of a run that have begun and not ended.
#[derive(Debug)]
pub(crate) struct Trace {
    id: TraceId,
    pipeline: String,
    root: Option<OpenSpan>,
    visits: Vec<Visit>,
    branches: Vec<Branch>,
    /// The time of the last event.
    last: SystemTime,
}

/// A parallel branch that has begun.
#[derive(Debug)]
struct Branch {
    graph: Option<String>,
    /// The names of the branches it is in and its own.
    path: String,
    /// The visit of the parallel node.
    parent: SpanId,
}

impl Default for Trace {
    fn default() -> Self {
        Self {
            id: TraceId::INVALID,
            pipeline: String::new(),
            root: None,
            visits: Vec::new(),
            branches: Vec::new(),
            last: SystemTime::UNIX_EPOCH,
        }
    }
}

impl Trace {
    /// Takes in the next event. Gives the spans that end with it.
    pub(crate) fn apply(&mut self, event: &Event) -> Vec<SpanData> {
        let mut ended = Vec::new();
        let now = time(event);
        match &event.kind {
            EventKind::PipelineStarted { pipeline, .. } => {
                self.id = ids::trace_id(&event.run);
                self.pipeline.clone_from(pipeline);
                self.root = Some(begin(event, "run", SpanId::INVALID));
            }
            EventKind::PipelineResumed { .. } => {
                ended = self.close();
                self.root = Some(begin(event, "run", SpanId::INVALID));
            }
            EventKind::PipelineForked { .. } => {
                // What came before belongs to the other run.
                self.visits.clear();
                self.root = Some(begin(event, "run", SpanId::INVALID));
            }
            EventKind::ParallelBranchStarted { at, name, .. } => self.branch_started(at, name),
            EventKind::StageStarted { at, kind, .. } => self.started(event, at, kind),
            EventKind::StageCompleted {
                at, usage, model, ..
            } => {
                let result = AttemptResult {
                    usage: *usage,
                    model: model.as_deref(),
                    ..AttemptResult::default()
                };
                ended = self.attempt_ended(at, now, &result, true);
            }
            EventKind::StageFailed {
                at,
                reason,
                class,
                will_retry,
                usage,
                model,
                ..
            } => {
                let result = AttemptResult {
                    failure: Some((reason, *class)),
                    usage: *usage,
                    model: model.as_deref(),
                    is_cut: false,
                };
                ended = self.attempt_ended(at, now, &result, !will_retry);
            }
            EventKind::AgentToolCallStart { at, call } => {
                if let Some(attempt) = self.attempt(at) {
                    let span = begin(event, "tool", attempt.model.id);
                    attempt.tools.push(ToolCall {
                        id: call.tool_call_id.clone(),
                        name: call.tool_name.clone(),
                        span,
                    });
                }
            }
            EventKind::AgentToolCallEnd { at, call: end } => {
                let trace = self.id;
                let attempt = self.attempt(at);
                let call = attempt.and_then(|attempt| {
                    let mut calls = attempt.tools.iter();
                    let index = calls.position(|call| call.id == end.tool_call_id)?;
                    Some(attempt.tools.remove(index))
                });
                let status = if end.is_error {
                    error("the tool reported an error")
                } else {
                    Status::Unset
                };
                ended.extend(call.map(|call| call.end(trace, now, status)));
            }
            EventKind::AgentModelCall { at, call } => {
                let trace = self.id;
                if let Some(attempt) = self.attempt(at) {
                    let mut span = begin(event, CHAT, attempt.model.id);
                    let took = Duration::from_millis(call.duration_ms);
                    let start = now.checked_sub(took).unwrap_or(now);
                    span.start = start.max(attempt.span.start);
                    ended.push(span.end(trace, now, chat_ending(call)));
                }
            }
            kind if kind.is_end() => ended = self.run_ended(event, now),
            _ => {}
        }
        self.last = now;
        ended
    }

    /// The spans that have not ended: nobody will say how they do.
    pub(crate) fn close(&mut self) -> Vec<SpanData> {
        let (now, result) = (self.last, AttemptResult::cut());
        let mut ended = self.visits_ended(now, &result);
        if let Some(root) = self.root.take() {
            ended.push(self.run_span(&root, now, error(ENDED), Vec::new()));
        }
        ended
    }

    fn started(&mut self, event: &Event, at: &NodeAttempt, kind: &str) {
        let is_same = |visit: &&mut Visit| same_visit(&visit.at, at);
        if self.visits.iter_mut().find(is_same).is_none() {
            let parent = self.parent_of(at);
            self.visits.push(Visit {
                at: at.clone(),
                kind: kind.to_owned(),
                span: begin(event, "visit", parent),
                attempt: None,
            });
        }
        if let Some(visit) = self.visits.iter_mut().find(is_same) {
            let span = begin(event, "attempt", visit.span.id);
            visit.attempt = Some(Attempt {
                at: at.clone(),
                model: begin(event, "model", span.id),
                span,
                tools: Vec::new(),
            });
        }
    }

    /// The span that holds the visits of a node: that of the parallel node of its branch, of the node that calls its
    /// sub-pipeline, or of the run.
    fn parent_of(&self, at: &NodeAttempt) -> SpanId {
        let fork = at.branch.as_ref().and_then(|branch| {
            let mut branches = self.branches.iter().rev();
            let own = branches.find(|one| one.path == *branch && one.graph == at.graph);
            Some(own?.parent)
        });
        let caller = || {
            at.graph.as_ref()?;
            let calls = |visit: &&Visit| matches!(&*visit.kind, "pipeline" | "supervisor");
            let near = |visit: &&Visit| visit.at.branch == at.branch;
            let mut all = self.visits.iter().rev().filter(calls);
            let found = all.clone().find(near).or_else(|| all.next());
            found.map(|visit| visit.span.id)
        };
        let root = self.root.as_ref().map(|root| root.id);
        let holder = fork.or_else(caller).or(root);
        holder.unwrap_or(SpanId::INVALID)
    }

    fn branch_started(&mut self, fork: &NodeAttempt, name: &str) {
        let mut visits = self.visits.iter();
        let Some(visit) = visits.find(|visit| same_visit(&visit.at, fork)) else {
            return;
        };
        let parent = visit.span.id;
        self.branches.push(Branch {
            graph: fork.graph.clone(),
            path: match &fork.branch {
                Some(outer) => format!("{outer}/{name}"),
                None => name.to_owned(),
            },
            parent,
        });
    }

    fn attempt(&mut self, at: &NodeAttempt) -> Option<&mut Attempt> {
        let attempts = self.visits.iter_mut();
        let mut attempts = attempts.filter_map(|visit| visit.attempt.as_mut());
        attempts.find(|attempt| attempt.at == *at)
    }

    /// An attempt has ended, and its visit if it is the last.
    fn attempt_ended(
        &mut self,
        at: &NodeAttempt,
        now: SystemTime,
        result: &AttemptResult<'_>,
        is_last: bool,
    ) -> Vec<SpanData> {
        let trace = self.id;
        let Some(index) = self
            .visits
            .iter()
            .position(|visit| same_visit(&visit.at, at))
        else {
            return Vec::new();
        };
        if is_last {
            return self.visits.remove(index).end(trace, now, result);
        }
        let visit = self.visits.get_mut(index);
        visit.map_or_else(Vec::new, |visit| visit.end_attempt(trace, now, result))
    }

    fn visits_ended(&mut self, now: SystemTime, result: &AttemptResult<'_>) -> Vec<SpanData> {
        let trace = self.id;
        // Inner ones first.
        let visits = std::mem::take(&mut self.visits).into_iter().rev();
        visits
            .flat_map(|visit| visit.end(trace, now, result))
            .collect()
    }

    fn run_ended(&mut self, event: &Event, now: SystemTime) -> Vec<SpanData> {
        let (word, status, used) = match &event.kind {
            EventKind::PipelineCompleted { usage, .. } => {
                ("success", Status::Unset, attributes::used(usage))
            }
            EventKind::PipelineFailed { failure, .. } => {
                let class = attributes::error_type(failure.class.as_str());
                ("fail", error(&failure.reason), vec![class])
            }
            EventKind::Escalated { .. } => ("escalated", Status::Unset, Vec::new()),
            EventKind::PipelineInterrupted { .. } => ("interrupted", error(ENDED), Vec::new()),
            _ => ("cancelled", Status::Unset, Vec::new()),
        };
        let mut ended = self.visits_ended(now, &AttemptResult::cut());
        if let Some(root) = self.root.take() {
            let mut more = vec![KeyValue::new("attractor.run.status", word)];
            more.extend(used);
            ended.push(self.run_span(&root, now, status, more));
        }
        ended
    }

    fn run_span(
        &self,
        root: &OpenSpan,
        now: SystemTime,
        status: Status,
        more: Vec<KeyValue>,
    ) -> SpanData {
        let run = ulid::Ulid::from_bytes(self.id.to_bytes()).to_string();
        let mut attributes = vec![
            attributes::operation(INVOKE_WORKFLOW),
            KeyValue::new("gen_ai.workflow.name", self.pipeline.clone()),
            KeyValue::new("attractor.run.id", run),
        ];
        attributes.extend(more);
        root.end(
            self.id,
            now,
            Ending {
                name: format!("{INVOKE_WORKFLOW} {}", self.pipeline),
                kind: SpanKind::Internal,
                attributes,
                status,
            },
        )
    }
}

/// A span that begins with an event.
fn begin(event: &Event, name: &str, parent: SpanId) -> OpenSpan {
    OpenSpan {
        id: ids::span_id(&event.run, event.seq, name),
        parent,
        start: time(event),
    }
}

fn same_visit(one: &NodeAttempt, other: &NodeAttempt) -> bool {
    let other = NodeAttempt {
        attempt: one.attempt,
        ..other.clone()
    };
    *one == other
}

/// When an event was; a time that cannot be read is the beginning of 1970.
fn time(event: &Event) -> SystemTime {
    let time = event.time.parse::<Timestamp>().unwrap_or_default();
    let millis = u64::try_from(time.as_millisecond()).unwrap_or(0);
    SystemTime::UNIX_EPOCH + Duration::from_millis(millis)
}
