//! The page behind an item: from the key it carries to Markdown, when the editor asks for it.

use std::fmt::Write;

use attractor_model::NodeKind;
use attractor_model::catalogue::{self, ATTRIBUTES, AttributeRow, explain};

/// Keys of pages: `kind/tool`, `attribute/12`, `graphviz/color`, `name/outcome`.
pub(super) struct Doc;

impl Doc {
    pub(super) fn kind(kind: NodeKind) -> String {
        format!("kind/{}", kind.name())
    }

    /// Two attributes can share a name (the `timeout` of tools and of gates), so the row's number is the key.
    pub(super) fn attribute(row: &AttributeRow) -> String {
        let number = ATTRIBUTES
            .iter()
            .position(|other| std::ptr::eq(*other, row));
        format!("attribute/{}", number.unwrap_or(usize::MAX))
    }

    pub(super) fn graphviz(name: &str) -> String {
        format!("graphviz/{name}")
    }

    pub(super) fn name(name: &str) -> String {
        format!("name/{name}")
    }
}

/// The page of a key, as Markdown; `None` for an unknown key.
pub fn documentation(key: &str) -> Option<String> {
    let (class, name) = key.split_once('/')?;
    match class {
        "kind" => NodeKind::from_name(name)?.row().map(explain::node_kind),
        "attribute" => ATTRIBUTES
            .get(name.parse::<usize>().ok()?)
            .map(|row| explain::attribute(row)),
        "graphviz" => catalogue::graphviz_attribute(name).map(graphviz),
        "name" => attractor_lint::explain(name),
        _ => None,
    }
}

/// The page of an attribute of Graphviz.
pub(crate) fn graphviz(row: &catalogue::GraphvizRow) -> String {
    let mut page = format!(
        "**`{}`** — Graphviz, {}\n\n{}\n",
        row.name,
        row.ty.name(),
        row.doc
    );
    if !row.default.is_empty() {
        let _ = writeln!(page, "\nDefault: `{}`.", row.default);
    }
    page
}
