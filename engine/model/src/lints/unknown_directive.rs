//! `unknown_directive`: what comments ask of Attractor is something it knows.

use attractor_dot::{Edit, TextRange};

use super::edits::fix;
use super::slips::{did_you_mean, is_slip};
use super::{Check, Findings, LINTS, Lint};
use crate::catalogue::nearest;
use crate::directives::{Named, REQUESTS, Sort, head};
use crate::options::{Dialect, Level};

pub(super) const LINT: Lint = Lint {
    rule: "unknown_directive",
    level: Level::Warn,
    fixable: true,
    summary: "A comment asks Attractor for something it does not know.",
    doc: "After `// attractor:` stand `pipeline`, `graph`, `strict-nodes`, `dialect=NAME` or `allow(RULE, …)`. \
Anything else asks for nothing: the dialect stays as it was, and no rule is silenced.",
    example: "// attractor: dialect=klroy\n// attractor: allow(unguarded_falure)",
    check: Check::Elsewhere,
};

/// Reports words that name no request, dialect or rule.
pub(crate) fn report(text: &str, named: &[Named], findings: &mut Findings<'_>) {
    if findings.severity(&LINT).is_none() {
        return;
    }
    for word in named {
        let written = word.range.text(text);
        match word.sort {
            Sort::Reason if !is_slip_of_request(written) => {}
            Sort::Request | Sort::Reason => {
                findings.push(no_request(word.range, written, findings));
            }
            Sort::Dialect => {
                let dialects = Dialect::ALL.map(Dialect::name);
                let near = nearest(written, dialects);
                let known = format!("; write one of {}", dialects.join(", "));
                let what = format!("no dialect is called `{written}`");
                findings.push(slip(word.range, &what, near, &known, findings));
            }
            Sort::Rule if super::by_name(written).is_none() => {
                let near = nearest(written, LINTS.iter().map(|lint| lint.rule));
                let what = format!("no rule is called `{written}`, so this allows nothing");
                let known = "; `attractor lints` lists them";
                findings.push(slip(word.range, &what, near, known, findings));
            }
            Sort::Rule => {}
        }
    }
}

/// Whether a word is a request but for one letter.
fn is_slip_of_request(word: &str) -> bool {
    REQUESTS.iter().any(|(name, _)| is_slip(head(word), name))
}

fn no_request(range: TextRange, written: &str, findings: &Findings<'_>) -> crate::Diagnostic {
    let head = head(written);
    let near = REQUESTS.iter().find(|(name, _)| *name == head).or_else(|| {
        let near = nearest(head, REQUESTS.map(|(name, _)| name))?;
        REQUESTS.iter().find(|(name, _)| *name == near)
    });
    let forms = REQUESTS.map(|(_, form)| form).join(", ");
    let what = format!("`{written}` asks Attractor for nothing");
    let known = format!("; write one of {forms}");
    match near {
        // A form with a part to fill in is shown, not put in.
        Some((name, form)) if name != form => {
            let message = what + &did_you_mean(Some(form));
            findings.diagnostic(&LINT, range, message)
        }
        _ => slip(range, &what, near.map(|(name, _)| *name), &known, findings),
    }
}

/// A finding with the nearest name and its fix, or else with what is known.
fn slip(
    range: TextRange,
    what: &str,
    near: Option<&str>,
    known: &str,
    findings: &Findings<'_>,
) -> crate::Diagnostic {
    let Some(near) = near else {
        return findings.diagnostic(&LINT, range, [what, known].concat());
    };
    let message = [what, &did_you_mean(Some(near))].concat();
    let edit = Edit::replace(range, near.to_owned());
    findings
        .diagnostic(&LINT, range, message)
        .fix(fix(format!("Replace by `{near}`"), edit).preferred())
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn dialects() {
        check(
            "unknown_directive",
            "// attractor: dialect=klroy\n// attractor: dialect=\"mine\"\n// attractor: dialect=Fabro\ndigraph { start -> a }",
            expect![[r#"
                // attractor: dialect=klroy
                                      ^^^^^ warning: no dialect is called `klroy`; did you mean `kilroy`?
                  fix: Replace by `kilroy`
                    + // attractor: dialect=kilroy
                // attractor: dialect="mine"
                                       ^^^^ warning: no dialect is called `mine`; write one of attractor, fabro, kilroy, samueljklee, tracker
            "#]],
        );
    }

    #[test]
    fn rules_in_any_graph() {
        check(
            "unknown_directive",
            "graph {\n    a -- b // attractor: allow(cycle, unguarded_falure, mine)\n    c /* attractor: allow(reachability */\n}",
            expect![[r#"
                a -- b // attractor: allow(cycle, unguarded_falure, mine)
                                                  ^^^^^^^^^^^^^^^^ warning: no rule is called `unguarded_falure`, so this allows nothing; did you mean `unguarded_failure`?
                  fix: Replace by `unguarded_failure`
                    + a -- b // attractor: allow(cycle, unguarded_failure, mine)
                a -- b // attractor: allow(cycle, unguarded_falure, mine)
                                                                    ^^^^ warning: no rule is called `mine`, so this allows nothing; `attractor lints` lists them
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
                             ^^^^^^^^^^^^ warning: `strict_nodes` asks Attractor for nothing; did you mean `strict-nodes`?
                  fix: Replace by `strict-nodes`
                    + # attractor: strict-nodes
                // attractor: dialcet=kilroy
                              ^^^^^^^^^^^^^^ warning: `dialcet=kilroy` asks Attractor for nothing; did you mean `dialect=NAME`?
                // attractor: allow cycle
                              ^^^^^ warning: `allow` asks Attractor for nothing; did you mean `allow(RULE)`?
                // attractor: please pipeline
                              ^^^^^^ warning: `please` asks Attractor for nothing; write one of pipeline, graph, strict-nodes, dialect=NAME, allow(RULE)
                // attractor: strict-nodes dialcet=kilroy
                                           ^^^^^^^^^^^^^^ warning: `dialcet=kilroy` asks Attractor for nothing; did you mean `dialect=NAME`?
                // attractor: Graph
                              ^^^^^ warning: `Graph` asks Attractor for nothing; did you mean `graph`?
                  fix: Replace by `graph`
                    + // attractor: graph
            "#]],
        );
    }

    #[test]
    fn a_sentence_is_none_of_ours() {
        check(
            "unknown_directive",
            "// attractor: the allowed dialects are below\n// attractor is fine\n/* attractor: pipeline\n * of the team */\n// attractor: allow(cycle) as this graph ends by itself\ndigraph {}",
            expect![[""]],
        );
    }
}
