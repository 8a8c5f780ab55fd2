//! Sub-pipelines and supervisors: what goes in, what comes out, when they are done.

use super::*;

/// `call` runs `child`, whose one node is `w`.
macro_rules! calls {
    ($call:literal, $child:literal, $w:literal) => {
        concat!(
            "digraph main { ENDS call [shape=folder, sub_pipeline=child ",
            $call,
            "]; z [prompt=x, var.after=\"{n:-none}\"]; s -> call -> z -> e } ",
            "digraph child { ",
            $child,
            " s [shape=Mdiamond]; e [shape=Msquare]; w [prompt=x ",
            $w,
            "]; s -> w -> e }"
        )
    };
}

/// `v` supervises `child`, whose one node is `w`.
macro_rules! supervises {
    ($v:literal, $w:literal) => {
        concat!(
            "digraph main { ENDS v [shape=house, sub_pipeline=child ",
            $v,
            "]; s -> v -> e } ",
            "digraph child { s [shape=Mdiamond]; e [shape=Msquare]; w [prompt=x ",
            $w,
            "]; s -> w -> e }"
        )
    };
}

#[tokio::test]
async fn what_goes_in_and_what_comes_out() {
    walk_all(&[
        ("the context is shared both ways", calls!(", var.n=1", "", ", var.seen=\"{n}\", var.n=2"), &[], "s s w e call z e; seen=1; n=2; stack.child.status=completed; stack.child.outcome=success"),
        ("what it gave out is what the node gives out", calls!("", "", ""), &[], "s s w e call z e; output.call=would ask the model: x"),
        ("inputs rename, and are taken back", calls!(", var.k=1, inputs=\"n=k\"", "", ", var.seen=\"{n}\""), &[], "s s w e call z e; seen=1; n=null"),
        ("a result under such a name stays", calls!(", var.k=1, inputs=\"n=k\"", "", ", var.n=2"), &[], "s s w e call z e; n=2"),
        ("variables have defaults, and are taken back", calls!("", "vars=\"n=7\";", ", var.seen=\"{n}\""), &[], "s s w e call z e; seen=7; after=none"),
        ("what is there wins over the default", calls!(", var.n=1", "vars=\"n=7\";", ", var.seen=\"{n}\""), &[], "s s w e call z e; seen=1"),
        ("it has its own goal while it runs", "digraph main { goal=outer; ENDS call [shape=folder, sub_pipeline=child]; z [prompt=x, var.after=\"$goal\"]; s -> call -> z -> e } digraph child { goal=\"inner {internal.node_visit_count}\"; s [shape=Mdiamond]; w [prompt=x, var.seen=\"$goal {graph.goal}\"]; s -> w }", &[], "s s w call z e; seen=inner 1 inner 1; after=outer; graph.goal=outer"),
        ("or else the caller's", "digraph main { goal=outer; ENDS call [shape=folder, sub_pipeline=child]; s -> call -> e } digraph child { s [shape=Mdiamond]; w [prompt=x, var.seen=\"$goal\"]; s -> w }", &[], "s s w call e; seen=outer"),
        ("its failure is the node's", calls!("", "", ""), &[("w", &["fail"])], "s s w call !its node `w` failed: scripted failure; stack.child.status=failed; stack.child.outcome=fail"),
        ("its limits count again with each call", "digraph main { ENDS one [shape=folder, sub_pipeline=child]; two [shape=folder, sub_pipeline=child]; s -> one -> two -> e } digraph child { s [shape=Mdiamond]; w [prompt=x, max_visits=2]; x [prompt=x]; s -> w; w -> w [condition=\"outcome=success\", max_visits=1]; w -> x }", &[], "s s w w x one s w w x two e"),
        ("the pipeline its graph names", "digraph main { stack.child_dotfile=child; ENDS call [shape=folder]; s -> call -> e } digraph child { s [shape=Mdiamond]; w [prompt=x]; s -> w }", &[], "s s w call e"),
        ("its nodes are no nodes of the caller", "digraph main { goal_required_nodes=w; ENDS call [shape=folder, sub_pipeline=child]; w [prompt=x]; s -> call -> e; w -> e } digraph child { goal_required_nodes=w; s [shape=Mdiamond]; w [prompt=x]; s -> w }", &[], "s s w call e; _goal_gate_unmet=[\"node `w` was not completed\"]"),
        ("only a supervisor counts turns", calls!("", "", ""), &[], "s s w e call z e; _supervisor_iteration=null"),
    ])
    .await;
}

#[tokio::test]
async fn when_a_supervisor_is_done() {
    walk_all(&[
        ("after a success", supervises!("", ""), &[("w", &["fail", "success"])], "s s w s w e v e; _supervisor_iterations=2; _supervisor_iteration=2"),
        ("when its condition holds", supervises!(", done_condition=\"n = 3\"", ", var.n=\"{_supervisor_iteration}\""), &[("nobody", &["success"])], "s v e"),
        ("five turns at most", supervises!("", ""), &[("w", &["fail"])], "s s w s w s w s w s w v !`v` is not done after 5 iterations (`max_iterations`); in the last one, its node `w` failed: scripted failure; _supervisor_iterations=5"),
        ("or as many as it says", supervises!(", manager.max_cycles=1", ""), &[("w", &["fail"])], "s s w v !`v` is not done after 1 iterations (`max_iterations`); in the last one, its node `w` failed: scripted failure; failure_class=budget_exhausted"),
        ("it may look and start nothing", supervises!(", stack.child_autostart=false, var.stack.child.status=completed", ""), &[], "s v e"),
        ("and see that nothing is done", supervises!(", stack.child_autostart=false, max_iterations=2", ""), &[], "s v !`v` is not done after 2 iterations (`max_iterations`)"),
    ])
    .await;
}

/// A condition is looked at after each turn, over what the turn has written.
#[tokio::test]
async fn a_condition_ends_the_turns() {
    let bench = Harness::new();
    for (condition, expected) in [
        ("n = 3", "s s w e s w e s w e v e; _supervisor_iterations=3"),
        (
            "n > 0 and outcome = success",
            "s s w e v e; _supervisor_iterations=1",
        ),
        (
            "n = 9",
            "s s w e s w e s w e s w e v !`v` is not done after 4 iterations (`max_iterations`); _supervisor_iterations=4",
        ),
    ] {
        let dot = supervises!(
            ", max_iterations=4, done_condition=\"CONDITION\"",
            ", var.n=\"{_supervisor_iteration}\""
        );
        let dot = file(&dot.replace("CONDITION", condition));
        pretty(expected, &came(bench.launch(&dot), expected).await);
    }
}

/// A turn has its own turns to count; a sub-pipeline inside of it does not touch them.
#[tokio::test]
async fn a_call_inside_a_turn_leaves_its_number_alone() {
    let bench = Harness::new();
    let dot = file(
        "digraph main { ENDS v [shape=house, sub_pipeline=child, max_iterations=3, done_condition=\"_supervisor_iteration = 2\"]; s -> v -> e } \
         digraph child { s [shape=Mdiamond]; w [shape=folder, sub_pipeline=inner]; s -> w } \
         digraph inner { s [shape=Mdiamond]; x [prompt=x]; s -> x }",
    );
    let expected = "s s s x w s s x w v e; _supervisor_iterations=2";
    pretty(expected, &came(bench.launch(&dot), expected).await);
}

/// What must be given and is not is said by the node that calls.
#[tokio::test]
async fn what_a_sub_pipeline_must_be_given() {
    let bench = Harness::new();
    let missing = file(calls!("", "vars=\"n, m=1\";", ""));
    let expected = "s call !`call` runs `child`, which requires `n`; set it with `inputs` or `var.NAME`, or declare a default; m=null";
    pretty(expected, &came(bench.launch(&missing), expected).await);
    let given = file(calls!(", var.n=1", "vars=\"n, m=1\";", ""));
    let expected = "s s w e call z e";
    pretty(expected, &came(bench.launch(&given), expected).await);
}

/// Branches may run the same sub-pipeline at the same time; neither counts for the other.
#[tokio::test]
async fn branches_call_the_same_pipeline_and_do_not_meet_in_it() {
    let bench = Harness::new();
    let dot = file(
        "digraph main { ENDS f [shape=component]; a [shape=folder, sub_pipeline=child, var.n=A]; b [shape=folder, sub_pipeline=child, var.n=B]; \
         j [shape=tripleoctagon]; s -> f; f -> a -> j; f -> b -> j; j -> e } \
         digraph child { s [shape=Mdiamond]; w [prompt=\"{n}\", max_visits=2]; s -> w; w -> w [condition=\"outcome=success\", max_visits=1]; w -> z; z [prompt=\"last {n}\"] }",
    );
    let (report, handle) = finish(bench.launch(&dot)).await;
    let expected = "; parallel_results={\"a\":\"[simulated] z: last A\",\"b\":\"[simulated] z: last B\"}; parallel.fail_count=0";
    let found = shown(&report, expected);
    assert!(found.ends_with(expected), "{found}");
    for branch in ["a", "b"] {
        for visit in ["1-1", "2-1"] {
            let stage = handle
                .directory()
                .join("+child")
                .join(format!("+{branch}"))
                .join("w")
                .join(visit);
            assert!(stage.exists(), "{}", stage.display());
        }
    }
}

/// A gate of a sub-pipeline is checked wherever that ends.
#[tokio::test]
async fn a_gate_inside_is_a_gate() {
    let bench = Harness::new();
    let dot = file(
        "digraph main { ENDS call [shape=folder, sub_pipeline=child]; s -> call -> e } \
         digraph child { s [shape=Mdiamond]; a [command=false, goal_gate=true, on_failure=route]; b [prompt=x]; \
         s -> a -> b }",
    );
    let expected =
        "s s a b call !its node `a` failed: goal gate `a` is unmet and no `retry_target` is set";
    pretty(expected, &came(bench.launch(&dot), expected).await);
}

/// The folder a sub-pipeline works in may be written as for any other node.
#[tokio::test(flavor = "multi_thread")]
async fn a_sub_pipeline_works_in_its_working_dir() {
    let bench = Harness::new();
    std::fs::create_dir(bench.path().join("inner")).unwrap();
    let dot = file(
        "digraph main { ENDS call [shape=folder, sub_pipeline=child, working_dir=inner]; s -> call -> e } \
         digraph child { s [shape=Mdiamond]; w [command=\"touch here\"]; s -> w }",
    );
    let expected = "s s w call e";
    pretty(expected, &came(bench.launch(&dot), expected).await);
    assert!(bench.path().join("inner/here").exists());
}
