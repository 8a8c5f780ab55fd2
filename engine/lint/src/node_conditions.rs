//! Conditions that are not on edges: goals of the graph, ends of supervised loops, gates and checks of nodes.
//!
//! Read once for all lints. Ranges are bytes of the attribute's value, so that a list of goals and the part after
//! `json:` point at the right place.

use std::ops::Range;

use attractor_dot::TextRange;
use rustc_hash::FxHashSet;

use crate::attribute_index::{AttributeIndex, AttributeSite, AttributeTarget};
use crate::outgoing_conditions::named_outcomes;
use attractor_lang::condition::{self, Condition, Domain, Literal, satisfiable};
use attractor_lang::{LangError, Status, verify};
use attractor_model::Attribute;
use attractor_model::catalogue::{AttrType, values};

/// A condition and what it decides.
pub(crate) struct NodeCondition<'p> {
    pub(crate) site: AttributeSite<'p>,
    pub(crate) role: Role,
    pub(crate) condition: Condition,
    /// The condition's bytes of the attribute's value.
    pub(crate) bytes: Range<usize>,
    /// What is wrong with it; ranges are bytes of the condition.
    pub(crate) errors: Vec<LangError>,
}

/// What a condition decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// One of `goal_conditions`: noted when the run ends without it.
    Goal,
    /// Ends the loop of a supervisor.
    Done,
    /// `goal_gate` in words of other engines.
    Gate,
    /// `verify="json:…"`, about the node's own output.
    Output,
}

impl<'p> NodeCondition<'p> {
    /// Every such condition in the order graph, nodes; each place in the file once.
    pub(crate) fn all(written: &AttributeIndex<'p>) -> Vec<Self> {
        let mut seen = FxHashSet::default();
        let sites = written.conditions.iter();
        sites
            .filter(|site| !matches!(site.target, AttributeTarget::Edge(_)))
            .filter(|site| {
                let range = site.attribute.value_range();
                range.is_some_and(|range| seen.insert(range))
            })
            .flat_map(|site| read(*site))
            .collect()
    }

    /// Whether it says something and can be read.
    pub(crate) fn is_readable(&self) -> bool {
        self.errors.is_empty() && self.condition.root.is_some()
    }

    /// Where it is in the file.
    pub(crate) fn range(&self, text: &str) -> Option<TextRange> {
        self.place(text, 0..self.bytes.len())
    }

    /// Where bytes of the condition are in the file.
    pub(crate) fn place(&self, text: &str, bytes: Range<usize>) -> Option<TextRange> {
        let start = self.bytes.start;
        self.attribute()
            .range_of(text, bytes.start + start..bytes.end + start)
    }

    pub(crate) fn attribute(&self) -> Attribute<'p> {
        self.site.attribute
    }

    /// Whether it can come out so; what it asks of the context may be anything.
    pub(crate) fn can_be(&self, holds: bool) -> bool {
        let condition = &self.condition;
        self.role.can_be(&[Literal { condition, holds }])
    }
}

impl Role {
    /// Whether conditions of this role can be as they must at the same time.
    pub(crate) fn can_be(self, literals: &[Literal<'_>]) -> bool {
        let domain = Domain {
            outcomes: &self.outcomes(literals),
            known: &|_| None,
            labels: &[],
        };
        !satisfiable(literals, &domain).is_unsatisfiable()
    }

    /// What `outcome` can be where the condition is asked.
    fn outcomes(self, literals: &[Literal<'_>]) -> Vec<Status> {
        match self {
            // Goals are checked when a run has ended.
            Self::Goal => vec![Status::Success],
            Self::Done | Self::Gate | Self::Output => {
                let named = literals
                    .iter()
                    .flat_map(|literal| named_outcomes(literal.condition));
                let mut outcomes: Vec<Status> = Status::KNOWN.into_iter().chain(named).collect();
                outcomes.push(Status::Custom("another_word".to_owned()));
                outcomes
            }
        }
    }
}

fn read(site: AttributeSite<'_>) -> Vec<NodeCondition<'_>> {
    let text = site.attribute.value();
    let one = |role, bytes: Range<usize>| {
        let written = text.get(bytes.clone()).unwrap_or_default();
        let (condition, errors) = condition::parse(written);
        NodeCondition {
            site,
            role,
            condition,
            bytes,
            errors,
        }
    };
    match site.attribute.row().map(|row| row.ty) {
        Some(AttrType::Condition) => vec![one(Role::Done, 0..text.len())],
        Some(AttrType::ConditionList) => {
            let pieces = condition::pieces(text).into_iter();
            pieces.map(|bytes| one(Role::Goal, bytes)).collect()
        }
        // Some pipelines say in words what must be true; only what looks like a condition is one.
        Some(AttrType::BoolOrCondition)
            if values::boolean(text).is_none() && text.contains(['=', '<', '>']) =>
        {
            vec![one(Role::Gate, 0..text.len())]
        }
        Some(AttrType::Verify) => verify::condition_in(text)
            .map(|bytes| one(Role::Output, bytes))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}
