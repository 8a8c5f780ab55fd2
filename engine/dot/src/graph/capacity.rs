//! How much a graph will hold, so that its lists get their room at once.

use crate::ast::{AttrList, Block, DefaultsTarget, Stmt};

/// What the statements of a graph ask for. A guess: an end of an edge counts as one node mentioned,
/// a node counts where it has a statement, and of many statements only some are looked at.
#[derive(Default)]
pub(super) struct CapacityHint {
    pub(super) nodes: usize,
    pub(super) edges: usize,
    pub(super) occurrences: usize,
    pub(super) attributes: usize,
}

/// Of a block with more statements so many are looked at, spread over all of it.
const SAMPLES: usize = 1024;

impl CapacityHint {
    /// For a graph of that body, whose text has so many bytes. Never more than some 16 bytes a byte, however odd the
    /// statements that were looked at: what needs more grows.
    pub(super) fn of(body: &Block, bytes: usize) -> Self {
        let mut room = Self::default();
        room.block(body);
        // Lists that grow after others were begun move, so they take some places twice; and a guess may be low.
        let most = [bytes / 16, bytes / 16, bytes / 8, bytes / 8];
        for (count, most) in room.counts().into_iter().zip(most) {
            *count = count.saturating_add(*count / 16).min(most);
        }
        room.attributes += 16;
        room
    }

    fn block(&mut self, block: &Block) {
        // Odd, so that statements that take turns are all met.
        let step = (block.statements.len() / SAMPLES) | 1;
        let mut part = Self::default();
        for statement in block.statements.iter().step_by(step) {
            part.statement(statement);
        }
        for (count, part) in self.counts().into_iter().zip(part.counts()) {
            *count = count.saturating_add(part.saturating_mul(step));
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Node(node) => {
                self.nodes += node.nodes.len();
                self.occurrences += node.nodes.len();
                self.attributes += count(&node.attributes);
            }
            Stmt::Edge(edge) => {
                self.edges += edge.operators.len();
                self.occurrences += edge.ends.len();
                self.attributes += count(&edge.attributes);
            }
            // The graph's own are both attributes and defaults.
            Stmt::Defaults(defaults) => {
                let own = usize::from(defaults.target == DefaultsTarget::Graph);
                self.attributes += count(&defaults.attributes) * (1 + own);
            }
            Stmt::Assign(_) => self.attributes += 2,
            Stmt::Subgraph(subgraph) => subgraph.body.iter().for_each(|body| self.block(body)),
            Stmt::Error(_) => {}
        }
    }

    fn counts(&mut self) -> [&mut usize; 4] {
        [
            &mut self.nodes,
            &mut self.edges,
            &mut self.occurrences,
            &mut self.attributes,
        ]
    }
}

fn count(lists: &[AttrList]) -> usize {
    lists.iter().map(|list| list.items.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::CapacityHint;

    #[test]
    fn odd_statements_ask_for_no_more_than_the_text_can_hold() {
        let many = "x=1 ".repeat(100_000);
        let few = "a;".repeat(100_000);
        let long = format!("b [{many}];{few}");
        for body in [long.clone(), format!("{{ {long} }} {few}")] {
            let text = format!("digraph {{ {body} }}");
            let parse = crate::parse(&text);
            let room = CapacityHint::of(&parse.file.graphs[0].body, text.len());
            assert!(room.attributes <= text.len() / 8 + 16);
            assert!(room.nodes <= text.len() / 16);
        }
    }
}
