//! `reachability`: every node can be reached.

use std::fmt::Write;

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::ast::Stmt;
use attractor_dot::graph_edits::fix;
use attractor_dot::{Edit, Fix, TextRange};
use attractor_model::Level;
use attractor_model::{Node, NodeIx};

pub(crate) const LINT: Lint = Lint {
    rule: "reachability",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: true,
    summary: "Unreachable node.",
    doc: "No path leads from the start to this node over edges, `branches` or retry targets. Connect it or delete it.",
    example: "start -> build -> done\ntest [prompt=\"Run the tests\"]",
    check: Check::Pipeline(check),
};

/// So many nodes behind the first are pointed out; beyond that the message counts them.
const SHOWN: usize = 10;

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let Some(start) = pipeline.start else {
        return;
    };
    let mut seen = reached(ctx);
    if seen.iter().all(|seen| *seen) {
        return;
    }
    // First the nodes that nothing leads to; what is left then are loops that nothing leads into.
    let first: Vec<NodeIx> = pipeline
        .indexed_nodes()
        .map(|(ix, _)| ix)
        .filter(|ix| comes_first(ctx, *ix))
        .collect();
    let rest = pipeline.indexed_nodes().map(|(ix, _)| ix);
    for ix in first.into_iter().chain(rest) {
        if seen.get(ix.index()) != Some(&false) {
            continue;
        }
        let Some(node) = pipeline.node(ix) else {
            continue;
        };
        let behind = visit(ctx, vec![ix], &mut seen);
        let mut message = format!(
            "unreachable node: no path from `{}` to `{}`",
            pipeline.id(start),
            node.id
        );
        if let [_, behind @ ..] = behind.as_slice()
            && !behind.is_empty()
        {
            let s = if behind.len() == 1 { "" } else { "s" };
            let _ = write!(message, ", or to {} node{s} after it", behind.len());
        }
        let mut diagnostic = sink.diagnostic(&LINT, node.range, message).node(&*node.id);
        let after = behind.iter().skip(1).take(SHOWN);
        for node in after.filter_map(|ix| pipeline.node(*ix)) {
            diagnostic =
                diagnostic.related(node.range, format!("`{}` is also unreachable", node.id));
        }
        if let Some(from) = dead_end_before(ctx, ix) {
            let quote = attractor_dot::strings::quote;
            let edge = format!("{} -> {}", quote(from), quote(&node.id));
            let edit = ctx.edits().add_statement(&edge);
            diagnostic = diagnostic.fix(fix(format!("Connect `{from}` to `{}`", node.id), edit));
        }
        if node.declared && pipeline.incoming(ix).is_empty() && pipeline.outgoing(ix).is_empty() {
            let deletion = deletion(ctx, node);
            let deletion = deletion.map(|edits| Fix::new(format!("Delete `{}`", node.id), edits));
            diagnostic = diagnostic.maybe_fix(deletion).unnecessary();
        }
        sink.push(diagnostic);
    }
}

/// Deletes every statement of a node without edges: any that is left would declare it again. `None` where one of them is
/// about other nodes too.
fn deletion(ctx: &LintContext<'_>, node: &Node) -> Option<Vec<Edit>> {
    let written = ctx.graph.nodes.get(ctx.graph.node(&node.id)?)?;
    let occurrences = ctx.graph.occurrences(written);
    let mut statements: Vec<TextRange> = occurrences.map(|one| one.statement).collect();
    statements.dedup();
    let edits = statements.into_iter().map(|range| {
        let statement = ctx.edits().statement(range)?;
        let is_alone = matches!(statement, Stmt::Node(found) if found.nodes.len() == 1);
        is_alone.then(|| ctx.edits().delete_statement(range))
    });
    edits.collect()
}

/// The nodes a run reaches, and those it would reach if misspelled names were corrected: the typo is reported already.
fn reached(ctx: &LintContext<'_>) -> Vec<bool> {
    let pipeline = ctx.pipeline;
    let paths = ctx.paths();
    let mut seen: Vec<bool> = pipeline
        .indexed_nodes()
        .map(|(ix, _)| paths.is_reachable(ix))
        .collect();
    let is_seen = |seen: &[bool], ix: NodeIx| seen.get(ix.index()) == Some(&true);
    loop {
        let same = ctx
            .node_name_typos()
            .iter()
            .map(|typo| (typo.node, typo.meant));
        let more: Vec<NodeIx> = same
            .flat_map(|(node, meant)| [(node, meant), (meant, node)])
            .filter(|(from, to)| is_seen(&seen, *from) && !is_seen(&seen, *to))
            .map(|(_, to)| to)
            .collect();
        if more.is_empty() {
            return seen;
        }
        visit(ctx, more, &mut seen);
    }
}

/// Marks `from` and everything behind it as seen, and gives what was not, in the order of the pipeline but for the first.
fn visit(ctx: &LintContext<'_>, from: Vec<NodeIx>, seen: &mut [bool]) -> Vec<NodeIx> {
    let mut work = from;
    let mut found = Vec::new();
    while let Some(node) = work.pop() {
        match seen.get_mut(node.index()) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        found.push(node);
        work.extend(ctx.pipeline.successors(node));
        let jumps = ctx.paths().jumps(node).iter();
        work.extend(jumps.map(|(target, _)| *target));
    }
    if let Some(behind) = found.get_mut(1..) {
        behind.sort_unstable();
    }
    found
}

/// Whether nothing else leads to the node, so that connecting it connects what follows.
fn comes_first(ctx: &LintContext<'_>, ix: NodeIx) -> bool {
    ctx.pipeline.predecessors(ix).all(|other| other == ix)
}

/// The last node before this one where a run ends only because no edge leads on: the edge that is missing most likely
/// begins there.
fn dead_end_before<'p>(ctx: &LintContext<'p>, ix: NodeIx) -> Option<&'p str> {
    let pipeline = ctx.pipeline;
    let before = pipeline.nodes.get(..ix.index()).unwrap_or_default();
    let found = before.iter().enumerate().rev().find(|(at, node)| {
        let is_end = node.implicit_terminal || node.start;
        let reached = ctx.paths().is_reachable(NodeIx::new(*at));
        is_end && reached && pipeline.outgoing(NodeIx::new(*at)).is_empty()
    });
    found.map(|(_, node)| &*node.id)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn an_island() {
        check(
            "reachability",
            "digraph {
    start [shape=Mdiamond]
    build [prompt=x]
    start -> build -> exit
    test [prompt=y];
    a -> b -> a
}",
            expect![[r#"
                test [prompt=y];
                ^^^^ warning: unreachable node: no path from `start` to `test`
                  fix: Delete `test`
                    - test [prompt=y];
                a -> b -> a
                ^ warning: unreachable node: no path from `start` to `a`, or to 1 node after it
                a -> b -> a
                     ^ note: `b` is also unreachable
            "#]],
        );
    }

    #[test]
    fn a_node_is_deleted_wherever_it_is_declared() {
        check(
            "reachability",
            "digraph {
    start -> done
    done [shape=Msquare]
    exit [shape=Msquare]
    subgraph last { rank=same; done; exit }
    exit [label=Exit]
}",
            expect![[r#"
                exit [shape=Msquare]
                ^^^^ warning: unreachable node: no path from `start` to `exit`
                  fix: Delete `exit`
                    + subgraph last { rank=same; done;  }
            "#]],
        );
    }

    #[test]
    fn jumps_reach_too() {
        check(
            "reachability",
            r#"digraph {
    graph [retry_target=again]
    start -> fan -> end
    fan [shape=component, branches="p, q"]
    p [retry_target=r]
    p -> end; q -> end; r -> end; again -> end
}"#,
            expect![[""]],
        );
    }

    #[test]
    fn one_message_for_what_a_missing_edge_cuts_off() {
        check(
            "reachability",
            "digraph {
    start -> plan
    build -> test -> done
    test -> build
    plan [prompt=x]
    done [shape=Msquare]
}",
            expect![[r#"
                build -> test -> done
                ^^^^^ warning: unreachable node: no path from `start` to `build`, or to 2 nodes after it
                build -> test -> done
                         ^^^^ note: `test` is also unreachable
                done [shape=Msquare]
                ^^^^ note: `done` is also unreachable
                  fix: Connect `plan` to `build`
                    + plan -> build
            "#]],
        );
    }

    #[test]
    fn a_loop_that_nothing_leads_into() {
        check(
            "reachability",
            "digraph {
    start -> done
    done [shape=Msquare]
    a -> b -> c -> a
}",
            expect![[r#"
                a -> b -> c -> a
                ^ warning: unreachable node: no path from `start` to `a`, or to 2 nodes after it
                a -> b -> c -> a
                     ^ note: `b` is also unreachable
                a -> b -> c -> a
                          ^ note: `c` is also unreachable
            "#]],
        );
    }

    #[test]
    fn a_typo_explains_it() {
        check(
            "reachability",
            "digraph {
    start -> biuld
    build [prompt=x]
    build -> test -> done
}",
            expect![[""]],
        );
        check(
            "reachability",
            "digraph {
    start -> build
    build [prompt=x]
    biuld -> test -> done
}",
            expect![[""]],
        );
    }
}
