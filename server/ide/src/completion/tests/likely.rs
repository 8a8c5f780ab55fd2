//! What comes first, and what the file itself contributes.

use expect_test::expect;

use super::{FILES, accept, check, complete, cursor, items};
use crate::workspace_words::WorkspaceWords;

#[test]
fn keys_after_context_keep_the_prefix_for_clients_that_filter_by_it() {
    let fixture = "digraph { goal=x; a -> b [condition=\"context.tests_passed=true\"]; b -> c [condition=\"context.te$0\"] }";
    let all = items(fixture);
    let found = all
        .iter()
        .find(|item| item.label == "tests_passed")
        .unwrap();
    assert_eq!(found.filter_text(), "context.tests_passed");
    accept(
        fixture,
        "tests_passed",
        expect![[
            r#"digraph { goal=x; a -> b [condition="context.tests_passed=true"]; b -> c [condition="context.tests_passed"] }"#
        ]],
    );
}

#[test]
fn booleans_come_before_conditions_and_ends_before_rare_shapes() {
    let first = |fixture: &str, count: usize| -> Vec<String> {
        let all = items(fixture).into_iter().take(count);
        all.map(|item| item.label).collect()
    };
    assert_eq!(
        first("digraph { goal=x; a [goal_gate=$0] }", 2),
        ["true", "false"]
    );
    assert_eq!(first("digraph { goal=x; exit [shape=$0] }", 1), ["Msquare"]);
    let shapes = first("digraph { goal=x; a [shape=$0] }", 8);
    let place = |shape: &str| shapes.iter().position(|known| known == shape);
    assert!(place("Msquare") < place("tab"), "{shapes:?}");
}

#[test]
fn edge_targets_without_incoming_edges_come_first() {
    check(
        "digraph { goal=x; start [shape=Mdiamond]; plan; build; fin [shape=Msquare]; start -> plan; plan -> $0 }",
        expect![[r#"
        build                    codergen
        fin                      exit
        start                    start
        plan                     codergen
        { $0 }                   several nodes
    "#]],
    );
}

#[test]
fn the_file_teaches_its_words() {
    let offers = |fixture: &str, label: &str| items(fixture).iter().any(|item| item.label == label);
    for (fixture, label) in [
        // A status that another edge compares with, and one that the node is instructed to answer with.
        (
            "digraph { goal=x; a -> b [condition=\"outcome=needs_review\"]; a -> c [condition=\"outcome=$0\"] }",
            "needs_review",
        ),
        (
            "digraph { goal=x; a [prompt=\"End with outcome=needs_review.\"]; a -> c [condition=\"outcome=$0\"] }",
            "needs_review",
        ),
        // A word that a command prints.
        (
            "digraph { goal=x; a [command=\"make && echo passed\"]; a -> c [condition=\"context.tool.last_line=$0\"] }",
            "passed",
        ),
        (
            "digraph { goal=x; a [prompt=\"See $TICKET_ID\"]; b [prompt=\"Fix $$0\"] }",
            "TICKET_ID",
        ),
        (
            "digraph { goal=x; a [llm_model=house-model-1]; b [prompt=y, llm_model=$0] }",
            "house-model-1",
        ),
        (
            "digraph { goal=x; model_stylesheet=\"* { model: house-model-1 }\"; b [prompt=y, model=$0] }",
            "house-model-1",
        ),
        ("digraph { goal=x; a [timeout=421]; b [timeout=$0] }", "421"),
        (
            "digraph { goal=x; a -> b [label=\"again\"]; a -> c [label=\"$0\"] }",
            "again",
        ),
        (
            "digraph { goal=x; a [prompt=y, cost_center=1]; b [prompt=z, cost_center=2]; c [prompt=z, $0] }",
            "cost_center",
        ),
    ] {
        assert!(offers(fixture, label), "{label}: {fixture}");
    }
    // A half-typed word teaches nothing.
    assert!(!offers("digraph { goal=x; a [thread_id=ma$0] }", "ma"));
}

#[test]
fn the_spelling_of_the_file_is_offered_in_place_of_the_canonical_one() {
    let all = items(
        "digraph { goal=x; a [shape=parallelogram, script=\"make\"]; b [shape=parallelogram, $0] }",
    );
    assert_eq!(all.first().map(|item| item.label.as_str()), Some("script"));
}

#[test]
fn lists_are_short_where_nothing_is_typed() {
    let nodes: Vec<String> = (0..200).map(|number| format!("n{number};")).collect();
    let nodes = nodes.concat();
    for fixture in [
        format!("digraph {{ goal=x; {nodes} $0 }}"),
        format!("digraph {{ goal=x; {nodes} n1 -> $0 }}"),
        format!("digraph {{ goal=x; {nodes} n1 [$0] }}"),
        format!("digraph {{ goal=x; {nodes} n1 [retry_target=$0] }}"),
    ] {
        assert!(items(&fixture).len() <= 60, "{fixture}");
    }
}

#[test]
fn words_of_the_workspace_come_after_those_of_the_file() {
    let other = crate::fixture::doc(
        "digraph { goal=x; model_stylesheet=\"* { provider: in-house }\"; \
         a [prompt=\"$TICKET ${codergen.a.output} {branch}\", model=in-house-2, retry_target=elsewhere] }",
    );
    let words = WorkspaceWords::merged([&WorkspaceWords::of(&other)]);
    let first = |fixture: &str| -> Vec<String> {
        let (doc, offset) = cursor(fixture);
        let found = complete(&doc, offset, &FILES, &words).items.into_iter();
        found.take(40).map(|item| item.label).collect()
    };
    assert!(
        first("digraph { goal=x; a [prompt=y, model=in-house-1]; b [prompt=y, model=$0] }")
            .starts_with(&["in-house-1".to_owned(), "in-house-2".to_owned()])
    );
    for (fixture, label, is_offered) in [
        (
            "digraph { goal=x; a [prompt=y, provider=$0] }",
            "in-house",
            true,
        ),
        ("digraph { goal=x; a [prompt=\"$$0\"] }", "TICKET", true),
        (
            "digraph { goal=x; a [prompt=\"${$0}\"] }",
            "codergen.a.output",
            true,
        ),
        ("digraph { goal=x; a [prompt=\"{$0}\"] }", "branch", true),
        (
            "digraph { goal=x; a [prompt=y, retry_target=$0] }",
            "elsewhere",
            false,
        ),
    ] {
        let found = first(fixture);
        assert_eq!(
            found.iter().any(|item| item == label),
            is_offered,
            "{label}: {found:?}"
        );
    }
}
