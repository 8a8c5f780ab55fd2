//! `attractor.consent`.

use std::sync::Arc;

use lsp_types::Uri;

use crate::errors::Refusal;
use crate::ext::commands::{ConsentArgs, ConsentResult};
use crate::runs::{launch, show};
use crate::session::Session;
use crate::settings::WorkspaceTrust;

/// Writes down everything a run can do and answers where. Clients that do not draw runs themselves, but can show a
/// document, are asked to show it.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: ConsentArgs,
) -> Result<ConsentResult, Refusal> {
    let prepared = launch::prepare(session, &args.uri, args.graph.as_deref()).await?;
    let uri = write(session, &prepared)?;
    show::unless_drawn(session, &uri);
    let restricted = session.settings().workspace_trust == WorkspaceTrust::Restricted;
    Ok(ConsentResult {
        uri,
        trusted: !restricted && session.trust.allows(&prepared.subject),
        question: prepared.question(session),
        diff_since_approved: session.trust.diff_since_approved(&prepared.subject),
    })
}

/// Writes the document of a pipeline.
pub(crate) fn write(session: &Session, prepared: &launch::Prepared) -> Result<Uri, Refusal> {
    let path = session.trust.write_document(&prepared.subject)?;
    Uri::from_file_path(&path).ok_or_else(|| Refusal::Unreadable {
        uri: path.display().to_string(),
        reason: "the path is not absolute".to_owned(),
    })
}
