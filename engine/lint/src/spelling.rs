//! Fixes that correct the spelling of a word, and which of them are safe to apply unasked.

use attractor_dot::{Applicability, Edit, Fix};

use crate::typos::is_typo;

/// Replaces a word by the known one it is nearly. Safe when it is one letter off; a longer way is a guess.
pub(crate) fn spelling(written: &str, near: &str, edit: Edit) -> Fix {
    spellings(written, near, vec![edit])
}

/// The same at several places.
pub(crate) fn spellings(written: &str, near: &str, edits: Vec<Edit>) -> Fix {
    let applicability = if is_typo(written, near) || written.eq_ignore_ascii_case(near) {
        Applicability::Safe
    } else {
        Applicability::Preferred
    };
    Fix::new(format!("Replace with `{near}`"), edits).with(applicability)
}
