//! What the server sends on its own account: messages, notifications, refresh requests, diagnostics.
//!
//! A [`Notifier`] is what code outside of a request handler gets instead of the whole session.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use attractor_run::Protocol;
use lsp_types::notification::Notification;
use lsp_types::{MessageActionItem, MessageType};
use serde_json::Value;
use tower_lsp::Client;

use crate::diagnostics::queue::DiagnosticsQueue;
use crate::refresh_queue::RefreshQueue;
use crate::tasks::Tasks;
use crate::transport::FrameSender;
use attractor_proto::Features;

/// A notification in the words of another version of the protocol.
enum Translated<N> {
    #[expect(dead_code, reason = "only names the notification")]
    Of(PhantomData<N>),
}

impl<N: Notification> Notification for Translated<N> {
    type Params = Value;
    const METHOD: &'static str = N::METHOD;
}

/// Sends to one client.
pub(crate) struct Notifier {
    /// The framework's client.
    pub(crate) client: Client,
    /// For messages that are too large for the framework.
    pub(crate) frames: FrameSender,
    /// Tasks that wait on the client.
    pub(crate) tasks: Tasks,
    /// Documents whose diagnostics are to be published.
    pub(crate) diagnostics: DiagnosticsQueue,
    /// What the client is to request again.
    pub(crate) refresh: RefreshQueue,
    features: OnceLock<Arc<Features>>,
}

impl Notifier {
    /// A notifier of a client that has not sent `initialize`.
    pub(crate) fn new(client: Client, frames: FrameSender) -> Self {
        Self {
            client,
            frames,
            tasks: Tasks::default(),
            diagnostics: DiagnosticsQueue::default(),
            refresh: RefreshQueue::default(),
            features: OnceLock::new(),
        }
    }

    /// What the client announced; nothing before `initialize`.
    pub(crate) fn features(&self) -> &Arc<Features> {
        static NONE: OnceLock<Arc<Features>> = OnceLock::new();
        self.features
            .get()
            .unwrap_or_else(|| NONE.get_or_init(Arc::default))
    }

    /// Stores what the client announced. Only the first announcement has an effect.
    pub(crate) fn set_features(&self, features: Features) {
        let _ = self.features.set(Arc::new(features));
    }

    /// Whether the client has sent `initialize`.
    pub(crate) fn is_initialized(&self) -> bool {
        self.features.get().is_some()
    }

    /// The user who uses this editor, as recorded in the journal of a run.
    pub(crate) fn person(&self) -> String {
        attractor_run::person_using(self.features().name.as_deref().unwrap_or("editor"))
    }

    /// Sends a notification.
    pub(crate) async fn notify<N: Notification>(&self, params: N::Params) {
        match self.features().protocol {
            Protocol::V2 => self.client.send_notification::<N>(params).await,
            Protocol::V1 => {
                let Ok(params) = serde_json::to_value(params) else {
                    return;
                };
                let params = Protocol::V1.translated(params);
                self.client.send_notification::<Translated<N>>(params).await;
            }
        }
    }

    /// Shows a message.
    pub(crate) async fn show_message(&self, kind: MessageType, message: impl std::fmt::Display) {
        self.client.show_message(kind, message).await;
    }

    /// Shows a message with buttons. Returns the title of the chosen one; `None` when the message was closed.
    pub(crate) async fn show_message_request(
        &self,
        kind: MessageType,
        message: String,
        buttons: impl IntoIterator<Item = &str>,
    ) -> Option<String> {
        let buttons = buttons.into_iter().map(|title| MessageActionItem {
            title: title.to_owned(),
            properties: HashMap::new(),
        });
        let buttons = Some(buttons.collect());
        let answer = self.client.show_message_request(kind, message, buttons);
        Some(answer.await.ok()??.title)
    }

    /// Shows warnings, in the background.
    pub(crate) fn show_warnings(&self, warnings: Vec<String>) {
        if warnings.is_empty() {
            return;
        }
        let client = self.client.clone();
        self.tasks.spawn(async move {
            for warning in warnings {
                client.show_message(MessageType::WARNING, warning).await;
            }
        });
    }
}
