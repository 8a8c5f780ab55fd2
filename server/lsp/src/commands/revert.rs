//! `attractor.revert`.

use std::path::PathBuf;
use std::sync::Arc;

use super::diff::with_changes;
use crate::errors::ServerError;
use crate::ext::commands::{RevertArgs, RevertResult};
use crate::session::Session;
use crate::settings::WorkspaceTrust;

/// Gives the files that a run or a node changed their former content. Nothing is done where one has changed since.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: RevertArgs,
) -> Result<RevertResult, ServerError> {
    if session.workspace.settings().workspace_trust == WorkspaceTrust::Restricted {
        return Err(ServerError::Untrusted { pipeline: args.run });
    }
    let revert = |changes: attractor_run::FileChanges| {
        Ok(match changes.revert() {
            Ok(reverted) => RevertResult {
                restored: shown(&reverted.restored),
                removed: shown(&reverted.removed),
                ..RevertResult::default()
            },
            Err(error) => RevertResult {
                refused: true,
                why: Some(error.to_string()),
                ..RevertResult::default()
            },
        })
    };
    with_changes(
        session,
        args.run,
        args.node,
        args.visit,
        "attractor.revert",
        revert,
    )
    .await
}

fn shown(paths: &[PathBuf]) -> Vec<String> {
    let paths = paths.iter().map(|path| path.to_string_lossy());
    paths
        .map(|path| path.replace(std::path::MAIN_SEPARATOR, "/"))
        .collect()
}
