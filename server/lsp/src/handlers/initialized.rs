//! `initialized`: from here on the server may speak by itself.

use std::sync::Arc;

use lsp_types::{
    ConfigurationItem, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern,
    Registration,
};
use serde_json::json;

use crate::session::Session;
use crate::{diagnostics, refresh, watch, workspace_words};

/// Files whose change may change what is known of a pipeline: others' pipelines, prompts, stylesheets,
/// schemas, the project's configuration.
const WATCHED: [&str; 3] = [
    "**/*.{dot,gv,attractor,fabro}",
    "**/*.{md,txt,css,json,yaml,yml,prompt}",
    "**/.attractor/config.toml",
];

/// Starts the tasks that keep the client current, and registers what has to be registered.
pub(crate) fn handle(session: &Arc<Session>) {
    session.spawn(diagnostics::keep_current(Arc::clone(session)));
    session.spawn(refresh::keep_asking(Arc::clone(session)));
    session.spawn(watch::keep_watching(Arc::clone(session)));
    session.spawn(workspace_words::keep_current(Arc::clone(session)));
    let registrations = registrations(session);
    if !registrations.is_empty() {
        let client = session.client.clone();
        session.spawn(async move {
            if let Err(error) = client.register_capability(registrations).await {
                tracing::debug!(%error, "the client registers nothing");
            }
        });
    }
    if session.features().configuration {
        fetch_settings(session);
    }
}

/// Asks the client for its settings and takes them over.
pub(crate) fn fetch_settings(session: &Arc<Session>) {
    let this = Arc::clone(session);
    session.spawn(async move {
        let item = ConfigurationItem {
            scope_uri: None,
            section: Some("attractor".to_owned()),
        };
        match this.client.configuration(vec![item]).await {
            Ok(sections) => {
                let before = this.settings();
                let problems = this.change_settings(|settings| {
                    sections
                        .iter()
                        .flat_map(|section| settings.merge(section))
                        .collect()
                });
                this.complain(problems);
                if before != this.settings() {
                    this.renew();
                }
            }
            Err(error) => tracing::debug!(%error, "the client tells no settings"),
        }
    });
}

fn registrations(session: &Session) -> Vec<Registration> {
    let features = session.features();
    let mut registrations = Vec::new();
    if features.watched_files {
        let watchers = WATCHED.map(|glob| FileSystemWatcher {
            glob_pattern: GlobPattern::String(glob.to_owned()),
            kind: None,
        });
        let options = DidChangeWatchedFilesRegistrationOptions {
            watchers: watchers.into(),
        };
        registrations.push(Registration {
            id: "attractor-files".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: serde_json::to_value(options).ok(),
        });
    }
    if features.configuration_registration {
        registrations.push(Registration {
            id: "attractor-settings".to_owned(),
            method: "workspace/didChangeConfiguration".to_owned(),
            register_options: Some(json!({ "section": "attractor" })),
        });
    }
    registrations
}
