//! Hover: what the thing under the cursor means, here, in this graph.
//!
//! An attribute's page comes from the catalogue; a node's has its kind, its resolved model and limits with
//! where they come from, and its edges in routing order; a condition is said in words; an edge says when it is
//! taken. Graphviz attributes have their own page. Markdown only, no colors, no clock.

mod condition;
mod edge;
mod graph;
mod markdown;
mod node;
#[cfg(test)]
mod tests;

use attractor_dot::TextRange;
use attractor_model::NodeKind;
use attractor_model::catalogue::{self, AttrType, NODE_KINDS, explain};

use self::markdown::{brief, code, fenced, id};
use crate::completion;
use crate::document::Document;
use crate::runs::RunView;
use crate::symbol_index::SymbolKey;
use crate::values;
use crate::walk::{self, AttributeSite, SyntaxElement};

/// What to show, and over which text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The text it is about.
    pub range: TextRange,
    /// What to show.
    pub markdown: String,
}

/// What the thing at an offset means. `runs` are the runs of the document's graphs, newest first.
pub fn hover(doc: &Document, offset: usize, runs: &[RunView]) -> Option<Hover> {
    let found = |range, markdown| Some(Hover { range, markdown });
    match walk::at(&doc.parse.file, offset)? {
        SyntaxElement::Key(site) => found(site.attr.key.range, attribute(doc, site)?),
        SyntaxElement::Value(site) => value(doc, site, offset, runs),
        SyntaxElement::Node { graph, node } => {
            let id = doc.decode(&node.id);
            found(node.id.range, node::page(doc, graph, &id, runs)?)
        }
        SyntaxElement::Operator { graph, edge, index } => {
            let operator = edge.operators.get(index)?.range();
            found(operator, edge::page(doc, graph, operator)?)
        }
        SyntaxElement::Graph(graph) => {
            let tree = doc.parse.file.graphs.get(graph)?;
            found(
                tree.id.map_or(tree.keyword, |id| id.range),
                graph::page(doc, graph, runs)?,
            )
        }
        SyntaxElement::Subgraph(graph, subgraph) => {
            let range = subgraph.id.map(|id| id.range).or(subgraph.keyword)?;
            found(range, graph::subgraph(doc, graph, subgraph)?)
        }
        SyntaxElement::Defaults(target, range) => found(range, graph::defaults(target).to_owned()),
    }
}

/// The page of an attribute's name, with the value in force when it was not written here.
fn attribute(doc: &Document, site: AttributeSite<'_>) -> Option<String> {
    let key = doc.decode(&site.attr.key);
    let row = values::row(doc, site, &key).map(explain::attribute);
    let graphviz = || catalogue::graphviz_attribute(&key).map(completion::graphviz_page);
    row.or_else(graphviz).or_else(|| {
        let is_pipeline = doc.pipeline(site.graph).is_some();
        is_pipeline.then(|| {
            format!(
                "**`{key}`** — not in the catalogue\n\nKept, and handed to the node's handler.\n"
            )
        })
    })
}

fn value(
    doc: &Document,
    site: AttributeSite<'_>,
    offset: usize,
    runs: &[RunView],
) -> Option<Hover> {
    let id = site.attr.value?;
    if let Some((name, place)) = doc.symbol_index().at(offset)
        && let Some(markdown) = named(doc, name, runs)
    {
        return Some(Hover {
            range: place.range,
            markdown,
        });
    }
    let key = doc.decode(&site.attr.key);
    let text = doc.decode(&id);
    let ty = values::type_of(doc, site, &key);
    let markdown = match ty {
        Some(AttrType::Condition | AttrType::BoolOrCondition) => condition::page(&text),
        Some(AttrType::Handler) => NodeKind::from_name(&text)?.row().map(explain::node_kind)?,
        Some(AttrType::Shape) => shape(&text)?,
        Some(AttrType::Model) => model(doc, &text)?,
        Some(AttrType::Enum(words, _) | AttrType::EnumList(words)) => {
            let word = words
                .iter()
                .find(|word| word.name.eq_ignore_ascii_case(&text))?;
            format!("**`{}`** — {}\n", word.name, word.doc)
        }
        _ if ty.is_none() && &*key == "shape" => shape(&text)?,
        _ => attribute(doc, site)?,
    };
    Some(Hover {
        range: id.range,
        markdown,
    })
}

/// The page of a model, as the configuration declares it or as it is listed.
fn model(doc: &Document, name: &str) -> Option<String> {
    let declared = catalogue::declared_model(&doc.options.models, name);
    declared
        .map(|model| catalogue::model_page(&model))
        .or_else(|| explain::explain(name))
}

/// What a shape chooses.
fn shape(shape: &str) -> Option<String> {
    let row = NODE_KINDS
        .iter()
        .find(|row| row.shapes.iter().any(|own| own.eq_ignore_ascii_case(shape)))?;
    Some(format!(
        "Shape `{shape}` chooses the node kind:\n\n{}",
        explain::node_kind(row)
    ))
}

/// The page of something a value names.
fn named(doc: &Document, name: &SymbolKey, runs: &[RunView]) -> Option<String> {
    match name {
        SymbolKey::Node(graph, id) => node::page(doc, *graph, id, runs),
        SymbolKey::Key(graph, key) => Some(graph::key(doc, *graph, key)),
        SymbolKey::Class(graph, class) => graph::class(doc, *graph, class),
        SymbolKey::Graph(graph) => {
            let number = doc
                .analysis
                .graphs
                .iter()
                .position(|info| info.graph.name.as_deref() == Some(graph))?;
            graph::page(doc, number, runs)
        }
        SymbolKey::Subgraph(..) => None,
    }
}
