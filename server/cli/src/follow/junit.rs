//! A run as a `JUnit` report: one test case per node, by its id. Pure.
//!
//! The report is green exactly when the run succeeded: a failure that the pipeline handled is a remark then, and a run
//! that failed although no node did, at a limit for example, has an error at the place where it ended.

use std::collections::BTreeMap;

use attractor_run::{NodeSnapshot, NodeState, RunReport, RunSnapshot, RunState, StopPlace};

use crate::render::junit::{TestCase, TestResult, TestSuite, document};

/// The report. `nodes` are those of the pipeline; one that was not reached is skipped. `next` has where the run went
/// from a node.
pub fn report<'n>(
    report: &RunReport,
    snapshot: &RunSnapshot,
    nodes: impl Iterator<Item = &'n String>,
    next: &BTreeMap<String, String>,
) -> String {
    let case = |id: &str, millis, result| TestCase {
        name: id.to_owned(),
        class: report.pipeline.clone(),
        place: None,
        millis: Some(millis),
        result,
    };
    let missed = nodes.filter(|node| !snapshot.nodes.contains_key(*node));
    let has_succeeded = report.status == RunState::Success;
    let reached = snapshot.nodes.iter().map(|(id, node)| {
        let result = if has_succeeded && node.state == NodeState::Fail {
            TestResult::Passed(handled(node, next.get(id)))
        } else {
            result(node)
        };
        case(id, node.duration_ms, result)
    });
    let mut cases: Vec<TestCase> = reached
        .chain(missed.map(|id| case(id, 0, TestResult::Skipped)))
        .collect();
    let failure = report.failure.as_ref();
    let reason = failure.map_or(report.status.name(), |failure| &failure.reason);
    if !has_succeeded {
        let stopped = failure.and_then(|failure| failure.stopped.as_ref());
        let place = failure
            .and_then(|failure| failure.node.as_deref())
            .or(stopped.map(StopPlace::node));
        let has_failed = |case: &TestCase| matches!(case.result, TestResult::Failed { .. });
        let any_failed = cases.iter().any(has_failed);
        let own = cases.iter_mut().find(|case| Some(&*case.name) == place);
        match own {
            Some(own) if has_failed(own) => {}
            Some(own) => own.result = TestResult::Error(reason.to_owned()),
            None if place.is_none() && any_failed => {}
            None => {
                let name = place.unwrap_or(&report.pipeline);
                cases.push(case(name, 0, TestResult::Error(reason.to_owned())));
            }
        }
    }
    document(&[TestSuite {
        name: report.pipeline.clone(),
        millis: Some(report.duration_ms),
        properties: properties(report),
        cases,
        error_output: (!has_succeeded).then(|| reason.to_owned()),
    }])
}

/// What is true of the whole run.
fn properties(report: &RunReport) -> Vec<(&'static str, String)> {
    let reality = report.reality.map(|reality| ("reality", reality.name()));
    std::iter::once(("state", report.status.name()))
        .chain(reality)
        .map(|(name, value)| (name, value.to_owned()))
        .collect()
}

fn result(node: &NodeSnapshot) -> TestResult {
    match node.state {
        NodeState::Success | NodeState::PartialSuccess => TestResult::Passed(String::new()),
        NodeState::Fail => TestResult::Failed {
            message: node.summary.clone(),
            details: String::new(),
        },
        NodeState::Pending
        | NodeState::Running
        | NodeState::Waiting
        | NodeState::Skipped
        | NodeState::Cancelled => TestResult::Skipped,
    }
}

/// `failed (exit code 1), handled by fix`: a failure that a run survived.
fn handled(node: &NodeSnapshot, next: Option<&String>) -> String {
    let by = next.map_or("the pipeline", String::as_str);
    format!("failed ({}), handled by {by}", node.summary)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::report;
    use crate::render::junit::tests::counted;
    use attractor_run::{RunReport, RunSnapshot, RunState};
    use serde_json::{Value, json};
    use std::collections::BTreeMap;

    /// The cases of a run of the nodes `a`, `b` and `c` that ended so: without what surrounds them.
    fn cases(status: RunState, failure: &Value, nodes: &[(&str, &str)]) -> Vec<String> {
        let nodes = nodes.iter().map(|(id, state)| {
            let node = json!({"state": state, "visit": 1, "attempt": 1, "summary": "exit code 1"});
            ((*id).to_owned(), node)
        });
        let snapshot: RunSnapshot = serde_json::from_value(json!({
            "run": "R", "pipeline": "p", "state": status.name(), "started_at": "", "done": 0, "total": 3, "steps": 1,
            "usage": {}, "nodes": nodes.collect::<serde_json::Map<_, _>>(), "questions": [], "last": 1,
        }))
        .unwrap();
        let mut ended = RunReport::invalid("p".to_owned(), Vec::new());
        ended.status = status;
        ended.failure = serde_json::from_value(failure.clone()).unwrap();
        let nodes = ["a", "b", "c"].map(str::to_owned);
        let next = BTreeMap::from([("a".to_owned(), "b".to_owned())]);
        let text = report(&ended, &snapshot, nodes.iter(), &next);
        let [_, failures, errors, _] = counted(&text);
        let is_red = status != RunState::Success;
        assert_eq!(failures + errors > 0, is_red, "{text}");
        let lines = text.lines().filter(|line| line.contains("<testcase"));
        lines
            .map(|line| line.trim().replace(" classname=\"p\" time=\"0.000\"", ""))
            .collect()
    }

    fn failure(node: Option<&str>, class: &str, reason: &str) -> Value {
        json!({"node": node, "class": class, "reason": reason})
    }

    #[test]
    fn a_node_that_failed() {
        let failed = failure(Some("b"), "deterministic", "exit code 1");
        expect_test::expect![[r#"
            <testcase name="a"/>
            <testcase name="b"><failure message="exit code 1"/></testcase>
            <testcase name="c"><skipped/></testcase>"#]]
        .assert_eq(&cases(RunState::Fail, &failed, &[("a", "success"), ("b", "fail")]).join("\n"));
    }

    #[test]
    fn a_node_that_passed_and_has_no_way_on() {
        let failed = failure(Some("b"), "no_route", "no edge fits");
        expect_test::expect![[r#"
            <testcase name="a"/>
            <testcase name="b"><error message="no edge fits"/></testcase>
            <testcase name="c"><skipped/></testcase>"#]]
        .assert_eq(
            &cases(
                RunState::Fail,
                &failed,
                &[("a", "success"), ("b", "success")],
            )
            .join("\n"),
        );
    }

    #[test]
    fn a_question_that_nobody_answers_and_a_limit() {
        let failed = failure(Some("b"), "unanswered", "nobody answers");
        let unanswered = cases(
            RunState::Fail,
            &failed,
            &[("a", "success"), ("b", "waiting")],
        );
        assert_eq!(
            unanswered.get(1).map_or("", String::as_str),
            "<testcase name=\"b\"><error message=\"nobody answers\"/></testcase>"
        );
        let limit = json!({"stopped": {"before": "c"}, "class": "budget_exhausted", "reason": "step limit reached"});
        let stopped = cases(RunState::Fail, &limit, &[("a", "success")]);
        assert_eq!(
            stopped.get(2).map_or("", String::as_str),
            "<testcase name=\"c\"><error message=\"step limit reached\"/></testcase>"
        );
    }

    #[test]
    fn a_run_that_ended_without_a_place() {
        let cancelled = cases(RunState::Cancelled, &Value::Null, &[("a", "cancelled")]);
        assert_eq!(
            cancelled.last().unwrap(),
            "<testcase name=\"p\"><error message=\"cancelled\"/></testcase>"
        );
    }

    #[test]
    fn a_failure_that_is_handled() {
        expect_test::expect![[r#"
            <testcase name="a"><system-out>failed (exit code 1), handled by b</system-out></testcase>
            <testcase name="b"/>
            <testcase name="c"/>"#]]
        .assert_eq(
            &cases(
                RunState::Success,
                &Value::Null,
                &[("a", "fail"), ("b", "success"), ("c", "success")],
            )
            .join("\n"),
        );
    }
}
