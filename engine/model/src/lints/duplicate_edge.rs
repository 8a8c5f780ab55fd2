//! `duplicate_edge`: the same edge twice.

use rustc_hash::FxHashMap;

use super::edits::fix;
use super::{Check, Findings, Lint, Subject};
use crate::options::Level;
use crate::pipeline::{Edge, NodeIx};

pub(super) const LINT: Lint = Lint {
    rule: "duplicate_edge",
    level: Level::Warn,
    fixable: true,
    summary: "The same edge twice.",
    doc: "Two edges with the same ends, condition and label. The second is never taken.",
    example: "a -> b\na -> b",
    check: Check::Pipeline(check),
};

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let pipeline = subject.pipeline;
    let mut targets = Vec::new();
    for (ix, _) in pipeline.indexed_nodes() {
        let edges = pipeline.outgoing(ix);
        if edges.len() < 2 {
            continue;
        }
        targets.clear();
        targets.extend(pipeline.successors(ix));
        if !has_repeats(&mut targets) {
            continue;
        }
        let mut seen: FxHashMap<_, &Edge> = FxHashMap::default();
        for edge in edges.iter().filter_map(|ix| pipeline.edge(*ix)) {
            let what = (edge.to, edge.condition_text(), edge.label(), edge.freeform);
            let Some(first) = seen.get(&what).copied() else {
                seen.insert(what, edge);
                continue;
            };
            let (first, second) = if first.range() <= edge.range() {
                (first, edge)
            } else {
                (edge, first)
            };
            let ends = (pipeline.id(edge.from), pipeline.id(edge.to));
            let message = format!(
                "the edge from `{}` to `{}` is there already",
                ends.0, ends.1
            );
            let mut diagnostic = findings
                .diagnostic(&LINT, second.range(), message)
                .edge(ends.0, ends.1)
                .related(first.range(), "here")
                .unnecessary();
            if second.statement.text(subject.text).matches("->").count() == 1 {
                let edit = subject.edits().delete_statement(second.statement);
                diagnostic = diagnostic.fix(fix("Delete the edge", edit));
            }
            findings.push(diagnostic);
        }
    }
}

fn has_repeats(targets: &mut [NodeIx]) -> bool {
    targets.sort_unstable();
    targets
        .windows(2)
        .any(|two| matches!(two, [one, other] if one == other))
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn an_edge_twice() {
        check(
            "duplicate_edge",
            "digraph {\n    start -> a\n    start -> a\n    start -> a [label=other]\n    a [prompt=x]\n}",
            expect![[r#"
            start -> a
            ^^^^^^^^^^ warning: the edge from `start` to `a` is there already
            start -> a
            ^^^^^^^^^^ note: here
              fix: Delete the edge
        "#]],
        );
    }
}
