//! `initialized`: from here on the server may send requests and notifications.

use std::sync::Arc;

use lsp_types::{
    ConfigurationItem, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern,
    Registration,
};
use serde_json::json;

use crate::diagnostics::publish::publish_loop;
use crate::file_watcher::watch_loop;
use crate::refresh::refresh_loop;
use crate::reload::reload;
use crate::runs::other_processes::notice_loop;
use crate::runs::remote_connection;
use crate::session::Session;
use crate::workspace_words::collect_loop;

/// Files whose change may change what is known of a pipeline: others' pipelines, prompts, stylesheets,
/// schemas, the project's configuration.
const WATCHED: [&str; 3] = [
    "**/*.{dot,gv,attractor,fabro}",
    "**/*.{md,txt,css,json,yaml,yml,prompt}",
    "**/.attractor/config.toml",
];

/// Starts the tasks that keep the client current, and registers what has to be registered.
pub(crate) fn handle(session: &Arc<Session>) {
    let tasks = &session.notifier.tasks;
    tasks.spawn(publish_loop(Arc::clone(session)));
    tasks.spawn(refresh_loop(Arc::clone(&session.notifier)));
    tasks.spawn(watch_loop(Arc::clone(session)));
    tasks.spawn(collect_loop(Arc::clone(session)));
    tasks.spawn(notice_loop(Arc::clone(session)));
    let registrations = registrations(session);
    if !registrations.is_empty() {
        let client = session.notifier.client.clone();
        session.notifier.tasks.spawn(async move {
            if let Err(error) = client.register_capability(registrations).await {
                tracing::debug!(%error, "the client refused the registration");
            }
        });
    }
    if session.notifier.features().configuration {
        fetch_settings(session);
    } else {
        remote_connection::update(session);
    }
}

/// Asks the client for its settings and takes them over.
pub(crate) fn fetch_settings(session: &Arc<Session>) {
    let this = Arc::clone(session);
    session.notifier.tasks.spawn(async move {
        let item = ConfigurationItem {
            scope_uri: None,
            section: Some("attractor".to_owned()),
        };
        match this.notifier.client.configuration(vec![item]).await {
            Ok(sections) => {
                let before = this.workspace.settings();
                let problems = this.workspace.change_settings(|settings| {
                    sections
                        .iter()
                        .flat_map(|section| settings.merge(section))
                        .collect()
                });
                this.notifier.show_warnings(problems);
                if before != this.workspace.settings() {
                    reload(&this);
                }
                remote_connection::update(&this);
            }
            Err(error) => tracing::debug!(%error, "the client refused workspace/configuration"),
        }
    });
}

fn registrations(session: &Session) -> Vec<Registration> {
    let features = session.notifier.features();
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
