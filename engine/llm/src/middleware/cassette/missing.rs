//! What to say where a cassette has no answer to a request.

use std::path::Path;

use attractor_text_diff::TextDiff;
use serde_json::Value;

use crate::error::{Error, ErrorKind};

/// The nearest recorded request as a diff.
pub(super) fn missing(path: &Path, wanted: &Value, recorded: impl Iterator<Item = Value>) -> Error {
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let wanted = pretty(wanted);
    let recorded = recorded.map(|request| pretty(&request));
    let near = recorded.max_by(|one, other| {
        let ratio = |text: &str| TextDiff::of_words(text, &wanted).ratio();
        ratio(one).total_cmp(&ratio(other))
    });
    let path = path.display();
    let message = match near {
        None => format!("the cassette `{path}` has no more recorded calls; record it again"),
        Some(near) => {
            let diff = TextDiff::of_lines(&near, &wanted);
            let diff = diff.unified_with_names(2, "recorded", "requested");
            format!(
                "the cassette `{path}` has no answer to this request; record it again. Nearest request:\n{diff}"
            )
        }
    };
    Error::new(ErrorKind::NotRecorded, message)
}
