//! From an answer of the client to what a node gets: its text, what it cost, and whether it is an answer at all.

use attractor_llm::{Client, Error, ErrorKind, FinishReason, Response, TokenUsage};
use attractor_run::{CodergenResponse, Usage};

use super::request::Call;

/// The answer, unless it is none: blocked, cut off by the budget, empty, or not of the form asked for.
pub(super) fn check(call: &Call, response: Response) -> Result<Response, Error> {
    let fail = |kind: ErrorKind, message: String| {
        Err(Error::new(kind, message).of(&response.provider, &response.model))
    };
    if response.finish.is_paused() {
        return if call.continues(&response) {
            Ok(response)
        } else {
            fail(
                ErrorKind::Stream,
                "the provider paused the model again and again without an end of its answer"
                    .to_owned(),
            )
        };
    }
    // A provider may answer in the form of a call where a schema is asked for.
    let has_calls = call.schema.is_some() || !response.message.tool_calls().is_empty();
    match response.finish.reason {
        FinishReason::ContentFilter => {
            let reason = response.message.refusal().map(str::to_owned);
            let reason = reason.or_else(|| response.finish.raw.clone());
            let reason = reason.unwrap_or_else(|| "no reason given".to_owned());
            fail(
                ErrorKind::ContentFilter,
                format!("the model or its provider declined to answer: {reason}"),
            )
        }
        FinishReason::Length if call.budget_limit.is_some() => {
            let tokens = call.budget_limit.unwrap_or_default();
            fail(
                ErrorKind::BudgetExceeded,
                format!(
                    "the answer was cut off: the rest of the budget allows {tokens} tokens of output"
                ),
            )
        }
        FinishReason::Length if response.text().trim().is_empty() => {
            let tokens = response.usage.output_tokens;
            fail(
                ErrorKind::InvalidRequest,
                format!(
                    "the model used all {tokens} tokens of its output for reasoning and wrote no answer; raise \
                     `max_tokens` or lower `reasoning_effort`"
                ),
            )
        }
        _ if call.is_cut_by_the_model(&response) && !call.continues(&response) => fail(
            ErrorKind::InvalidRequest,
            "the answer is cut off at the output limit of the model, also after it was continued; ask for less in one \
             answer"
                .to_owned(),
        ),
        _ => match (&call.schema, response.finish.problem(has_calls)) {
            (_, Some(problem)) => fail(ErrorKind::Stream, problem),
            (Some(schema), None) => schema.read(response).map(|object| object.response),
            (None, None) if is_empty(call, &response) => fail(
                ErrorKind::Stream,
                "the model gave an empty answer".to_owned(),
            ),
            (None, None) => Ok(response),
        },
    }
}

/// Whether the whole answer has no text.
fn is_empty(call: &Call, response: &Response) -> bool {
    call.beginning.trim().is_empty() && response.text().trim().is_empty()
}

/// The answer as a node gets it.
pub(super) fn codergen_response(
    client: &Client,
    call: &Call,
    response: Response,
) -> CodergenResponse {
    let warnings = call.warnings.iter().chain(&response.warnings);
    let mut warnings: Vec<String> = warnings.map(|warning| warning.message.clone()).collect();
    if response.finish.reason == FinishReason::Length {
        warnings.push("the answer is cut off at the output limit (`max_tokens`)".to_owned());
    }
    CodergenResponse {
        text: format!("{}{}", call.beginning, response.text()),
        usage: usage(client, &call.requested(), &response),
        finish_reason: Some(response.finish.reason.as_str().to_owned()),
        response_id: Some(response.provider_response_id).filter(|id| !id.is_empty()),
        provider: Some(response.provider),
        model: Some(response.model),
        warnings,
        verification: None,
        status: None,
    }
}

/// What an answer used, and what it cost where the price is known.
pub(super) fn usage(client: &Client, requested: &[&str], response: &Response) -> Usage {
    usage_of(&response.usage, client.cost(requested, response))
}

/// Tokens and their price, where that is known.
pub(super) fn usage_of(tokens: &TokenUsage, cost: Option<f64>) -> Usage {
    Usage {
        input_tokens: tokens.input_tokens,
        output_tokens: tokens.output_tokens,
        reasoning_tokens: tokens.reasoning_tokens.unwrap_or_default(),
        cache_read_tokens: tokens.cache_read_tokens.unwrap_or_default(),
        cache_write_tokens: tokens.cache_write_tokens.unwrap_or_default(),
        cost: cost.unwrap_or_default(),
        estimated: tokens.estimated,
    }
}
