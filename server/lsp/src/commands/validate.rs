//! `attractor.validate`.

use std::sync::Arc;

use attractor_proto::commands::validate::validate;

use crate::context;
use crate::errors::ServerError;
use crate::ext::commands::{ValidateArgs, ValidateResult};
use crate::session::Session;
use attractor_proto::RequestError;

/// Every diagnostic of a document, as it is open, else as it is on the disk.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: ValidateArgs,
) -> Result<ValidateResult, ServerError> {
    let context = context::load(session, &args.uri).await?;
    let found = tokio::task::spawn_blocking(move || validate(&context)).await;
    Ok(found.map_err(|_| RequestError::Internal)??)
}
