//! The session of a codergen node, followed in a recording: its tools are not run, and no file is changed.

use attractor_exec::Redactor;
use attractor_llm::middleware::Cassette;
use attractor_llm::{Client, Error, Message, Request, Response};
use attractor_run::{BackendError, CodergenRequest, CodergenResponse, Usage};

use super::{agent, failure, request, response};

/// The recorded session of a node.
pub(crate) fn recorded_session(
    client: &Client,
    cassette: &Cassette,
    input: &CodergenRequest,
    model: String,
    redactor: &Redactor,
) -> Result<CodergenResponse, Box<BackendError>> {
    let answered = answer(client, cassette, input, model, redactor);
    answered.map_err(|error| Box::new(failure::backend_error(client, &error, None)))
}

fn answer(
    client: &Client,
    cassette: &Cassette,
    input: &CodergenRequest,
    model: String,
    redactor: &Redactor,
) -> Result<CodergenResponse, Error> {
    let mut warnings = Vec::new();
    let schema = request::schema(input.option("output_schema"), &mut warnings);
    let base = request::base(input, model, Vec::new(), &mut warnings);
    let mut messages = agent::conversation(input);
    messages.push(Message::user(agent::prompt(input, schema.as_ref())));
    let first = Request {
        messages,
        redactor: redactor.clone(),
        ..base
    };
    let requested = [first.model.as_str()];
    let is_last = |answer: &Response| {
        let fits = |schema| agent::fits(schema, answer);
        answer.message.tool_calls().is_empty() && schema.as_ref().is_none_or(fits)
    };
    let answers = cassette.conversation(&first, is_last)?;
    let mut usage = Usage::default();
    for answer in &answers {
        usage.add(&response::usage(client, &requested, answer));
    }
    let last = answers.into_iter().next_back();
    let Some(last) = last else {
        return Ok(CodergenResponse::default());
    };
    Ok(CodergenResponse {
        text: last.text(),
        usage,
        finish_reason: Some(last.finish.reason.as_str().to_owned()),
        provider: Some(last.provider),
        model: Some(last.model),
        warnings: warnings
            .into_iter()
            .map(|warning| warning.message)
            .collect(),
        ..CodergenResponse::default()
    })
}
