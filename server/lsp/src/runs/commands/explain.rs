//! `attractor.explain`.

use attractor_ide::model::catalogue::explain;

use crate::errors::Refusal;
use crate::ext::commands::{ExplainArgs, ExplainResult};

/// The reference page of a name.
pub(crate) fn handle(args: ExplainArgs) -> Result<ExplainResult, Refusal> {
    match explain::explain(&args.name) {
        Some(markdown) => Ok(ExplainResult { markdown }),
        None => Err(Refusal::UnknownName { name: args.name }),
    }
}
