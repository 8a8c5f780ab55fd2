//! `secret_in_pipeline`: keys do not belong in files.

use std::sync::LazyLock;

use attractor_dot::{Edit, Fix, TextRange, strings};
use regex::Regex;

use crate::commands::commands;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_lang::shell::{self, QuoteContext};
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "secret_in_pipeline",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: true,
    summary: "Secret in a pipeline file.",
    doc: "Anyone who can read the file, its history or a run's journal can use the key. Move it to an \
environment variable, write `$NAME` in the command, and revoke this key. Variables with the name of a secret, such \
as `GITHUB_TOKEN`, are not passed to commands, so the fix uses another name.",
    example: "call [shape=parallelogram, command=\"curl -H 'Authorization: Bearer ghp_…'\"]",
    check: Check::Pipeline(check),
};

/// How keys begin, and how many letters, digits, `-` and `_` follow at least. A longer beginning precedes a
/// shorter one.
const KEYS: &[(&str, usize, KeyKind)] = &[
    ("sk-ant-", 20, ("an Anthropic key", "ANTHROPIC_KEY")),
    ("sk-proj-", 20, ("an OpenAI key", "OPENAI_KEY")),
    ("sk-", 32, ("an OpenAI key", "OPENAI_KEY")),
    ("ghp_", 30, ("a GitHub token", "GITHUB_AUTH")),
    ("gho_", 30, ("a GitHub token", "GITHUB_AUTH")),
    ("ghs_", 30, ("a GitHub token", "GITHUB_AUTH")),
    ("github_pat_", 30, ("a GitHub token", "GITHUB_AUTH")),
    ("glpat-", 18, ("a GitLab token", "GITLAB_AUTH")),
    ("AKIA", 16, ("an AWS key", "AWS_KEY")),
    ("AIza", 30, ("a Google key", "GOOGLE_KEY")),
    ("xoxb-", 20, ("a Slack token", "SLACK_AUTH")),
    ("xoxp-", 20, ("a Slack token", "SLACK_AUTH")),
    ("-----BEGIN PRIVATE KEY", 0, PRIVATE),
    ("-----BEGIN RSA PRIVATE KEY", 0, PRIVATE),
    ("-----BEGIN OPENSSH PRIVATE KEY", 0, PRIVATE),
];

/// What the key is, and an environment variable for it that commands may read; empty if only a part of the key was found.
type KeyKind = (&'static str, &'static str);

const PRIVATE: KeyKind = ("a private key", "");

/// The first bytes of every beginning of a key, looked for in one pass over the text. No more of them than it takes
/// to pass over nearly all text, so that the expression is soon compiled.
static BEGINNINGS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const FIRST: usize = 7;
    let mut beginnings: Vec<&str> = Vec::new();
    for (prefix, ..) in KEYS.iter().rev() {
        let first = prefix.get(..FIRST).unwrap_or(prefix);
        if !beginnings.iter().any(|known| first.starts_with(known)) {
            beginnings.push(first);
        }
    }
    Regex::new(&beginnings.join("|")).ok()
});

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let Some(beginnings) = &*BEGINNINGS else {
        return;
    };
    let whole = ctx.tree.range;
    let text = whole.text(ctx.text);
    for found in beginnings.find_iter(text) {
        let Some((length, (what, variable))) = key_at(text, found.start()) else {
            continue;
        };
        let start = whole.start() + found.start();
        let range = TextRange::new(start, start + length);
        let message =
            format!("this looks like {what}; move it to an environment variable and revoke it");
        let by_name = by_variable(ctx, range, variable);
        let found = sink.diagnostic(&LINT, range, message);
        sink.push(found.maybe_fix(by_name));
    }
}

/// Takes the key from an environment variable, where a shell would read it.
fn by_variable(ctx: &LintContext<'_>, key: TextRange, variable: &str) -> Option<Fix> {
    let (_, command) = commands(ctx).find(|(_, attribute)| {
        let whole = attribute.value_range();
        whole.is_some_and(|whole| whole.contains_range(key))
    })?;
    let text = key.text(ctx.text);
    let (at, _) = command
        .value()
        .match_indices(text)
        .find(|(at, _)| command.range_of(ctx.text, *at..at + text.len()) == Some(key))?;
    let value = match shell::positions(command.value(), &[at]).first()?.context {
        QuoteContext::Word => format!("\"${variable}\""),
        QuoteContext::Double | QuoteContext::HereDocument => format!("${{{variable}}}"),
        QuoteContext::Single => format!("'\"${variable}\"'"),
        _ => return None,
    };
    let quoted = command.value_range()?.text(ctx.text).starts_with('"');
    (quoted && !variable.is_empty()).then(|| {
        let edit = Edit::replace(key, strings::escape_into_quoted(&value));
        fix(format!("Use the environment variable `{variable}`"), edit)
    })
}

/// The length of the key that begins at `at`, and whose it is.
fn key_at(text: &str, at: usize) -> Option<(usize, KeyKind)> {
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
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_variable_takes_its_place_in_any_quotes() {
        check(
            "secret_in_pipeline",
            r#"digraph {
    start -> a -> b
    a [shape=parallelogram, command="call glpat-0123456789abcdefghij && call \"glpat-0123456789abcdefghij\""]
    b [prompt="ghp_0123456789abcdefghij0123456789abcdef"]
}"#,
            expect![[r#"
                a [shape=parallelogram, command="call glpat-0123456789abcdefghij && call \"glpat-0123456789abcdefghij\""]
                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: this looks like a GitLab token; move it to an environment variable and revoke it
                  fix: Use the environment variable `GITLAB_AUTH`
                    + a [shape=parallelogram, command="call \"$GITLAB_AUTH\" && call \"glpat-0123456789abcdefghij\""]
                a [shape=parallelogram, command="call glpat-0123456789abcdefghij && call \"glpat-0123456789abcdefghij\""]
                                                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: this looks like a GitLab token; move it to an environment variable and revoke it
                  fix: Use the environment variable `GITLAB_AUTH`
                    + a [shape=parallelogram, command="call glpat-0123456789abcdefghij && call \"${GITLAB_AUTH}\""]
                b [prompt="ghp_0123456789abcdefghij0123456789abcdef"]
                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: this looks like a GitHub token; move it to an environment variable and revoke it
            "#]],
        );
    }

    #[test]
    fn a_key_and_things_that_look_similar() {
        check(
            "secret_in_pipeline",
            r#"digraph {
    start -> a
    a [shape=parallelogram, command="curl -H 'Authorization: Bearer ghp_0123456789abcdefghij0123456789abcdef'"]
    b [prompt="sk-your-key-here, a risk-based-review-of-everything-0123456789abcdef"]
}"#,
            expect![[r#"
                a [shape=parallelogram, command="curl -H 'Authorization: Bearer ghp_0123456789abcdefghij0123456789abcdef'"]
                                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: this looks like a GitHub token; move it to an environment variable and revoke it
                  fix: Use the environment variable `GITHUB_AUTH`
                    + a [shape=parallelogram, command="curl -H 'Authorization: Bearer '\"$GITHUB_AUTH\"''"]
            "#]],
        );
    }
}
