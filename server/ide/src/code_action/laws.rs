//! What refactorings promise, over pipelines: the result is DOT, no rule reports more errors, and undoing them restores
//! the text; an extraction adds no diagnostic at all.

use std::collections::BTreeMap;
use std::path::Path;

use attractor_dot::{Edit, TextRange, apply};
use attractor_model::{Files, NoFiles, Severity};

use super::{Action, ActionKind, FileChange, NewFile, actions};
use crate::document::Document;
use crate::fixture::{self, doc};
use crate::walk;

/// So many places of a file are tried.
const PLACES: usize = 12;

/// The texts of the project's own pipelines.
fn own() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts: Vec<String> = fixture::texts(root.join("templates")).collect();
    texts.extend(fixture::texts(root.join("examples")));
    texts.retain(|text| text.contains("digraph"));
    texts
}

/// How often each rule reports something as bad as this.
fn counts(doc: &Document, severity: Severity) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    let found = doc.analysis.diagnostics.iter();
    for one in found.filter(|one| one.severity <= severity) {
        *counts.entry(one.rule).or_default() += 1;
    }
    counts
}

/// The rules that report more than before.
fn grown(
    before: &BTreeMap<&'static str, usize>,
    after: &BTreeMap<&'static str, usize>,
) -> Vec<&'static str> {
    let more = after
        .iter()
        .filter(|(rule, count)| **count > before.get(*rule).copied().unwrap_or_default());
    more.map(|(rule, _)| *rule).collect()
}

/// The edits that undo others.
fn inverse(text: &str, edits: &[Edit]) -> Vec<Edit> {
    let mut shift = 0_isize;
    let inverted = edits.iter().map(|edit| {
        let start = edit.range.start().checked_add_signed(shift).unwrap();
        let range = TextRange::new(start, start + edit.text.len());
        shift += isize::try_from(edit.text.len()).unwrap();
        shift -= isize::try_from(edit.range.len()).unwrap();
        Edit::replace(range, edit.range.text(text))
    });
    inverted.collect()
}

/// At most [`PLACES`] of them, evenly.
fn sample<T: Copy>(all: &[T]) -> Vec<T> {
    let step = all.len().div_ceil(PLACES).max(1);
    all.iter().step_by(step).copied().collect()
}

/// Nodes, operators, attributes that decide the kind, and graphs.
fn places(doc: &Document) -> Vec<usize> {
    let (mut nodes, mut operators, mut keys) = (Vec::new(), Vec::new(), Vec::new());
    walk::statements(&doc.parse.file, |_, _, statement| {
        nodes.extend(walk::nodes(statement).map(|node| node.id.range.start()));
        if let attractor_dot::ast::Stmt::Edge(edge) = statement {
            operators.extend(edge.operators.iter().map(|one| one.range().start()));
        }
    });
    walk::attributes(&doc.parse.file, |site| {
        if matches!(&*doc.decode(&site.attr.key), "shape" | "handler") {
            keys.push(site.attr.key.range.start());
        }
    });
    let graphs = doc.parse.file.graphs.iter();
    let graphs = graphs.map(|graph| graph.keyword.start());
    let places = [sample(&nodes), sample(&operators), sample(&keys)];
    places.into_iter().flatten().chain(graphs).collect()
}

fn is_refactoring(action: &Action) -> bool {
    matches!(
        action.kind,
        ActionKind::Rewrite | ActionKind::Insert | ActionKind::Inline
    )
}

/// The first words of a title, which name the refactoring.
fn name(title: &str) -> String {
    let words = title.split(' ').take_while(|word| !word.starts_with('`'));
    words.take(3).collect::<Vec<_>>().join(" ")
}

/// What is broken at one place, and the refactorings that were tried.
fn check(text: &str, tried: &mut BTreeMap<String, usize>, broken: &mut Vec<String>) {
    let before = doc(text);
    let had = counts(&before, Severity::Error);
    for place in places(&before) {
        let offered = actions(&before, TextRange::empty(place), &[], &NoFiles);
        for action in offered.iter().filter(|action| is_refactoring(action)) {
            *tried.entry(name(&action.title)).or_default() += 1;
            let changed = apply(text, &action.edits);
            let after = doc(&changed);
            let mut say =
                |what: String| broken.push(format!("{}: {what}\n{changed}", action.title));
            if after.parse.errors.len() > before.parse.errors.len() {
                say("does not parse".to_owned());
            }
            let grown = grown(&had, &counts(&after, Severity::Error));
            if !grown.is_empty() {
                say(format!("adds {grown:?}"));
            }
            if apply(&changed, &inverse(text, &action.edits)) != text {
                say("is not undone".to_owned());
            }
        }
    }
}

/// One file next to the document.
struct One<'f>(&'f NewFile);

impl Files for One<'_> {
    fn read(&self, path: &str) -> Option<String> {
        (path == self.0.path).then(|| self.0.text.clone())
    }

    fn exists(&self, path: &str) -> bool {
        path == self.0.path
    }

    fn list(&self, _dir: &str) -> Vec<String> {
        Vec::new()
    }

    // As before the extraction, nothing is known of other files.
    fn is_available(&self) -> bool {
        false
    }
}

/// Extracts statements next to each other; what a message was added by.
fn extract(text: &str, tried: &mut usize, broken: &mut Vec<String>) {
    let before = doc(text);
    let had = counts(&before, Severity::Hint);
    let mut selections = Vec::new();
    for graph in &before.parse.file.graphs {
        for count in 1..=4 {
            let windows = graph.body.statements.windows(count);
            selections.extend(windows.filter_map(|window| {
                let (first, last) = (window.first()?, window.last()?);
                Some(TextRange::new(first.range().start(), last.range().end()))
            }));
        }
    }
    let step = selections.len().div_ceil(3 * PLACES).max(1);
    for selection in selections.into_iter().step_by(step) {
        let offered = super::extract::sub_pipeline(&before, selection, &NoFiles);
        for action in offered {
            *tried += 1;
            let changed = apply(text, &action.edits);
            let mut has = counts(&doc(&changed), Severity::Hint);
            if let Some(FileChange::Create(new)) = &action.other_file {
                let after = Document::new(&changed, 1, before.options.clone(), &One(new));
                has = counts(&after, Severity::Hint);
                for (rule, count) in counts(&doc(&new.text), Severity::Hint) {
                    *has.entry(rule).or_default() += count;
                }
            }
            let grown = grown(&had, &has);
            if !grown.is_empty() {
                broken.push(format!("{}: adds {grown:?}\n{changed}", action.title));
            }
        }
    }
}

fn check_all(texts: impl IntoIterator<Item = String>) -> BTreeMap<String, usize> {
    let (mut tried, mut broken) = (BTreeMap::new(), Vec::new());
    for text in texts {
        check(&text, &mut tried, &mut broken);
    }
    println!("{tried:?}");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    tried
}

fn extract_all(texts: impl IntoIterator<Item = String>) -> usize {
    let (mut tried, mut broken) = (0, Vec::new());
    for text in texts {
        extract(&text, &mut tried, &mut broken);
    }
    println!("{tried} extractions");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    tried
}

#[test]
fn refactorings_add_no_error_and_are_undone() {
    let tried = check_all(own());
    for refactoring in [
        "Reverse edge",
        "Delete",
        "Add error path",
        "Change to",
        "Sort nodes by",
    ] {
        assert!(tried.contains_key(refactoring), "{refactoring}: {tried:?}");
    }
}

#[test]
fn extractions_add_no_diagnostic() {
    assert!(extract_all(own()) > 0);
}

#[test]
#[ignore = "needs a corpus of pipelines"]
fn refactorings_of_public_pipelines_add_no_error_and_are_undone() {
    assert!(check_all(fixture::corpus()).len() > 5);
}

#[test]
#[ignore = "needs a corpus of pipelines"]
fn extractions_of_public_pipelines_add_no_diagnostic() {
    assert!(extract_all(fixture::corpus()) > 0);
}
