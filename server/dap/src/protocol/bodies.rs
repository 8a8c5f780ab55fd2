//! What responses and events carry.

use serde::Serialize;
use serde_json::{Value, json};

use super::Source;

/// A place where a breakpoint may be; lines and columns as the client counts them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BreakpointLocation {
    pub(crate) line: i64,
    pub(crate) column: i64,
    pub(crate) end_line: i64,
    pub(crate) end_column: i64,
}

/// A breakpoint as it was understood.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Breakpoint {
    pub(crate) id: i64,
    pub(crate) verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<i64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Thread {
    pub(crate) id: i64,
    pub(crate) name: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackFrame {
    pub(crate) id: i64,
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<Source>,
    pub(crate) line: i64,
    pub(crate) column: i64,
    pub(crate) can_restart: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Scope {
    pub(crate) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) presentation_hint: Option<&'static str>,
    pub(crate) variables_reference: i64,
    pub(crate) expensive: bool,
}

#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) value: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) evaluate_name: Option<String>,
    pub(crate) variables_reference: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) named_variables: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) indexed_variables: Option<usize>,
}

/// `stopped`
#[derive(Debug, Default, Serialize)]
#[expect(
    clippy::struct_field_names,
    reason = "the names are those of the protocol"
)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Stopped {
    pub(crate) reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    pub(crate) thread_id: i64,
    pub(crate) all_threads_stopped: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) hit_breakpoint_ids: Vec<i64>,
}

/// Exception filters: name in the protocol, label, description, whether it is on by default.
pub(crate) const FILTERS: [(&str, &str, &str, bool); 3] = [
    (
        UNHANDLED,
        "Failed runs",
        "Stop at the end of a run that failed: no edge handles the failure",
        true,
    ),
    (
        FAILED,
        "Failed nodes",
        "Stop after a node has failed, before the run continues from it",
        false,
    ),
    (
        RETRY,
        "Retries",
        "Stop after a failed attempt, before the node is tried again",
        false,
    ),
];

pub(crate) const UNHANDLED: &str = "unhandled";
pub(crate) const FAILED: &str = "failed";
pub(crate) const RETRY: &str = "retry";

/// What the adapter can do.
pub(crate) fn capabilities() -> Value {
    let filters = FILTERS.map(|(filter, label, description, default)| {
        json!({ "filter": filter, "label": label, "description": description, "default": default })
    });
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsDataBreakpoints": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsSetVariable": true,
        "supportsRestartFrame": true,
        "supportsGotoTargetsRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportTerminateDebuggee": true,
        "supportsTerminateRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "exceptionBreakpointFilters": filters,
    })
}
