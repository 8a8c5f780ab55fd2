//! Which rules a node gets, weakest first.

use smol_str::SmolStr;

use super::{Part, PartKind, Rule, Selector, Specificity, Stylesheet, Weight};
use crate::glob;

/// A node, as selectors see it.
pub struct Target<'a> {
    /// Its ID.
    pub id: &'a str,
    /// Every name of its kind (with aliases) and its shape.
    pub names: &'a [&'a str],
    /// Its classes.
    pub classes: &'a [SmolStr],
    /// The value of one of its own attributes.
    pub attribute: &'a dyn Fn(&str) -> Option<String>,
}

/// A rule that matches, and the strongest of its selectors that does.
#[derive(Debug, Clone, Copy)]
pub struct Match<'s> {
    /// The rule.
    pub rule: &'s Rule,
    /// The selector.
    pub selector: &'s Selector,
    /// How strong the match is.
    pub specificity: Specificity,
}

impl Stylesheet {
    /// The rules that match, weakest first: of two declarations of one property the later wins.
    pub fn cascade(&self, target: &Target<'_>) -> Vec<Match<'_>> {
        let mut matches: Vec<Match<'_>> = self
            .rules
            .iter()
            .filter_map(|rule| rule.matching(target))
            .collect();
        // The sort is stable: among equals the later rule stays later.
        matches.sort_by_key(|found| found.specificity);
        matches
    }
}

impl Rule {
    fn matching(&self, target: &Target<'_>) -> Option<Match<'_>> {
        let selector = self
            .selectors
            .iter()
            .filter(|selector| selector.matches(target))
            .max_by_key(|s| s.specificity())?;
        let specificity = match self.weight {
            Weight::BySelector => selector.specificity(),
            Weight::ByOrder => Specificity { rank: 1, parts: 1 },
        };
        Some(Match {
            rule: self,
            selector,
            specificity,
        })
    }
}

impl Selector {
    /// Whether all parts match. A name with dots (`wait.human`) reads like a name and a class and is both.
    pub fn matches(&self, target: &Target<'_>) -> bool {
        if let [
            Part {
                kind: PartKind::Name(name),
                ..
            },
            Part {
                kind: PartKind::Class(class),
                ..
            },
            rest @ ..,
        ] = self.parts.as_slice()
            && target.names.contains(&format!("{name}.{class}").as_str())
        {
            return rest.iter().all(|part| part.matches(target));
        }
        !self.parts.is_empty() && self.parts.iter().all(|part| part.matches(target))
    }
}

impl Part {
    fn matches(&self, target: &Target<'_>) -> bool {
        match &self.kind {
            PartKind::Any => true,
            PartKind::Name(name) => target
                .names
                .iter()
                .any(|own| own.eq_ignore_ascii_case(name)),
            PartKind::Class(class) => target.classes.iter().any(|own| **own == **class),
            PartKind::Id(id) => target.id == id,
            PartKind::Attribute { name, value } if name == "name" => {
                glob::matches(value, target.id)
            }
            PartKind::Attribute { name, value } => {
                (target.attribute)(name).is_some_and(|own| own == *value)
            }
        }
    }
}
