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

/// What keys begin with.
const BEGINNINGS: [&str; 17] = [
    "sk-",
    "sk_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "AKIA",
    "ASIA",
    "AIza",
    "xox",
    "xai-",
    "gsk_",
    "hf_",
    "eyJ",
];

/// A word of so many letters may be a part of an encoded secret.
const ENCODED: usize = 16;

/// Whether a word may be the beginning of a key, or a part of an encoded secret.
pub(crate) fn may_begin(word: &[u8]) -> bool {
    let has = |begin: &str| {
        word.windows(begin.len())
            .any(|part| part == begin.as_bytes())
    };
    let is_begun = |begin: &str| {
        (2..begin.len()).any(|length| {
            let begun = begin.as_bytes().get(..length);
            begun.is_some_and(|begun| word.ends_with(begun))
        })
    };
    let is_encoded = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-%".contains(byte);
    BEGINNINGS.iter().any(|begin| has(begin) || is_begun(begin))
        || (word.len() >= ENCODED && word.iter().all(is_encoded))
}

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
