//! What answers that nobody received to their end have used: it counts, and is marked as estimated.

use attractor_tests::{MockProvider, Project, Reply};

use super::{APIS, TWO, events, run};

#[test]
fn a_call_that_broke_off_or_timed_out_counts_as_estimated() {
    for (model, _) in APIS {
        for (reply, class) in [
            (Reply::CutsOff("The Rhine flows"), "transient_infra"),
            (Reply::Hangs("The Rhine flows"), "timeout"),
        ] {
            let dot = TWO.replace(
                "MODEL\"",
                &format!("{model}\", max_retries=0, timeout=400ms"),
            );
            let project = Project::with("rivers.dot", dot.replace("max_retries=1", ""));
            project.write(".attractor/config.toml", "[models]\nmax_retries = 0\n");
            let provider = MockProvider::start(vec![reply]);
            let arguments = ["run", "rivers.dot", "--format", "events"];
            let output = run(&project, &provider, arguments);
            let failed = events(&output, "stage_failed").remove(0);
            assert_eq!(failed["class"], class, "{model}: {failed}");
            let usage = &failed["usage"];
            assert_eq!(usage["estimated"], true, "{model}: {failed}");
            let tokens = |name: &str| usage[name].as_u64().unwrap_or_default();
            // The provider's own figure where it reports one at the beginning.
            assert!(tokens("input_tokens") >= 4, "{model}: {usage}");
            assert!(tokens("output_tokens") >= 4, "{model}: {usage}");
        }
    }
}

#[test]
fn a_run_that_called_models_ends_with_what_it_cost() {
    let project = Project::with("rivers.dot", TWO.replace("MODEL", "sonnet"));
    let provider = MockProvider::start(vec![Reply::Says("The Rhine."), Reply::Says("It is long.")]);
    let ended = run(&project, &provider, ["run", "rivers.dot"]).expect_code(0);
    let summary = ended
        .stdout
        .lines()
        .find(|line| line.starts_with('✓') && line.contains(" steps in "));
    let summary = summary.expect("a summary");
    assert!(summary.contains(" tokens · $0.0"), "{ended}");
    let shown = project.run(["runs", "show"]).expect_code(0).stdout;
    assert!(
        shown
            .lines()
            .next()
            .is_some_and(|line| line.contains(" tokens · $0.0")),
        "{shown}"
    );
    let row = shown.lines().find(|line| line.starts_with("ask "));
    let row = row.expect("the node");
    assert!(
        row.contains("claude-sonnet") && row.contains("$0.0"),
        "{shown}"
    );
}

#[test]
fn a_broken_answer_uses_up_the_budget() {
    let dot = TWO
        .replace("MODEL", "sonnet")
        .replace(
            "digraph rivers {",
            "digraph rivers { max_tokens_total=60; default_max_retries=1",
        )
        .replace("ask  [", "ask  [max_tokens=20,");
    let project = Project::with("rivers.dot", dot);
    let long = "The Rhine flows from the Alps to the North Sea, through lakes, past vineyards and castles.";
    let provider = MockProvider::start(vec![Reply::CutsOff(long), Reply::Says("It is long.")]);
    let arguments = ["run", "rivers.dot", "--format", "json"];
    let report = run(&project, &provider, arguments).expect_code(1).json();
    assert_eq!(report["failure"]["class"], "budget_exhausted", "{report}");
    assert_eq!(report["usage"]["estimated"], true, "{report}");
}

/// An answer that fails within is not requested again where the rest of the budget is for one answer only.
#[test]
fn an_answer_that_fails_within_is_not_repeated_beyond_the_budget() {
    let dot = TWO
        .replace("MODEL", "sonnet")
        .replace("digraph rivers {", "digraph rivers { max_tokens_total=60;");
    let project = Project::with("rivers.dot", dot);
    let long = "The Rhine flows from the Alps to the North Sea, through lakes, past vineyards and castles.";
    let provider = MockProvider::start(vec![Reply::Overloads(long), Reply::Says("It is long.")]);
    let arguments = ["run", "rivers.dot", "--format", "json"];
    let report = run(&project, &provider, arguments).expect_code(1).json();
    assert_eq!(report["failure"]["class"], "budget_exhausted", "{report}");
    assert_eq!(provider.sent().len(), 1);
}

/// The branch that the join does not wait for is stopped in the middle of its answer.
#[test]
fn an_answer_stopped_by_a_join_counts_as_estimated() {
    let dot = "digraph g {
  start [shape=Mdiamond]
  both  [shape=component, join_policy=first_success]
  slow  [shape=tab, prompt=\"Name a river.\", model=sonnet]
  quick [shape=parallelogram, timeout=30s,
    command=\"until grep -qs 'The Rhine' .attractor/runs/*/journal.jsonl; do sleep 0.02; done\"]
  join  [shape=tripleoctagon]
  done  [shape=Msquare]
  start -> both -> slow -> join
  both -> quick -> join -> done
}
";
    let project = Project::with("rivers.dot", dot);
    let provider = MockProvider::start(vec![Reply::Hangs("The Rhine flows.\n")]);
    let output = run(
        &project,
        &provider,
        ["run", "rivers.dot", "--format", "events"],
    );
    assert_eq!(output.code, Some(0), "{output}");
    let stopped = events(&output, "stage_stopped").remove(0);
    assert_eq!(stopped["node"], "slow", "{stopped}");
    assert_eq!(stopped["usage"]["estimated"], true, "{stopped}");
    let completed = events(&output, "pipeline_completed").remove(0);
    assert_eq!(completed["usage"], stopped["usage"], "{completed}");
    // What is shown of the run later comes from its journal.
    let shown = project.run(["runs", "show", "--format", "json"]);
    let shown = shown.expect_code(0).json();
    assert_eq!(shown["usage"], stopped["usage"], "{shown}");
}
