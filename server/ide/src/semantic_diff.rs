//! What has changed in meaning between two versions of a document, with the place of each change in both.

use std::sync::Arc;

use attractor_diff::{
    Change, ChangeKind, Difference, FileDifference, Report, Status, Subject, diff_files,
};
use attractor_dot::TextRange;
use attractor_model::{Attributes, Pipeline};

use crate::document::Document;

/// What has changed in a document.
#[derive(Debug, Clone, PartialEq)]
pub struct SemanticDiff {
    /// Whether it means something else.
    pub status: Status,
    /// The changes of all its pipelines, what they may do first.
    pub changes: Vec<LocatedChange>,
    /// The same as Markdown.
    pub markdown: String,
}

/// One change, and where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct LocatedChange {
    /// The pipeline.
    pub pipeline: String,
    /// What has changed; the pipeline itself where it was added or removed.
    pub change: Option<Change>,
    /// `+`, `-` or `~`.
    pub mark: &'static str,
    /// In words.
    pub title: String,
    /// In the old version; none of what was added.
    pub old: Option<TextRange>,
    /// In the new version; none of what was removed.
    pub new: Option<TextRange>,
}

/// Compares two versions of the document at `path`; an old one is missing where the file is new.
pub fn semantic_diff(path: &str, old: Option<&Document>, new: &Document) -> SemanticDiff {
    let pipelines_of = |document: &Document| -> Vec<Arc<Pipeline>> {
        document.analysis.pipelines().cloned().collect()
    };
    let olds = old.map(pipelines_of).unwrap_or_default();
    let news = pipelines_of(new);
    let differences = diff_files(&olds, &news);
    let status = match old {
        None => Status::Added,
        Some(_) if differences.iter().any(|one| !one.is_empty()) => Status::Changed,
        Some(_) => Status::Unchanged,
    };
    let changes = differences
        .iter()
        .flat_map(|one| located(one, &olds, &news));
    let changes = changes.collect();
    let markdown = attractor_diff::markdown(&Report {
        files: vec![FileDifference {
            path: path.to_owned(),
            old_path: None,
            status,
            problems: Vec::new(),
            pipelines: differences,
            lines: None,
        }],
    });
    SemanticDiff {
        status,
        changes,
        markdown,
    }
}

fn located(
    difference: &Difference,
    olds: &[Arc<Pipeline>],
    news: &[Arc<Pipeline>],
) -> Vec<LocatedChange> {
    let named = |pipelines: &[Arc<Pipeline>], name: &str| {
        let mut pipelines = pipelines.iter();
        pipelines.find(|one| one.name == name).cloned()
    };
    let old_name = difference.old_name.as_ref().unwrap_or(&difference.name);
    let old = named(olds, old_name).filter(|_| difference.status != Status::Added);
    let new = named(news, &difference.name).filter(|_| difference.status != Status::Removed);
    let whole = |change: Option<&Change>, title: String| LocatedChange {
        pipeline: difference.name.clone(),
        change: change.cloned(),
        mark: match difference.status {
            Status::Added => ChangeKind::Added,
            Status::Removed => ChangeKind::Removed,
            _ => change.map_or(ChangeKind::Changed, |change| change.change),
        }
        .mark(),
        title,
        old: old.as_ref().map(|pipeline| pipeline.name_range),
        new: new.as_ref().map(|pipeline| pipeline.name_range),
    };
    if matches!(difference.status, Status::Added | Status::Removed) {
        return vec![whole(None, difference.title())];
    }
    let changes = difference.changes.iter();
    changes
        .map(|change| LocatedChange {
            old: old.as_deref().and_then(|one| place(one, change, Side::Old)),
            new: new.as_deref().and_then(|one| place(one, change, Side::New)),
            ..whole(Some(change), change.to_string())
        })
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Old,
    New,
}

/// Where one version has what has changed: the attribute if it is written there, else the node, the edge, or the name of
/// the pipeline.
fn place(pipeline: &Pipeline, change: &Change, side: Side) -> Option<TextRange> {
    let attribute = |attributes: &Attributes, otherwise: TextRange| {
        let name = change.attribute.as_deref();
        let written = name.and_then(|name| attributes.get(name)?.range());
        written.unwrap_or(otherwise)
    };
    match &change.subject {
        Subject::Pipeline => Some(attribute(&pipeline.attributes, pipeline.name_range)),
        Subject::Nodes { nodes } => {
            // A renamed node has its old name in the old version.
            let is_renamed = change.change == ChangeKind::Renamed;
            let mut names = nodes.iter().map(String::as_str);
            let node = match (side, &change.old) {
                (Side::Old, Some(old)) if is_renamed => pipeline.node_by_id(old),
                _ => names.find_map(|name| pipeline.node_by_id(name)),
            };
            node.map(|node| attribute(&node.attributes, node.range))
        }
        Subject::Route { from, to, .. } => {
            let (from, to) = (pipeline.by_id(from)?, pipeline.by_id(to)?);
            let mut edges = pipeline.edges.iter();
            let edge = edges.find(|edge| edge.from == from && edge.to == to)?;
            Some(attribute(
                &edge.attributes,
                edge.from_range.cover(edge.to_range),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use attractor_model::{NoFiles, Options};
    use expect_test::expect;

    use super::*;

    fn shown(old: &str, new: &str) -> String {
        let document = |text: &str| Document::new(text, 1, Options::default(), &NoFiles);
        let found = semantic_diff("a.dot", Some(&document(old)), &document(new));
        let lines = found.changes.iter().map(|one| {
            let text = |range: Option<TextRange>, text: &'static str| {
                range.map_or("-".to_owned(), |range| format!("`{}`", range.text(text)))
            };
            let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
            format!(
                "{}  {} -> {}\n",
                one.title,
                text(one.old, leak(old)),
                text(one.new, leak(new))
            )
        });
        format!("{:?}\n{}", found.status, lines.collect::<String>())
    }

    #[test]
    fn changes_have_their_places_in_both_versions() {
        let old = "digraph d { goal=x; s [shape=Mdiamond]; e [shape=Msquare]; \
                   s -> build; build [shape=parallelogram, command=\"make\"]; build -> e; build -> old; old -> e }";
        let new = "digraph d { goal=y; s [shape=Mdiamond]; e [shape=Msquare]; \
                   s -> build; build [command=\"make all\", shape=parallelogram]; build -> e [condition=\"outcome=success\"] }";
        expect![[r#"
            Changed
            build: command make → make all  `command="make"` -> `command="make all"`
            old (codergen)  `old` -> -
            build -> old  `build -> old` -> -
            old -> e  `old -> e` -> -
            build -> e: condition outcome=success  `build -> e` -> `condition="outcome=success"`
            goal x → y  `goal=x` -> `goal=y`
        "#]]
        .assert_eq(&shown(old, new));
    }

    #[test]
    fn another_layout_is_not_a_change() {
        let old = "digraph d { goal=x; a [shape=box, prompt=hi] }";
        let new = "digraph d {\n  graph [goal=\"x\"]\n  a [prompt=\"hi\"]\n}";
        assert_eq!(shown(old, new), "Unchanged\n");
    }
}
