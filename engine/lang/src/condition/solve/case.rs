//! What is asked and what is answered: conditions that must hold or must not, and the cases in which they do.

use std::collections::BTreeMap;
use std::fmt;

use crate::condition::ast::Condition;
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
