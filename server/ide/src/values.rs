//! Attributes as the catalogue sees them: who owns one, and what type its value has.

use attractor_dot::ast::NodeStmt;
use attractor_model::catalogue::{self, AttrType, AttributeRow, NodeKind, Owner};

use crate::analyzed_text::AnalyzedText;
use crate::walk::{AttributeOwner, AttributeSite};

/// The owner of the attributes of a holder, as the catalogue names it. Nodes of a statement have the kind of
/// the first of them; defaults for nodes apply to every kind, so `None`.
pub(crate) fn owner(doc: &AnalyzedText, graph: usize, holder: AttributeOwner<'_>) -> Option<Owner> {
    Some(match holder {
        AttributeOwner::Graph => Owner::Graph,
        AttributeOwner::Subgraph => Owner::Subgraph,
        AttributeOwner::Nodes(statement) => Owner::Node(kind(doc, graph, statement)),
        AttributeOwner::Edges | AttributeOwner::EdgeDefaults => Owner::Edge,
        AttributeOwner::NodeDefaults => return None,
    })
}

fn kind(doc: &AnalyzedText, graph: usize, statement: &NodeStmt) -> NodeKind {
    let node = statement.nodes.first().map(|node| doc.decode(&node.id));
    let known = node.and_then(|id| Some(doc.pipeline(graph)?.node_by_id(&id)?.kind));
    known.unwrap_or(NodeKind::Codergen)
}

/// The catalogue's row for an attribute of a pipeline: the one for its owner, else one for another kind of
/// node, so that an attribute in the wrong place still has its meaning.
pub(crate) fn row(
    doc: &AnalyzedText,
    site: AttributeSite<'_>,
    key: &str,
) -> Option<&'static AttributeRow> {
    doc.pipeline(site.graph)?;
    let owner = owner(doc, site.graph, site.holder).unwrap_or(Owner::Node(NodeKind::Codergen));
    catalogue::attribute(owner, key).or_else(|| catalogue::attribute_elsewhere(owner, key))
}

/// The type of an attribute's value; `None` for Graphviz attributes, unknown ones and plain graphs.
pub(crate) fn type_of(doc: &AnalyzedText, site: AttributeSite<'_>, key: &str) -> Option<AttrType> {
    row(doc, site, key).map(|row| row.ty)
}
