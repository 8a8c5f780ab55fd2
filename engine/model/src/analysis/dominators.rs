//! Which node every path from the start to another passes last.
//!
//! The algorithm of Cooper, Harvey and Kennedy over reverse postorder. Ordinary graphs settle in two or three
//! rounds; after [`ROUNDS`] rounds or [`STEPS`] steps an edge it gives up and knows nothing, so that time is
//! O(n + e) and memory O(n) for n nodes and e edges, whatever the graph.

use crate::pipeline::{NodeIx, Pipeline};

const ROUNDS: usize = 8;
/// Steps up the tree that all rounds may take together, for each edge.
const STEPS: usize = 64;

/// The immediate dominators of a pipeline.
#[derive(Clone, Debug, Default)]
pub struct Dominators {
    /// By node: the position in reverse postorder.
    position: Vec<u32>,
    /// By position in reverse postorder: the position of the immediate dominator.
    immediate: Vec<u32>,
    /// Reverse postorder.
    order: Vec<NodeIx>,
}

const NONE: u32 = u32::MAX;

impl Dominators {
    /// Of the nodes that edges reach from the start.
    pub fn of(pipeline: &Pipeline) -> Self {
        let Some(start) = pipeline.start else {
            return Self::default();
        };
        let order = reverse_postorder(pipeline, start);
        let mut position = vec![NONE; pipeline.nodes.len()];
        for (index, node) in (0_u32..).zip(&order) {
            if let Some(slot) = position.get_mut(node.index()) {
                *slot = index;
            }
        }
        let mut found = Self {
            immediate: vec![NONE; order.len()],
            position,
            order,
        };
        if !found.settle(pipeline) {
            return Self::default();
        }
        found
    }

    /// The last node every path from the start to this one passes; `None` for the start and what it cannot reach.
    pub fn immediate(&self, node: NodeIx) -> Option<NodeIx> {
        let position = *self.position.get(node.index())?;
        let immediate = *self.immediate.get(position as usize)?;
        if immediate == position {
            return None;
        }
        self.order.get(immediate as usize).copied()
    }

    /// Whether the sets converged within the bound.
    fn settle(&mut self, pipeline: &Pipeline) -> bool {
        if let Some(first) = self.immediate.first_mut() {
            *first = 0;
        }
        let mut steps = STEPS * (pipeline.edges.len() + 1);
        for _ in 0..ROUNDS {
            let mut changed = false;
            for index in 1..self.order.len() {
                let Some(node) = self.order.get(index).copied() else {
                    continue;
                };
                let mut new = NONE;
                for before in pipeline.predecessors(node) {
                    let before = self.position.get(before.index()).copied().unwrap_or(NONE);
                    if self.immediate_at(before) == NONE {
                        continue;
                    }
                    new = if new == NONE {
                        before
                    } else {
                        self.meet(new, before, &mut steps)
                    };
                    if steps == 0 {
                        return false;
                    }
                }
                if let Some(slot) = self.immediate.get_mut(index).filter(|slot| **slot != new) {
                    *slot = new;
                    changed = true;
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }

    fn immediate_at(&self, position: u32) -> u32 {
        self.immediate
            .get(position as usize)
            .copied()
            .unwrap_or(NONE)
    }

    /// The nearest common ancestor.
    fn meet(&self, mut left: u32, mut right: u32, steps: &mut usize) -> u32 {
        while left != right && *steps > 0 {
            *steps -= 1;
            if left > right {
                left = self.immediate_at(left);
            } else {
                right = self.immediate_at(right);
            }
        }
        left
    }
}

fn reverse_postorder(pipeline: &Pipeline, start: NodeIx) -> Vec<NodeIx> {
    let mut seen = vec![false; pipeline.nodes.len()];
    if let Some(seen) = seen.get_mut(start.index()) {
        *seen = true;
    }
    let mut order = Vec::new();
    let mut calls = vec![(start, pipeline.successors(start))];
    while let Some((node, targets)) = calls.last_mut() {
        let Some(next) = targets.next() else {
            order.push(*node);
            calls.pop();
            continue;
        };
        if let Some(seen) = seen.get_mut(next.index()).filter(|seen| !**seen) {
            *seen = true;
            calls.push((next, pipeline.successors(next)));
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diamond_with_a_loop() {
        let text = "digraph { start -> a -> {b c} -> d -> a; d -> e; a [prompt=x] }";
        let pipelines = Pipeline::from_text(text);
        let pipeline = &pipelines[0];
        let dominators = Dominators::of(pipeline);
        let of = |id| {
            dominators
                .immediate(pipeline.by_id(id).unwrap())
                .map(|ix| pipeline.id(ix))
        };
        assert_eq!(
            [of("start"), of("a"), of("b"), of("d"), of("e")],
            [None, Some("start"), Some("a"), Some("a"), Some("d")]
        );
    }
}
