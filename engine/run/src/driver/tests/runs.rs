//! What a run does, seen from outside.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_line_of_tools_runs_and_is_written_down() {
    let bench = Harness::new();
    let launch = bench.launch(
        r#"digraph hello {
            start [shape=Mdiamond]; done [shape=Msquare]
            write [command="printf 'hello' > out.txt; echo written"]
            read [command="cat out.txt"]
            start -> write -> read -> done
        }"#,
    );
    let (report, handle) = finish(launch).await;
    assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
    assert_eq!(path(&report), "start write read done");
    assert_eq!(bench.file("out.txt"), "hello");
    assert_eq!(value(&report, "stdout"), "hello");
    assert_eq!(value(&report, "exit_code"), 0);
    assert_eq!(value(&report, "last_stage"), "done");
    expect_test::expect![[r#"
        pipeline_started
        stage_started
        stage_completed
        edge_selected
        stage_started
        stage_output
        stage_completed
        edge_selected
        stage_started
        stage_output
        stage_completed
        edge_selected
        stage_started
        stage_completed
        pipeline_completed"#]]
    .assert_eq(&kinds(&handle).join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_build_does_not_fall_through_to_deploy() {
    let bench = Harness::new();
    let report = run(bench.launch(
        r#"digraph p {
            start [shape=Mdiamond]; done [shape=Msquare]
            build [command="echo broken >&2; exit 3"]
            deploy [command="touch deployed"]
            start -> build -> deploy -> done
        }"#,
    ))
    .await;
    assert_eq!(report.status, RunState::Fail);
    let failure = report.failure.clone().unwrap();
    assert_eq!(failure.node.as_deref(), Some("build"));
    assert_eq!(failure.reason, "exit code 3: broken");
    assert!(!bench.path().join("deployed").exists());
    assert_eq!(report.exit_code(), 1);
}

/// Every kind of node once, on disk: `finish` replays each journal and compares the bytes of the state.
#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_node_replays_to_the_same_bytes() {
    let ends = "s [shape=Mdiamond]; e [shape=Msquare];";
    for (body, expected) in [
        (
            "loop_b [shape=trapezium, loop_id=l, loop_max=2]; w [command=true]; loop_e [shape=invtrapezium, loop_id=l]; s -> loop_b -> w -> loop_e -> e",
            "s loop_b w loop_e loop_b w loop_e e",
        ),
        (
            "w [command=\"test -e ok || { touch ok; exit 1; }\", goal_gate=true, retry_target=s, on_failure=continue]; s -> w -> e",
            "s w e s w e",
        ),
        (
            "f [shape=component]; g [shape=component]; a [command=true]; b [command=false]; c [command=true]; gj [shape=tripleoctagon]; fj [shape=tripleoctagon]; \
             s -> f; f -> g; f -> c -> fj; g -> a -> gj; g -> b -> gj; gj -> fj -> e",
            "s c a b g gj f fj e",
        ),
        (
            "sub [shape=house, sub_pipeline=child, max_iterations=3, done_condition=\"exit_code == 0\"]; s -> sub -> e",
            "s cs w cs w ce sub e",
        ),
        (
            "x [shape=octagon, pace_level=emergency, reason=\"for {who:-someone}\"]; d [shape=diamond]; k [shape=cylinder]; t [shape=insulator, duration=1ms]; \
             s -> x -> d; d -> k [condition=\"_pace_level=emergency\"]; d -> e; k -> t -> e",
            "s x d k t e",
        ),
        (
            "f [shape=component, for_each=items]; w [command=\"echo {item}\"]; j [shape=tripleoctagon]; s -> f -> w -> j -> e",
            "s w w w f j e",
        ),
        (
            "r [command=\"printf '%s' '{\\\"preferred_next_label\\\":\\\"Go\\\",\\\"context_updates\\\":{\\\"ready\\\":true}}'\", output_schema=routing]; k [shape=cylinder]; t [shape=insulator, duration=1ms]; \
             s -> r; r -> k; r -> t [label=\"[G] Go\"]; t -> k [condition=\"ready == true\"]; t -> e; k -> e",
            "s r t k e",
        ),
    ] {
        let bench = Harness::new();
        let dot = format!(
            "digraph main {{ {ends} {body} }} \
             digraph child {{ cs [shape=Mdiamond]; ce [shape=Msquare]; w [command=\"test -e done || {{ touch done; exit 1; }}\"]; cs -> w -> ce }}"
        );
        let mut launch = bench.launch(&dot);
        launch
            .inputs
            .insert("items".to_owned(), serde_json::json!(["x", "y", "z"]));
        let report = run(launch).await;
        assert_eq!(
            report.status,
            RunState::Success,
            "{body} {:?}",
            report.failure
        );
        let sorted = |text: &str| {
            let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            words.sort();
            words
        };
        assert_eq!(sorted(&path(&report)), sorted(expected), "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_are_listed_found_and_pruned() {
    let bench = Harness::new();
    let dot = "digraph p { s [shape=Mdiamond]; e [shape=Msquare]; s -> e }";
    let (_, first) = finish(bench.launch(dot)).await;
    let (_, second) = finish(bench.launch(dot)).await;
    let runs_dir = crate::runs_dir(bench.path());
    std::fs::create_dir(runs_dir.join("not-a-run")).unwrap();
    let listed: Vec<String> = crate::list_runs(&runs_dir)
        .into_iter()
        .map(|run| format!("{} {:?} {}/{}", run.run, run.state, run.done, run.nodes))
        .collect();
    let line = |handle: &RunHandle| format!("{} Success 2/2", handle.id());
    assert_eq!(listed, [line(&second), line(&first)]);
    let found = crate::find_run(&runs_dir, &first.id().as_str()[..25].to_lowercase());
    assert!(found.is_ok() || first.id().as_str()[..25] == second.id().as_str()[..25]);
    for wrong in ["", "..", "../..", "zzz", "/etc"] {
        assert!(crate::find_run(&runs_dir, wrong).is_err(), "{wrong}");
    }
    assert_eq!(
        crate::prune(&runs_dir, 1, crate::UnreadableRuns::Keep).unwrap(),
        [first.directory()]
    );
    assert_eq!(crate::list_runs(&runs_dir).len(), 1);
}

#[tokio::test]
async fn what_cannot_start_says_why() {
    let bench = Harness::new();
    let error = |launch| async { start(launch).await.err().unwrap().to_string() };
    let no_start = bench.launch("digraph p { goal=x; a -> b }");
    let text = error(no_start).await;
    assert!(
        text.contains("line 1: ") && text.contains("(start_node)"),
        "{text}"
    );
    let mut nowhere = bench.launch("digraph p { s [shape=Mdiamond]; s -> e }");
    nowhere.from = Some("x".to_owned());
    assert_eq!(error(nowhere).await, "pipeline `p` has no node `x`");
    let missing =
        bench.launch("digraph p { vars=\"repo, branch=main\"; s [shape=Mdiamond]; s -> e }");
    assert_eq!(
        error(missing).await,
        "pipeline `p` requires the inputs `repo`"
    );
}

/// Who embeds the engine may not have asked the validator.
#[tokio::test(flavor = "multi_thread")]
async fn a_pipeline_with_errors_is_refused_by_the_library_too() {
    let bench = Harness::new();
    let dot = "digraph good { s [shape=Mdiamond]; e [shape=Msquare]; s -> e }
digraph bad {
    s [shape=Mdiamond]; e [shape=Msquare]
    s -> a -> e
    a [handler=tol, command=true]
}";
    assert!(start(bench.launch(dot)).await.is_ok());
    let mut launch = bench.launch(dot);
    launch.pipeline = Pipeline::from_text(dot).pop().unwrap();
    let error = start(launch).await.err().unwrap();
    assert_eq!(error.code(), "invalidPipeline");
    let text = error.to_string();
    assert!(
        text.contains("line 5: ") && text.contains("unknown_handler"),
        "{text}"
    );
}

/// The backend of the launch is used, and no mode is announced.
#[tokio::test(flavor = "multi_thread")]
async fn the_backend_of_the_launch_is_used() {
    struct NamedBackend;
    impl crate::CodergenBackend for NamedBackend {
        fn name(&self) -> &'static str {
            "mine"
        }
        fn run(
            &self,
            _: crate::CodergenRequest,
            _: Arc<dyn crate::Progress>,
        ) -> futures::future::BoxFuture<'static, Result<crate::CodergenResponse, crate::BackendError>>
        {
            Box::pin(async {
                Ok(crate::CodergenResponse {
                    text: "from my backend".to_owned(),
                    ..crate::CodergenResponse::default()
                })
            })
        }
    }
    let bench = Harness::new();
    let dot = "digraph { s [shape=Mdiamond]; e [shape=Msquare]; a [prompt=x]; s -> a -> e }";
    let mut launch = bench.launch(dot);
    launch.backends = crate::BackendRegistry::of(NamedBackend);
    let report = run(launch).await;
    assert_eq!(value(&report, "last_response"), "from my backend");
    assert!(!report.simulated);
}
