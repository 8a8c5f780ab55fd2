//! Satisfiability of conditions: can these hold at the same time? Used for coverage, conflicts and constant conditions.
//!
//! Every comparison of one key with constants splits the key's values into few classes; one value
//! represents each class, and the real evaluator says which comparisons hold for it. What cannot be split like
//! that (`contains`, a key against a key) counts as a free yes or no. A search over the classes then finds
//! a case or shows that there is none. It claims nothing it cannot show: [`Answer::Possible`] comes with a
//! case that was evaluated, [`Answer::Impossible`] means every class was excluded, and when the work gets
//! too big the answer is [`Answer::Unknown`].
//!
//! ```
//! use attractor_lang::{Status, condition::{Answer, Term, World, parse, possible}};
//! let (low, high) = (parse("score < 3").0, parse("score >= 5").0);
//! let world = World { outcomes: &Status::KNOWN, known: &|_| None, labels: &[] };
//! let together = [Term { condition: &low, holds: true }, Term { condition: &high, holds: true }];
//! assert_eq!(possible(&together, &world), Answer::Impossible);
//! ```

use std::collections::BTreeMap;
use std::fmt;

mod classes;
mod formula;
mod search;
#[cfg(test)]
mod tests;
mod values;

use formula::{Builder, Formula};
use search::{BUDGET, Search};

use super::ast::Condition;
use crate::status::Status;
use crate::value::Value;

/// What may be the case.
pub struct World<'a> {
    /// The outcomes the stage can end with.
    pub outcomes: &'a [Status],
    /// Every value a key can have here, when that is known: `approved` of a human gate is true or false.
    pub known: &'a dyn Fn(&str) -> Option<Vec<Value>>,
    /// The labels of the node's edges.
    pub labels: &'a [String],
}

/// A condition that must hold, or must not.
#[derive(Clone, Copy)]
pub struct Term<'a> {
    /// The condition.
    pub condition: &'a Condition,
    /// Whether it must hold.
    pub holds: bool,
}

/// Whether all terms can be as they must at the same time.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Yes, for example in this case.
    Possible(Case),
    /// No.
    Impossible,
    /// Not shown either way.
    Unknown,
}

impl Answer {
    /// Whether it is shown that they cannot.
    pub fn is_impossible(&self) -> bool {
        *self == Self::Impossible
    }
}

/// One case: how the stage ended and what the context holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// How the stage ended.
    pub outcome: Status,
    /// Whether the stage may be run again.
    pub retries_left: bool,
    /// The keys that matter and are set.
    pub context: BTreeMap<String, Value>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "outcome={}", self.outcome)?;
        self.context
            .iter()
            .try_for_each(|(key, value)| match value {
                Value::Text(text) => write!(f, ", {key}=\"{text}\""),
                value => write!(f, ", {key}={value}"),
            })
    }
}

/// Answers whether all `terms` can be as they must. Bounded in time whatever the conditions are.
pub fn possible(terms: &[Term<'_>], world: &World<'_>) -> Answer {
    let mut builder = Builder::new(world);
    let goals: Vec<(Formula, bool)> = terms
        .iter()
        .map(|term| {
            let formula = term
                .condition
                .root
                .as_ref()
                .map(|root| builder.formula(root));
            (formula.unwrap_or(Formula::Constant(true)), term.holds)
        })
        .collect();
    let Some(variables) = builder.finish() else {
        return Answer::Unknown;
    };
    let mut search = Search {
        goals: &goals,
        variables: &variables,
        terms,
        world,
        budget: BUDGET,
        doubt: false,
    };
    let mut chosen = vec![None; variables.len()];
    match search.run(&mut chosen, 0) {
        Some(case) => Answer::Possible(case),
        None if search.doubt => Answer::Unknown,
        None => Answer::Impossible,
    }
}
