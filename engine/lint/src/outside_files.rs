//! Files that a pipeline names outside of its project.

use attractor_dot::TextRange;
use attractor_model::{Diagnostic, Files, Severity};

use crate::{DiagnosticSink, Lint};

/// Whether a path leads out of what can be read. Without a root, whatever is above may just not be there.
pub(crate) fn is_outside(path: &str, files: &dyn Files) -> bool {
    files.is_outside(path) || !files.has_root() && path.trim().starts_with("../")
}

/// Reports `what`, which is outside. Without a root it may belong to the same repository: a warning.
pub(crate) fn outside(
    lint: &Lint,
    sink: &DiagnosticSink<'_>,
    files: &dyn Files,
    what: &str,
    range: TextRange,
) -> Diagnostic {
    if files.has_root() {
        let message = format!(
            "{what} is outside of the project; files must be below the project root (the nearest folder with `.attractor` or `.git`)"
        );
        return sink.diagnostic(lint, range, message);
    }
    let message = format!(
        "{what} is outside of this folder, and a run would fail there; open the repository (the folder with `.attractor` or `.git`)"
    );
    let mut diagnostic = sink.diagnostic(lint, range, message);
    diagnostic.severity = sink.severity_or(lint, Severity::Warning);
    diagnostic
}
