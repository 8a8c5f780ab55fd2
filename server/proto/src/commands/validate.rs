//! `attractor.validate`.

use lsp_types::Uri;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CommandShape;
use crate::context::RequestContext;
use crate::diagnostics;
use crate::errors::RequestError;

/// The command.
pub const VALIDATE: CommandShape = CommandShape {
    name: "attractor.validate",
    takes: "{uri}",
};

/// What `attractor.validate` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValidateArgs {
    /// The document, open or not.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub uri: Uri,
}

/// What `attractor.validate` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValidateResult {
    /// The diagnostics, as in `textDocument/publishDiagnostics`.
    pub diagnostics: Vec<Value>,
}

/// Every diagnostic of a document.
pub fn validate(context: &RequestContext) -> Result<ValidateResult, RequestError> {
    let found = diagnostics::all(context).into_iter();
    let found = found
        .map(|diagnostic| serde_json::to_value(diagnostic).map_err(|_| RequestError::Internal));
    Ok(ValidateResult {
        diagnostics: found.collect::<Result<_, _>>()?,
    })
}
