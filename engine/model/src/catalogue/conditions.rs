//! Words and operators of conditions.

/// What a word does in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordClass {
    /// Compares two operands.
    Comparison,
    /// Combines or negates conditions.
    Logic,
    /// A value of its own.
    Value,
    /// A condition about the outcome of the preceding node.
    Outcome,
}

/// A word or operator of conditions.
#[derive(Debug)]
pub struct ConditionWord {
    /// As written.
    pub name: &'static str,
    /// Other ways to write it.
    pub aliases: &'static [&'static str],
    /// What it does.
    pub class: WordClass,
    /// One sentence.
    pub doc: &'static str,
    /// A condition that uses it.
    pub example: &'static str,
}

const fn word(
    name: &'static str,
    aliases: &'static [&'static str],
    class: WordClass,
    doc: &'static str,
    example: &'static str,
) -> ConditionWord {
    ConditionWord {
        name,
        aliases,
        class,
        doc,
        example,
    }
}

/// Every word and operator, in the order completion offers them.
pub const CONDITION_WORDS: &[ConditionWord] = &[
    word(
        "on_success",
        &[],
        WordClass::Outcome,
        "The preceding node succeeded, fully or partially.",
        "on_success",
    ),
    word(
        "on_fail",
        &[],
        WordClass::Outcome,
        "The preceding node failed.",
        "on_fail and retries < 3",
    ),
    word(
        "on_retry",
        &[],
        WordClass::Outcome,
        "The preceding node failed and has retries left.",
        "on_retry",
    ),
    word(
        "on_exhaust",
        &[],
        WordClass::Outcome,
        "The preceding node failed and has no retries left.",
        "on_exhaust",
    ),
    word("always", &[], WordClass::Outcome, "True.", "always"),
    word(
        "=",
        &[],
        WordClass::Comparison,
        "Equal, leniently: the right side may be a bare word, which is then that text; numbers and booleans also equal the texts that name them (`x=3` holds for 3 and for `\"3\"`); a missing key is the empty text.",
        "outcome=success",
    ),
    word(
        "==",
        &[],
        WordClass::Comparison,
        "Equal, with types: a bare word on the right side is a context key.",
        "exit_code == 0",
    ),
    word(
        "!=",
        &[],
        WordClass::Comparison,
        "The negation of `=`: exactly one of `x=3` and `x!=3` is true. A missing key differs from everything but `null` and the empty text.",
        "outcome!=success",
    ),
    word(
        "<",
        &[],
        WordClass::Comparison,
        "Less. Numbers, and texts that read as one, compare as numbers; two other texts compare as texts; anything else is false and warns.",
        "retries < 3",
    ),
    word(
        "<=",
        &[],
        WordClass::Comparison,
        "Less or equal.",
        "score <= 0.5",
    ),
    word(">", &[], WordClass::Comparison, "Greater.", "score > 0.8"),
    word(
        ">=",
        &[],
        WordClass::Comparison,
        "Greater or equal.",
        "approvals >= 2",
    ),
    word(
        "contains",
        &[],
        WordClass::Comparison,
        "A text contains another, or a list an item.",
        "stdout contains \"passed\"",
    ),
    word(
        "matches",
        &[],
        WordClass::Comparison,
        "A text matches a regular expression.",
        "stdout matches \"[0-9]+ passed\"",
    ),
    word(
        "startswith",
        &["starts_with"],
        WordClass::Comparison,
        "A text begins with another.",
        "tool.last_line startswith \"ok\"",
    ),
    word(
        "endswith",
        &["ends_with"],
        WordClass::Comparison,
        "A text ends with another.",
        "tool.last_line endswith \"done\"",
    ),
    word(
        "in",
        &[],
        WordClass::Comparison,
        "An item is in a list, or a text in another.",
        "\"lint\" in failed_checks",
    ),
    word(
        "and",
        &["&&"],
        WordClass::Logic,
        "Both are true.",
        "outcome=success and approved",
    ),
    word(
        "or",
        &["||"],
        WordClass::Logic,
        "At least one is true.",
        "outcome=fail or exit_code > 0",
    ),
    word(
        "not",
        &["!"],
        WordClass::Logic,
        "Negation. May also precede a word operator: `x not in y`, `x !contains y`.",
        "not approved",
    ),
    word("true", &[], WordClass::Value, "Yes.", "approved == true"),
    word("false", &[], WordClass::Value, "No.", "approved == false"),
    word(
        "null",
        &["none"],
        WordClass::Value,
        "Nothing: a key that is not set.",
        "ticket != null",
    ),
];
