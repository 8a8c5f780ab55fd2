//! The texts that a server has been sent.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::uri;

/// Files open at a time; the one opened first is closed for another.
const MAX_OPEN: usize = 100;

/// The files that are open in a server.
#[derive(Debug, Default)]
pub(super) struct Documents {
    open: IndexMap<PathBuf, (i64, String)>,
}

/// A notification: the method and its parameters.
pub(super) type Notification = (&'static str, Value);

/// What makes a server see a text.
#[derive(Debug, PartialEq)]
pub(super) struct Update {
    /// The version of the text.
    pub(super) version: i64,
    /// What to send; nothing if the server has the text.
    pub(super) notifications: Vec<Notification>,
}

impl Documents {
    /// Notes that a server sees this text of a file from now on.
    pub(super) fn update(
        &mut self,
        path: &Path,
        address: &str,
        language: &str,
        text: &str,
    ) -> Update {
        let mut notifications = Vec::new();
        let version = match self.open.get_mut(path) {
            Some((version, known)) if known == text => *version,
            Some((version, known)) => {
                *version += 1;
                text.clone_into(known);
                let change = json!({
                    "textDocument": {"uri": address, "version": version},
                    "contentChanges": [{"text": text}],
                });
                notifications.push(("textDocument/didChange", change));
                notifications.push((
                    "textDocument/didSave",
                    json!({"textDocument": {"uri": address}}),
                ));
                *version
            }
            None => {
                if self.open.len() >= MAX_OPEN
                    && let Some((closed, _)) = self.open.shift_remove_index(0)
                    && let Some(closed) = uri::of(&closed)
                {
                    let close = json!({"textDocument": {"uri": closed}});
                    notifications.push(("textDocument/didClose", close));
                }
                self.open.insert(path.to_owned(), (1, text.to_owned()));
                let document =
                    json!({"uri": address, "languageId": language, "version": 1, "text": text});
                notifications.push(("textDocument/didOpen", json!({"textDocument": document})));
                1
            }
        };
        Update {
            version,
            notifications,
        }
    }
}
