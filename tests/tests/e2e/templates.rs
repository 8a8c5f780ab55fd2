//! Dry runs of the templates: the main path, and each branch that they describe.
//!
//! Every run of the table ends as expected, and together the runs of a template cover every edge.

use std::collections::BTreeSet;

use attractor_tests::{Project, repository};

/// A dry run: the template, the outcomes of its nodes (`NODE=WORDS`; `NODE:ANSWER` at a gate), how it ends.
type DryRun = (&'static str, &'static str, &'static str);

const DRY_RUNS: &[DryRun] = &[
    ("api_integration", "", "done"),
    ("api_integration", "check_access=fail", "done"),
    ("api_integration", "test=fail,success", "done"),
    ("api_integration", "test=fail", "escalate_stuck"),
    ("bugfix_workflow", "", "done"),
    ("bugfix_workflow", "reproduce=fail,success", "done"),
    (
        "bugfix_workflow",
        "reproduce=fail gather_context=fail",
        "escalate_stuck",
    ),
    ("bugfix_workflow", "reproduce=fail", "escalate_stuck"),
    ("bugfix_workflow", "fix=fail", "escalate_stuck"),
    ("bugfix_workflow", "test=fail", "escalate_stuck"),
    ("bugfix_workflow", "test=fail,success", "done"),
    ("bugfix_workflow", "verify_no_regression=fail", "done"),
    ("codegen_module", "", "done"),
    ("codegen_module", "test=fail,success", "done"),
    ("codegen_module", "test=fail", "escalate_stuck"),
    ("dependency_update", "", "done"),
    ("dependency_update", "baseline=fail", "escalate_baseline"),
    ("dependency_update", "update=fail", "escalate_reverted"),
    ("dependency_update", "test=fail,success", "done"),
    ("dependency_update", "test=fail", "escalate_reverted"),
    ("dependency_update", "commit=fail", "escalate_reverted"),
    ("docker_build_deploy", "", "done"),
    ("docker_build_deploy", "check_dockerfile=fail", "done"),
    ("docker_build_deploy", "build=fail,success", "done"),
    ("docker_build_deploy", "build=fail", "escalate_build"),
    ("docker_build_deploy", "test_image=fail,success", "done"),
    ("docker_build_deploy", "test_image=fail", "escalate_build"),
    ("file_backup_restore", "", "done"),
    ("file_backup_restore", "backup=fail", "escalate_backup"),
    (
        "file_backup_restore",
        "verify_backup=fail",
        "escalate_backup",
    ),
    ("file_backup_restore", "change=fail", "escalate_restored"),
    ("file_backup_restore", "check=fail", "escalate_restored"),
    (
        "file_backup_restore",
        "change=fail restore=fail",
        "escalate_lost",
    ),
    ("git_feature_branch", "", "done"),
    ("git_feature_branch", "check_status=fail,success", "done"),
    ("git_feature_branch", "check_status=fail", "escalate_stuck"),
    (
        "git_feature_branch",
        "check_status=fail set_aside=fail",
        "escalate_stuck",
    ),
    ("git_merge_pr", "approve:M", "done"),
    ("git_merge_pr", "approve:R", "changes_wanted"),
    ("git_merge_pr", "fetch=fail", "escalate_stuck"),
    ("git_merge_pr", "review=fail", "changes_wanted"),
    ("git_merge_pr", "merge_base=fail approve:M", "done"),
    (
        "git_merge_pr",
        "merge_base=fail resolve_conflicts=fail",
        "escalate_stuck",
    ),
    ("git_merge_pr", "test=fail,success approve:M", "done"),
    ("git_merge_pr", "test=fail", "escalate_stuck"),
    ("git_merge_pr", "merge=fail approve:M", "escalate_stuck"),
    ("log_investigation", "", "done"),
    ("log_investigation", "scan=fail,success", "done"),
    ("log_investigation", "scan=fail", "escalate_unclear"),
    ("log_investigation", "test_hypothesis=fail,success", "done"),
    ("log_investigation", "report=fail", "escalate_unclear"),
    (
        "log_investigation",
        "test_hypothesis=fail",
        "escalate_unclear",
    ),
    (
        "log_investigation",
        "scan=fail,fail,success test_hypothesis=fail",
        "escalate_unclear",
    ),
    ("refactor_safe", "", "done"),
    (
        "refactor_safe",
        "run_baseline_tests=fail",
        "escalate_baseline",
    ),
    ("refactor_safe", "modify=fail", "done"),
    ("refactor_safe", "run_tests_again=fail", "escalate_reverted"),
];

fn file(template: &str) -> String {
    let templates = repository().join("templates");
    templates
        .join(format!("{template}.dot"))
        .display()
        .to_string()
}

/// The nodes of a dry run, in order.
fn path(project: &Project, (template, script, end): DryRun) -> Vec<String> {
    let mut arguments = vec!["run".to_owned(), file(template)];
    arguments.extend(["--dry-run", "--format", "json"].map(str::to_owned));
    for word in script.split_whitespace() {
        let option = if word.contains('=') {
            "--outcome"
        } else {
            "--answer"
        };
        arguments.extend([option.to_owned(), word.replace(':', "=")]);
    }
    let code = if end == "done" { 0 } else { 3 };
    let report = project.run(arguments).expect_code(code).json();
    let nodes = report["path"].as_array().expect("a path").iter();
    let path: Vec<String> = nodes
        .filter_map(|node| node.as_str().map(str::to_owned))
        .collect();
    assert_eq!(
        path.last().map(String::as_str),
        Some(end),
        "{template} {script}: {path:?}"
    );
    path
}

#[test]
fn every_template_edge_is_covered() {
    let project = Project::new();
    let templates: BTreeSet<&str> = DRY_RUNS.iter().map(|(template, _, _)| *template).collect();
    assert_eq!(templates.len(), 10);
    for template in templates {
        let mut taken = BTreeSet::new();
        for dry_run in DRY_RUNS.iter().filter(|(name, _, _)| *name == template) {
            let path = path(&project, *dry_run);
            taken.extend(
                path.windows(2)
                    .map(|pair| (pair[0].clone(), pair[1].clone())),
            );
        }
        let graph = project
            .run(["graph", &file(template), "--format", "json"])
            .json();
        for edge in graph["graphs"][0]["edges"].as_array().expect("edges") {
            let end = |key: &str| edge[key].as_str().unwrap_or_default().to_owned();
            assert!(
                taken.contains(&(end("from"), end("to"))),
                "{template}: nobody takes {edge}"
            );
        }
    }
}

/// The files of a folder of the repository that hold pipelines.
fn pipelines(folder: &str) -> Vec<String> {
    let folder = repository().join(folder);
    let entries = std::fs::read_dir(&folder).expect("a folder of pipelines");
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let dot = paths.filter(|path| path.extension().is_some_and(|ending| ending == "dot"));
    dot.map(|path| path.display().to_string()).collect()
}

#[test]
fn templates_and_examples_are_clean_and_formatted() {
    let project = Project::new();
    for file in [pipelines("templates"), pipelines("examples")].concat() {
        let report = project.run(["validate", "--strict", "--format", "json", &file]);
        let found = report.expect_code(0).json()["files"][0]["diagnostics"].clone();
        let worth_a_look = found.as_array().expect("diagnostics").iter();
        let worth_a_look: Vec<_> = worth_a_look
            .filter(|found| found["severity"] != "hint")
            .collect();
        assert!(worth_a_look.is_empty(), "{file}: {worth_a_look:?}");
        project.run(["fmt", "--check", &file]).expect_code(0);
    }
}

/// The nodes of a template that a run can come back to.
fn in_loops(project: &Project, template: &str) -> Vec<String> {
    let graph = project.run(["graph", &file(template), "--format", "json"]);
    let graph = graph.json();
    let end =
        |edge: &serde_json::Value, key: &str| edge[key].as_str().unwrap_or_default().to_owned();
    let edges = graph["graphs"][0]["edges"]
        .as_array()
        .expect("edges")
        .iter();
    let edges: Vec<(String, String)> = edges
        .map(|edge| (end(edge, "from"), end(edge, "to")))
        .collect();
    let nodes: BTreeSet<&String> = edges.iter().map(|(from, _)| from).collect();
    let comes_back = |node: &&String| {
        let mut reached = BTreeSet::new();
        let mut work = vec![node.as_str()];
        while let Some(from) = work.pop() {
            let next = edges.iter().filter(|(source, _)| source == from);
            let new = next.filter(|(_, to)| reached.insert(to.clone()));
            work.extend(new.map(|(_, to)| to.as_str()));
        }
        reached.contains(*node)
    };
    nodes.into_iter().filter(comes_back).cloned().collect()
}

/// Whatever keeps failing in a loop, its limits hand the work over; none ends the run as a plain failure.
#[test]
fn exhausted_loop_escalates() {
    const SCRIPTS: [&str; 3] = ["success", "fail", "success,fail"];
    let project = Project::new();
    let templates: BTreeSet<&str> = DRY_RUNS.iter().map(|(template, _, _)| *template).collect();
    let mut runs = 0;
    for template in templates {
        let nodes = in_loops(&project, template);
        let combinations = SCRIPTS
            .len()
            .pow(u32::try_from(nodes.len()).expect("few nodes"));
        for number in 0..combinations {
            let mut rest = number;
            let mut outcomes = Vec::new();
            for node in &nodes {
                let script = SCRIPTS[rest % SCRIPTS.len()];
                rest /= SCRIPTS.len();
                if script != "success" {
                    outcomes.push(format!("{node}={script}"));
                }
            }
            // What three or more nodes do together, two of them do.
            if outcomes.len() > 2 {
                continue;
            }
            let mut arguments = vec!["run".to_owned(), file(template)];
            arguments
                .extend(["--dry-run", "--auto-approve", "--format", "json"].map(str::to_owned));
            for outcome in &outcomes {
                arguments.extend(["--outcome".to_owned(), outcome.clone()]);
            }
            let report = project.run(arguments).json();
            let class = report["failure"]["class"].as_str().unwrap_or_default();
            assert_ne!(
                class, "budget_exhausted",
                "{template} {outcomes:?}: {report:#}"
            );
            runs += 1;
        }
    }
    assert!(runs > 80, "only {runs} dry runs");
}
