//! Names that people write for an attribute and that are no near miss of its own: `cmd` for `command`.

use attractor_model::catalogue::{self, AttributeRow, Owner};

/// Names that mean nothing here, and the attribute that is meant.
const MISNOMERS: &[(&str, &str)] = &[
    ("cmd", "command"),
    ("prompts", "prompt"),
    ("retry", "max_retries"),
    ("max_retry", "max_retries"),
    ("env", "env.NAME"),
    ("cond", "condition"),
];

/// The attribute that is probably meant by an unknown name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Misnomer {
    /// The attribute, or `env.NAME` for those of a family.
    pub(crate) meant: &'static str,
    /// What the catalogue says of it where it has an effect.
    pub(crate) row: &'static AttributeRow,
    /// Whether it has an effect on the element that has the name.
    pub(crate) applies: bool,
}

/// What an unknown name on an element means. A graph or an edge may have names of its own for what only nodes
/// have.
pub(crate) fn misnomer(owner: Owner, written: &str) -> Option<Misnomer> {
    let (_, meant) = MISNOMERS.iter().find(|(name, _)| *name == written)?;
    let here = catalogue::attribute(owner, meant);
    if here.is_none() && !matches!(owner, Owner::Node(_)) {
        return None;
    }
    let row = here.or_else(|| catalogue::attribute_elsewhere(owner, meant))?;
    Some(Misnomer {
        meant,
        row,
        applies: here.is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::MISNOMERS;
    use attractor_model::catalogue::{NodeKind, Owner, attribute_elsewhere};

    #[test]
    fn every_name_is_unknown_and_what_it_means_is_known() {
        let node = Owner::Node(NodeKind::Tool);
        for (name, meant) in MISNOMERS {
            assert!(attribute_elsewhere(node, name).is_none(), "{name}");
            assert!(attribute_elsewhere(node, meant).is_some(), "{meant}");
        }
    }
}
