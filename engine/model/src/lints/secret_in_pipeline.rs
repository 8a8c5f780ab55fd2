//! `secret_in_pipeline`: keys do not belong into files.

use std::sync::LazyLock;

use attractor_dot::TextRange;
use regex::Regex;

use super::{Check, Findings, Lint, Subject};
use crate::options::Level;

pub(super) const LINT: Lint = Lint {
    rule: "secret_in_pipeline",
    level: Level::Warn,
    fixable: false,
    summary: "A value that looks like an API key.",
    doc: "Whoever can read the file, its history or a run's journal can use the key. Put it into an environment \
variable and write `$NAME` in the command; then revoke this one.",
    example: "call [shape=parallelogram, command=\"curl -H 'Authorization: Bearer ghp_…'\"]",
    check: Check::Pipeline(check),
};

/// How keys begin, and how many letters, digits, `-` and `_` follow at least. A longer beginning stands before a
/// shorter one.
const KEYS: &[(&str, usize, &str)] = &[
    ("sk-ant-", 20, "an Anthropic key"),
    ("sk-proj-", 20, "an OpenAI key"),
    ("sk-", 32, "an OpenAI key"),
    ("ghp_", 30, "a GitHub token"),
    ("gho_", 30, "a GitHub token"),
    ("ghs_", 30, "a GitHub token"),
    ("github_pat_", 30, "a GitHub token"),
    ("glpat-", 18, "a GitLab token"),
    ("AKIA", 16, "an AWS key"),
    ("AIza", 30, "a Google key"),
    ("xoxb-", 20, "a Slack token"),
    ("xoxp-", 20, "a Slack token"),
    ("-----BEGIN PRIVATE KEY", 0, "a private key"),
    ("-----BEGIN RSA PRIVATE KEY", 0, "a private key"),
    ("-----BEGIN OPENSSH PRIVATE KEY", 0, "a private key"),
];

/// Every beginning of a key, looked for in one pass over the text.
static BEGINNINGS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let beginnings: Vec<&str> = KEYS.iter().map(|(prefix, ..)| *prefix).collect();
    Regex::new(&beginnings.join("|")).ok()
});

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(beginnings) = &*BEGINNINGS else {
        return;
    };
    let whole = subject.tree.range;
    let text = whole.text(subject.text);
    for found in beginnings.find_iter(text) {
        let Some((length, what)) = key_at(text, found.start()) else {
            continue;
        };
        let start = whole.start() + found.start();
        let range = TextRange::new(start, start + length);
        let message =
            format!("this looks like {what}; put it into an environment variable and revoke it");
        findings.push(findings.diagnostic(&LINT, range, message));
    }
}

/// The length of the key that begins at `at`, and whose it is.
fn key_at(text: &str, at: usize) -> Option<(usize, &'static str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    if text.get(..at)?.chars().next_back().is_some_and(is_part) {
        return None;
    }
    let here = text.get(at..)?;
    KEYS.iter().find_map(|(prefix, least, what)| {
        let rest = here.strip_prefix(prefix)?;
        let length = rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '-' | '_'))
            .unwrap_or(rest.len());
        let body = rest.get(..length)?;
        let random = *least == 0
            || (body.contains(|letter: char| letter.is_ascii_digit())
                && body.contains(|letter: char| letter.is_ascii_alphabetic())
                && !body.contains("xxx"));
        (length >= *least && random).then_some((prefix.len() + length, *what))
    })
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn a_key_and_things_that_look_similar() {
        check(
            "secret_in_pipeline",
            "digraph {\n    start -> a\n    a [shape=parallelogram, command=\"curl -H 'Authorization: Bearer ghp_0123456789abcdefghij0123456789abcdef'\"]\n    b [prompt=\"sk-your-key-here, a risk-based-review-of-everything-0123456789abcdef\"]\n}",
            expect![[r#"
            a [shape=parallelogram, command="curl -H 'Authorization: Bearer ghp_0123456789abcdefghij0123456789abcdef'"]
                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: this looks like a GitHub token; put it into an environment variable and revoke it
        "#]],
        );
    }
}
