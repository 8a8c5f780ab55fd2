//! Names of attributes: what the catalogue allows on this node kind, graph, edge or subgraph, missing
//! required ones first, then what is particular to the kind, then the rest, then Graphviz.

use attractor_dot::ast::DefaultsTarget;
use attractor_model::catalogue::attribute::NodeScope;
use attractor_model::catalogue::{self, ATTRIBUTES, AttrType, AttributeRow, NodeKind, Owner};
use attractor_model::catalogue::{GRAPHVIZ_ATTRIBUTES, GraphvizType};

use super::documentation::Doc;
use super::{Item, ItemKind, Scene};
use crate::cursor::{Head, Siblings};

/// The owner of a list, as the catalogue names it; `None` for defaults of nodes, which have every kind.
pub(super) fn owner(scene: &Scene<'_>, head: &Head, siblings: &Siblings) -> Option<Owner> {
    Some(match head {
        Head::Around | Head::Defaults(DefaultsTarget::Graph) => around(scene),
        Head::Node(id) => {
            let node = scene
                .pipeline()
                .and_then(|pipeline| pipeline.node_by_id(id));
            let resolved = node.map_or(NodeKind::Codergen, |node| node.kind);
            Owner::Node(if resolved == NodeKind::Codergen {
                typed_kind(siblings).unwrap_or(resolved)
            } else {
                resolved
            })
        }
        Head::Edge(..) | Head::Defaults(DefaultsTarget::Edge) => Owner::Edge,
        Head::Defaults(DefaultsTarget::Node) => return None,
    })
}

/// The node kind a list asks for while its statement cannot be read yet.
fn typed_kind(siblings: &Siblings) -> Option<NodeKind> {
    let value = |names: &[&str]| {
        siblings
            .iter()
            .find(|(name, _)| names.contains(&name.as_str()))
            .map(|(_, value)| value.as_str())
    };
    let handler = value(&["handler", "type", "node_type"]).and_then(NodeKind::from_name);
    handler.or_else(|| value(&["shape"]).and_then(NodeKind::from_shape))
}

/// A subgraph when the cursor is in one, else the graph.
fn around(scene: &Scene<'_>) -> Owner {
    let path =
        crate::walk::around(&scene.doc.parse.file, scene.cursor.offset).map(|(_, path)| path);
    let in_subgraph = path
        .into_iter()
        .flatten()
        .flat_map(crate::walk::subgraphs)
        .any(|subgraph| {
            let body = subgraph.body.as_ref();
            body.is_some_and(|body| {
                body.range.start() < scene.cursor.offset && scene.cursor.offset <= body.range.end()
            })
        });
    if in_subgraph {
        Owner::Subgraph
    } else {
        Owner::Graph
    }
}

/// The names that can stand in a list; `present` are in it already.
pub(super) fn names(scene: &Scene<'_>, head: &Head, siblings: &Siblings) -> Vec<Item> {
    let owner = owner(scene, head, siblings);
    let present: Vec<&str> = siblings.iter().map(|(name, _)| name.as_str()).collect();
    let mut items = Vec::new();
    if scene.is_directed() {
        items.extend(pipeline_names(scene, owner, &present));
    }
    items.extend(graphviz_names(scene, owner, &present, &items));
    items
}

/// `key=value` at the beginning of a statement.
pub(super) fn assignments(scene: &Scene<'_>) -> Vec<Item> {
    names(scene, &Head::Around, &Siblings::new())
        .into_iter()
        .map(|item| item.rank(7))
        .collect()
}

fn pipeline_names(scene: &Scene<'_>, owner: Option<Owner>, present: &[&str]) -> Vec<Item> {
    let every = || -> Vec<&'static AttributeRow> {
        ATTRIBUTES
            .iter()
            .copied()
            .filter(|row| matches!(row.applies.nodes, NodeScope::Every))
            .collect()
    };
    let rows = owner.map_or_else(every, |owner| catalogue::attributes_for(owner).collect());
    let is_there = |row: &AttributeRow| {
        present
            .iter()
            .any(|name| row.name == *name || row.aliases.contains(name))
    };
    let missing = rows.into_iter().filter(|row| !is_there(row));
    missing
        .map(|row| {
            let rank = match row.applies.nodes {
                _ if row.required => 0,
                _ if row.kept_only => 6,
                _ if scene.pipeline().is_none() => 4,
                NodeScope::Kinds(_) if matches!(owner, Some(Owner::Node(_))) => 1,
                NodeScope::No => 1,
                _ => 2,
            };
            let mut item = name(scene, row.name, ItemKind::Attribute, quotes(row.ty));
            item.retrigger = has_words(row.ty);
            if let Some(prefix) = row.prefix() {
                item = Item {
                    label: format!("{prefix}NAME"),
                    ..item
                }
                .text(prefix)
                .snippet(format!("{prefix}${{1:name}}=\"$0\""));
            }
            let item = item
                .detail(if row.required { "required" } else { "" })
                .note(row.ty.name());
            item.doc(Doc::attribute(row)).rank(rank)
        })
        .collect()
}

fn graphviz_names(
    scene: &Scene<'_>,
    owner: Option<Owner>,
    present: &[&str],
    listed: &[Item],
) -> Vec<Item> {
    let letters = match owner {
        None | Some(Owner::Node(_)) => ['N', 'N'],
        Some(Owner::Edge) => ['E', 'E'],
        Some(Owner::Graph) => ['G', 'G'],
        Some(Owner::Subgraph) => ['S', 'C'],
    };
    let rows = GRAPHVIZ_ATTRIBUTES
        .iter()
        .filter(|row| row.on.contains(letters) && !row.is_output());
    let is_new =
        |name: &str| !present.contains(&name) && !listed.iter().any(|item| item.label == name);
    rows.filter(|row| is_new(row.name))
        .map(|row| {
            let quotes = match row.ty {
                GraphvizType::Label
                | GraphvizType::Text
                | GraphvizType::Url
                | GraphvizType::Font => Quotes::Added,
                _ => Quotes::Left,
            };
            let item = name(scene, row.name, ItemKind::GraphvizAttribute, quotes);
            let item = if row.ty.values().is_empty() {
                item
            } else {
                item.retrigger()
            };
            let rank = if scene.pipeline().is_some() { 5 } else { 3 };
            item.note(format!("Graphviz {}", row.ty.name()))
                .doc(Doc::graphviz(row.name))
                .rank(rank)
        })
        .collect()
}

/// A name with `=` after it, unless one is there.
fn name(scene: &Scene<'_>, name: &str, kind: ItemKind, quotes: Quotes) -> Item {
    let item = Item::new(name, kind, scene.typed(), scene.cursor.word);
    let after = scene
        .doc
        .text
        .get(scene.cursor.word.end()..)
        .unwrap_or_default();
    if after.trim_start().starts_with('=') {
        return item.commit(&["="]);
    }
    let snippet = match quotes {
        Quotes::Added => format!("{name}=\"$0\""),
        Quotes::Left => format!("{name}=$0"),
    };
    item.text(format!("{name}=")).snippet(snippet)
}

/// Whether quotes are put after the `=`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    Added,
    Left,
}

/// Whether there is a list of words to offer right after the name.
fn has_words(ty: AttrType) -> bool {
    !ty.values().is_empty()
        || matches!(
            ty,
            AttrType::Node
                | AttrType::Choice
                | AttrType::Handler
                | AttrType::Shape
                | AttrType::Model
                | AttrType::Provider
                | AttrType::Duration
                | AttrType::SubPipeline
                | AttrType::Condition
                | AttrType::NodeList
        )
}

fn quotes(ty: AttrType) -> Quotes {
    match ty {
        AttrType::Bool
        | AttrType::Int { .. }
        | AttrType::Float { .. }
        | AttrType::Enum(..)
        | AttrType::Node
        | AttrType::Handler
        | AttrType::Shape
        | AttrType::Provider
        | AttrType::Money => Quotes::Left,
        _ => Quotes::Added,
    }
}
