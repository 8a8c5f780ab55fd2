//! The branching of the pipeline templates: every edge and when it is taken.
//!
//! The first five are drawn in the document about graph workflows; where it draws an arrow without a word, the edge
//! has no condition or `always`, and "exhaust" is a count of visits used up: each loop has an edge for it, which
//! escalates. The other five follow its patterns.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fmt::Write;

use attractor_lint::Analysis;
use attractor_model::templates::{self, TEMPLATES};
use attractor_model::{NodeKind, Pipeline, Severity};

/// A template and its edges, `from -> to: condition`; for a choice of a gate its label.
const BRANCHES: &[(&str, &str)] = &[
    (
        "bugfix_workflow",
        r#"
start -> reproduce
reproduce -> isolate: on_success
reproduce -> gather_context: on_fail and internal.node_visit_count < 3
reproduce -> escalate_stuck: on_fail and internal.node_visit_count >= 3
gather_context -> reproduce: on_success
gather_context -> escalate_stuck: on_fail
isolate -> fix: always
fix -> test: on_success
fix -> escalate_stuck: on_exhaust
test -> verify_no_regression: on_success
test -> fix: on_fail and internal.node_visit_count < 4
test -> escalate_stuck: on_fail and internal.node_visit_count >= 4
verify_no_regression -> done: always
"#,
    ),
    (
        "git_feature_branch",
        r#"
start -> check_status
check_status -> create_branch: on_success
check_status -> set_aside: on_fail and internal.node_visit_count < 3
check_status -> escalate_stuck: on_fail and internal.node_visit_count >= 3
set_aside -> check_status: always
create_branch -> make_changes
make_changes -> commit
commit -> push
push -> done
"#,
    ),
    (
        "codegen_module",
        r#"
start -> spec_review
spec_review -> scaffold
scaffold -> implement
implement -> test
test -> document: on_success
test -> fix_implementation: on_fail and internal.node_visit_count < 3
test -> escalate_stuck: on_fail and internal.node_visit_count >= 3
fix_implementation -> test
document -> done
"#,
    ),
    (
        "refactor_safe",
        r#"
start -> run_baseline_tests
run_baseline_tests -> extract_changes: on_success
run_baseline_tests -> escalate_baseline: on_fail
extract_changes -> modify
modify -> run_tests_again: always
run_tests_again -> commit: on_success
run_tests_again -> revert: on_fail
revert -> escalate_reverted: always
commit -> done
"#,
    ),
    (
        "docker_build_deploy",
        r#"
start -> check_dockerfile
check_dockerfile -> build: always
build -> test_image: on_success
build -> fix_dockerfile: on_fail and internal.node_visit_count < 4
build -> escalate_build: on_fail and internal.node_visit_count >= 4
test_image -> deploy: on_success
test_image -> fix_image: on_fail and internal.node_visit_count < 3
test_image -> escalate_build: on_fail and internal.node_visit_count >= 3
fix_dockerfile -> build
fix_image -> build
deploy -> verify_running
verify_running -> done
"#,
    ),
    (
        "git_merge_pr",
        r#"
start -> fetch
fetch -> review: on_success
fetch -> escalate_stuck: on_exhaust
review -> merge_base: on_success
review -> changes_wanted: on_fail
merge_base -> test: on_success
merge_base -> resolve_conflicts: on_fail
resolve_conflicts -> test: on_success
resolve_conflicts -> escalate_stuck: on_fail
test -> approve: on_success
test -> fix_tests: on_fail and internal.node_visit_count < 3
test -> escalate_stuck: on_fail and internal.node_visit_count >= 3
fix_tests -> test
approve -> merge: [M] Merge
approve -> changes_wanted: [R] Reject
merge -> done: on_success
merge -> escalate_stuck: on_fail
"#,
    ),
    (
        "file_backup_restore",
        r#"
start -> backup
backup -> verify_backup: on_success
backup -> escalate_backup: on_exhaust
verify_backup -> change: on_success
verify_backup -> escalate_backup: on_fail
change -> check: on_success
change -> restore: on_fail
check -> done: on_success
check -> restore: on_fail
restore -> escalate_restored: on_success
restore -> escalate_lost: on_fail
"#,
    ),
    (
        "api_integration",
        r#"
start -> read_docs
read_docs -> check_access
check_access -> implement: on_success
check_access -> mock_service: on_exhaust
mock_service -> implement
implement -> test
test -> document: on_success
test -> fix_client: on_fail and internal.node_visit_count < 4
test -> escalate_stuck: on_fail and internal.node_visit_count >= 4
fix_client -> test
document -> done
"#,
    ),
    (
        "dependency_update",
        r#"
start -> baseline
baseline -> changelogs: on_success
baseline -> escalate_baseline: on_fail
changelogs -> update: always
update -> test: on_success
update -> revert: on_exhaust
test -> commit: on_success
test -> adapt: on_fail and internal.node_visit_count < 4
test -> revert: on_fail and internal.node_visit_count >= 4
adapt -> test: always
commit -> done: on_success
commit -> revert: on_fail
revert -> escalate_reverted: always
"#,
    ),
    (
        "log_investigation",
        r#"
start -> collect
collect -> scan: always
scan -> hypothesis: on_success
scan -> widen: on_fail and internal.node_visit_count < 3
scan -> escalate_unclear: on_fail and internal.node_visit_count >= 3
widen -> scan: always
hypothesis -> test_hypothesis: always
test_hypothesis -> report: on_success
test_hypothesis -> scan: on_fail and internal.node_visit_count < 3
test_hypothesis -> escalate_unclear: on_fail and internal.node_visit_count >= 3
report -> done: on_success
report -> escalate_unclear: on_fail
"#,
    ),
];

#[test]
fn every_edge() {
    assert_eq!(BRANCHES.len(), templates::TEMPLATES.len());
    for (name, expected) in BRANCHES {
        let template = templates::by_name(name).unwrap();
        let pipelines = Pipeline::from_text(template.text);
        let pipeline = pipelines.first().unwrap();
        let mut drawn = String::from("\n");
        for edge in &pipeline.edges {
            let (from, to) = (pipeline.id(edge.from), pipeline.id(edge.to));
            let when = match (edge.condition_text(), edge.label()) {
                (Some(condition), _) => format!(": {condition}"),
                (None, Some(label)) => format!(": {label}"),
                (None, None) => String::new(),
            };
            writeln!(drawn, "{from} -> {to}{when}").unwrap();
        }
        assert_eq!(drawn, *expected, "{name}");
    }
}

/// The checks and limits the bug fix is described with.
#[test]
fn the_checks_of_the_bug_fix() {
    let template = templates::by_name("bugfix_workflow").unwrap();
    let pipelines = Pipeline::from_text(template.text);
    let pipeline = pipelines.first().unwrap();
    for (node, name, expected) in [
        ("reproduce", "verify", "any_output"),
        ("gather_context", "verify", "any_output"),
        ("isolate", "verify", "any_output"),
        ("fix", "verify", "any_output"),
        ("fix", "max_retries", "2"),
        ("verify_no_regression", "verify", "any_output"),
        ("escalate_stuck", "pace_level", "contingent"),
    ] {
        let attributes = &pipeline.node_by_id(node).unwrap().attributes;
        assert_eq!(
            attributes.get(name).unwrap().value(),
            expected,
            "{node} {name}"
        );
    }
}

#[test]
fn every_starter_is_a_pipeline_without_warnings() {
    for template in TEMPLATES {
        let analysis = Analysis::of_text(template.text);
        let pipelines: Vec<_> = analysis.pipelines().collect();
        // `{command|raw}` is meant: the command is the user's own variable.
        let complaints: Vec<_> = analysis
            .diagnostics
            .iter()
            .filter(|found| {
                found.severity <= Severity::Warning && found.rule != "raw_interpolation"
            })
            .collect();
        assert!(complaints.is_empty(), "{}: {complaints:#?}", template.name);
        assert!(
            pipelines.len() == 1
                && pipelines
                    .iter()
                    .all(|pipeline| pipeline.name == template.name)
        );
    }
}

#[test]
fn every_starter_branches_loops_or_hands_over() {
    for template in TEMPLATES {
        for pipeline in Pipeline::from_text(template.text) {
            let escalates = pipeline
                .nodes
                .iter()
                .any(|node| node.kind == NodeKind::Escalate);
            let forks = pipeline
                .indexed_nodes()
                .filter(|(ix, _)| pipeline.outgoing(*ix).len() > 1)
                .count();
            assert!(escalates && forks >= 1, "{}", template.name);
        }
    }
}
