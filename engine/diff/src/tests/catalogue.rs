//! Each attribute of the catalogue is compared: another value is one change, the same value in other words is none.

use std::fmt::Write as _;

use attractor_model::catalogue::{
    ATTRIBUTES, AttrType, AttributeRow, NODE_KINDS, Owner, attribute,
};

use super::{differences, drawn};

/// Attributes that only matter for the picture.
const PICTURE: [&str; 1] = ["rankdir"];

/// A pipeline with a node of each kind, where one owner has some attributes in addition.
fn pipeline(owner: Owner, own: &str) -> String {
    let mut nodes = String::new();
    for row in NODE_KINDS {
        let name = row.name;
        let id = name.replace('.', "_");
        let has = matches!(owner, Owner::Node(kind) if kind.name() == name);
        let own = if has { own } else { "" };
        // Everything that leads on has an edge; a start and an exit have no handler of their own.
        let _ = match name {
            "start" => writeln!(nodes, "  start [shape=Mdiamond{own}]"),
            "exit" => writeln!(nodes, "  exit [shape=Msquare{own}]"),
            _ => writeln!(
                nodes,
                "  {id} [handler=\"{name}\"{own}]\n  start -> {id} -> exit"
            ),
        };
    }
    let graph = if owner == Owner::Graph { own } else { "" };
    let edge = if owner == Owner::Edge { own } else { "" };
    format!(
        "digraph g {{\n  graph [goal=\"\"{graph}]\n{nodes}  x [prompt=p]; y [prompt=q]\n  x -> y [headport=n{edge}]\n  y -> exit\n}}"
    )
}

/// Two values of a type that differ in meaning.
fn values(row: &AttributeRow) -> [&'static str; 2] {
    match row.ty {
        AttrType::Bool | AttrType::BoolOrCondition => ["true", "false"],
        AttrType::Int { .. } => ["7", "8"],
        AttrType::Float { .. } => ["0.25", "0.75"],
        AttrType::Money => ["2", "$3.50"],
        AttrType::Duration => ["61s", "2m"],
        AttrType::Enum(values, _) | AttrType::EnumList(values) => {
            let first = values[0].name;
            [first, values.get(1).map_or("other", |second| second.name)]
        }
        AttrType::Condition | AttrType::ConditionList => ["a=1", "b=2"],
        AttrType::Node | AttrType::NodeList | AttrType::Choice => ["x", "y"],
        AttrType::Model => ["claude-sonnet-4-5", "my-model"],
        AttrType::Provider => ["anthropic", "openai"],
        AttrType::Handler => ["codergen", "prompt"],
        AttrType::Shape => ["box", "tab"],
        AttrType::Stylesheet => ["#x { model: one }", "#x { model: two }"],
        AttrType::Verify => ["exit_code:0", "exit_code:1"],
        AttrType::Schema => [r#"{\"type\": \"object\"}"#, r#"{\"type\": \"array\"}"#],
        AttrType::Text
        | AttrType::Template
        | AttrType::Command
        | AttrType::Path { .. }
        | AttrType::PathList
        | AttrType::Classes
        | AttrType::Key
        | AttrType::Keys
        | AttrType::List
        | AttrType::SubPipeline => ["one", "two"],
    }
}

/// Every owner on which the row is the one that a name finds.
fn owners(row: &'static AttributeRow) -> impl Iterator<Item = Owner> {
    let kinds = NODE_KINDS.iter().map(|row| Owner::Node(row.kind));
    let owners = kinds.chain([Owner::Graph, Owner::Edge]);
    owners.filter(move |owner| {
        attribute(*owner, row.name).is_some_and(|found| std::ptr::eq(found, row))
    })
}

/// The pairs of an attribute that another value is a change of, if it is not one by itself.
fn own(row: &AttributeRow, value: &str) -> String {
    let name = row
        .prefix()
        .map_or(row.name.to_owned(), |prefix| format!("{prefix}name"));
    format!(", \"{name}\"=\"{value}\"")
}

#[test]
fn another_value_of_an_attribute_is_one_change() {
    let mut checked = 0;
    for row in ATTRIBUTES.iter().copied() {
        if PICTURE.contains(&row.name) {
            continue;
        }
        // A shape or handler that is written twice, and where a run begins, are checked in pictures.
        if matches!(row.name, "handler" | "shape" | "start" | "terminal") {
            continue;
        }
        for owner in owners(row) {
            let [one, other] = values(row);
            let old = pipeline(owner, &own(row, one));
            let new = pipeline(owner, &own(row, other));
            let found = differences(&old, &new);
            let changes: usize = found.iter().map(|one| one.changes.len()).sum();
            assert_eq!(changes, 1, "{} on {owner:?}: {}", row.name, drawn(&found));
            let change = &found[0].changes[0];
            if row.name != "model_stylesheet" && !row.family {
                assert_eq!(change.attribute.as_deref(), Some(row.name));
            }
            for alias in row.aliases.iter().filter(|alias| {
                attribute(owner, alias).is_some_and(|found| std::ptr::eq(found, row))
            }) {
                let aliased =
                    old.replace(&format!(", \"{}\"=", row.name), &format!(", \"{alias}\"="));
                let found = differences(&old, &aliased);
                assert!(found.is_empty(), "{alias} on {owner:?}: {}", drawn(&found));
            }
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
}

#[test]
fn a_default_that_is_written_changes_nothing() {
    for row in ATTRIBUTES.iter().copied() {
        let Some(default) = row.default.filter(|_| !PICTURE.contains(&row.name)) else {
            continue;
        };
        for owner in owners(row) {
            let found = differences(&pipeline(owner, ""), &pipeline(owner, &own(row, default)));
            assert!(
                found.is_empty(),
                "{} on {owner:?}: {}",
                row.name,
                drawn(&found)
            );
        }
    }
}
