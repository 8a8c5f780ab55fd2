//! Nodes, statements, whole graphs, and places where nothing belongs.

use expect_test::expect;

use super::{check, items};

#[test]
fn nodes_after_an_arrow_and_in_attributes() {
    check(
        "digraph { goal=x; a -> b; c [label=\"Sea\"]; a -> $0 }",
        expect![[r#"
        c                        Sea · codergen
        b                        codergen
        a                        codergen
        { $0 }                   several nodes
    "#]],
    );
    check(
        "digraph { goal=x; a -> b; a -> {b $0} }",
        expect![[r#"
        b                        codergen
        a                        codergen
        { $0 }                   several nodes
    "#]],
    );
    check(
        "digraph { goal=x; a; b; \"c d\"; a [retry_target=$0] }",
        expect![[r#"
            b                        codergen
            "c d"                    codergen
            a                        codergen
        "#]],
    );
    check(
        "digraph { goal=x; a; b; c; p [shape=component, branches=\"a, $0\"] }",
        expect![[r#"
            c                        codergen
            b                        codergen
            a                        codergen
            p                        parallel
        "#]],
    );
    check(
        "digraph { r [shape=record, label=\"<in> x | <out> y\"]; r:$0 }",
        expect![[r#"
        in                       port
        out                      port
        n                        side
        ne                       side
        e                        side
        se                       side
        s                        side
        sw                       side
    "#]],
    );
}

#[test]
fn statements_and_whole_graphs() {
    check(
        "$0",
        expect![[r#"
        digraph ${1:name} {⏎	goal="${2:What this pipeline is for}"⏎⏎ a pipeline with start and exit
        digraph ${1:name} {⏎	$0⏎}⏎ a directed graph
        graph ${1:name} {⏎	$0⏎}⏎ an undirected graph
        strict
    "#]],
    );
    check(
        "digraph { goal=x; build; b$0 }",
        expect![[r#"
            build                    codergen
            ${1:fan} [shape=component]⏎${2:gather} [shape=tripleoctagon] branches and their join
            subgraph cluster_${1:name} {⏎	label="${2:Title}"⏎	$0⏎} a cluster
            backend=$0               one of
            bb=$0                    Graphviz point
            beautify=$0              Graphviz boolean
            bgcolor=$0               Graphviz colours
            base_delay="$0"          the same as retry_delay · duration
        "#]],
    );
    let labels: Vec<String> = items("digraph { $0 }")
        .iter()
        .map(|item| item.label.clone())
        .collect();
    for wanted in [
        "human gate with edges",
        "retry loop",
        "parallel block",
        "tool node",
        "subgraph",
        "goal",
    ] {
        assert!(
            labels.iter().any(|label| label == wanted),
            "{wanted} is missing in {labels:?}"
        );
    }
}

#[test]
fn no_completion_where_nothing_fits() {
    for fixture in [
        "digraph $0 { }",
        "digraph { // co$0\n}",
        "digraph { /* $0 */ }",
        "digraph { subgraph $0 { } }",
        "digraph { a [label=\"x$0\"] }",
        "digraph { a $0 }",
    ] {
        assert_eq!(items(fixture), [], "{fixture}");
    }
}
