//! What stylesheets in the file declare, so that lints of attributes see it too.

use super::written::{Spot, Written};
use crate::catalogue::{NodeKind, Owner};
use attractor_lang::stylesheet::{self, Declaration};

/// What a property is compared with: rules are for nodes, most of them for agents.
pub(super) const OWNER: Owner = Owner::Node(NodeKind::Codergen);

/// A declaration and the attribute its stylesheet stands in.
pub(super) struct Styled<'p> {
    pub(super) spot: Spot<'p>,
    pub(super) declaration: Declaration,
}

/// Every declaration of the graph's stylesheet.
pub(super) fn declarations<'p>(written: &Written<'p>) -> Vec<Styled<'p>> {
    let stylesheets = written.stylesheets.iter();
    stylesheets
        .flat_map(|spot| {
            let rules = stylesheet::parse(spot.attribute.value())
                .0
                .rules
                .into_iter();
            let found = rules.flat_map(|rule| rule.declarations);
            found.map(|declaration| Styled {
                spot: *spot,
                declaration,
            })
        })
        .collect()
}
