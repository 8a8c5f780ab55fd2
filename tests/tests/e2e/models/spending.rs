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
