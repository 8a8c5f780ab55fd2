//! `branches_write_same_file`: parallel branches do not write the same file.

use crate::branches::Branches;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Attribute;
use attractor_model::Level;
use attractor_model::catalogue::NodeKind;
use attractor_model::{Node, NodeIx};

pub(crate) const LINT: Lint = Lint {
    rule: "branches_write_same_file",
    level: Level::Hint,
    extent: Extent::Graph,
    fixable: false,
    summary: "Parallel branches write the same file.",
    doc: "The `must_write` of nodes in different branches of a parallel node names the same file. On shared files the last \
one to write wins. With `isolation=worktree` the versions are merged where the branches meet, which fails unless \
they are equal. Give each branch a file of its own.",
    example: "fork -> {a b} -> join\na [prompt=x, must_write=\"report.md\"]\nb [prompt=y, must_write=\"report.md\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let writers: Vec<(NodeIx, &Node)> = ctx.nodes_with_any(["must_write"]).collect();
    if writers.len() < 2 {
        return;
    }
    for (split, fork) in ctx.nodes_of([NodeKind::Parallel]) {
        let branches = Branches::of(ctx, split);
        let mut reported: Vec<String> = Vec::new();
        let in_branches: Vec<_> = writers
            .iter()
            .filter_map(|(ix, node)| Some((branches.only(*ix)?, *node)))
            .collect();
        for (at, (branch, node)) in in_branches.iter().enumerate() {
            let earlier = in_branches.iter().take(at);
            let mut earlier = earlier.filter(|(other, _)| other != branch);
            let found = earlier.find_map(|(_, other)| Some((other, shared(node, other)?)));
            let Some((other, path)) = found.filter(|(_, path)| !reported.contains(path)) else {
                continue;
            };
            let written = node.attributes.get("must_write");
            let Some(range) = written.and_then(Attribute::value_range) else {
                continue;
            };
            let message = format!(
                "`{}` and `{}` write `{path}` in different branches of `{}`; give each branch a file of its own",
                other.id, node.id, fork.id
            );
            reported.push(path);
            let diagnostic = sink.diagnostic(&LINT, range, message);
            sink.push(diagnostic.node(&*node.id));
        }
    }
}

/// A file that both write.
fn shared(one: &Node, other: &Node) -> Option<String> {
    let theirs = other.attributes.list("must_write");
    let mut own = one.attributes.list("must_write").into_iter();
    own.find(|path| theirs.contains(path))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn one_file_of_two_branches() {
        check(
            "branches_write_same_file",
            r#"digraph {
    start -> fork -> {a b c} -> join -> last
    fork [shape=component, isolation=worktree]
    a [prompt=x, must_write="report.md"]
    a2 [prompt=x, must_write="report.md"]
    a -> a2 -> join
    b [prompt=y, must_write="other.md, report.md"]
    c [prompt=z, must_write="c.md"]
    join [shape=tripleoctagon]
    last [prompt=z, must_write="report.md"]
}"#,
            expect![[r#"
                b [prompt=y, must_write="other.md, report.md"]
                                        ^^^^^^^^^^^^^^^^^^^^^ hint: `a` and `b` write `report.md` in different branches of `fork`; give each branch a file of its own
            "#]],
        );
    }
}
