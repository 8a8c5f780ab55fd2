//! What is offered where: a text with `$0`, and the best items as `text · detail · note`.

mod embedded;
mod likely;
mod names;
mod places;
mod values;

use attractor_dot::{Edit, apply};
use attractor_model::Files;
use expect_test::{Expect, expect};

use super::{Item, complete, documentation};
use crate::fixture::{Folder, cursor};
use crate::workspace_words::WorkspaceWords;

const FILES: Folder = Folder(&[
    ("release.dot", ""),
    ("prompts/plan.md", ""),
    ("prompts/review.md", ""),
    (".git/config", ""),
]);

#[track_caller]
fn items(fixture: &str) -> Vec<Item> {
    let (doc, offset) = cursor(fixture);
    complete(
        &doc,
        offset,
        &FILES as &dyn Files,
        &WorkspaceWords::default(),
    )
    .items
}

/// The first eight items: what is inserted, with detail and note.
#[track_caller]
fn check(fixture: &str, expect: Expect) {
    let lines: Vec<String> = items(fixture).iter().take(8).map(line).collect();
    expect.assert_eq(&(lines.join("\n") + "\n"));
}

fn line(item: &Item) -> String {
    let text = item
        .snippet
        .as_ref()
        .unwrap_or(&item.text)
        .replace('\n', "⏎");
    let details = [item.detail.as_deref(), item.note.as_deref()];
    let details: Vec<&str> = details.into_iter().flatten().collect();
    let text: String = text.chars().take(60).collect();
    let details: String = details.join(" · ").chars().take(60).collect();
    format!("{text:24} {details}").trim_end().to_owned()
}

/// The text after the item that inserts `label` was accepted, overwriting the word.
#[track_caller]
fn accept(fixture: &str, label: &str, expect: Expect) {
    let (doc, offset) = cursor(fixture);
    let items = complete(&doc, offset, &FILES, &WorkspaceWords::default()).items;
    let item = items.iter().find(|item| item.label == label).unwrap();
    expect.assert_eq(&apply(
        &doc.text,
        &[Edit::replace(item.replace, item.text.clone())],
    ));
}

#[test]
fn accepting_replaces_the_word_and_quotes_where_it_must() {
    accept(
        "digraph { goal=x; \"two words\"; a -> tw$0o }",
        "two words",
        expect![[r#"digraph { goal=x; "two words"; a -> "two words" }"#]],
    );
    accept(
        "digraph { goal=x; \"two words\"; a [retry_target=\"tw$0o\"] }",
        "two words",
        expect![[r#"digraph { goal=x; "two words"; a [retry_target="two words"] }"#]],
    );
    accept(
        "digraph { goal=x; a [reason$0ing_effort=high] }",
        "reasoning_effort",
        expect!["digraph { goal=x; a [reasoning_effort=high] }"],
    );
    accept(
        "digraph { goal=x; a [max_re$0] }",
        "max_retries",
        expect!["digraph { goal=x; a [max_retries=] }"],
    );
    accept(
        "digraph { goal=x; a; b; p [shape=component, branches=\"a, $0b\"] }",
        "a",
        expect![[r#"digraph { goal=x; a; b; p [shape=component, branches="a, a"] }"#]],
    );
    accept(
        "digraph { a -> b [condition=\"outc$0ome = \\\"x\\\"\"] }",
        "outcome",
        expect![[r#"digraph { a -> b [condition="outcome = \"x\""] }"#]],
    );
}

/// Typing a pipeline from the first to the last character: something sensible at each, and never a panic.
#[test]
fn every_prefix_of_a_pipeline_can_be_completed() {
    let text = "digraph p {\n  goal=\"x\"\n  s [shape=Mdiamond]\n  t [shape=parallelogram, command=\"echo {stdout}\", timeout=\"5m\"]\n  s -> t [condition=\"outcome=success and approved\", label=\"[A] ok\"]\n  subgraph c { node [class=\"fast\"] u -> v:w:n }\n  e [shape=Msquare]\n}\n";
    let (mut after_arrow, mut in_list) = (0, 0);
    for end in 0..=text.len() {
        let all = items(&format!("{}$0", &text[..end]));
        after_arrow +=
            usize::from(text[..end].ends_with("-> ") && all.iter().any(|item| item.label == "t"));
        in_list += usize::from(text[..end].ends_with(", ") && !all.is_empty());
        let all = items(&format!("{}$0{}", &text[..end], &text[end..]));
        drop(all);
    }
    assert_eq!((after_arrow, in_list), (2, 3));
}

#[test]
fn long_lists_are_filtered_by_the_typed_prefix() {
    let nodes: Vec<String> = (0..2_000).map(|number| format!("step_{number};")).collect();
    let nodes = nodes.concat();
    let (doc, offset) = cursor(&format!("digraph {{ {nodes} a -> step_19$0 }}"));
    let found = complete(&doc, offset, &FILES, &WorkspaceWords::default());
    assert!(found.incomplete && found.items.len() <= super::MAX_ITEMS);
    assert!(found.items.iter().any(|item| item.label == "step_1999"));
}

#[test]
fn every_item_has_the_page_it_promises() {
    for fixture in [
        "digraph { $0 }",
        "digraph { a [$0] }",
        "digraph { a [handler=$0] }",
        "digraph { a [shape=$0] }",
        "digraph { goal=x; a [prompt=x, model=$0] }",
        "digraph { a -> b [condition=\"$0\"] }",
    ] {
        for item in items(fixture) {
            let page = item.doc.as_deref().map(documentation);
            assert_ne!(page, Some(None), "{} promises {:?}", item.label, item.doc);
        }
    }
    assert_eq!(documentation("nonsense"), None);
    assert_eq!(documentation("attribute/99999"), None);
}
