//! `unknown_directive`: what comments ask of Attractor is something it knows.

use attractor_dot::{Edit, TextRange};

use crate::typos::{did_you_mean, is_typo};
use crate::{Check, DiagnosticSink, Extent, Lint};
use attractor_dot::graph_edits::fix;
use attractor_model::catalogue::nearest;
use attractor_model::directives::{DirectiveTerm, REQUESTS, TermKind, head};
use attractor_model::{Dialect, Level};

pub(crate) const LINT: Lint = Lint {
    rule: "unknown_directive",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: true,
    summary: "Unknown directive.",
    doc: "`// attractor:` must be followed by `pipeline`, `graph`, `strict-nodes`, `dialect=NAME` or \
`allow(RULE, …)`. Anything else is ignored: the dialect is unchanged, and no rule is suppressed.",
    example: "// attractor: dialect=klroy\n// attractor: allow(unguarded_falure)",
    check: Check::Elsewhere,
};

/// Reports words that name no request, no dialect, and none of the `rules`.
pub(crate) fn report(
    text: &str,
    named: &[DirectiveTerm],
    rules: &[&Lint],
    sink: &mut DiagnosticSink<'_>,
) {
    if sink.severity(&LINT).is_none() {
        return;
    }
    for word in named {
        let written = word.range.text(text);
        match word.kind {
            TermKind::Reason if !is_typo_of_request(written) => {}
            TermKind::Request | TermKind::Reason => {
                sink.push(no_request(word.range, written, sink));
            }
            TermKind::Dialect => {
                let dialects = Dialect::ALL.map(Dialect::name);
                let near = nearest(written, dialects);
                let known = format!("; expected one of {}", dialects.join(", "));
                let what = format!("unknown dialect `{written}`");
                sink.push(typo(word.range, &what, near, &known, sink));
            }
            TermKind::Rule if rules.iter().all(|lint| lint.rule != written) => {
                let near = nearest(written, rules.iter().map(|lint| lint.rule));
                let what = format!("unknown rule `{written}`");
                let known = "; run `attractor lints` for a list";
                sink.push(typo(word.range, &what, near, known, sink));
            }
            TermKind::Rule => {}
        }
    }
}

/// Whether a word is a request but for one letter.
fn is_typo_of_request(word: &str) -> bool {
    REQUESTS.iter().any(|(name, _)| is_typo(head(word), name))
}

fn no_request(
    range: TextRange,
    written: &str,
    sink: &DiagnosticSink<'_>,
) -> attractor_model::Diagnostic {
    let head = head(written);
    let near = REQUESTS.iter().find(|(name, _)| *name == head).or_else(|| {
        let near = nearest(head, REQUESTS.map(|(name, _)| name))?;
        REQUESTS.iter().find(|(name, _)| *name == near)
    });
    let forms = REQUESTS.map(|(_, form)| form).join(", ");
    let what = format!("unknown directive `{written}`");
    let known = format!("; expected one of {forms}");
    match near {
        // A form with a part to fill in is shown, not put in.
        Some((name, form)) if name != form => {
            let message = what + &did_you_mean(Some(form));
            sink.diagnostic(&LINT, range, message)
        }
        _ => typo(range, &what, near.map(|(name, _)| *name), &known, sink),
    }
}

/// A finding with the nearest name and its fix, or else with what is known.
fn typo(
    range: TextRange,
    what: &str,
    near: Option<&str>,
    known: &str,
    sink: &DiagnosticSink<'_>,
) -> attractor_model::Diagnostic {
    let Some(near) = near else {
        return sink.diagnostic(&LINT, range, [what, known].concat());
    };
    let message = [what, &did_you_mean(Some(near))].concat();
    let edit = Edit::replace(range, near.to_owned());
    sink.diagnostic(&LINT, range, message)
        .fix(fix(format!("Replace with `{near}`"), edit).preferred())
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn dialects() {
        check(
            "unknown_directive",
            r#"// attractor: dialect=klroy
// attractor: dialect="mine"
// attractor: dialect=Fabro
digraph { start -> a }"#,
            expect![[r#"
                // attractor: dialect=klroy
                                      ^^^^^ warning: unknown dialect `klroy`; did you mean `kilroy`?
                  fix: Replace with `kilroy`
                    + // attractor: dialect=kilroy
                // attractor: dialect="mine"
                                       ^^^^ warning: unknown dialect `mine`; expected one of attractor, fabro, kilroy, samueljklee, tracker
            "#]],
        );
    }

    #[test]
    fn rules_in_any_graph() {
        check(
            "unknown_directive",
            "graph {
    a -- b // attractor: allow(cycle, unguarded_falure, mine)
    c /* attractor: allow(reachability */
}",
            expect![[r#"
                a -- b // attractor: allow(cycle, unguarded_falure, mine)
                                                  ^^^^^^^^^^^^^^^^ warning: unknown rule `unguarded_falure`; did you mean `unguarded_failure`?
                  fix: Replace with `unguarded_failure`
                    + a -- b // attractor: allow(cycle, unguarded_failure, mine)
                a -- b // attractor: allow(cycle, unguarded_falure, mine)
                                                                    ^^^^ warning: unknown rule `mine`; run `attractor lints` for a list
            "#]],
        );
    }

    #[test]
    fn requests() {
        check(
            "unknown_directive",
            "# attractor: strict_nodes\n// attractor: dialcet=kilroy\n// attractor: allow cycle\n// attractor: please pipeline\n// attractor: strict-nodes dialcet=kilroy\n// attractor: Graph\ndigraph {}",
            expect![[r#"
                # attractor: strict_nodes
                             ^^^^^^^^^^^^ warning: unknown directive `strict_nodes`; did you mean `strict-nodes`?
                  fix: Replace with `strict-nodes`
                    + # attractor: strict-nodes
                // attractor: dialcet=kilroy
                              ^^^^^^^^^^^^^^ warning: unknown directive `dialcet=kilroy`; did you mean `dialect=NAME`?
                // attractor: allow cycle
                              ^^^^^ warning: unknown directive `allow`; did you mean `allow(RULE)`?
                // attractor: please pipeline
                              ^^^^^^ warning: unknown directive `please`; expected one of pipeline, graph, strict-nodes, dialect=NAME, allow(RULE)
                // attractor: strict-nodes dialcet=kilroy
                                           ^^^^^^^^^^^^^^ warning: unknown directive `dialcet=kilroy`; did you mean `dialect=NAME`?
                // attractor: Graph
                              ^^^^^ warning: unknown directive `Graph`; did you mean `graph`?
                  fix: Replace with `graph`
                    + // attractor: graph
            "#]],
        );
    }

    #[test]
    fn a_sentence_is_none_of_ours() {
        check(
            "unknown_directive",
            "// attractor: the allowed dialects are below
// attractor is fine
/* attractor: pipeline
 * of the team */
// attractor: allow(cycle) as this graph ends by itself
digraph {}",
            expect![[""]],
        );
    }
}
