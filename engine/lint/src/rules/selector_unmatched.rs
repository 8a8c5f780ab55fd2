//! `selector_unmatched`: a rule of the stylesheet for nodes that are not there.

use crate::spelling::spelling;
use crate::typos::{are_variants, is_typo};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::Edit;
use attractor_lang::stylesheet::{PartKind, parse};
use attractor_model::Level;
use attractor_model::Severity;
use attractor_model::catalogue;

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
    for part in parse(written.value())
        .0
        .rules
        .iter()
        .flat_map(|rule| &rule.selectors)
        .flat_map(|s| &s.parts)
    {
        let nodes = pipeline.nodes.iter();
        let (what, name, near) = match &part.kind {
            PartKind::Class(class) => {
                let classes = || {
                    pipeline
                        .nodes
                        .iter()
                        .flat_map(|node| node.classes().iter())
                        .map(|class| &**class)
                };
                if classes().any(|own| own == class)
                    || catalogue::NodeKind::names().any(|name| name.ends_with(&format!(".{class}")))
                {
                    continue;
                }
                ("class", class, catalogue::nearest(class, classes()))
            }
            PartKind::Id(id) if pipeline.by_id(id).is_none() => (
                "id",
                id,
                catalogue::nearest(id, nodes.map(|node| &*node.id)),
            ),
            PartKind::Name(name) if !is_known(ctx, name) => (
                "shape or kind",
                name,
                catalogue::nearest(name, catalogue::NodeKind::names()),
            ),
            _ => continue,
        };
        let Some(range) = written.range_of(ctx.text, part.range.clone()) else {
            continue;
        };
        let message = match near {
            Some(near) => format!("no node has {what} `{name}`; did you mean `{near}`?"),
            None => format!("no node has {what} `{name}`"),
        };
        let mut found = sink.diagnostic(&LINT, range, message).unnecessary();
        // The nodes that are meant go without what the rule says.
        if let Some(near) = near.filter(|near| is_typo(name, near) && !are_variants(name, near)) {
            found.severity = sink.severity_or(&LINT, Severity::Warning);
            let better = range.text(ctx.text).replace(name.as_str(), near);
            found = found.fix(spelling(name, near, Edit::replace(range, better)));
        }
        sink.push(found);
    }
}

/// Whether a name is a shape, or of a kind of nodes (`wait` begins `wait.human`).
fn is_known(ctx: &LintContext<'_>, name: &str) -> bool {
    let is = |known: &str| known.eq_ignore_ascii_case(name);
    let begins = |known: &str| known.split('.').next().is_some_and(is);
    catalogue::SHAPES.iter().any(|shape| is(shape))
        || catalogue::NodeKind::names().any(|kind| is(kind) || begins(kind))
        || ctx
            .options
            .custom_handlers
            .iter()
            .any(|handler| is(&handler.name) || begins(&handler.name))
        || ctx
            .pipeline
            .nodes
            .iter()
            .any(|node| node.custom_handler.as_deref().is_some_and(is))
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
