//! One reference text per name, as Markdown: for `attractor explain`, hover and completion.

use std::fmt::Write;

use super::attribute::{AttrType, AttributeRow, NodeScope};
use super::attributes::ATTRIBUTES;
use super::conditions::CONDITION_WORDS;
use super::context_keys::{CONTEXT_KEYS, Setter};
use super::lookup::graphviz_attribute;
use super::models::{model, model_page, provider};
use super::node_kinds::{NodeKind, NodeKindRow};

/// Everything the catalogue says about a name: a node kind, attribute, context key, condition word,
/// Graphviz attribute, model or provider, by canonical name or alias. Several meanings follow each other.
pub fn explain(name: &str) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    if let Some(row) = NodeKind::from_name(name).and_then(NodeKind::row) {
        parts.push(node_kind(row));
    }
    let rows = ATTRIBUTES.iter().filter(|row| {
        row.name == name
            || row.aliases.contains(&name)
            || row
                .prefix()
                .is_some_and(|prefix| name.len() > prefix.len() && name.starts_with(prefix))
    });
    parts.extend(rows.map(|row| attribute(row)));
    parts.extend(
        CONTEXT_KEYS
            .iter()
            .filter(|row| row.name == name)
            .map(|row| {
                format!(
                    "**`{}`** — context key, {}\n\n{} {}\n",
                    row.name,
                    row.ty,
                    row.doc,
                    setter(row.setter)
                )
            }),
    );
    parts.extend(
        CONDITION_WORDS
            .iter()
            .filter(|word| word.name == name || word.aliases.contains(&name))
            .map(|word| {
                format!(
                    "**`{}`** — in conditions\n\n{}\n\n```\n{}\n```\n",
                    word.name, word.doc, word.example
                )
            }),
    );
    if let Some(row) = graphviz_attribute(name) {
        parts.push(format!(
            "**`{}`** — Graphviz, {}\n\n{}\n",
            row.name,
            row.ty.name(),
            row.doc
        ));
    }
    if let Some(row) = model(name) {
        parts.push(model_page(row));
    }
    if let Some(row) = provider(name) {
        let also = match row.aliases.as_slice() {
            [] => String::new(),
            aliases => format!(
                "Also written {}.

",
                code_list(aliases)
            ),
        };
        parts.push(format!(
            "**`{}`** — provider\n\n{}\n\n{also}",
            row.id, row.summary
        ));
    }
    (!parts.is_empty()).then(|| parts.join("\n---\n\n"))
}

/// The page of a node kind.
pub fn node_kind(row: &NodeKindRow) -> String {
    let mut page = format!("**`{}`** — {}\n\n{}\n\n", row.name, row.summary, row.doc);
    if !row.aliases.is_empty() {
        let _ = writeln!(page, "Also written {}.\n", code_list(row.aliases));
    }
    let _ = writeln!(page, "Shapes: {}.\n", code_list(row.shapes));
    let _ = writeln!(page, "```dot\n{}\n```", row.example);
    page
}

/// The page of an attribute.
pub fn attribute(row: &AttributeRow) -> String {
    let mut page = format!(
        "**`{}`** — {}\n\n{}\n\n",
        row.name,
        type_of(row.ty),
        row.doc
    );
    let _ = writeln!(page, "On {}.{}\n", owners(row), default_of(row));
    if let AttrType::Enum(values, _) | AttrType::EnumList(values) = row.ty {
        for value in values {
            let _ = writeln!(page, "- `{}`: {}", value.name, value.doc);
        }
        page.push('\n');
    }
    if !row.aliases.is_empty() {
        let _ = writeln!(page, "Also written {}.\n", code_list(row.aliases));
    }
    if row.kept_only {
        let _ = writeln!(
            page,
            "Kept and passed on to handlers; changes nothing here.\n"
        );
    }
    if !row.example.is_empty() {
        let _ = writeln!(page, "```dot\n{}\n```", row.example);
    }
    page
}

/// Who sets a context key, as a sentence.
pub fn setter(setter: Setter) -> String {
    match setter {
        Setter::Launch => "Set from the beginning.".to_owned(),
        Setter::EveryNode => "Set after every node.".to_owned(),
        Setter::Failure => "Set when a node fails.".to_owned(),
        Setter::End => "Set when the run ends.".to_owned(),
        Setter::Kinds(kinds) => {
            let names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
            format!("Set by {} nodes.", code_list(&names))
        }
    }
}

/// The type with its bounds or words, for one line.
pub fn type_of(ty: AttrType) -> String {
    match ty {
        AttrType::Enum(values, _) | AttrType::EnumList(values) => {
            let names: Vec<_> = values.iter().map(|value| value.name).collect();
            format!("{} {}", ty.name(), code_list(&names))
        }
        AttrType::Int { min } if min > i64::MIN => format!("integer from {min}"),
        AttrType::Float { min, max } => format!("number from {min} to {max}"),
        _ => ty.name().to_owned(),
    }
}

fn default_of(row: &AttributeRow) -> String {
    match row.default {
        Some(value) if !value.is_empty() => format!(" Default: `{value}`."),
        _ if row.required => " Required.".to_owned(),
        _ => String::new(),
    }
}

/// What an attribute can stand on, for one line.
pub fn owners(row: &AttributeRow) -> String {
    let mut owners = Vec::new();
    if row.applies.graph {
        owners.push("the graph".to_owned());
    }
    match row.applies.nodes {
        NodeScope::No => {}
        NodeScope::Every => owners.push("every node".to_owned()),
        NodeScope::Kinds(kinds) => {
            let names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
            owners.push(format!("{} nodes", code_list(&names)));
        }
    }
    if row.applies.edge {
        owners.push("edges".to_owned());
    }
    if row.applies.subgraph {
        owners.push("subgraphs".to_owned());
    }
    owners.join(", ")
}

/// Names in code style, by comma.
pub fn code_list(names: &[impl std::fmt::Display]) -> String {
    names
        .iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::NODE_KINDS;

    #[test]
    fn every_name_of_the_catalogue_is_explained() {
        for name in NODE_KINDS
            .iter()
            .map(|row| row.name)
            .chain(ATTRIBUTES.iter().map(|row| row.name))
            .chain(CONTEXT_KEYS.iter().map(|row| row.name))
        {
            assert!(explain(name).is_some(), "{name}");
        }
        assert!(explain("no such thing").is_none());
    }
}
