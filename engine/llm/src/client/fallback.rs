//! Calls another model while the one asked for is not available.

use super::Client;
use crate::error::Error;
use crate::request::Request;
use crate::response::{Response, Warning};

/// The code of the warning on a response that another model gave.
const CODE: &str = "fallback_model";

impl Client {
    pub(super) async fn complete_or_fall_back(&self, request: Request) -> Result<Response, Error> {
        let mut warnings = Vec::new();
        let mut request = request;
        loop {
            match self.complete_with_retries(&request).await {
                Ok(mut response) => {
                    response.warnings.splice(0..0, warnings);
                    return Ok(response);
                }
                Err(error) => next(&mut request, error, &mut warnings)?,
            }
        }
    }
}

/// Makes it the request for the next model; the error if there is none, or if another model would fail alike. Reasoning
/// is left out: it is valid only for the model that produced it.
pub(super) fn next(
    request: &mut Request,
    error: Error,
    warnings: &mut Vec<Warning>,
) -> Result<(), Error> {
    if !error.is_availability() || request.fallback_models.is_empty() {
        return Err(error);
    }
    let model = request.fallback_models.remove(0);
    let message = format!(
        "`{model}` instead of `{}`, which is not available: {error}",
        request.model
    );
    tracing::warn!(from = %request.model, to = %model, kind = %error.kind(), "calling a fallback model");
    warnings.push(Warning::new(CODE, message));
    request.model = model;
    request.provider = None;
    for message in &mut request.messages {
        *message = message.without_thinking();
    }
    Ok(())
}
