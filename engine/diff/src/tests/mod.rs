mod catalogue;
mod flowcharts;
mod laws;
mod pictures;

use std::fmt::Write as _;
use std::sync::Arc;

use attractor_model::{FileKind, Options, Pipeline, graphs};

use crate::{Difference, Edit, diff_files};

/// The pipelines of a text.
fn pipelines(text: &str) -> Vec<Arc<Pipeline>> {
    let text = Arc::from(text);
    let options = Options {
        kind: FileKind::Pipelines,
        path: Some("flow.dot".to_owned()),
        ..Options::default()
    };
    graphs::pipelines(&text, &attractor_dot::parse(&text), &options)
}

/// What has changed between two texts.
fn differences(old: &str, new: &str) -> Vec<Difference> {
    let mut found = diff_files(&pipelines(old), &pipelines(new));
    found.retain(|one| !one.is_empty());
    found
}

/// The changes as they are shown, words in the manner of `git diff --word-diff`.
fn drawn(differences: &[Difference]) -> String {
    let mut text = String::new();
    for difference in differences {
        let _ = writeln!(text, "{}", difference.title());
        let mut section = None;
        for change in &difference.changes {
            let own = change.topic.section();
            if section != Some(own) {
                section = Some(own);
                let _ = writeln!(text, "  {}", own.title());
            }
            let _ = writeln!(text, "    {} {change}", change.change.mark());
            if !change.words.is_empty() {
                let words = change.words.iter().map(|piece| match piece.edit {
                    Edit::Equal => piece.text.clone(),
                    Edit::Removed => format!("[-{}-]", piece.text),
                    Edit::Added => format!("{{+{}+}}", piece.text),
                });
                let _ = writeln!(text, "        {}", words.collect::<String>());
            }
        }
    }
    text
}
