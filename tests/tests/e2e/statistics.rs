//! `attractor stats`: what runs took, read from their journals and kept when they are deleted.

use attractor_tests::Project;
use expect_test::expect;
use serde_json::Value;

/// The first attempt of `test` in each run fails.
const FLAKY: &str = r#"digraph flaky {
    start [shape=Mdiamond]
    test [shape=parallelogram, command="test -e done && rm done || ! touch done"]
    gate [shape=hexagon]
    done [shape=Msquare]
    start -> test
    test -> gate [condition="outcome=success"]
    test -> test [condition="outcome=fail"]
    gate -> done [label="Go"]
}
"#;

fn run(project: &Project) {
    project
        .run(["run", "flaky.dot", "--answer", "gate=Go"])
        .expect_code(0);
}

/// The attempts and failures of each node, and of those since its definition changed.
fn nodes(project: &Project) -> String {
    let statistics = project
        .run(["stats", "flaky.dot", "--format", "json"])
        .json();
    let statistics = &statistics["pipelines"][0]["statistics"];
    let nodes = statistics["nodes"].as_array().expect("nodes");
    let lines = nodes.iter().map(|node| {
        let since = match &node["since_edit"] {
            Value::Null => String::new(),
            since => format!(", since the edit {since}"),
        };
        format!(
            "{} {}/{}{since}",
            node["node"].as_str().expect("a name"),
            node["failures"],
            node["attempts"]
        )
    });
    format!(
        "{} runs: {}",
        statistics["runs"],
        lines.collect::<Vec<_>>().join("; ")
    )
}

#[test]
fn figures_of_nodes_survive_their_runs() {
    let project = Project::with("flaky.dot", FLAKY);
    let none = project.run(["stats", "flaky.dot"]).expect_code(0);
    assert_eq!(
        none.stdout,
        "no run of flaky.dot has ended; simulated runs do not count\n"
    );
    for _ in 0..5 {
        run(&project);
    }
    // Neither counts.
    project
        .run(["run", "flaky.dot", "--dry-run", "--answer", "gate=Go"])
        .expect_code(0);
    expect!["5 runs: done 0/5; gate 0/5; start 0/5; test 5/10"].assert_eq(&nodes(&project));

    let text = project.run(["stats", "flaky.dot"]).expect_code(0);
    assert!(text.stdout.contains("8 of 10 runs took "), "{text}");

    // A label is not what a node does; a command is.
    project.write(
        "flaky.dot",
        FLAKY
            .replace("gate [", "gate [label=\"Continue?\", ")
            .replace("test -e done &&", "test -f done &&"),
    );
    run(&project);
    project
        .run(["runs", "prune", "--keep", "0", "--yes"])
        .expect_code(0);
    expect!["6 runs: done 0/6; gate 0/6; start 0/6; test 6/12, since the edit [2,1]"]
        .assert_eq(&nodes(&project));

    // A line that was cut off is left out.
    let file = ".attractor/node-stats.jsonl";
    let kept = project.read(file);
    project.write(file, format!("{kept}{{\"run\":\"01\n\u{0}"));
    assert!(nodes(&project).starts_with("6 runs"));
}

#[test]
fn an_explained_node_has_its_figures() {
    let project = Project::with("flaky.dot", FLAKY);
    for _ in 0..4 {
        run(&project);
    }
    let few = project.run(["explain", "flaky.dot:test"]).expect_code(0);
    assert!(!few.stdout.contains("in runs:"), "{few}");
    run(&project);
    let output = project.run(["explain", "flaky.dot:test"]).expect_code(0);
    let line = output
        .stdout
        .lines()
        .find(|line| line.starts_with("in runs: ~"));
    assert!(
        line.is_some_and(|line| line.ends_with(" · 1 in 2 fails · 5 runs")),
        "{output}"
    );
}

#[test]
fn a_link_is_not_followed_and_an_explanation_writes_nothing() {
    let project = Project::with("flaky.dot", FLAKY);
    run(&project);
    project.run(["explain", "flaky.dot:test"]).expect_code(0);
    let file = project.path().join(".attractor/node-stats.jsonl");
    assert!(!file.exists());
    let elsewhere = Project::with("precious", "mine\n");
    std::os::unix::fs::symlink(elsewhere.path().join("precious"), &file).expect("a link");
    let output = project.run(["stats", "flaky.dot"]).expect_code(1);
    assert!(
        output.stderr.contains("is not an ordinary file"),
        "{output}"
    );
    assert_eq!(elsewhere.read("precious"), "mine\n");
}
