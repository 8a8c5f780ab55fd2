//! What the conditions of a node's edges are asked together, for the lints that reason about them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::edge_conditions::EdgeCondition;
use attractor_lang::condition::{Condition, Domain, Literal, OperandKind, Sat, satisfiable};
use attractor_lang::{Status, Value};
use attractor_model::catalogue::{NodeKind, values};
use attractor_model::{Edge, Node, NodeIx, Pipeline};

/// Edges beyond this many are not reasoned about; a hub that big is generated.
pub(crate) const MAX_EDGES: usize = 40;

/// Conditions with more comparisons than this are not reasoned about; the search would take too long.
const MAX_COMPARISONS: usize = 64;

/// What all the reasoning about an edge depends on: its condition and label, and whether it wears out. Equal
/// conditions are one, so their address identifies their text.
type Part<'p> = (Option<*const Condition>, Option<&'p str>, bool);

/// What nodes of the same kind, with the same conditions and labels, have in common. What is found out about one of
/// them is true of all.
pub(crate) struct SharedConditions {
    /// Its number, from 0.
    pub(crate) number: usize,
    /// Every outcome that matters to these conditions: the known ones, the words they name, and one more.
    pub(crate) outcomes: Vec<Status>,
    labels: Vec<String>,
}

/// The conditions that leave a node.
pub(crate) struct OutgoingConditions<'p> {
    pipeline: &'p Pipeline,
    /// The node.
    pub(crate) node: &'p Node,
    /// Its position.
    pub(crate) ix: NodeIx,
    /// The edge that is taken when no condition holds.
    pub(crate) default: DefaultEdge,
    /// What it has in common with others.
    pub(crate) shared: Rc<SharedConditions>,
}

/// Whether an edge without a condition leaves a node. One whose condition cannot be read counts as such.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DefaultEdge {
    /// There is none.
    None,
    /// It can be taken so often and no more.
    Limited,
    /// It can always be taken.
    Always,
}

impl<'p> OutgoingConditions<'p> {
    /// The ways out of every node that has some with conditions, and not too many. Linear in edges and conditions.
    pub(crate) fn all(pipeline: &'p Pipeline, conditions: &[EdgeCondition<'p>]) -> Vec<Self> {
        let mut nodes: Vec<NodeIx> = conditions.iter().map(|on| on.edge.from).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut known: FxHashMap<NodeKind, FxHashMap<Vec<Part<'p>>, Rc<SharedConditions>>> =
            FxHashMap::default();
        let mut count = 0;
        let mut parts: Vec<Part<'p>> = Vec::new();
        let mut all = Vec::new();
        for ix in nodes {
            let Some(node) = pipeline.node(ix).filter(|_| is_small(pipeline, ix)) else {
                continue;
            };
            parts.clear();
            parts.extend(edges(pipeline, ix).map(part));
            let known = known.entry(node.kind).or_default();
            let shared = if let Some(shared) = known.get(parts.as_slice()) {
                Rc::clone(shared)
            } else {
                let shared = Rc::new(SharedConditions::of(pipeline, ix, count));
                known.insert(parts.clone(), Rc::clone(&shared));
                count += 1;
                shared
            };
            all.push(Self {
                pipeline,
                node,
                ix,
                default: default_edge(&parts),
                shared,
            });
        }
        all
    }

    /// Conditional edges in routing order, with what they ask.
    pub(crate) fn conditional(&self) -> impl Iterator<Item = Conditional<'p>> + Clone {
        conditional(self.pipeline, self.ix)
    }

    /// Whether the literals can all hold when the node ends in one of these ways.
    pub(crate) fn satisfiable(&self, literals: &[Literal<'_>], outcomes: &[Status]) -> Sat {
        let gate = self.node.kind == NodeKind::HumanGate;
        let known = |key: &str| {
            (gate && key == "approved").then(|| vec![Value::Bool(true), Value::Bool(false)])
        };
        satisfiable(
            literals,
            &Domain {
                outcomes,
                known: &known,
                labels: &self.shared.labels,
            },
        )
    }
}

impl SharedConditions {
    /// What nodes like this one have in common.
    fn of(pipeline: &Pipeline, ix: NodeIx, number: usize) -> Self {
        let named = conditional(pipeline, ix).flat_map(|(_, condition)| named_outcomes(condition));
        let labels = edges(pipeline, ix).filter_map(|edge| edge.label());
        Self {
            number,
            outcomes: Status::KNOWN
                .into_iter()
                .chain(named)
                .chain([Status::Custom("another_word".to_owned())])
                .collect(),
            labels: labels.map(str::to_owned).collect(),
        }
    }
}

/// Whether an edge can be taken so often and no more.
pub(crate) fn has_visit_limit(edge: &Edge) -> bool {
    let most = edge.attributes.get("max_visits");
    most.and_then(|most| values::integer(most.value()))
        .is_some_and(|most| most > 0)
}

fn part(edge: &Edge) -> Part<'_> {
    let condition = edge.condition.as_deref().map(std::ptr::from_ref);
    (condition, edge.label(), has_visit_limit(edge))
}

fn default_edge(parts: &[Part<'_>]) -> DefaultEdge {
    let ways = parts.iter().filter(|(condition, ..)| condition.is_none());
    let ways = ways.map(|(.., has_visit_limit)| {
        if *has_visit_limit {
            DefaultEdge::Limited
        } else {
            DefaultEdge::Always
        }
    });
    ways.max().unwrap_or(DefaultEdge::None)
}

/// An edge and its condition.
type Conditional<'p> = (&'p Edge, &'p Condition);

fn edges(pipeline: &Pipeline, ix: NodeIx) -> impl Iterator<Item = &Edge> + Clone {
    let outgoing = pipeline.outgoing(ix).iter();
    outgoing.filter_map(|edge| pipeline.edge(*edge))
}

fn conditional(pipeline: &Pipeline, ix: NodeIx) -> impl Iterator<Item = Conditional<'_>> + Clone {
    edges(pipeline, ix).filter_map(|edge| Some((edge, edge.condition.as_deref()?)))
}

/// Whether the conditions of a node's edges are few enough to be reasoned about.
fn is_small(pipeline: &Pipeline, ix: NodeIx) -> bool {
    let comparisons = conditional(pipeline, ix).flat_map(|(_, asked)| asked.comparisons());
    pipeline.outgoing(ix).len() <= MAX_EDGES
        && comparisons.take(MAX_COMPARISONS + 1).count() <= MAX_COMPARISONS
}

/// The outcomes a condition compares `outcome` with.
pub fn named_outcomes(condition: &Condition) -> impl Iterator<Item = Status> {
    condition.comparisons().filter_map(|compare| {
        let OperandKind::Key(key) = &compare.left.kind else {
            return None;
        };
        if !matches!(key.as_str(), "outcome" | "context.outcome" | "status") {
            return None;
        }
        match &compare.right.kind {
            OperandKind::Text(word) | OperandKind::Bare(word) | OperandKind::Key(word) => {
                Some(Status::parse(word))
            }
            _ => None,
        }
    })
}
