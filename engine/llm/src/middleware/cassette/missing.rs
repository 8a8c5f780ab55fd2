//! What to say where a cassette has no answer to a request.

use std::path::Path;

use serde_json::Value;
use similar::TextDiff;

use crate::error::{Error, ErrorKind};

/// The nearest recorded request as a diff.
pub(super) fn missing(path: &Path, wanted: &Value, recorded: impl Iterator<Item = Value>) -> Error {
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let wanted = pretty(wanted);
    let recorded = recorded.map(|request| pretty(&request));
    let near = recorded.max_by(|one, other| {
        let ratio = |text: &str| TextDiff::from_words(text, &wanted).ratio();
        ratio(one).total_cmp(&ratio(other))
    });
    let path = path.display();
    let message = match near {
        None => format!("the cassette `{path}` has no more recorded calls; record it again"),
        Some(near) => {
            let diff = TextDiff::from_lines(&near, &wanted);
            let diff = diff
                .unified_diff()
                .context_radius(2)
                .header("recorded", "requested")
                .to_string();
            format!(
                "the cassette `{path}` has no answer to this request; record it again. Nearest request:\n{diff}"
            )
        }
    };
    Error::new(ErrorKind::NotRecorded, message)
}
