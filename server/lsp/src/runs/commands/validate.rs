//! `attractor.validate`.

use std::sync::Arc;

use crate::diagnostics;
use crate::errors::Refusal;
use crate::ext::commands::{ValidateArgs, ValidateResult};
use crate::runs::launch;
use crate::session::Session;

/// Every diagnostic of a document, as it is open, else as it is on the disk.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: ValidateArgs,
) -> Result<ValidateResult, Refusal> {
    let view = launch::view(session, &args.uri).await?;
    let find = move || {
        let found = diagnostics::of(&view).into_iter();
        found
            .map(|diagnostic| serde_json::to_value(diagnostic).map_err(|_| Refusal::Broken))
            .collect::<Result<Vec<_>, _>>()
    };
    let diagnostics = tokio::task::spawn_blocking(find)
        .await
        .map_err(|_| Refusal::Broken)??;
    Ok(ValidateResult { diagnostics })
}
