//! Whether two pipelines mean the same: what a conversion must not change.

use attractor_lang::Status;
use attractor_lang::condition::{self, Class};
use attractor_model::catalogue::AttrType;
use attractor_model::{Attributes, Source};
use attractor_model::{Edge, Node, Pipeline};

/// What is no longer the same, a sentence each; empty when both mean the same. Names of attributes, status words
/// and handlers count by what they mean, shapes not at all.
pub fn differences(before: &Pipeline, after: &Pipeline) -> Vec<String> {
    let mut found = Vec::new();
    if before.nodes.len() != after.nodes.len() || before.edges.len() != after.edges.len() {
        found.push(format!(
            "`{}` had {} nodes and {} edges, and now has {} and {}",
            before.name,
            before.nodes.len(),
            before.edges.len(),
            after.nodes.len(),
            after.edges.len()
        ));
        return found;
    }
    let (was, is) = (said(&before.attributes), said(&after.attributes));
    attributes(
        &format!("the graph `{}`", before.name),
        &was,
        &is,
        &mut found,
    );
    for (before, after) in before.nodes.iter().zip(&after.nodes) {
        node(before, after, &mut found);
    }
    for (was, is) in before.edges.iter().zip(&after.edges) {
        let who = format!(
            "the edge from `{}` to `{}`",
            before.id(was.from),
            before.id(was.to)
        );
        edge(&who, was, is, &mut found);
        if (was.from, was.to) != (is.from, is.to) {
            found.push(format!("{who} has other ends now"));
        }
    }
    found
}

fn node(before: &Node, after: &Node, found: &mut Vec<String>) {
    let who = format!("the node `{}`", before.id);
    let (was, is) = (before.handler(), after.handler());
    if was != is {
        found.push(format!("{who} was of the kind `{was}`, and is `{is}` now"));
    }
    for (word, was, is) in [
        ("the start", before.start, after.start),
        ("an end", before.terminal, after.terminal),
    ] {
        if was != is {
            let change = if is { "became" } else { "is no longer" };
            found.push(format!("{who} {change} {word}"));
        }
    }
    let classes = |node: &Node| {
        let mut classes = node.classes().to_vec();
        classes.sort();
        classes.join(" ")
    };
    if classes(before) != classes(after) {
        let (was, is) = (classes(before), classes(after));
        found.push(format!("{who} had the classes `{was}`, and has `{is}` now"));
    }
    let (was, is) = (said(&before.attributes), said(&after.attributes));
    attributes(&who, &was, &is, found);
}

fn edge(who: &str, before: &Edge, after: &Edge, found: &mut Vec<String>) {
    attributes(
        who,
        &said(&before.attributes),
        &said(&after.attributes),
        found,
    );
}

/// Names and values as they are meant, by name.
fn said(attributes: &Attributes) -> Vec<(String, String)> {
    let mut said: Vec<_> = attributes
        .iter()
        .filter(|one| {
            !matches!(
                one.name(),
                "handler" | "shape" | "start" | "terminal" | "class"
            )
        })
        .filter(|one| one.row().is_none_or(|row| row.ty != AttrType::Stylesheet))
        // What defaults and stylesheets say to nodes that do not understand it.
        .filter(|one| one.row().is_some() || one.is_own())
        .map(|one| {
            let value = match one.row().map(|row| row.ty) {
                Some(AttrType::Condition) => statuses(one.value()),
                _ => one.value().to_string(),
            };
            let given = matches!(one.source(), Source::Stylesheet(_) | Source::Graph { .. });
            (
                one.name().to_owned(),
                format!("{value}{}", if given { " (given)" } else { "" }),
            )
        })
        .collect();
    said.sort();
    said
}

/// A condition with canonical status words.
fn statuses(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (range, class) in condition::classify(text) {
        let word = text.get(range.clone()).unwrap_or_default();
        let bare = word.trim_matches(['"', '\'']);
        if let (Class::Constant | Class::Text, Some(status)) = (class, Status::known(bare)) {
            out.push_str(text.get(done..range.start).unwrap_or_default());
            out.push_str(&word.replace(bare, status.name()));
            done = range.end;
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

fn attributes(
    who: &str,
    before: &[(String, String)],
    after: &[(String, String)],
    found: &mut Vec<String>,
) {
    let lost = before.iter().filter(|pair| !after.contains(pair));
    found.extend(lost.map(|(name, value)| format!("{who} lost {name}={value}")));
    let new = after.iter().filter(|pair| !before.contains(pair));
    found.extend(new.map(|(name, value)| format!("{who} got {name}={value}")));
}
