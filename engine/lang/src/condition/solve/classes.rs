//! The classes of values that the comparisons of one variable distinguish.

use std::collections::BTreeMap;

use super::Domain;
use super::values::sample_values;
use crate::condition::ast::Expr;
use crate::condition::eval::{Facts, holds};
use crate::status::Status;
use crate::value::Value;

/// How many values times comparisons of one key are evaluated.
const LARGEST_TABLE: usize = 20_000;

/// Something that has one of a few values.
pub(super) struct Variable {
    /// For each class of values: which comparisons hold, and a value that represents it.
    pub(super) classes: Vec<(Vec<bool>, Representative)>,
}

/// A value of a class.
#[derive(Clone)]
pub(super) enum Representative {
    Outcome(Status, bool),
    Key(String, Value),
    /// A free yes or no; nothing concrete is known.
    Free,
}

/// The classes of outcomes and of whether retries are left.
pub(super) fn outcomes(atoms: &[&Expr], domain: &Domain<'_>) -> Option<Variable> {
    let representatives: Vec<Representative> = domain
        .outcomes
        .iter()
        .flat_map(|outcome| {
            [false, true].map(|retries| Representative::Outcome(outcome.clone(), retries))
        })
        .collect();
    classes(atoms, representatives, domain)
}

/// A comparison that may hold or not, whatever the rest.
pub(super) fn free(atoms: usize) -> Variable {
    let classes = [true, false].map(|value| (vec![value; atoms], Representative::Free));
    Variable {
        classes: classes.into(),
    }
}

/// The classes of a key's values; `None` when there are too many to look at.
pub(super) fn keyed(key: &str, atoms: &[&Expr], domain: &Domain<'_>) -> Option<Variable> {
    let values = (domain.known)(key).unwrap_or_else(|| sample_values(key, atoms));
    let representatives = values
        .into_iter()
        .map(|value| Representative::Key(key.to_owned(), value))
        .collect();
    classes(atoms, representatives, domain)
}

/// Groups what behaves alike under all comparisons; the first of each group represents it.
fn classes(
    atoms: &[&Expr],
    representatives: Vec<Representative>,
    domain: &Domain<'_>,
) -> Option<Variable> {
    if representatives.len().saturating_mul(atoms.len()) > LARGEST_TABLE {
        return None;
    }
    let mut classes: Vec<(Vec<bool>, Representative)> = Vec::new();
    for representative in representatives {
        let (outcome, retries_left, context) =
            facts_of(std::slice::from_ref(&representative), domain);
        let facts = Facts {
            context: &context,
            status: outcome,
            retries_left,
            labels: domain.labels,
        };
        let row: Vec<bool> = atoms.iter().map(|atom| holds(atom, &facts)).collect();
        if !classes.iter().any(|(other, _)| *other == row) {
            classes.push((row, representative));
        }
    }
    Some(Variable { classes })
}

/// What is the case where these classes are chosen.
pub(super) fn facts_of(
    representatives: &[Representative],
    domain: &Domain<'_>,
) -> (Status, bool, BTreeMap<String, Value>) {
    let mut outcome = domain.outcomes.first().cloned().unwrap_or(Status::Success);
    let mut retries_left = false;
    let mut context = BTreeMap::new();
    for representative in representatives {
        match representative {
            Representative::Outcome(status, retries) => {
                (outcome, retries_left) = (status.clone(), *retries);
            }
            Representative::Key(_, Value::Null) | Representative::Free => {}
            Representative::Key(key, value) => drop(context.insert(key.clone(), value.clone())),
        }
    }
    (outcome, retries_left, context)
}
