//! `bare_word_compare`: a text after `==` wears quotes.

use attractor_dot::{Applicability, Edit, TextRange};

use crate::attribute_index::{AttributeSite, AttributeTarget};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_lang::Status;
use attractor_lang::condition::{Compare, Condition, Op, OperandKind};
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "bare_word_compare",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: true,
    summary: "Unquoted text after `==`.",
    doc: "The right side of `==` is a context key unless it is quoted. A status or a label of one of the \
node's edges is read as text as long as no key has that name; quoted text is always text. A word that nothing in \
the pipeline sets is probably not meant as a key: two missing keys would even be equal. `=` accepts unquoted text.",
    example: "test -> deploy [condition=\"outcome == success\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let is_key = |word: &str| ctx.known_keys().has(word);
    let mut last = None;
    for (on, condition, worth) in ctx.edge_conditions().classify(may_be_wrong) {
        let (edge, written) = (on.edge, on.written);
        // Edges of one statement share their condition.
        if written.value_range().is_none() || last == written.value_range() {
            continue;
        }
        last = written.value_range();
        if !worth {
            continue;
        }
        let is_label = |word: &str| ctx.is_label(edge.from, word);
        let site = AttributeSite {
            target: AttributeTarget::Edge(on.ix),
            attribute: written,
        };
        report(
            ctx,
            sink,
            (site, 0),
            condition,
            &Words {
                is_label: &is_label,
                is_key: &is_key,
            },
        );
    }
    for asked in ctx.node_conditions() {
        let place = (asked.site, asked.bytes.start);
        report(
            ctx,
            sink,
            place,
            &asked.condition,
            &Words {
                is_label: &|_| false,
                is_key: &is_key,
            },
        );
    }
}

/// Whether there is something in a condition that this lint may report.
fn may_be_wrong(condition: &Condition) -> bool {
    let bare = |compare: &Compare| {
        compare.op == Op::Equal && matches!(compare.right.kind, OperandKind::Key(_))
    };
    let mut comparisons = condition.comparisons();
    comparisons.any(bare)
}

/// What a bare word may be besides a status.
struct Words<'f> {
    is_label: &'f dyn Fn(&str) -> bool,
    is_key: &'f dyn Fn(&str) -> bool,
}

/// Reports the bare words of a condition that begins at byte `start` of an attribute's value.
fn report(
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    (site, start): (AttributeSite<'_>, usize),
    condition: &Condition,
    words: &Words<'_>,
) {
    let written = site.attribute;
    for compare in condition
        .comparisons()
        .filter(|compare| matches!(compare.op, Op::Equal))
    {
        let OperandKind::Key(word) = &compare.right.kind else {
            continue;
        };
        let what = if Status::known(word).is_some() {
            "a status"
        } else if (words.is_label)(word) {
            "a label"
        } else if !word.contains('.') && !(words.is_key)(word) {
            "a context key"
        } else {
            continue;
        };
        let bytes = compare.right.range.start + start..compare.right.range.end + start;
        let Some(range) = written.range_of(ctx.text, bytes) else {
            continue;
        };
        let message = match what {
            "a context key" => format!(
                "`{word}` is an unset context key; quote it (`'{word}'`) to compare with text"
            ),
            what => format!(
                "`{word}` is read as {what} only while no context key has that name; quote it (`'{word}'`)"
            ),
        };
        let mut found = sink.diagnostic(&LINT, range, message);
        // Without quotes around the whole condition the apostrophes would not be read.
        let quoted = |whole: TextRange| whole.text(ctx.text).starts_with('"');
        if written.value_range().is_some_and(quoted) {
            let edit = Edit::replace(range, format!("'{word}'"));
            // Quoting what is read as text already changes nothing; quoting a key does.
            let applicability = match what {
                "a context key" => Applicability::Preferred,
                _ => Applicability::Safe,
            };
            let quoting = fix(format!("Quote as `'{word}'`"), edit).with(applicability);
            found = found.fix(quoting);
        }
        sink.push(site.target.annotate(ctx.pipeline, found));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn goals_and_ends_of_loops() {
        check(
            "bare_word_compare",
            r#"digraph {
    goal_conditions="a == 1; outcome == success"
    start -> s -> exit
    s [shape=house, sub_pipeline=x, done_condition="stack.child.status == failed"]
}"#,
            expect![[r#"
                goal_conditions="a == 1; outcome == success"
                                                    ^^^^^^^ warning: `success` is read as a status only while no context key has that name; quote it (`'success'`)
                  fix: Quote as `'success'`
                    + goal_conditions="a == 1; outcome == 'success'"
                s [shape=house, sub_pipeline=x, done_condition="stack.child.status == failed"]
                                                                                      ^^^^^^ warning: `failed` is read as a status only while no context key has that name; quote it (`'failed'`)
                  fix: Quote as `'failed'`
                    + s [shape=house, sub_pipeline=x, done_condition="stack.child.status == 'failed'"]
            "#]],
        );
    }

    #[test]
    fn statuses_and_labels_want_quotes_and_keys_do_not() {
        check(
            "bare_word_compare",
            r#"digraph {
    start [shape=Mdiamond]
    start -> n
    n [prompt=x]
    n -> a [condition="outcome == success"]
    n -> b [condition="x == Ship and y == z", label=Ship]
    n -> c [condition="outcome=fail or outcome == 'fail' or outcome != fail"]
}"#,
            expect![[r#"
                n -> a [condition="outcome == success"]
                                              ^^^^^^^ warning: `success` is read as a status only while no context key has that name; quote it (`'success'`)
                  fix: Quote as `'success'`
                    + n -> a [condition="outcome == 'success'"]
                n -> b [condition="x == Ship and y == z", label=Ship]
                                        ^^^^ warning: `Ship` is read as a label only while no context key has that name; quote it (`'Ship'`)
                  fix: Quote as `'Ship'`
                    + n -> b [condition="x == 'Ship' and y == z", label=Ship]
                n -> b [condition="x == Ship and y == z", label=Ship]
                                                      ^ warning: `z` is an unset context key; quote it (`'z'`) to compare with text
                  fix: Quote as `'z'`
                    + n -> b [condition="x == Ship and y == 'z'", label=Ship]
            "#]],
        );
    }
}
