//! Names of attributes: what the catalogue allows on this node kind, graph, edge or subgraph. Missing required ones
//! come first, then what lists of this kind usually hold, then the rest in the catalogue's order, then Graphviz.

use attractor_dot::ast::DefaultsTarget;
use attractor_model::catalogue::attribute::NodeScope;
use attractor_model::catalogue::{
    self, ATTRIBUTES, AttrType, AttributeRow, NodeKind, Owner, usage,
};
use attractor_model::catalogue::{GRAPHVIZ_ATTRIBUTES, GraphvizType};

use super::documentation::Doc;
use super::{CompletionContext, Item, ItemKind};
use crate::cursor::{ListOwner, Siblings};
use crate::usage::Usage;

/// The owner of a list, as the catalogue names it; `None` for defaults of nodes, which have every kind.
pub(super) fn owner(
    ctx: &CompletionContext<'_>,
    head: &ListOwner,
    siblings: &Siblings,
) -> Option<Owner> {
    Some(match head {
        ListOwner::Around | ListOwner::Defaults(DefaultsTarget::Graph) => around(ctx),
        ListOwner::Node(id) => {
            let node = ctx.pipeline().and_then(|pipeline| pipeline.node_by_id(id));
            let resolved = node.map_or(NodeKind::Codergen, |node| node.kind);
            Owner::Node(if resolved == NodeKind::Codergen {
                typed_kind(siblings).unwrap_or(resolved)
            } else {
                resolved
            })
        }
        ListOwner::Edge(..) | ListOwner::Defaults(DefaultsTarget::Edge) => Owner::Edge,
        ListOwner::Defaults(DefaultsTarget::Node) => return None,
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
fn around(ctx: &CompletionContext<'_>) -> Owner {
    let path = crate::walk::around(&ctx.doc.parse.file, ctx.cursor.offset).map(|(_, path)| path);
    let in_subgraph = path
        .into_iter()
        .flatten()
        .flat_map(crate::walk::subgraphs)
        .any(|subgraph| {
            let body = subgraph.body.as_ref();
            body.is_some_and(|body| {
                body.range.start() < ctx.cursor.offset && ctx.cursor.offset <= body.range.end()
            })
        });
    if in_subgraph {
        Owner::Subgraph
    } else {
        Owner::Graph
    }
}

/// The names a list can contain, likely ones first; `present` are in it already, `previous` precedes the
/// cursor.
pub(super) fn names(
    ctx: &CompletionContext<'_>,
    head: &ListOwner,
    siblings: &Siblings,
    previous: Option<&str>,
) -> Vec<Item> {
    let owner = owner(ctx, head, siblings);
    let present: Vec<&str> = siblings.iter().map(|(name, _)| name.as_str()).collect();
    let likely = Likelihood {
        usage: ctx.doc.usage(),
        owner,
        previous,
    };
    let mut items = Vec::new();
    if ctx.is_directed() {
        items.extend(pipeline_names(ctx, &likely, &present));
    }
    items.extend(graphviz_names(ctx, &likely, &present, &items));
    items.extend(own_names(ctx, &likely, &present, &items));
    items.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    items.into_iter().map(|(_, item)| item).collect()
}

/// `key=value` at the beginning of a statement.
pub(super) fn assignments(ctx: &CompletionContext<'_>) -> Vec<Item> {
    names(ctx, &ListOwner::Around, &Siblings::new(), None)
        .into_iter()
        .map(|item| item.rank(7))
        .collect()
}

/// The scores of a name that nothing speaks for.
const REQUIRED: f64 = 10.0;
const PARTICULAR: f64 = 0.004;
const COMMON: f64 = 0.002;
const KEPT: f64 = 0.0005;
const GRAPHVIZ: f64 = 0.0002;

fn pipeline_names(
    ctx: &CompletionContext<'_>,
    likely: &Likelihood<'_>,
    present: &[&str],
) -> Vec<(f64, Item)> {
    let owner = likely.owner;
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
    // An alias can be the alias or the name of another row for this owner; it is offered once.
    let means = |row: &AttributeRow, spelling: &str| {
        owner.is_none_or(|owner| {
            catalogue::attribute(owner, spelling).is_some_and(|other| std::ptr::eq(other, row))
        })
    };
    let mut items = Vec::new();
    for row in rows.into_iter().filter(|row| !is_there(row)) {
        let base = match row.applies.nodes {
            _ if row.kept_only => KEPT,
            NodeScope::Kinds(_) if matches!(owner, Some(Owner::Node(_))) => PARTICULAR,
            NodeScope::No => PARTICULAR,
            _ => COMMON,
        };
        let usual = usual_spelling(ctx, row);
        for spelling in std::iter::once(&row.name).chain(row.aliases) {
            if *spelling != row.name && !means(row, spelling) {
                continue;
            }
            let score = likely.score(spelling)
                + if *spelling == usual {
                    base + if row.required { REQUIRED } else { 0.0 }
                } else if *spelling == row.name {
                    base
                } else {
                    KEPT / 10.0
                };
            items.push((score, pipeline_name(ctx, row, spelling)));
        }
    }
    items
}

/// The spelling of an attribute that the file writes most, the canonical one when it writes none.
fn usual_spelling(ctx: &CompletionContext<'_>, row: &AttributeRow) -> &'static str {
    let usage = ctx.doc.usage();
    let spellings = row.aliases.iter().copied();
    spellings.fold(row.name, |best, spelling| {
        if usage.count(spelling) > usage.count(best) {
            spelling
        } else {
            best
        }
    })
}

fn pipeline_name(
    ctx: &CompletionContext<'_>,
    row: &'static AttributeRow,
    spelling: &'static str,
) -> Item {
    let mut item = name(ctx, spelling, ItemKind::Attribute, quotes(row.ty));
    item.retrigger = has_words(row.ty);
    if let Some(prefix) = row.prefix() {
        item = Item {
            label: format!("{prefix}NAME"),
            ..item
        }
        .text(prefix)
        .snippet(format!("{prefix}${{1:name}}=\"$0\""));
    }
    let item = if spelling != row.name {
        item.detail(format!("the same as {}", row.name))
    } else if row.required {
        item.detail("required")
    } else {
        item
    };
    item.note(row.ty.name()).doc(Doc::attribute(row)).rank(1)
}

fn graphviz_names(
    ctx: &CompletionContext<'_>,
    likely: &Likelihood<'_>,
    present: &[&str],
    listed: &[(f64, Item)],
) -> Vec<(f64, Item)> {
    let letters = match likely.owner {
        None | Some(Owner::Node(_)) => ['N', 'N'],
        Some(Owner::Edge) => ['E', 'E'],
        Some(Owner::Graph) => ['G', 'G'],
        Some(Owner::Subgraph) => ['S', 'C'],
    };
    let rows = GRAPHVIZ_ATTRIBUTES
        .iter()
        .filter(|row| row.on.contains(letters) && !row.is_output());
    rows.filter(|row| is_new(row.name, present, listed))
        .map(|row| {
            let quotes = match row.ty {
                GraphvizType::Label
                | GraphvizType::Text
                | GraphvizType::Url
                | GraphvizType::Font => Quotes::Added,
                _ => Quotes::Left,
            };
            let item = name(ctx, row.name, ItemKind::GraphvizAttribute, quotes);
            let item = if row.ty.values().is_empty() {
                item
            } else {
                item.retrigger()
            };
            let item = item
                .note(format!("Graphviz {}", row.ty.name()))
                .doc(Doc::graphviz(row.name))
                .rank(1);
            (likely.score(row.name) + GRAPHVIZ, item)
        })
        .collect()
}

/// Names that neither the catalogue nor Graphviz knows, and the file writes more than once.
fn own_names(
    ctx: &CompletionContext<'_>,
    likely: &Likelihood<'_>,
    present: &[&str],
    listed: &[(f64, Item)],
) -> Vec<(f64, Item)> {
    let own = likely.usage.names(likely.owner);
    let own = own.filter(|(name, count)| {
        *count > 1
            && is_new(name, present, listed)
            && likely
                .owner
                .is_none_or(|owner| catalogue::attribute(owner, name).is_none())
    });
    own.map(|(own, _)| {
        let item = name(ctx, own, ItemKind::Attribute, Quotes::Left);
        (likely.score(own), item.detail("used in this file").rank(1))
    })
    .collect()
}

fn is_new(name: &str, present: &[&str], listed: &[(f64, Item)]) -> bool {
    !present.contains(&name) && !listed.iter().any(|(_, item)| item.label == name)
}

/// How likely a name is in a list: what lists of this kind hold in this file, and in pipelines at large.
struct Likelihood<'a> {
    usage: &'a Usage,
    owner: Option<Owner>,
    previous: Option<&'a str>,
}

impl Likelihood<'_> {
    /// What is usual at large counts as much as so many lists of the file.
    const PRIOR: f64 = 3.0;

    fn score(&self, name: &str) -> f64 {
        let share = f64::from(usage::name_share(self.owner, name)) / 100.0;
        let (lists, with) = self.usage.lists(self.owner, name);
        let usual = (f64::from(with) + Self::PRIOR * share) / (f64::from(lists) + Self::PRIOR);
        let (all, here) = self.usage.follows(self.owner, self.previous, name);
        let next = f64::from(here) / (f64::from(all) + 1.0);
        usual + next
    }
}

/// A name with `=` after it, unless one is there.
fn name(ctx: &CompletionContext<'_>, name: &str, kind: ItemKind, quotes: Quotes) -> Item {
    let item = Item::new(name, kind, ctx.typed(), ctx.cursor.word);
    let after = ctx
        .doc
        .text
        .get(ctx.cursor.word.end()..)
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
