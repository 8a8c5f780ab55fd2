//! Which kind a node probably is, by its name, by what its list holds already, and by its edges.

use attractor_model::NodeKind;
use attractor_model::catalogue::attribute::NodeScope;
use attractor_model::catalogue::{self, Owner};

use super::{CompletionContext, Item};
use crate::cursor::{ListOwner, Siblings};

/// Puts the shapes and names of likely kinds first; otherwise the order stays.
pub(super) fn order(
    ctx: &CompletionContext<'_>,
    head: &ListOwner,
    siblings: &Siblings,
    items: &mut [Item],
) {
    let evidence = Evidence::of(ctx, head, siblings);
    items.sort_by_key(|item| {
        let kind = NodeKind::from_shape(&item.label).or_else(|| NodeKind::from_name(&item.label));
        kind.map_or(0, |kind| -evidence.speaks_for(kind))
    });
}

/// What is known about a node.
struct Evidence {
    /// Kinds its name, its label or an attribute of theirs alone speaks for.
    named: Vec<NodeKind>,
    /// Whether a start exists already.
    has_start: bool,
    /// Whether it has a prompt.
    has_prompt: bool,
    /// Whether its outgoing edges have conditions.
    branches: bool,
}

impl Evidence {
    fn of(ctx: &CompletionContext<'_>, head: &ListOwner, siblings: &Siblings) -> Self {
        let pipeline = ctx.pipeline();
        let id = match head {
            ListOwner::Node(id) => Some(id.as_str()),
            _ => None,
        };
        let label = siblings
            .iter()
            .find(|(name, _)| name == "label")
            .map(|(_, label)| label.as_str());
        let mut named: Vec<NodeKind> = id.into_iter().chain(label).filter_map(by_word).collect();
        named.extend(siblings.iter().filter_map(|(name, _)| only_kind(name)));
        let own = id.and_then(|id| pipeline?.by_id(id));
        let leaving = pipeline
            .zip(own)
            .map_or(&[][..], |(pipeline, own)| pipeline.outgoing(own));
        let conditional = leaving
            .iter()
            .filter_map(|edge| pipeline?.edge(*edge))
            .filter(|edge| edge.is_conditional());
        let start = pipeline.and_then(|pipeline| pipeline.start);
        Self {
            named,
            has_start: start.is_some() && start != own,
            has_prompt: siblings
                .iter()
                .any(|(name, _)| matches!(name.as_str(), "prompt" | "llm_prompt")),
            branches: conditional.count() > 1,
        }
    }

    fn speaks_for(&self, kind: NodeKind) -> i32 {
        let mut score = 0;
        if self.named.contains(&kind) {
            score += 4;
        }
        if self.has_prompt && matches!(kind, NodeKind::Codergen) {
            score += 2;
        }
        if self.branches && !self.has_prompt && kind == NodeKind::Conditional {
            score += 3;
        }
        if self.has_start && kind == NodeKind::Start {
            score -= 3;
        }
        score
    }
}

/// The kind whose name a word is, or one of the words everybody calls such a node.
fn by_word(word: &str) -> Option<NodeKind> {
    match word.to_lowercase().as_str() {
        "start" | "begin" | "entry" => Some(NodeKind::Start),
        "exit" | "end" | "done" | "finish" | "stop" => Some(NodeKind::Exit),
        _ => None,
    }
}

/// The kind that alone has an attribute.
fn only_kind(name: &str) -> Option<NodeKind> {
    let row = catalogue::attribute_elsewhere(Owner::Node(NodeKind::Codergen), name)?;
    match row.applies.nodes {
        NodeScope::Kinds([kind]) => Some(*kind),
        _ => None,
    }
}
