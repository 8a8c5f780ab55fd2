//! The comment that names the dialect: put right where there is one, added where the text alone would be read in
//! another way or for a plain graph.

use attractor_dot::{Edit, TextRange};

use super::kinds::agree;
use super::step::Step;
use attractor_model::Dialect;
use attractor_model::lower::{PipelineHint, is_pipeline, lower};

const KEY: &str = "dialect=";

/// Names the dialect where that is needed.
pub(super) fn edits(step: &Step<'_>) -> Vec<Edit> {
    if let Some(comment) = step.comment {
        return renamed(step.dialect, step.text, comment)
            .into_iter()
            .collect();
    }
    let name = (!agree(
        step.meant,
        &lower(step.text, step.graph.clone(), step.options, None).1,
    ))
    .then(|| format!(" {KEY}{}", step.dialect.name()));
    let word = (!step.said_pipeline
        && !is_pipeline(step.graph, step.options, PipelineHint::Nothing))
    .then_some(" pipeline");
    if name.is_none() && word.is_none() {
        return Vec::new();
    }
    let (word, name) = (word.unwrap_or_default(), name.unwrap_or_default());
    let line = format!("// attractor:{word}{name}\n");
    vec![Edit::insert(step.tree.range.start(), line)]
}

/// The edit of the name in a comment, when it is another.
fn renamed(dialect: Dialect, text: &str, comment: TextRange) -> Option<Edit> {
    let words = comment.text(text);
    let start = words.find(KEY)? + KEY.len();
    let rest = words.get(start..)?;
    let end = rest
        .find(|c: char| !c.is_alphanumeric() && c != '"')
        .unwrap_or(rest.len());
    let written = rest.get(..end)?;
    let at = comment.start() + start;
    (written.trim_matches('"') != dialect.name())
        .then(|| Edit::replace(TextRange::new(at, at + end), dialect.name()))
}
