//! The shapes of well-known keys, which do not occur by accident.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

/// One alternative per provider.
const SHAPES: &str = concat!(
    r"(?-u)\bsk[-_][A-Za-z0-9_-]{20,}",
    r"|\bgh[pousr]_[A-Za-z0-9]{30,}",
    r"|\bgithub_pat_[A-Za-z0-9_]{30,}",
    r"|\bglpat-[A-Za-z0-9_-]{18,}",
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    r"|\bAIza[0-9A-Za-z_-]{30,}",
    r"|\bxox[abprs]-[A-Za-z0-9-]{10,}",
    r"|\bxai-[A-Za-z0-9_-]{20,}",
    r"|\bgsk_[A-Za-z0-9]{20,}",
    r"|\bhf_[A-Za-z0-9]{20,}",
    r"|\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    r"|(?i:\bbearer[\t ]+)[A-Za-z0-9._~+/=-]{20,}",
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.)*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
);

static EXPRESSION: LazyLock<Option<Regex>> = LazyLock::new(|| match Regex::new(SHAPES) {
    Ok(expression) => Some(expression),
    Err(error) => {
        tracing::error!(%error, "keys cannot be masked");
        None
    }
});

/// Where keys are.
pub(crate) fn find(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let expression = EXPRESSION.as_ref();
    let found = expression.into_iter().flat_map(|one| one.find_iter(bytes));
    found.map(|key| key.range())
}
