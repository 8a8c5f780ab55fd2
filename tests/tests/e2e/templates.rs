//! The templates are clean, and their loops end. What their nodes do together is in the scenarios next to them.

use std::collections::BTreeSet;

use attractor_tests::{Project, repository};

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
    let graph = project.run(["graph", template, "--format", "json"]);
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
    let mut runs = 0;
    for template in &pipelines("templates") {
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
            let mut arguments = vec!["run".to_owned(), template.clone()];
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
