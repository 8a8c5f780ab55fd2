//! A visit of a node, its attempts, and the calls of models and tools in them.

use std::time::SystemTime;

use attractor_run::{AgentModelCall, FailureClass, ModelCall, NodeAttempt, Usage};
use opentelemetry::KeyValue;
use opentelemetry::trace::{SpanKind, Status, TraceId};
use opentelemetry_sdk::trace::SpanData;

use crate::attributes::{self, CHAT, EXECUTE_TOOL, INVOKE_AGENT};
use crate::span::{Ending, OpenSpan, error};

/// A visit of a node that has begun.
#[derive(Debug)]
pub(crate) struct Visit {
    pub(crate) at: NodeAttempt,
    pub(crate) kind: String,
    pub(crate) span: OpenSpan,
    pub(crate) attempt: Option<Attempt>,
}

#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) at: NodeAttempt,
    pub(crate) span: OpenSpan,
    /// The span of its call of a model, which begins with it.
    pub(crate) model: OpenSpan,
    pub(crate) tools: Vec<ToolCall>,
}

#[derive(Debug)]
pub(crate) struct ToolCall {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) span: OpenSpan,
}

/// How an attempt ended.
#[derive(Default)]
pub(crate) struct AttemptResult<'e> {
    pub(crate) failure: Option<(&'e str, FailureClass)>,
    pub(crate) usage: Usage,
    pub(crate) model: Option<&'e ModelCall>,
    /// The process ended.
    pub(crate) is_cut: bool,
}

impl AttemptResult<'_> {
    pub(crate) fn cut() -> Self {
        Self {
            is_cut: true,
            ..Self::default()
        }
    }

    fn status(&self) -> Status {
        match self.failure {
            Some((reason, _)) => error(reason),
            None if self.is_cut => error("stopped"),
            None => Status::Unset,
        }
    }

    fn error_type(&self) -> Option<KeyValue> {
        let class = self.failure.map(|(_, class)| class.as_str());
        class.map(attributes::error_type)
    }
}

impl Visit {
    pub(crate) fn end(
        mut self,
        trace: TraceId,
        now: SystemTime,
        result: &AttemptResult<'_>,
    ) -> Vec<SpanData> {
        let mut ended = self.end_attempt(trace, now, result);
        let mut attributes = attributes::node(&self.at, &self.kind);
        attributes.extend(result.error_type());
        ended.push(self.span.end(
            trace,
            now,
            Ending {
                name: format!("node {}", self.at.node),
                kind: SpanKind::Internal,
                attributes,
                status: result.status(),
            },
        ));
        ended
    }

    pub(crate) fn end_attempt(
        &mut self,
        trace: TraceId,
        now: SystemTime,
        result: &AttemptResult<'_>,
    ) -> Vec<SpanData> {
        let Some(attempt) = self.attempt.take() else {
            return Vec::new();
        };
        let calls = attempt.tools.into_iter();
        let mut ended: Vec<SpanData> = calls
            .map(|call| call.end(trace, now, error("stopped")))
            .collect();
        if result.model.is_some() || matches!(&*self.kind, "codergen" | "prompt") {
            let ending = model_ending(&self.kind, &attempt.at, result);
            ended.push(attempt.model.end(trace, now, ending));
        }
        let mut attributes = attributes::node(&attempt.at, &self.kind);
        let number = i64::from(attempt.at.attempt);
        attributes.push(KeyValue::new("attractor.node.attempt", number));
        attributes.extend(result.error_type());
        ended.push(attempt.span.end(
            trace,
            now,
            Ending {
                name: format!("attempt {} of {}", attempt.at.attempt, attempt.at.node),
                kind: SpanKind::Internal,
                attributes,
                status: result.status(),
            },
        ));
        ended
    }
}

/// The span of a call of a model, or of an agent.
fn model_ending(kind: &str, at: &NodeAttempt, result: &AttemptResult<'_>) -> Ending {
    let model = result.model.and_then(|call| call.model.as_deref());
    let (operation, kind, subject) = match kind {
        "codergen" => (INVOKE_AGENT, SpanKind::Internal, Some(&*at.node)),
        _ => (CHAT, SpanKind::Client, model),
    };
    let mut attributes = vec![attributes::operation(operation)];
    if operation == INVOKE_AGENT {
        attributes.push(KeyValue::new("gen_ai.agent.name", at.node.clone()));
    }
    if let Some(call) = result.model {
        attributes.extend(attributes::model_call(call, &result.usage));
    }
    let category = result.model.and_then(|call| call.category.clone());
    let category = category.map(attributes::error_type);
    attributes.extend(category.or_else(|| result.error_type()));
    let name = std::iter::once(operation).chain(subject);
    Ending {
        name: name.collect::<Vec<_>>().join(" "),
        kind,
        attributes,
        status: result.status(),
    }
}

/// The span of one call of a model by an agent.
pub(crate) fn chat_ending(call: &AgentModelCall) -> Ending {
    let mut attributes = vec![attributes::operation(CHAT)];
    attributes.extend(attributes::agent_model_call(call));
    Ending {
        name: format!("{CHAT} {}", call.model),
        kind: SpanKind::Client,
        attributes,
        status: Status::Unset,
    }
}

impl ToolCall {
    pub(crate) fn end(self, trace: TraceId, now: SystemTime, status: Status) -> SpanData {
        let mut attributes = vec![
            attributes::operation(EXECUTE_TOOL),
            KeyValue::new("gen_ai.tool.name", self.name.clone()),
            KeyValue::new("gen_ai.tool.call.id", self.id),
            KeyValue::new("gen_ai.tool.type", "function"),
        ];
        if status != Status::Unset {
            attributes.push(attributes::error_type("_OTHER"));
        }
        let ending = Ending {
            name: format!("{EXECUTE_TOOL} {}", self.name),
            kind: SpanKind::Internal,
            attributes,
            status,
        };
        self.span.end(trace, now, ending)
    }
}
