//! What the actions share: indentation, names, deleting a statement, comparing meanings.

use attractor_convert::dialects::differences;
use std::collections::BTreeMap;

use attractor_dot::{Edit, TextRange};
use attractor_model::{Files, NoFiles, Severity};

use crate::document::Document;
use crate::symbol_index::SymbolKey;

/// The indentation of the line that contains an offset.
pub(super) fn indent(text: &str, offset: usize) -> &str {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let rest = text.get(line..offset).unwrap_or_default();
    rest.get(..rest.len() - rest.trim_start().len())
        .unwrap_or_default()
}

/// A name as a plain word: what is neither letter nor digit becomes `_`.
pub(super) fn word(name: &str) -> String {
    let plain = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let word: String = plain.collect();
    let word = word.trim_matches('_');
    if word.is_empty() {
        "node".to_owned()
    } else {
        word.to_owned()
    }
}

/// A name that no node of the graph has: `parallel_build`, `parallel_build_2`, …
pub(super) fn free_name(doc: &Document, graph: usize, base: &str) -> String {
    let is_free = |name: &String| {
        !doc.symbol_index()
            .contains(&SymbolKey::Node(graph, name.clone()))
    };
    let numbered = (2_u32..).map(|number| format!("{base}_{number}"));
    let mut names = std::iter::once(base.to_owned()).chain(numbered);
    names.find(is_free).unwrap_or_else(|| base.to_owned())
}

/// The line end the text uses.
pub(super) fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Deletes a statement with its semicolon, and with its line when nothing else is on it.
pub(super) fn delete_statement(text: &str, range: TextRange) -> Edit {
    let rest = text.get(range.end()..).unwrap_or_default();
    let semicolon = usize::from(rest.trim_start_matches([' ', '\t']).starts_with(';'));
    let length = rest.len() - rest.trim_start_matches([' ', '\t', ';']).len();
    let end = range.end() + if semicolon > 0 { length } else { 0 };
    let before = text.get(..range.start()).unwrap_or_default();
    let line = before.len() - before.trim_end_matches([' ', '\t']).len();
    let after = text.get(end..).unwrap_or_default();
    let alone = text
        .get(..range.start() - line)
        .is_some_and(|text| text.ends_with('\n'));
    let line_end = if after.starts_with("\r\n") { 2 } else { 1 };
    if alone && after.starts_with(['\n', '\r']) {
        Edit::delete(TextRange::new(range.start() - line, end + line_end))
    } else {
        Edit::delete(TextRange::new(range.start(), end))
    }
}

/// A statement replaced by others; by nothing, with its line when nothing else is on it.
pub(super) fn replace_statement(text: &str, range: TextRange, statements: &[String]) -> Edit {
    if statements.is_empty() {
        return delete_statement(text, range);
    }
    let separator = format!("{}{}", line_end(text), indent(text, range.start()));
    Edit::replace(range, statements.join(&separator))
}

/// Whether a rule reports more errors after edits than before.
pub(super) fn adds_errors(doc: &Document, edits: &[Edit], files: &dyn Files) -> bool {
    let text = attractor_dot::apply(&doc.text, edits);
    let after = Document::new(&text, doc.version, doc.options.clone(), files);
    let (before, after) = (errors(doc), errors(&after));
    after
        .iter()
        .any(|(rule, count)| *count > before.get(rule).copied().unwrap_or_default())
}

/// How many errors each rule reports.
fn errors(doc: &Document) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    let found = doc.analysis.diagnostics.iter();
    for error in found.filter(|found| found.severity == Severity::Error) {
        *counts.entry(error.rule).or_default() += 1;
    }
    counts
}

/// Whether the pipelines of a document mean the same after edits.
pub(super) fn means_the_same(doc: &Document, edits: &[Edit]) -> bool {
    let text = attractor_dot::apply(&doc.text, edits);
    let after = Document::new(&text, doc.version, doc.options.clone(), &NoFiles);
    let mut pairs = doc.pipelines().zip(after.pipelines());
    doc.pipelines().count() == after.pipelines().count()
        && pairs.all(|((_, before), (_, after))| differences(before, after).is_empty())
}
