//! `attractor.validate`.

use std::sync::Arc;

use crate::errors::ServerError;
use crate::ext::commands::{ValidateArgs, ValidateResult};
use crate::session::Session;
use crate::{context, diagnostics};

/// Every diagnostic of a document, as it is open, else as it is on the disk.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: ValidateArgs,
) -> Result<ValidateResult, ServerError> {
    let context = context::load(session, &args.uri).await?;
    let find = move || {
        let found = diagnostics::all(&context).into_iter();
        found
            .map(|diagnostic| serde_json::to_value(diagnostic).map_err(|_| ServerError::Internal))
            .collect::<Result<Vec<_>, _>>()
    };
    let diagnostics = tokio::task::spawn_blocking(find)
        .await
        .map_err(|_| ServerError::Internal)??;
    Ok(ValidateResult { diagnostics })
}
