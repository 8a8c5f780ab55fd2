//! What the conditions of a node's edges are asked together, for the lints that reason about them.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::catalogue::NodeKind;
use crate::lang::condition::{Answer, Condition, OperandKind, Term, World, possible};
use crate::lang::{Status, Value};
use crate::pipeline::{Edge, Node, NodeIx, Pipeline};

/// Edges beyond this many are not reasoned about; a hub that big is generated.
pub(super) const MOST_EDGES: usize = 40;

/// Conditions with more comparisons than this are not reasoned about; the search would take too long.
const MOST_COMPARISONS: usize = 64;

/// Answers already found. Most nodes of a pipeline ask the same few questions.
type Memo = RefCell<FxHashMap<Question, Rc<Answer>>>;

/// What is asked: of nodes alike, about this outcome (or all of them), these conditions held or not.
type Question = (usize, Option<Status>, Vec<(usize, bool)>);

/// What all the reasoning about a node depends on: its kind, and the condition and label of each edge. Equal
/// conditions are one, so their place in memory stands for their text.
type Signature<'p> = (NodeKind, Vec<(Option<*const Condition>, Option<&'p str>)>);

/// What nodes with the same conditions and labels share: their number, the outcomes that matter, the labels.
type Alike = (usize, Rc<[Status]>, Rc<[String]>);

/// The conditions that leave a node.
pub(super) struct Ways<'p> {
    /// The node.
    pub(super) node: &'p Node,
    /// Its position.
    pub(super) ix: NodeIx,
    /// Conditional edges in routing order, with what they ask.
    pub(super) conditional: Vec<(&'p Edge, &'p Arc<Condition>)>,
    /// The edge that is taken when no condition holds.
    pub(super) default: DefaultWay,
    /// Every outcome that matters to these conditions: the known ones, the words they name, and one more.
    pub(super) outcomes: Rc<[Status]>,
    labels: Rc<[String]>,
    /// Nodes with the same number have the same kind, conditions and labels.
    alike: usize,
    memo: Rc<Memo>,
}

/// Whether an edge without a condition leaves a node. One whose condition cannot be read counts as such.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DefaultWay {
    /// There is none.
    None,
    /// It can be taken so often and no more.
    Limited,
    /// It can always be taken.
    Always,
}

impl<'p> Ways<'p> {
    /// The ways out of every node that has some with conditions, and not too many. Linear in edges and conditions.
    pub(super) fn all(pipeline: &'p Pipeline) -> Vec<Self> {
        let memo = Rc::<Memo>::default();
        let mut known: FxHashMap<Signature<'p>, Alike> = FxHashMap::default();
        let mut all = Vec::new();
        for (ix, node) in pipeline.indexed_nodes() {
            let Some((edges, conditional)) = conditional(pipeline, ix) else {
                continue;
            };
            let parts = edges.iter().map(|edge| {
                (
                    edge.condition.as_ref().map(Arc::as_ptr),
                    edge.label.as_deref(),
                )
            });
            let next = known.len();
            let (alike, outcomes, labels) = known
                .entry((node.kind, parts.collect()))
                .or_insert_with(|| {
                    let labels = edges.iter().filter_map(|edge| edge.label.as_deref());
                    (
                        next,
                        outcomes(&conditional),
                        labels.map(str::to_owned).collect(),
                    )
                })
                .clone();
            all.push(Self {
                node,
                ix,
                default: default_way(&edges),
                conditional,
                outcomes,
                labels,
                alike,
                memo: Rc::clone(&memo),
            });
        }
        all
    }

    /// Whether the terms can be as they must when the node ends in one of these ways. A term that is no condition of
    /// the node's edges must follow from its kind and the outcome.
    pub(super) fn possible(&self, terms: &[Term<'_>], outcomes: &[Status]) -> Rc<Answer> {
        let place = |term: &Term<'_>| {
            let own = self
                .conditional
                .iter()
                .position(|(_, asked)| std::ptr::eq(&raw const ***asked, term.condition));
            (own.unwrap_or(usize::MAX), term.holds)
        };
        let outcome = match outcomes {
            [only] => Some(only.clone()),
            _ => None,
        };
        let question = (self.alike, outcome, terms.iter().map(place).collect());
        let mut answers = self.memo.borrow_mut();
        let answer = answers.entry(question);
        Rc::clone(answer.or_insert_with(|| Rc::new(self.solve(terms, outcomes))))
    }

    fn solve(&self, terms: &[Term<'_>], outcomes: &[Status]) -> Answer {
        let gate = self.node.kind == NodeKind::HumanGate;
        let known = |key: &str| {
            (gate && key == "approved").then(|| vec![Value::Bool(true), Value::Bool(false)])
        };
        possible(
            terms,
            &World {
                outcomes,
                known: &known,
                labels: &self.labels,
            },
        )
    }
}

/// Whether an edge can be taken so often and no more.
pub(super) fn wears_out(edge: &Edge) -> bool {
    edge.attributes
        .int("max_visits")
        .is_some_and(|most| most > 0)
}

fn default_way(edges: &[&Edge]) -> DefaultWay {
    let ways = edges.iter().filter(|edge| edge.condition.is_none());
    let ways = ways.map(|edge| {
        if wears_out(edge) {
            DefaultWay::Limited
        } else {
            DefaultWay::Always
        }
    });
    ways.max().unwrap_or(DefaultWay::None)
}

/// An edge and its condition.
type Conditional<'p> = (&'p Edge, &'p Arc<Condition>);

/// The edges of a node, and those with conditions; `None` when there are none of these or too many.
fn conditional(pipeline: &Pipeline, ix: NodeIx) -> Option<(Vec<&Edge>, Vec<Conditional<'_>>)> {
    let outgoing = pipeline.outgoing(ix);
    let edges = || outgoing.iter().filter_map(|edge| pipeline.edge(*edge));
    if outgoing.len() > MOST_EDGES || edges().all(|edge| edge.condition.is_none()) {
        return None;
    }
    let conditional: Vec<_> = edges()
        .filter_map(|edge| Some((edge, edge.condition.as_ref()?)))
        .collect();
    let comparisons = conditional
        .iter()
        .flat_map(|(_, asked)| asked.comparisons());
    if comparisons.take(MOST_COMPARISONS + 1).count() > MOST_COMPARISONS {
        return None;
    }
    Some((edges().collect(), conditional))
}

fn outcomes(conditional: &[Conditional<'_>]) -> Rc<[Status]> {
    let named = conditional
        .iter()
        .flat_map(|(_, condition)| named_outcomes(condition));
    Status::KNOWN
        .into_iter()
        .chain(named)
        .chain([Status::Custom("another_word".to_owned())])
        .collect()
}

/// The outcomes a condition compares `outcome` with.
pub(super) fn named_outcomes(condition: &Condition) -> impl Iterator<Item = Status> {
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
