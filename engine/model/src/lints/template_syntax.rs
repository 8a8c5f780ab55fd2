//! `template_syntax`: templates that can be meant as they are written.

use rustc_hash::FxHashSet;

use super::condition_syntax::lang_finding;
use super::templates::Braces;
use super::{Check, Findings, Lint, Subject};
use crate::options::Level;

pub(super) const LINT: Lint = Lint {
    rule: "template_syntax",
    level: Level::Error,
    fixable: true,
    summary: "A template that cannot be meant as it is written.",
    doc: "`{key}`, `{key:-default}`, `$name` and `{{ goal }}` are places for values; a brace that is none of these is \
text, so JSON and shell code need nothing special. Only what was clearly meant as a place and is none is an error: \
`{{ goal }` with one brace missing, `{key:-default` without its end.",
    example: "plan [prompt=\"Plan {{ goal } now\"]",
    check: Check::Pipeline(check),
};

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let mut seen = FxHashSet::default();
    for Braces { spot, errors, .. } in subject.braces() {
        let attribute = spot.attribute;
        let range = attribute.value_range();
        if errors.is_empty() || !range.is_some_and(|range| seen.insert(range)) {
            continue;
        }
        for error in errors.iter().cloned() {
            if let Some(found) = lang_finding(&LINT, subject, findings, attribute, 0, error) {
                findings.push(spot.place.tell(subject.pipeline, found));
            }
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
}
