//! `template_syntax`: templates that can be meant as they are written.

use attractor_dot::Edit;
use rustc_hash::FxHashSet;

use super::condition_syntax::lang_finding;
use super::edits::fix;
use super::{Check, Findings, Lint, Subject};
use crate::diagnostic::Severity;
use crate::options::Level;
use attractor_lang::template;

pub(super) const LINT: Lint = Lint {
    rule: "template_syntax",
    level: Level::Error,
    fixable: true,
    summary: "A template that cannot be meant as it is written.",
    doc: "`{key}`, `{key:-default}`, `$name` and `{{ goal }}` are places for values; a brace that is none of these is \
text, so JSON and shell code need nothing special. Only what was clearly meant as a place and is none is an error: \
`{{ goal }` with one brace missing, `{key:-default` without its end. Doubled braces without blanks are text too: \
`{{key}}` stands for `{key}`, and where a key of the pipeline stands in them that is told, for it may be a slip.",
    example: "plan [prompt=\"Plan {{ goal } now\"]",
    check: Check::Pipeline(check),
};

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    mistakes(subject, findings);
    doubled(subject, findings);
}

fn mistakes(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let mut seen = FxHashSet::default();
    for (spot, error) in &subject.templates().errors {
        let found = lang_finding(&LINT, subject, findings, spot.attribute, 0, error.clone());
        // What is wrong with a default is so for every node that has it.
        if let Some(found) = found.filter(|found| seen.insert(found.range)) {
            findings.push(spot.place.tell(subject.pipeline, found));
        }
    }
}

/// Known keys in braces that make them text.
fn doubled(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let mut seen = FxHashSet::default();
    for spot in &subject.written().braced {
        let attribute = spot.attribute;
        for (key, bytes) in template::doubled(attribute.value()) {
            let place = attribute.place(subject.text, bytes);
            let Some(range) = place.filter(|range| subject.known().has(key) && seen.insert(*range))
            else {
                continue;
            };
            let message = format!(
                "`{{{{{key}}}}}` stands for the text `{{{key}}}`; single braces put in the value of the key `{key}`"
            );
            let mut found = findings.diagnostic(&LINT, range, message);
            found.severity = findings.severity_or(&LINT, Severity::Info);
            let edit = Edit::replace(range, format!("{{{key}}}"));
            let found = found.fix(fix("Put in the value", edit));
            findings.push(spot.place.tell(subject.pipeline, found));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn places_that_lost_a_brace() {
        check(
            "template_syntax",
            "digraph {\n    start -> a -> b\n    a [prompt=\"Say \\\"{{ goal }\\\" now, {\\\"json\\\": {\\\"a\\\": 1}}, {fix|feat}\"]\n    b [command=\"echo ${x:-1} {key:-none\"]\n}",
            expect![[r#"
                a [prompt="Say \"{{ goal }\" now, {\"json\": {\"a\": 1}}, {fix|feat}"]
                                 ^^^^^^^^^ error: `{{ goal }` needs two braces at its end
                  fix: Add the second brace
                    + a [prompt="Say \"{{ goal }}\" now, {\"json\": {\"a\": 1}}, {fix|feat}"]
                b [command="echo ${x:-1} {key:-none"]
                                         ^^^^^^^^^^ error: `{key:-…` is never closed on its line; add `}`
                  fix: Add the brace
                    + b [command="echo ${x:-1} {key:-none}"]
            "#]],
        );
    }

    #[test]
    fn keys_in_doubled_braces() {
        check(
            "template_syntax",
            "digraph {\n    vars=ticket\n    start -> a -> b\n    a [prompt=\"Fix \\\"{{ticket}}\\\" as {{last_response}} says, {{ goal }}, {{other}}, {{{goal}}}, {{goal}\"]\n    b [command=\"docker ps --format '{{.ID}}' {{outcome}}\"]\n}",
            expect![[r#"
                a [prompt="Fix \"{{ticket}}\" as {{last_response}} says, {{ goal }}, {{other}}, {{{goal}}}, {{goal}"]
                                 ^^^^^^^^^^ info: `{{ticket}}` stands for the text `{ticket}`; single braces put in the value of the key `ticket`
                  fix: Put in the value
                    + a [prompt="Fix \"{ticket}\" as {{last_response}} says, {{ goal }}, {{other}}, {{{goal}}}, {{goal}"]
                a [prompt="Fix \"{{ticket}}\" as {{last_response}} says, {{ goal }}, {{other}}, {{{goal}}}, {{goal}"]
                                                 ^^^^^^^^^^^^^^^^^ info: `{{last_response}}` stands for the text `{last_response}`; single braces put in the value of the key `last_response`
                  fix: Put in the value
                    + a [prompt="Fix \"{{ticket}}\" as {last_response} says, {{ goal }}, {{other}}, {{{goal}}}, {{goal}"]
                b [command="docker ps --format '{{.ID}}' {{outcome}}"]
                                                         ^^^^^^^^^^^ info: `{{outcome}}` stands for the text `{outcome}`; single braces put in the value of the key `outcome`
                  fix: Put in the value
                    + b [command="docker ps --format '{{.ID}}' {outcome}"]
            "#]],
        );
    }
}
