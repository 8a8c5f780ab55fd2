//! The search over classes for a case that is as asked; every case is shown to the real evaluator.

use super::classes::{Representative, Variable, facts_of};
use super::formula::Formula;
use super::{Case, Domain, Literal};
use crate::condition::eval::{Facts, holds};
use crate::value::{Number, Value};

/// How many comparisons are looked at before giving up.
pub(super) const BUDGET: usize = 100_000;

/// A search under way.
pub(super) struct Search<'a> {
    pub(super) goals: &'a [(Formula, bool)],
    pub(super) variables: &'a [Variable],
    pub(super) literals: &'a [Literal<'a>],
    pub(super) domain: &'a Domain<'a>,
    pub(super) budget: usize,
    /// Something was left open: out of budget, or a case that could not be made concrete.
    pub(super) doubt: bool,
}

impl Search<'_> {
    /// Tries every class of the variables from `at` on; the first case that is real wins.
    pub(super) fn run(&mut self, chosen: &mut Vec<Option<usize>>, at: usize) -> Option<Case> {
        let mut open = false;
        for (formula, wanted) in self.goals {
            match value(formula, chosen, self.variables, &mut self.budget) {
                Some(value) if value != *wanted => return None,
                Some(_) => {}
                None => open = true,
            }
        }
        if self.budget == 0 || at > DEEPEST {
            self.doubt = true;
            return None;
        }
        let Some(variable) = self.variables.get(at).filter(|_| open) else {
            return self.case(chosen);
        };
        for class in 0..variable.classes.len() {
            if let Some(slot) = chosen.get_mut(at) {
                *slot = Some(class);
            }
            if let Some(case) = self.run(chosen, at + 1) {
                return Some(case);
            }
        }
        if let Some(slot) = chosen.get_mut(at) {
            *slot = None;
        }
        None
    }

    /// The case of the chosen classes, if the real evaluator agrees and it could come up.
    fn case(&mut self, chosen: &[Option<usize>]) -> Option<Case> {
        let representatives: Vec<Representative> = self
            .variables
            .iter()
            .zip(chosen)
            .filter_map(|(variable, class)| variable.classes.get((*class)?))
            .map(|(_, representative)| representative.clone())
            .collect();
        let (outcome, retries_left, context) = facts_of(&representatives, self.domain);
        let real = self.literals.iter().all(|literal| {
            let facts = Facts {
                context: &context,
                status: outcome.clone(),
                retries_left,
                labels: self.domain.labels,
            };
            literal
                .condition
                .root
                .as_ref()
                .is_none_or(|root| holds(root, &facts))
                == literal.holds
        });
        let odd = context.values().any(is_odd);
        if real && !odd && !self.domain.outcomes.is_empty() {
            return Some(Case {
                outcome,
                retries_left,
                context,
            });
        }
        self.doubt = true;
        None
    }
}

/// How many keys a search goes into.
const DEEPEST: usize = 200;

/// A value that only represents its class and is a poor example: the text after a text, half a retry.
fn is_odd(value: &Value) -> bool {
    match value {
        Value::Text(text) if text.contains('\0') => true,
        value => matches!(value.as_number(), Some(Number::Float(number)) if number.fract() != 0.0),
    }
}

/// What a formula is as far as the chosen classes decide it.
fn value(
    formula: &Formula,
    chosen: &[Option<usize>],
    variables: &[Variable],
    budget: &mut usize,
) -> Option<bool> {
    let mut joined = |parts: &[Formula], decider: bool| {
        let mut open = false;
        for part in parts {
            match value(part, chosen, variables, budget) {
                Some(value) if value == decider => return Some(decider),
                Some(_) => {}
                None => open = true,
            }
        }
        if open { None } else { Some(!decider) }
    };
    match formula {
        Formula::Constant(value) => Some(*value),
        Formula::All(parts) => joined(parts, false),
        Formula::Any(parts) => joined(parts, true),
        Formula::Not(inner) => value(inner, chosen, variables, budget).map(|value| !value),
        Formula::Atom(variable, atom) => {
            *budget = budget.saturating_sub(1);
            let class = (*chosen.get(*variable)?)?;
            variables
                .get(*variable)?
                .classes
                .get(class)?
                .0
                .get(*atom)
                .copied()
        }
    }
}
