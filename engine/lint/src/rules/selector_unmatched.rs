//! `selector_unmatched`: a rule of the stylesheet for nodes that are not there.

use crate::selectors::{UnmatchedPart, unmatched};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::TextRange;
use attractor_lang::stylesheet::parse;
use attractor_model::{Diagnostic, Level, Severity};

pub(crate) const LINT: Lint = Lint {
    rule: "selector_unmatched",
    level: Level::Hint,
    extent: Extent::Graph,
    fixable: true,
    summary: "Stylesheet selector that matches no node.",
    doc: "The rule has no effect. Correct the name, or remove the rule. A name one letter away from one that nodes \
have is a warning: these nodes go without the rule.",
    example: "graph [model_stylesheet=\"#reveiw { model: large }\"]\nreview [prompt=\"Review\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let Some(written) = pipeline.attributes.get("model_stylesheet") else {
        return;
    };
    let sheet = parse(written.value()).0;
    for part in unmatched(&sheet, &[pipeline], ctx.options) {
        if let Some(range) = written.range_of(ctx.text, part.range.clone()) {
            sink.push(finding(&part, range, ctx.text, sink));
        }
    }
}

/// The finding for a part of a selector at `range` of `text`.
pub(crate) fn finding(
    part: &UnmatchedPart,
    range: TextRange,
    text: &str,
    sink: &DiagnosticSink<'_>,
) -> Diagnostic {
    let found = sink.diagnostic(&LINT, range, part.message()).unnecessary();
    match part.typo_fix(range, text) {
        Some(fix) => Diagnostic {
            severity: sink.severity_or(&LINT, Severity::Warning),
            ..found
        }
        .fix(fix),
        None => found,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TEXT: &str = r#"digraph {
    model_stylesheet=".hard { model: large } #reveiw { model: y } .easy, wait.human { model: z }"
    start -> plan -> review
    plan [class="hard, hrad other", prompt=x]
    review [prompt=x]
}"#;

    #[test]
    fn selectors_that_match_nothing() {
        check(
            "selector_unmatched",
            TEXT,
            expect![[r#"
                model_stylesheet=".hard { model: large } #reveiw { model: y } .easy, wait.human { model: z }"
                                                         ^^^^^^^ warning: no node has id `reveiw`; did you mean `review`?
                  fix: Replace with `review`
                    + model_stylesheet=".hard { model: large } #review { model: y } .easy, wait.human { model: z }"
                model_stylesheet=".hard { model: large } #reveiw { model: y } .easy, wait.human { model: z }"
                                                                              ^^^^^ hint: no node has class `easy`
            "#]],
        );
    }

    #[test]
    fn a_typo_is_one_warning_with_a_fix() {
        let text = r#"digraph {
    model_stylesheet="* { model: small } .hrad { model: large } .loop-b { model: x }"
    start -> plan -> review -> more
    plan [class="hard", prompt=x]
    review [class="hard", prompt=x]
    more [class="loop-a", prompt=x]
}"#;
        check(
            "selector_unmatched",
            text,
            expect![[r#"
            model_stylesheet="* { model: small } .hrad { model: large } .loop-b { model: x }"
                                                 ^^^^^ warning: no node has class `hrad`; did you mean `hard`?
              fix: Replace with `hard`
                + model_stylesheet="* { model: small } .hard { model: large } .loop-b { model: x }"
            model_stylesheet="* { model: small } .hrad { model: large } .loop-b { model: x }"
                                                                        ^^^^^^^ hint: no node has class `loop-b`; did you mean `loop-a`?
        "#]],
        );
        check(
            "unused_class",
            text,
            expect![[r#"
            more [class="loop-a", prompt=x]
                         ^^^^^^ hint: class `loop-a` is not used by any stylesheet rule; did you mean `loop-b`?
        "#]],
        );
    }
}
