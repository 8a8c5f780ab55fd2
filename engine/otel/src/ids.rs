//! Identifiers of traces and spans. They follow from the run and the event a span begins with, so that all processes
//! that work on a run add to one trace, and an event that is read twice gives the same span.

use std::str::FromStr;

use opentelemetry::trace::{SpanId, TraceId};
use sha2::{Digest, Sha256};
use ulid::Ulid;

/// The trace of a run.
pub(crate) fn trace_id(run: &str) -> TraceId {
    match Ulid::from_str(run) {
        Ok(id) => TraceId::from(u128::from(id)),
        Err(_) => TraceId::from_bytes(digest(&[run])),
    }
}

/// The span of this name that begins with an event.
pub(crate) fn span_id(run: &str, seq: u64, name: &str) -> SpanId {
    SpanId::from_bytes(digest(&[run, &seq.to_string(), name]))
}

fn digest<const N: usize>(parts: &[&str]) -> [u8; N] {
    let hash = Sha256::digest(parts.join("\0"));
    let mut bytes = [0; N];
    for (byte, hashed) in bytes.iter_mut().zip(hash) {
        *byte = hashed;
    }
    bytes
}
