//! Messages of JSON-RPC 2.0.

use attractor_proto::RequestError;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// What a client sends: a request when it has an `id`, else a notification; a response when it has no `method`.
#[derive(Debug, Deserialize)]
pub(crate) struct Message {
    #[serde(default)]
    pub(crate) id: Option<Value>,
    #[serde(default)]
    pub(crate) method: Option<String>,
    #[serde(default)]
    pub(crate) params: Value,
}

/// An error as it is sent.
#[derive(Debug, Serialize)]
pub(crate) struct Error {
    code: i64,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl Error {
    /// The text is not JSON.
    pub(crate) fn parse() -> Self {
        Self::new(-32700, "Parse error")
    }

    /// The JSON is not a message, or comes after `shutdown`.
    pub(crate) fn invalid_request() -> Self {
        Self::new(-32600, "Invalid request")
    }

    /// No such method.
    pub(crate) fn method_not_found() -> Self {
        Self::new(-32601, "Method not found")
    }

    /// `initialize` has not come yet.
    pub(crate) fn not_initialized() -> Self {
        Self::new(-32002, "Server not initialized")
    }

    fn new(code: i64, message: &str) -> Self {
        Self {
            code,
            message: message.to_owned(),
            data: None,
        }
    }
}

impl From<RequestError> for Error {
    fn from(error: RequestError) -> Self {
        Self {
            code: error.number(),
            message: error.to_string(),
            data: error.code().map(|code| json!({ "code": code })),
        }
    }
}

/// A response, with a result that is JSON already.
pub(crate) fn response(id: &Value, result: Result<String, Error>) -> String {
    #[derive(Serialize)]
    struct Response<'r> {
        jsonrpc: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<Box<RawValue>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Error>,
        id: &'r Value,
    }
    let (result, error) = match result.map(RawValue::from_string) {
        Ok(Ok(result)) => (Some(result), None),
        Ok(Err(_)) => (None, Some(RequestError::Internal.into())),
        Err(error) => (None, Some(error)),
    };
    let jsonrpc = "2.0";
    let response = Response {
        jsonrpc,
        result,
        error,
        id,
    };
    serde_json::to_string(&response).unwrap_or_default()
}

/// A notification.
pub(crate) fn notification<P: Serialize>(method: &str, params: &P) -> Option<String> {
    #[derive(Serialize)]
    struct Notification<'n, P> {
        jsonrpc: &'static str,
        method: &'n str,
        params: &'n P,
    }
    let jsonrpc = "2.0";
    let notification = Notification {
        jsonrpc,
        method,
        params,
    };
    serde_json::to_string(&notification).ok()
}
