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

mod case;
mod classes;
mod formula;
mod search;
#[cfg(test)]
mod tests;
mod values;

pub use case::{Case, Domain, Literal, Sat};

use formula::{Builder, Formula};
use search::{BUDGET, Search};

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
