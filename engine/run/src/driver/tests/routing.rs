//! Where a run goes: language reference, section 5, walked with scripted outcomes.

use super::*;

async fn check(dot: &str, outcomes: &[(&str, &[&str])], expected: &str) {
    let report = walk(dot, outcomes).await;
    let end = match report.status {
        RunState::Success => String::new(),
        other => {
            let failure = report.failure.clone().unwrap();
            format!(" !{other:?} {}", failure.reason)
        }
    };
    assert_eq!(format!("{}{end}", path(&report)), expected, "{dot}");
}

const S: &str = "s [shape=Mdiamond]; e [shape=Msquare];";

#[tokio::test]
async fn conditions_come_first_in_order_of_priority_weight_and_name() {
    let graph = |edges: &str| {
        format!(
            "digraph {{ {S} a [prompt=x]; b [prompt=x]; c [prompt=x]; s -> a; {edges} b -> e; c -> e }}"
        )
    };
    let two = |one: &str, other: &str| {
        graph(&format!(
            "a -> b [condition=\"outcome=success\" {one}]; a -> c [condition=\"outcome=success\" {other}];"
        ))
    };
    check(&two("", ""), &[], "s a b e").await;
    check(&two("", "weight=1"), &[], "s a c e").await;
    check(&two("priority=-1", "weight=9"), &[], "s a b e").await;
    check(
        &graph("a -> b; a -> c [condition=\"outcome=success\"];"),
        &[],
        "s a c e",
    )
    .await;
}

#[tokio::test]
async fn a_failure_goes_where_the_author_routes_it_and_nowhere_else() {
    let plain = format!("digraph {{ {S} a [prompt=x]; s -> a -> e }}");
    check(&plain, &[("a", &["fail"])], "s a !Fail scripted failure").await;
    let routed = format!(
        "digraph {{ {S} a [prompt=x]; fix [prompt=x]; s -> a; a -> e; a -> fix [condition=\"outcome=fail\"]; fix -> a }}"
    );
    check(&routed, &[("a", &["fail", "success"])], "s a fix a e").await;
    let other_condition = format!(
        "digraph {{ {S} a [prompt=x]; b [prompt=x]; s -> a; a -> e; a -> b [condition=\"score > 3\"]; b -> e }}"
    );
    check(&other_condition, &[("a", &["fail"])], "s a e").await;
    let diamond = format!(
        "digraph {{ {S} a [prompt=x]; d [shape=diamond]; fix [prompt=x]; s -> a -> d; d -> e [condition=\"outcome=success\"]; d -> fix [condition=\"outcome=fail\"]; fix -> a }}"
    );
    check(&diamond, &[("a", &["fail", "success"])], "s a d fix a d e").await;
    for (policy, expected) in [
        ("route", "s a e"),
        ("continue", "s a e"),
        ("exit", "s a !Fail scripted failure"),
    ] {
        let dot = format!("digraph {{ {S} a [prompt=x, on_failure={policy}]; s -> a -> e }}");
        check(&dot, &[("a", &["fail"])], expected).await;
    }
}

#[tokio::test]
async fn after_a_failure_come_the_retry_targets_of_node_and_graph() {
    let dot = format!(
        "digraph {{ retry_target=plan; {S} plan [prompt=x]; a [prompt=x]; s -> plan -> a -> e }}"
    );
    check(&dot, &[("a", &["fail", "success"])], "s plan a plan a e").await;
    let own = format!(
        "digraph {{ retry_target=plan; {S} plan [prompt=x]; a [prompt=x, retry_target=nowhere, fallback_retry_target=s]; s -> plan -> a -> e }}"
    );
    check(&own, &[("a", &["fail", "success"])], "s plan a s plan a e").await;
}

#[tokio::test]
async fn retries_repeat_the_node_and_then_its_result_counts() {
    let dot = format!("digraph {{ {S} a [prompt=x, max_retries=2]; s -> a -> e }}");
    check(&dot, &[("a", &["fail", "retry", "success"])], "s a e").await;
    check(&dot, &[("a", &["fail"])], "s a !Fail scripted failure").await;
    let partial =
        format!("digraph {{ {S} a [prompt=x, max_retries=1, allow_partial=true]; s -> a -> e }}");
    check(&partial, &[("a", &["retry"])], "s a e").await;
    let report = walk(&partial, &[("a", &["retry"])]).await;
    assert_eq!(value(&report, "node.a.outcome"), "partial_success");
}

#[tokio::test]
async fn on_retry_leads_elsewhere_while_retries_remain_and_on_exhaust_after() {
    let dot = format!(
        "digraph {{ {S} fix [prompt=x, max_retries=2]; look [prompt=x]; stuck [shape=octagon, pace_level=contingent, reason=stuck]; \
         s -> fix; fix -> e [condition=on_success]; fix -> look [condition=on_retry]; look -> fix; fix -> stuck [condition=on_exhaust] }}"
    );
    check(&dot, &[("fix", &["fail", "success"])], "s look fix e").await;
    check(
        &dot,
        &[("fix", &["fail"])],
        "s look look fix stuck !Escalated stuck",
    )
    .await;
    let report = walk(&dot, &[("fix", &["fail"])]).await;
    assert_eq!(
        (value(&report, "_pace_level"), report.exit_code()),
        (&"contingent".into(), 3)
    );
}

#[tokio::test]
async fn a_goal_gate_sends_the_run_back_until_it_gives_up() {
    let dot = format!(
        "digraph {{ max_goal_gate_redirects=2; {S} work [prompt=x]; test [prompt=x, goal_gate=true, retry_target=work, on_failure=route]; s -> work -> test -> e }}"
    );
    check(
        &dot,
        &[("test", &["fail", "success"])],
        "s work test e work test e",
    )
    .await;
    check(
        &dot,
        &[("test", &["fail"])],
        "s work test e work test e work test e !Fail goal gate `test` is still unmet after 2 redirects",
    )
    .await;
    let observed = format!(
        "digraph {{ goal_required_nodes=\"b\"; goal_conditions=\"x == 1\"; {S} b [prompt=x]; s -> e; b -> e }}"
    );
    let report = walk(&observed, &[]).await;
    assert_eq!(report.status, RunState::Success);
    assert_eq!(
        value(&report, "_goal_gate_unmet"),
        &serde_json::json!([
            "node `b` was not completed",
            "condition `x == 1` does not hold"
        ])
    );
}

#[tokio::test]
async fn limits_end_a_run_that_goes_in_circles() {
    let circle = |graph: &str, node: &str| {
        format!(
            "digraph {{ {graph} {S} a [prompt=x {node}]; b [prompt=x]; s -> a -> b; b -> a; e -> s }}"
        )
    };
    let report = walk(&circle("max_steps=5;", ""), &[]).await;
    assert_eq!((report.steps, report.status), (5, RunState::Fail));
    check(
        &circle("", ", max_visits=2"),
        &[],
        "s a b a b !Fail visit limit of `a` reached (`max_visits` = 2)",
    )
    .await;
    check(
        &circle("max_node_visits=2;", ", max_visits=3"),
        &[],
        "s a b a b a !Fail visit limit of `b` reached (`max_node_visits` = 2)",
    )
    .await;
    let edge = format!(
        "digraph {{ {S} a [prompt=x]; s -> a; a -> a [condition=\"outcome=success\", max_visits=2]; a -> e }}"
    );
    check(&edge, &[], "s a a a e").await;
}

#[tokio::test]
async fn branches_meet_where_all_of_them_lead() {
    let dot = format!(
        "digraph {{ {S} fan [shape=component]; a [prompt=x]; b [prompt=x]; a2 [prompt=x]; join [shape=tripleoctagon]; \
         s -> fan; fan -> a; fan -> b; a -> a2 -> join; b -> join; join -> e }}"
    );
    let report = walk(&dot, &[]).await;
    assert_eq!(path(&report), "s a b a2 fan join e");
    assert_eq!(value(&report, "a.last_stage"), "a2");
    assert_eq!(value(&report, "parallel.fan_in.best_id"), "a");
    let one_fails = walk(&dot, &[("b", &["fail"])]).await;
    assert_eq!(path(&one_fails), "s a b a2 fan join e");
    assert_eq!(value(&one_fails, "parallel.fail_count"), 1);
    let shared = format!(
        "digraph {{ {S} fan [shape=component]; a [prompt=x]; b [prompt=x]; both [prompt=x]; s -> fan; fan -> a -> both; fan -> b -> both; both -> e }}"
    );
    check(&shared, &[], "s a b fan both e").await;
    let listed = format!(
        "digraph {{ {S} fan [shape=component, branches=\"a,b\"]; a [prompt=x]; b [prompt=x]; s -> fan -> e }}"
    );
    check(&listed, &[], "s a b fan e").await;
}

#[tokio::test]
async fn join_policies_decide_when_a_fork_is_done() {
    let fan = |attributes: &str| {
        format!(
            "digraph {{ {S} fan [shape=component, max_parallel=1 {attributes}]; a [prompt=x]; b [prompt=x]; c [prompt=x]; j [shape=tripleoctagon]; \
             s -> fan; fan -> a -> j; fan -> b -> j; fan -> c -> j; j -> e }}"
        )
    };
    let a_fails: &[(&str, &[&str])] = &[("a", &["fail"])];
    check(&fan(""), a_fails, "s a b c fan j e").await;
    check(
        &fan(", join_policy=first_success"),
        a_fails,
        "s a b fan j e",
    )
    .await;
    check(
        &fan(", join_policy=k_of_n, join_k=2"),
        a_fails,
        "s a b c fan j e",
    )
    .await;
    check(
        &fan(", join_policy=quorum, join_quorum=0.3"),
        &[],
        "s a fan j e",
    )
    .await;
    check(
        &fan(", error_policy=fail_fast"),
        a_fails,
        "s a fan !Fail 1 of 3 branches failed; `a`: scripted failure",
    )
    .await;
    check(
        &fan(", join_policy=k_of_n, join_k=3"),
        a_fails,
        "s a fan !Fail 3 of 3 branches must succeed (`join_policy`), but 1 failed; `a`: scripted failure",
    )
    .await;
}

#[tokio::test]
async fn nested_forks_keep_their_branches_apart() {
    let dot = format!(
        "digraph {{ {S} out [shape=component]; in [shape=component]; x [prompt=p]; y [prompt=p]; inj [shape=tripleoctagon]; b [prompt=p]; outj [shape=tripleoctagon]; \
         s -> out; out -> in; out -> b; in -> x -> inj; in -> y -> inj; inj -> outj; b -> outj; outj -> e }}"
    );
    let report = walk(&dot, &[]).await;
    assert_eq!(path(&report), "s b x y in inj out outj e");
    assert_eq!(value(&report, "in.x.last_stage"), "x");
}

#[tokio::test]
async fn a_counted_loop_goes_round_as_often_as_it_says() {
    let dot = format!(
        "digraph {{ {S} begin [shape=trapezium, loop_id=l, loop_max=3]; w [prompt=x]; end [shape=invtrapezium, loop_id=l]; s -> begin -> w -> end -> e }}"
    );
    check(&dot, &[], "s begin w end begin w end begin w end e").await;
}

#[tokio::test]
async fn sub_pipelines_run_in_the_same_context() {
    let dot = format!(
        "digraph main {{ {S} sub [shape=folder, sub_pipeline=child]; s -> sub -> e }}\
         digraph child {{ cs [shape=Mdiamond]; ce [shape=Msquare]; w [prompt=x, var.made=yes]; cs -> w -> ce }}"
    );
    let report = walk(&dot, &[]).await;
    assert_eq!(path(&report), "s cs w ce sub e");
    assert_eq!(value(&report, "made"), true);
    assert_eq!(value(&report, "stack.child.status"), "completed");
    check(
        &dot,
        &[("w", &["fail"])],
        "s cs w sub !Fail its node `w` failed: scripted failure",
    )
    .await;
    let supervised = format!(
        "digraph main {{ {S} sub [shape=house, sub_pipeline=child, max_iterations=3]; s -> sub -> e }}\
         digraph child {{ cs [shape=Mdiamond]; ce [shape=Msquare]; w [prompt=x]; cs -> w -> ce }}"
    );
    check(
        &supervised,
        &[("w", &["fail", "success"])],
        "s cs w cs w ce sub e",
    )
    .await;
    let report = walk(&supervised, &[("w", &["fail", "success"])]).await;
    assert_eq!(value(&report, "_supervisor_iterations"), 2);
}

#[tokio::test]
async fn a_dry_run_goes_through_gates_without_asking() {
    let dot = format!(
        "digraph {{ {S} g [shape=hexagon, label=\"Ship?\"]; ship [prompt=x]; fix [prompt=x]; s -> g; g -> ship [label=\"[S] Ship\"]; g -> fix [label=\"[R] Reject\"]; ship -> e; fix -> g }}"
    );
    check(&dot, &[], "s g ship e").await;
    let fix_first = format!(
        "digraph {{ {S} g [shape=hexagon]; z [prompt=x]; fix [prompt=x]; s -> g; g -> fix [label=\"Improve\"]; g -> z [label=\"Take\"]; z -> e; fix -> g }}"
    );
    check(&fix_first, &[], "s g z e").await;
    let mut launch = launch_in(Path::new("/nowhere"), &dot);
    launch.mode = dry(&[]);
    launch.answers = crate::AnswerPolicy::Scripted(BTreeMap::from([(
        "g".to_owned(),
        vec!["r".to_owned(), "ship".to_owned()],
    )]));
    let report = run(launch).await;
    assert_eq!(path(&report), "s g fix g ship e");
    assert_eq!(value(&report, "human.gate.label"), "Ship");
    assert_eq!(value(&report, "approved"), true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fan_in_says_which_branches_failed() {
    let note = async |b: &str, c: &str| {
        let bench = Harness::new();
        let dot = format!(
            "digraph {{ {S} f [shape=component]; a [command=true]; b [command={b}]; c [command={c}]; \
             j [shape=tripleoctagon]; s -> f; f -> a -> j; f -> b -> j; f -> c -> j; j -> e }}"
        );
        let (_, handle) = finish(bench.launch(&dot)).await;
        let events = handle.events(0);
        let note = events.iter().find_map(|event| match &event.kind {
            EventKind::StageCompleted { at, summary, .. } if at.node == "j" => Some(summary),
            _ => None,
        });
        note.cloned().unwrap_or_default()
    };
    assert_eq!(note("true", "true").await, "best of 3: a");
    assert_eq!(note("false", "true").await, "best of 3: a; failed: b");
    assert_eq!(note("false", "false").await, "best of 3: a; failed: b, c");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fan_in_takes_over_what_its_branches_wrote_when_reported_so() {
    for (merge, expected) in [
        ("", r#"[null, null]"#),
        ("merge=best", r#"["from b", null]"#),
        ("merge=all", r#"["from b", "only a"]"#),
    ] {
        let bench = Harness::new();
        let report = run(bench.launch(&format!(
            r#"digraph {{ s [shape=Mdiamond]; e [shape=Msquare]; f [shape=component]
                a [command="echo '{{\"word\": \"from a\", \"more\": \"only a\", \"score\": 1}}'", parse_json=true, output_key=r]
                b [command="echo '{{\"word\": \"from b\", \"score\": 2}}'", parse_json=true, output_key=r]
                j [shape=tripleoctagon, score_key="r.score" {merge}]
                s -> f; f -> a -> j; f -> b -> j; j -> e }}"#
        )))
        .await;
        assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
        assert_eq!(value(&report, "parallel.fan_in.best_id"), "b");
        let got = [value(&report, "r.word"), value(&report, "r.more")];
        assert_eq!(
            serde_json::json!(got).to_string().replace(',', ", "),
            expected,
            "{merge}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sub_pipeline_works_in_the_folder_it_is_given() {
    let bench = Harness::new();
    std::fs::create_dir_all(bench.path().join("inner/deep")).unwrap();
    let report = run(bench.launch(
        r#"digraph main { s [shape=Mdiamond]; e [shape=Msquare]
            call [shape=folder, sub_pipeline=child, stack.child_workdir=inner]; s -> call -> e }
        digraph child { stack.child_workdir="deep"; s [shape=Mdiamond]; e [shape=Msquare]
            here [command="touch here"]; call [shape=folder, sub_pipeline=grandchild]; s -> here -> call -> e }
        digraph grandchild { s [shape=Mdiamond]; e [shape=Msquare]; there [command="touch there"]; s -> there -> e }"#,
    ))
    .await;
    assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
    assert!(bench.path().join("inner/here").exists());
    assert!(bench.path().join("inner/deep/there").exists());
}
