//! How many branches of a parallel node must succeed: what `join_policy`, `join_k` and `join_quorum` say together.
//! Shared by several lints.

use rustc_hash::FxHashSet;

use crate::{DiagnosticSink, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Attribute;
use attractor_model::Severity;
use attractor_model::catalogue::{NodeKind, values};
use attractor_model::{Node, NodeIx};

/// The policy that counts branches.
const COUNTS: &str = "k_of_n";
/// The policy of a node that names none.
const USUAL: &str = "wait_all";
/// Attributes that only one policy reads.
const READ_BY: [(&str, &str); 2] = [("join_k", COUNTS), ("join_quorum", "quorum")];

/// Reports nodes that count their branches without saying how many must succeed: all of them, then.
pub(crate) fn without_count(lint: &Lint, ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for (ix, node) in counting(ctx) {
        if node.attributes.has("join_k") {
            continue;
        }
        let message = format!(
            "`{}` has `join_policy={COUNTS}` but no `join_k`, so every branch must succeed; set `join_k` to the number of successes required",
            node.id
        );
        let mut found = sink.diagnostic(lint, node.range, message).node(&*node.id);
        found.severity = sink.severity_or(lint, Severity::Warning);
        if let Some(all) = branches(ctx, ix, node).filter(|_| node.declared) {
            let all = all.to_string();
            let edits = ctx.edits();
            let edit = edits.add_attribute(node.statement, "join_k", &all);
            found = found.fix(fix("Add `join_k`", edit));
        }
        sink.push(found);
    }
}

/// Reports nodes that ask for more successes than they have branches.
pub(crate) fn too_many(lint: &Lint, ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for (ix, node) in counting(ctx) {
        let Some(wanted) = node.attributes.get("join_k") else {
            continue;
        };
        let count = values::integer(wanted.value()).and_then(|count| usize::try_from(count).ok());
        let Some((count, all)) = count.zip(branches(ctx, ix, node)) else {
            continue;
        };
        if let Some(range) = wanted.value_range().filter(|_| count > all) {
            let message = format!(
                "`{}` requires {count} successes, but `{}` has only {all} branch{}; the join can never succeed",
                wanted.written(),
                node.id,
                if all == 1 { "" } else { "es" }
            );
            let found = sink.diagnostic(lint, range, message);
            sink.push(found.node(&*node.id));
        }
    }
}

/// Reports attributes that the node's policy does not read.
pub(crate) fn idle(lint: &Lint, ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for (name, reader) in READ_BY {
        for (node, attribute) in ctx.nodes_with(name) {
            let policy = node.attributes.get("join_policy");
            let policy = policy.map_or(USUAL, |policy| policy.value().trim());
            let own = node.kind == NodeKind::Parallel && attribute.is_own();
            if !own || policy.eq_ignore_ascii_case(reader) || policy.contains(['$', '{']) {
                continue;
            }
            if let Some(range) = attribute.key_range() {
                let message = format!(
                    "`{}` has no effect: it requires `join_policy={reader}`, but `{}` has `{policy}`",
                    attribute.written(),
                    node.id
                );
                let found = sink.diagnostic(lint, range, message);
                sink.push(found.node(&*node.id));
            }
        }
    }
}

/// The parallel nodes that count their branches, each place in the file once.
fn counting<'a>(ctx: &LintContext<'a>) -> Vec<(NodeIx, &'a Node)> {
    let counts = |policy: Attribute<'_>| policy.value().trim().eq_ignore_ascii_case(COUNTS);
    let nodes = ctx.nodes_with_any(["join_policy"]);
    nodes
        .filter(|(_, node)| node.kind == NodeKind::Parallel)
        .filter(|(_, node)| node.attributes.get("join_policy").is_some_and(counts))
        .collect()
}

/// How many branches a parallel node has, when the file says it: those it lists, else the nodes its edges lead to.
fn branches(ctx: &LintContext<'_>, ix: NodeIx, node: &Node) -> Option<usize> {
    if node.attributes.has("for_each") {
        return None;
    }
    let listed = node.attributes.get("branches");
    let listed = listed.map_or(0, |list| values::list(list.value()).count());
    let targets: FxHashSet<NodeIx> = ctx.pipeline.successors(ix).collect();
    Some(if listed == 0 { targets.len() } else { listed }).filter(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    /// A parallel node with two branches and these attributes.
    fn fan(attributes: &str) -> String {
        format!(
            "digraph {{
    start -> fan
    fan [shape=component{attributes}]
    fan -> {{a b}} -> join
    fan -> a
    join [shape=tripleoctagon]
    a [prompt=x]
}}"
        )
    }

    #[test]
    fn counting_needs_a_count() {
        check(
            "required_attribute",
            &fan(", join_policy=K_of_n"),
            expect![[r#"
                fan [shape=component, join_policy=K_of_n]
                ^^^ warning: `fan` has `join_policy=k_of_n` but no `join_k`, so every branch must succeed; set `join_k` to the number of successes required
                  fix: Add `join_k`
                    + fan [join_k=2, shape=component, join_policy=K_of_n]
            "#]],
        );
        for fine in [
            ", join_policy=k_of_n, join_k=1",
            ", join_policy=k_of_n, min_success=2",
            ", join_policy=quorum",
            "",
        ] {
            check("required_attribute", &fan(fine), expect![[""]]);
        }
    }

    #[test]
    fn more_than_there_are() {
        check(
            "attribute_value",
            &fan(", join_policy=k_of_n, min_success=3"),
            expect![[r#"
                fan [shape=component, join_policy=k_of_n, min_success=3]
                                                                      ^ error: `min_success` requires 3 successes, but `fan` has only 2 branches; the join can never succeed
            "#]],
        );
        check(
            "attribute_value",
            &fan(", join_policy=k_of_n, join_k=2, branches=\"a\""),
            expect![[r#"
                fan [shape=component, join_policy=k_of_n, join_k=2, branches="a"]
                                                                 ^ error: `join_k` requires 2 successes, but `fan` has only 1 branch; the join can never succeed
            "#]],
        );
        for fine in [
            ", join_policy=k_of_n, join_k=2",
            ", join_policy=k_of_n, join_k=9, for_each=files",
            ", join_policy=k_of_n, join_k=\"$needed\"",
            ", join_policy=k_of_n, join_k=3, branches=\"a, b, join\"",
        ] {
            check("attribute_value", &fan(fine), expect![[""]]);
        }
    }

    #[test]
    fn what_the_policy_does_not_read() {
        check(
            "inapplicable_attribute",
            &fan(", min_success=1, join_quorum=0.5"),
            expect![[r#"
                fan [shape=component, min_success=1, join_quorum=0.5]
                                      ^^^^^^^^^^^ warning: `min_success` has no effect: it requires `join_policy=k_of_n`, but `fan` has `wait_all`
                fan [shape=component, min_success=1, join_quorum=0.5]
                                                     ^^^^^^^^^^^ warning: `join_quorum` has no effect: it requires `join_policy=quorum`, but `fan` has `wait_all`
            "#]],
        );
        check(
            "inapplicable_attribute",
            &fan(", join_policy=first_success, join_k=1"),
            expect![[r#"
                fan [shape=component, join_policy=first_success, join_k=1]
                                                                 ^^^^^^ warning: `join_k` has no effect: it requires `join_policy=k_of_n`, but `fan` has `first_success`
            "#]],
        );
        for fine in [
            ", join_policy=k_of_n, join_k=1",
            ", join_policy=quorum, quorum_fraction=0.5",
            ", join_policy=\"$policy\", join_k=1",
        ] {
            check("inapplicable_attribute", &fan(fine), expect![[""]]);
        }
    }
}
