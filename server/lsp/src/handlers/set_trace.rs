//! `$/setTrace`.

use std::sync::Arc;

use lsp_types::{MessageType, SetTraceParams, TraceValue};

use crate::session::Session;

/// Confirms the level in the client's log. What is worth knowing about a run goes to its journal and what
/// is worth knowing about the server to its log (`ATTRACTOR_LOG`), so there is little left to trace.
pub(crate) fn handle(session: &Arc<Session>, params: &SetTraceParams) {
    let level = match params.value {
        TraceValue::Off => return,
        TraceValue::Messages => "messages",
        TraceValue::Verbose => "verbose",
    };
    let (client, runs) = (session.notifier.client.clone(), session.runs.active_count());
    session.notifier.tasks.spawn(async move {
        let message = format!(
            "attractor {}: trace {level}, {runs} active runs",
            env!("CARGO_PKG_VERSION")
        );
        client.log_message(MessageType::INFO, message).await;
    });
}
