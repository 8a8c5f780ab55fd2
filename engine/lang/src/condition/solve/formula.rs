//! Conditions as formulas over numbered comparisons; each key they name is a variable.

use rustc_hash::FxHashMap;

use super::Domain;
use super::classes::{Variable, free, keyed, outcomes};
use crate::condition::ast::{Expr, ExprKind, Keyword, Op, Operand, OperandKind};
use crate::condition::eval::{Facts, holds};
use crate::status::Status;

/// A condition, of numbered comparisons of numbered variables.
pub(super) enum Formula {
    Constant(bool),
    /// Comparison number of a variable number.
    Atom(usize, usize),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

/// The comparisons of one variable, while conditions are being read.
struct Draft<'a> {
    key: Option<String>,
    atoms: Vec<&'a Expr>,
}

/// Reads conditions and gathers the variables they speak of.
pub(super) struct Builder<'a, 'w> {
    domain: &'a Domain<'w>,
    names: FxHashMap<String, usize>,
    drafts: Vec<Draft<'a>>,
}

/// The name of the variable of outcomes; no key has a blank.
const OUTCOME: &str = "the outcome";

impl<'a, 'w> Builder<'a, 'w> {
    pub(super) fn new(domain: &'a Domain<'w>) -> Self {
        let mut builder = Self {
            domain,
            names: FxHashMap::default(),
            drafts: Vec::new(),
        };
        builder.variable(OUTCOME.to_owned(), None);
        builder
    }

    fn variable(&mut self, name: String, key: Option<String>) -> usize {
        let next = self.drafts.len();
        let at = *self.names.entry(name).or_insert(next);
        if at == next {
            self.drafts.push(Draft {
                key,
                atoms: Vec::new(),
            });
        }
        at
    }

    pub(super) fn formula(&mut self, expr: &'a Expr) -> Formula {
        match &expr.kind {
            ExprKind::Or(parts) => {
                Formula::Any(parts.iter().map(|part| self.formula(part)).collect())
            }
            ExprKind::And(parts) => {
                Formula::All(parts.iter().map(|part| self.formula(part)).collect())
            }
            ExprKind::Not(inner) => Formula::Not(Box::new(self.formula(inner))),
            ExprKind::Group(inner) => self.formula(inner),
            ExprKind::Keyword(Keyword::Always) => Formula::Constant(true),
            ExprKind::Keyword(_) => self.atom(OUTCOME.to_owned(), None, expr),
            ExprKind::Truth(operand) => self.clause(expr, &[operand], None),
            ExprKind::Compare(compare) => {
                self.clause(expr, &[&compare.left, &compare.right], Some(compare.op))
            }
        }
    }

    fn clause(&mut self, expr: &'a Expr, operands: &[&Operand], op: Option<Op>) -> Formula {
        let keys: Vec<&str> = operands
            .iter()
            .enumerate()
            .filter_map(|(at, operand)| match &operand.kind {
                OperandKind::Key(word) if at == 1 && self.is_text(word) => None,
                OperandKind::Key(key) | OperandKind::Insert(key) => Some(bare(key)),
                _ => None,
            })
            .collect();
        let opaque = matches!(
            op,
            Some(Op::Contains | Op::Matches | Op::In | Op::StartsWith | Op::EndsWith)
        );
        match keys.as_slice() {
            // On the left of a constant; the classes of its values are known.
            [key]
                if !opaque
                    && matches!(
                        operands,
                        [
                            Operand {
                                kind: OperandKind::Key(_),
                                ..
                            },
                            ..
                        ]
                    ) =>
            {
                let key = (*key).to_owned();
                if key == "outcome" {
                    self.atom(OUTCOME.to_owned(), None, expr)
                } else {
                    self.atom(key.clone(), Some(key), expr)
                }
            }
            [] if !opaque && !operands.iter().any(|o| o.kind == OperandKind::Missing) => {
                let facts = Facts {
                    context: &(),
                    status: Status::Success,
                    retries_left: false,
                    labels: &[],
                };
                Formula::Constant(holds(expr, &facts))
            }
            // A blank keeps the name apart from every key.
            _ => self.atom(format!("the clause {expr}"), None, expr),
        }
    }

    fn is_text(&self, word: &str) -> bool {
        Status::known(word).is_some() || self.domain.labels.iter().any(|label| label == word)
    }

    fn atom(&mut self, name: String, key: Option<String>, expr: &'a Expr) -> Formula {
        let variable = self.variable(name, key);
        let atoms = self.drafts.get_mut(variable).map(|draft| &mut draft.atoms);
        atoms.map_or(Formula::Constant(false), |atoms| {
            atoms.push(expr);
            Formula::Atom(variable, atoms.len() - 1)
        })
    }

    /// The variables with their classes; `None` when there are too many to look at.
    pub(super) fn finish(self) -> Option<Vec<Variable>> {
        let domain = self.domain;
        let names: FxHashMap<usize, String> = self
            .names
            .into_iter()
            .map(|(name, at)| (at, name))
            .collect();
        self.drafts
            .into_iter()
            .enumerate()
            .map(|(at, draft)| match (draft.key, names.get(&at)) {
                (Some(key), _) => keyed(&key, &draft.atoms, domain),
                (None, Some(name)) if name == OUTCOME => outcomes(&draft.atoms, domain),
                (None, _) => Some(free(draft.atoms.len())),
            })
            .collect()
    }
}

fn bare(key: &str) -> &str {
    key.strip_prefix("context.").unwrap_or(key)
}
