//! Requests about one document: pure functions from a [`RequestContext`] and parameters to a result.

use lsp_types::Uri;
use lsp_types::request::Request;
use serde::Serialize;
use serde_json::Value;

use crate::context::RequestContext;
use crate::errors::RequestError;

/// A request about one document. Its result for a document that is not open is the default one.
pub trait DocumentRequest: Request<Result: Default> {
    /// The document.
    fn uri(params: &Self::Params) -> &Uri;

    /// The result.
    fn answer(context: &RequestContext, params: Self::Params)
    -> Result<Self::Result, RequestError>;
}

/// Returns the context of a document; `None` when it is not open.
pub type Contexts<'c> = dyn Fn(&Uri) -> Option<RequestContext> + 'c;

/// A request about one document, by its method.
#[derive(Clone, Copy)]
pub struct RequestRow {
    /// The method.
    pub method: &'static str,
    /// The result as JSON, from the parameters as JSON.
    pub answer: fn(&Contexts<'_>, Value) -> Result<String, RequestError>,
    /// Whether the result may be so large that a tree of JSON values would cost more than computing it.
    pub is_large: bool,
}

/// The row of a request.
pub(crate) const fn row<R: DocumentRequest>() -> RequestRow {
    RequestRow {
        method: R::METHOD,
        answer: |contexts, params| {
            // Numbers pass through a value, as they do in servers built on `serde_json::Value`: a colour of 32 bits is
            // written with the digits of one of 64.
            let value = serde_json::to_value(result::<R>(contexts, params)?);
            value
                .as_ref()
                .map_err(|_| RequestError::Internal)
                .and_then(json)
        },
        is_large: false,
    }
}

/// The row of a request with a large result.
pub(crate) const fn large<R: DocumentRequest>() -> RequestRow {
    RequestRow {
        method: R::METHOD,
        answer: |contexts, params| json(&result::<R>(contexts, params)?),
        is_large: true,
    }
}

fn result<R: DocumentRequest>(
    contexts: &Contexts<'_>,
    params: Value,
) -> Result<R::Result, RequestError> {
    let params: R::Params = serde_json::from_value(params)
        .map_err(|problem| RequestError::InvalidParams(problem.to_string()))?;
    match contexts(R::uri(&params)) {
        Some(context) => R::answer(&context, params),
        None => Ok(R::Result::default()),
    }
}

fn json<T: Serialize>(result: &T) -> Result<String, RequestError> {
    serde_json::to_string(result).map_err(|_| RequestError::Internal)
}
