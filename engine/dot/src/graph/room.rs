//! How much a graph will hold, so that its lists get their room at once.

use crate::ast::{AttrList, Block, DefaultsTarget, Few, Stmt};

/// What the statements of a graph ask for. A guess: an end of an edge counts as one node mentioned,
/// and a node counts where it has a statement.
#[derive(Default)]
pub(super) struct Room {
    pub(super) nodes: usize,
    pub(super) edges: usize,
    pub(super) mentions: usize,
    pub(super) attributes: usize,
}

impl Room {
    /// For a graph of that body. One look at each statement, at none of their parts.
    pub(super) fn of(body: &Block) -> Self {
        let mut room = Self::default();
        room.block(body);
        // Lists that grow after others were begun move, so they take some places twice.
        room.attributes += room.attributes / 16 + 16;
        room
    }

    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match statement {
                Stmt::Node(node) => {
                    self.nodes += node.nodes.len();
                    self.mentions += node.nodes.len();
                    self.attributes += count(&node.attributes);
                }
                Stmt::Edge(edge) => {
                    self.edges += edge.operators.len();
                    self.mentions += edge.ends.len();
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
    }
}

fn count(lists: &Few<AttrList>) -> usize {
    lists.iter().map(|list| list.items.len()).sum()
}
