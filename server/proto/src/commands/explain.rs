//! `attractor.explain`.

use serde::{Deserialize, Serialize};

use super::CommandShape;
use crate::errors::RequestError;

/// The command.
pub const EXPLAIN: CommandShape = CommandShape {
    name: "attractor.explain",
    takes: "{name}",
};

/// What `attractor.explain` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplainArgs {
    /// The name of a rule, an attribute, a handler or a context key.
    pub name: String,
}

/// What `attractor.explain` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplainResult {
    /// The reference page.
    pub markdown: String,
}

/// The reference page of a name.
pub fn explain(args: ExplainArgs) -> Result<ExplainResult, RequestError> {
    match attractor_lint::explain(&args.name) {
        Some(markdown) => Ok(ExplainResult { markdown }),
        None => Err(RequestError::UnknownName { name: args.name }),
    }
}
