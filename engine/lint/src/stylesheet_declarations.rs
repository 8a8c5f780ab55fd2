//! What stylesheets in the file declare, so that lints of attributes see it too.

use crate::attribute_index::{AttributeIndex, AttributeSite};
use attractor_lang::stylesheet::{self, Declaration};
use attractor_model::catalogue::{NodeKind, Owner};

/// What a property is compared with: rules are for nodes, most of them for agents.
pub(crate) const OWNER: Owner = Owner::Node(NodeKind::Codergen);

/// A declaration and the attribute its stylesheet is in.
pub(crate) struct StylesheetDeclaration<'p> {
    pub(crate) site: AttributeSite<'p>,
    pub(crate) declaration: Declaration,
}

/// Every declaration of the graph's stylesheet.
pub(crate) fn declarations<'p>(written: &AttributeIndex<'p>) -> Vec<StylesheetDeclaration<'p>> {
    let stylesheets = written.stylesheets.iter();
    stylesheets
        .flat_map(|site| {
            let rules = stylesheet::parse(site.attribute.value())
                .0
                .rules
                .into_iter();
            let found = rules.flat_map(|rule| rule.declarations);
            found.map(|declaration| StylesheetDeclaration {
                site: *site,
                declaration,
            })
        })
        .collect()
}
