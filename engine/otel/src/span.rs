//! A span that has begun, and the data of one that has ended.

use std::borrow::Cow;
use std::time::SystemTime;

use opentelemetry::trace::{
    SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId, TraceState,
};
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanLinks};

/// A span that has begun.
#[derive(Debug, Clone)]
pub(crate) struct OpenSpan {
    pub(crate) id: SpanId,
    pub(crate) parent: SpanId,
    pub(crate) start: SystemTime,
}

/// What is known of a span when it ends.
pub(crate) struct Ending {
    pub(crate) name: String,
    pub(crate) kind: SpanKind,
    pub(crate) attributes: Vec<KeyValue>,
    pub(crate) status: Status,
}

impl OpenSpan {
    pub(crate) fn end(&self, trace: TraceId, end: SystemTime, ending: Ending) -> SpanData {
        let flags = TraceFlags::SAMPLED;
        let state = TraceState::default();
        let scope = InstrumentationScope::builder("attractor");
        SpanData {
            span_context: SpanContext::new(trace, self.id, flags, false, state),
            parent_span_id: self.parent,
            parent_span_is_remote: false,
            span_kind: ending.kind,
            name: Cow::Owned(ending.name),
            start_time: self.start,
            end_time: end.max(self.start),
            attributes: ending.attributes,
            dropped_attributes_count: 0,
            events: SpanEvents::default(),
            links: SpanLinks::default(),
            status: ending.status,
            instrumentation_scope: scope.with_version(env!("CARGO_PKG_VERSION")).build(),
        }
    }
}

/// The status of what failed.
pub(crate) fn error(reason: &str) -> Status {
    Status::error(reason.to_owned())
}
