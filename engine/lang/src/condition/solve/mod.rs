//! Satisfiability of conditions: can these hold at the same time? Used for coverage, conflicts and constant conditions.
//!
//! Every comparison of one key with constants splits the key's values into few classes; one value
//! represents each class, and the real evaluator says which comparisons hold for it. What cannot be split like
//! that (`contains`, a key against a key) counts as a free yes or no. A search over the classes then finds
//! a case or shows that there is none. It claims nothing it cannot show: [`Sat::Satisfiable`] comes with a
//! case that was evaluated, [`Sat::Unsatisfiable`] means every class was excluded, and when the work gets
//! too big the answer is [`Sat::Unknown`].
//!
//! ```
//! use attractor_lang::{Status, condition::{Sat, Literal, Domain, parse, satisfiable}};
//! let (low, high) = (parse("score < 3").0, parse("score >= 5").0);
//! let domain = Domain { outcomes: &Status::KNOWN, known: &|_| None, labels: &[] };
//! let together = [Literal { condition: &low, holds: true }, Literal { condition: &high, holds: true }];
//! assert_eq!(satisfiable(&together, &domain), Sat::Unsatisfiable);
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
pub struct Domain<'a> {
    /// The outcomes the stage can end with.
    pub outcomes: &'a [Status],
    /// Every value a key can have here, when that is known: `approved` of a human gate is true or false.
    pub known: &'a dyn Fn(&str) -> Option<Vec<Value>>,
    /// The labels of the node's edges.
    pub labels: &'a [String],
}

/// A condition that must hold, or must not.
#[derive(Clone, Copy)]
pub struct Literal<'a> {
    /// The condition.
    pub condition: &'a Condition,
    /// Whether it must hold.
    pub holds: bool,
}

/// Whether all literals can have their value at the same time.
#[derive(Debug, Clone, PartialEq)]
pub enum Sat {
    /// Yes, for example in this case.
    Satisfiable(Case),
    /// No.
    Unsatisfiable,
    /// Not shown either way.
    Unknown,
}

impl Sat {
    /// Whether it is shown that they cannot.
    pub fn is_unsatisfiable(&self) -> bool {
        *self == Self::Unsatisfiable
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

/// Answers whether all `literals` can be as they must. Bounded in time whatever the conditions are.
pub fn satisfiable(literals: &[Literal<'_>], domain: &Domain<'_>) -> Sat {
    let mut builder = Builder::new(domain);
    let goals: Vec<(Formula, bool)> = literals
        .iter()
        .map(|literal| {
            let formula = literal
                .condition
                .root
                .as_ref()
                .map(|root| builder.formula(root));
            (formula.unwrap_or(Formula::Constant(true)), literal.holds)
        })
        .collect();
    let Some(variables) = builder.finish() else {
        return Sat::Unknown;
    };
    let mut search = Search {
        goals: &goals,
        variables: &variables,
        literals,
        domain,
        budget: BUDGET,
        doubt: false,
    };
    let mut chosen = vec![None; variables.len()];
    match search.run(&mut chosen, 0) {
        Some(case) => Sat::Satisfiable(case),
        None if search.doubt => Sat::Unknown,
        None => Sat::Unsatisfiable,
    }
}
