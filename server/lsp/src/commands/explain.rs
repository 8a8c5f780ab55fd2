//! `attractor.explain`.

use crate::errors::ServerError;
use crate::ext::commands::{ExplainArgs, ExplainResult};

/// The reference page of a name.
pub(crate) fn handle(args: ExplainArgs) -> Result<ExplainResult, ServerError> {
    match attractor_lint::explain(&args.name) {
        Some(markdown) => Ok(ExplainResult { markdown }),
        None => Err(ServerError::UnknownName { name: args.name }),
    }
}
