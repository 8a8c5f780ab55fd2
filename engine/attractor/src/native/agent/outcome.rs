//! How a session ended, as a node gets it.

use attractor_agent::{AgentError, Completion, Ending, ErrorCategory, Spent};
use attractor_run::{BackendError, CodergenResponse, FailureClass, Usage};

/// The answer, or why there is none.
pub(super) fn read(
    completion: Completion,
    warnings: Vec<String>,
) -> Result<CodergenResponse, Box<BackendError>> {
    let usage = usage(&completion.spent);
    let failed = |class: FailureClass, message: String, category: &str| {
        Box::new(BackendError {
            provider: completion.provider.clone(),
            model: completion.model.clone(),
            category: Some(category.to_owned()),
            usage,
            ..BackendError::new(class, message)
        })
    };
    match &completion.ending {
        Ending::Done => {}
        Ending::Limit(limit) => {
            let class = match limit.limit {
                "timeout" => FailureClass::Timeout,
                _ => FailureClass::BudgetExhausted,
            };
            return Err(failed(
                class,
                with_state(&limit.message, &completion),
                limit.limit,
            ));
        }
        Ending::Loop(warning) => {
            let message = with_state(&format!("the agent repeats itself: {warning}"), &completion);
            return Err(failed(FailureClass::Loop, message, "loop"));
        }
        Ending::Cancelled => {
            return Err(failed(
                FailureClass::Canceled,
                "the agent was cancelled".to_owned(),
                "cancelled",
            ));
        }
        Ending::Failed(error) => {
            return Err(Box::new(BackendError {
                provider: error
                    .detail("provider")
                    .map(str::to_owned)
                    .or(completion.provider),
                model: error
                    .detail("model")
                    .map(str::to_owned)
                    .or(completion.model),
                status: status(error),
                category: error.detail("kind").map(str::to_owned),
                retry_after: error
                    .details
                    .get("retry_after")
                    .and_then(serde_json::Value::as_f64)
                    .map(std::time::Duration::from_secs_f64),
                usage,
                ..BackendError::new(class(error), error.message.clone())
            }));
        }
        _ => {
            return Err(failed(
                FailureClass::Internal,
                "the agent ended in a way that is not known".to_owned(),
                "internal",
            ));
        }
    }
    let mut all = warnings;
    all.extend(completion.warnings);
    Ok(CodergenResponse {
        text: completion.text,
        usage,
        provider: completion.provider,
        model: completion.model,
        finish_reason: completion
            .finish_reason
            .map(|reason| reason.as_str().to_owned()),
        verification: Some(completion.verification.summary()),
        warnings: all,
        ..CodergenResponse::default()
    })
}

/// A failure with what had been done until then.
fn with_state(message: &str, completion: &Completion) -> String {
    format!(
        "{message}; until then it {}",
        completion.verification.summary()
    )
}

/// What a session used.
pub(super) const fn usage(spent: &Spent) -> Usage {
    Usage {
        input_tokens: spent.input_tokens,
        output_tokens: spent.output_tokens,
        reasoning_tokens: spent.reasoning_tokens,
        cache_read_tokens: spent.cache_read_tokens,
        cache_write_tokens: spent.cache_write_tokens,
        cost: spent.cost,
        estimated: false,
    }
}

fn status(error: &AgentError) -> Option<u16> {
    let status = error.details.get("status_code")?.as_u64()?;
    u16::try_from(status).ok()
}

/// What kind of failure of a node an error of a session is.
fn class(error: &AgentError) -> FailureClass {
    match (error.category, error.detail("kind")) {
        (_, Some("authentication")) => FailureClass::Authentication,
        (_, Some("access_denied")) => FailureClass::Permission,
        (_, Some("quota_exceeded")) => FailureClass::BudgetExhausted,
        (_, Some("max_tokens" | "invalid_request" | "context_length")) => FailureClass::BadRequest,
        (_, Some("content_filter")) | (ErrorCategory::Llm, _) => FailureClass::Deterministic,
        (ErrorCategory::Provider, _) if error.retryable => FailureClass::TransientInfra,
        (ErrorCategory::Provider, _) => FailureClass::BadRequest,
        (ErrorCategory::Budget, _) => FailureClass::BudgetExhausted,
        (ErrorCategory::Cancellation, _) => FailureClass::Canceled,
        (ErrorCategory::Permission, _) => FailureClass::Permission,
        (ErrorCategory::Configuration, _) => FailureClass::Configuration,
        _ => FailureClass::Internal,
    }
}
