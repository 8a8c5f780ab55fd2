//! Whether a pipeline may run: asks the user when no decision applies.

use std::sync::Arc;

use lsp_types::{MessageType, Uri};

use super::prepare::PreparedRun;
use crate::errors::ServerError;
use crate::notifier::Notifier;
use crate::settings::{Settings, WorkspaceTrust};
use crate::trust::Trust;
use crate::trust::question::{CHOICES, Choice, OFFER};
use crate::{paths, show_document};
use attractor_proto::RequestError;

/// Whether a pipeline may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It may.
    Granted,
    /// The user is being asked.
    Asked,
}

/// Decides whether a pipeline may run. When the user has to be asked first, `on_yes` follows on a yes.
pub(crate) fn check_trust(
    notifier: &Arc<Notifier>,
    trust: &Arc<Trust>,
    settings: &Settings,
    prepared: &PreparedRun,
    on_yes: impl Future<Output = Result<(), ServerError>> + Send + 'static,
) -> Result<Admission, ServerError> {
    if settings.workspace_trust == WorkspaceTrust::Restricted {
        let pipeline = prepared.pipeline().to_owned();
        return Err(ServerError::Untrusted { pipeline });
    }
    if trust.consume(&prepared.trust_key) {
        return Ok(Admission::Granted);
    }
    if trust.begin_question(&prepared.trust_key) {
        let (notifier, trust) = (Arc::clone(notifier), Arc::clone(trust));
        let (tasks, prepared) = (notifier.tasks.clone(), prepared.clone());
        tasks.spawn(async move {
            let allowed = ask(&notifier, &trust, &prepared).await;
            trust.end_question(&prepared.trust_key);
            let outcome = match allowed {
                Ok(true) => on_yes.await,
                Ok(false) => Ok(()),
                Err(error) => Err(error),
            };
            if let Err(error) = outcome {
                notifier.show_message(MessageType::ERROR, error).await;
            }
        });
    }
    Ok(Admission::Asked)
}

/// Asks the user, again after each time they chose to read what runs. `true` when they allow the run.
async fn ask(
    notifier: &Notifier,
    trust: &Trust,
    prepared: &PreparedRun,
) -> Result<bool, ServerError> {
    let mut text = format!("{} {OFFER}", prepared.question(trust));
    let mut choices = CHOICES.to_vec();
    let mut kind = MessageType::WARNING;
    loop {
        let buttons = choices.iter().map(|(title, _)| *title);
        let answer = notifier.show_message_request(kind, text.clone(), buttons);
        let title = answer.await;
        let choice = choices
            .iter()
            .find(|(known, _)| title.as_deref() == Some(known));
        match choice.map(|(_, choice)| *choice) {
            Some(Choice::Decide(decision)) => {
                trust.decide(&prepared.trust_key, decision)?;
                return Ok(trust.consume(&prepared.trust_key));
            }
            Some(Choice::Show) => {
                // A warning may be drawn over the document that the user wants to read, so an information follows.
                kind = MessageType::INFO;
                if show_consent(notifier, trust, prepared).await? {
                    // Its buttons may be in the document itself.
                    choices.retain(|(_, choice)| *choice != Choice::Show);
                    text = prepared.question(trust);
                }
            }
            Some(Choice::Cancel) | None => return Ok(false),
        }
    }
}

/// Shows the consent document; `false` when the client cannot, and only its path was shown.
async fn show_consent(
    notifier: &Notifier,
    trust: &Trust,
    prepared: &PreparedRun,
) -> Result<bool, ServerError> {
    let uri = write_consent(trust, prepared)?;
    let shown = show_document::show_document(notifier, uri.clone()).await;
    if !shown {
        let path = paths::path_of(&uri).unwrap_or_default();
        let message = format!("What it runs is listed in {}", path.display());
        notifier.show_message(MessageType::INFO, message).await;
    }
    Ok(shown)
}

/// Writes the consent document of a pipeline: everything its run can do.
pub(crate) fn write_consent(trust: &Trust, prepared: &PreparedRun) -> Result<Uri, ServerError> {
    let path = trust.write_document(&prepared.trust_key)?;
    let uri = Uri::from_file_path(&path).ok_or_else(|| RequestError::Unreadable {
        uri: path.display().to_string(),
        reason: "the path is not absolute".to_owned(),
    });
    Ok(uri?)
}
