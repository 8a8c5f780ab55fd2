//! Fixes that correct the spelling of a word, and which of them are safe to apply unasked.

use attractor_dot::{Applicability, Edit, Fix};

use crate::typos::is_typo;
use attractor_dot::graph_edits::fix;
use attractor_model::catalogue::{self, Owner};

/// Attributes of nodes and graphs that only say what a step is about: correcting the name of one of them leaves the
/// route of a run as it is.
const DESCRIPTIVE: &[&str] = &[
    "description",
    "goal",
    "label",
    "prompt",
    "system_prompt",
    "user_instructions",
];

/// Replaces a word by the known one it is nearly. Safe when it is one letter off; a longer way is a guess.
pub(crate) fn spelling(written: &str, near: &str, edit: Edit) -> Fix {
    let applicability = if is_typo(written, near) || written.eq_ignore_ascii_case(near) {
        Applicability::Safe
    } else {
        Applicability::Preferred
    };
    fix(format!("Replace with `{near}`"), edit).with(applicability)
}

/// Replaces the name of an attribute that so far was ignored. With it comes the effect, so only names of attributes
/// that decide nothing about the route of a run are corrected unasked.
pub(crate) fn attribute_name(owner: Owner, written: &str, near: &str, edit: Edit) -> Fix {
    let corrected = spelling(written, near, edit);
    if is_descriptive(owner, near) {
        corrected
    } else {
        corrected.preferred()
    }
}

fn is_descriptive(owner: Owner, name: &str) -> bool {
    // The label of an edge is a choice, and the shape of a node picks its handler.
    if owner == Owner::Edge {
        return false;
    }
    match catalogue::attribute(owner, name) {
        Some(row) => DESCRIPTIVE.contains(&row.name),
        None => catalogue::graphviz_attribute(name).is_some() && name != "shape",
    }
}
