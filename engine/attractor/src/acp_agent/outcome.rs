//! How the work of an agent ended, as a node gets it.

use std::fmt::Write as _;

use agent_client_protocol::v1::schema::StopReason;
use agent_client_protocol::{Error, ErrorCode};
use attractor_run::{BackendError, CodergenRequest, CodergenResponse, FailureClass};

use super::client::Transcript;
use crate::acp_programs::AcpProgram;
use crate::other_agents::without_hooks;

/// How much of what an agent wrote last a message shows, in characters.
const SHOWN: usize = 600;

/// The answer, or why there is none.
pub(super) fn answer(
    agent: &AcpProgram,
    request: &CodergenRequest,
    transcript: Transcript,
    reason: StopReason,
) -> Result<CodergenResponse, Box<BackendError>> {
    let text = transcript.answer();
    let problem = match reason {
        StopReason::EndTurn if !text.is_empty() => None,
        StopReason::EndTurn => Some((FailureClass::Deterministic, "it ended without an answer")),
        StopReason::MaxTokens => Some((
            FailureClass::BudgetExhausted,
            "it is at its limit of tokens",
        )),
        StopReason::MaxTurnRequests => {
            Some((FailureClass::BudgetExhausted, "it is at its limit of turns"))
        }
        StopReason::Refusal => Some((FailureClass::Deterministic, "it declined to answer")),
        StopReason::Cancelled => Some((FailureClass::Canceled, "it was cancelled")),
        _ => Some((
            FailureClass::Deterministic,
            "it ended for an unknown reason",
        )),
    };
    if let Some((class, problem)) = problem {
        return Err(Box::new(BackendError {
            usage: transcript.usage,
            ..BackendError::new(class, format!("{} failed: {problem}", agent.label))
        }));
    }
    let mut warnings = transcript.warnings;
    warnings.extend(without_hooks(request, &agent.label));
    Ok(CodergenResponse {
        text,
        usage: transcript.usage,
        provider: agent.provider.map(str::to_owned),
        model: request.model.clone(),
        finish_reason: Some("stop".to_owned()),
        warnings,
        ..CodergenResponse::default()
    })
}

/// A conversation that broke off.
pub(super) fn failure(agent: &AcpProgram, error: &Error, wrote: &str) -> BackendError {
    let mut message = format!("{} failed: {}", agent.label, error.message);
    // Writing to a string does not fail.
    if let Some(data) = &error.data {
        let _ = match data.as_str() {
            Some(text) => write!(message, " ({text})"),
            None => write!(message, " ({data})"),
        };
    }
    let class = if error.code == ErrorCode::AUTH_REQUIRED {
        let program = agent.program();
        let _ = write!(
            message,
            "; log in to it: start `{program}` once in a terminal"
        );
        FailureClass::Authentication
    } else {
        FailureClass::Deterministic
    };
    let wrote = wrote.split_whitespace().collect::<Vec<_>>().join(" ");
    if !wrote.is_empty() {
        let skipped = wrote.chars().count().saturating_sub(SHOWN);
        message.push_str("; it wrote: ");
        message.extend(wrote.chars().skip(skipped));
    }
    BackendError::new(class, message)
}

/// A problem of this end.
pub(super) fn problem(reason: String) -> Error {
    Error::new(ErrorCode::INTERNAL_ERROR, reason)
}
