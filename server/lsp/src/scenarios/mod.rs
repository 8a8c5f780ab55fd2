//! Scenario files in the editor: their problems, fixes and completions.
//!
//! They are documents of their own, apart from DOT files: TOML, read by `attractor_scenario` together with the pipeline
//! that they test, as it is open in the editor.

pub(crate) mod code_action;
pub(crate) mod completion;
pub(crate) mod diagnostics;
pub(crate) mod suite;

use attractor_scenario::ENDING;
use lsp_types::Uri;

use crate::session::Session;

/// Whether a document is a scenario file.
pub(crate) fn is_scenario_file(uri: &Uri) -> bool {
    uri.path().as_str().ends_with(ENDING)
}

/// The pipelines of open scenario files may have changed, so their problems may have, too.
pub(crate) fn enqueue_all(session: &Session) {
    for snapshot in session.scenario_documents.all() {
        session.notifier.diagnostics.enqueue(snapshot.uri.clone());
    }
}
