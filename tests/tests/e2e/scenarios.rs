//! `attractor test`: scenario files, their verdicts, and the coverage of edges.

use std::process::Command;

use attractor_tests::{Project, repository};
use expect_test::expect;
use serde_json::json;

const PIPELINE: &str = r#"digraph release {
    start [shape=Mdiamond]
    test [shape=parallelogram, command="touch ran; make test", max_visits=3]
    fix [prompt="Fix it."]
    review [shape=hexagon]
    done [shape=Msquare]
    start -> test
    test -> review [condition="outcome=success"]
    test -> fix [condition="outcome=fail"]
    fix -> test
    review -> done [label="[A] Approve"]
    review -> fix [label="[R] Revise"]
}
"#;

const SCENARIOS: &str = r#"[[scenario]]
name = "all is well"
expect.path = ["start", "test", "review", "done"]

[[scenario]]
name = "tests fail once"
outcomes = { test = ["fail", "success"] }
expect.path = ["start", "test", "review", "…"]
"#;

fn project() -> Project {
    let project = Project::with("release.dot", PIPELINE);
    project.write("release.test.toml", SCENARIOS);
    project
}

#[test]
fn failures_show_the_path_and_why_it_was_taken() {
    let project = project();
    let output = project.run(["test"]).expect_code(1);
    expect![[r#"
        release.test.toml
          ✓ all is well
          ✗ tests fail once  release.test.toml:6
              the path differs at step 3: expected `review`, found `fix` release.test.toml:8:33
                    start
                    test
                  + fix
                  + test
                    review
                  - …
                  + done
              `test -> fix` was taken because its condition `outcome=fail` holds (outcome is "fail")
          83% covered: 5 of 6 edges, 5 of 5 nodes
            release.dot:12:5: not covered: review -> fix "[R] Revise"

        1 failed, 1 passed; 83% of 6 edges covered
    "#]]
    .assert_eq(&output.stdout);
    assert!(!project.file("ran").exists(), "a command was run");
    assert!(!project.file(".attractor").exists(), "a run was stored");
}

#[test]
fn scenarios_are_chosen_by_name_and_quiet_when_they_pass() {
    let output = project().run(["test", "release.dot", "-k", "WELL", "-q"]);
    assert_eq!(output.expect_code(0).stdout, "");
}

#[test]
fn coverage_can_be_required() {
    let project = project();
    let arguments = ["test", "-q", "-k", "well", "--coverage-fail-under"];
    let run = |percent: &str| project.run(arguments.iter().copied().chain([percent]));
    run("50").expect_code(0);
    let message = run("51").expect_code(1).stderr;
    assert_eq!(
        message,
        "50% of edges are covered; expected at least 51% (--coverage-fail-under)\n"
    );
}

#[test]
fn results_as_json() {
    let output = project().run(["test", "--format", "json"]).expect_code(1);
    let report = output.json();
    let summary = json!({
        "passed": 1, "failed": 1, "invalid_files": 0,
        "edges": 6, "edges_covered": 5, "nodes": 5, "nodes_covered": 5, "percent": 83,
    });
    assert_eq!(report["summary"], summary);
    let scenarios = &report["files"][0]["scenarios"];
    assert_eq!(scenarios[0]["status"], "passed");
    assert_eq!(
        scenarios[0]["path"],
        json!(["start", "test", "review", "done"])
    );
    assert_eq!(
        scenarios[1]["failures"][0]["range"]["start"],
        json!({ "line": 8, "column": 33 })
    );
    let edges = report["files"][0]["coverage"][0]["edges"]
        .as_array()
        .expect("edges");
    let untaken: Vec<_> = edges.iter().filter(|edge| edge["taken"] == 0).collect();
    assert_eq!(untaken.len(), 1);
    assert_eq!(untaken[0]["label"], "[R] Revise");
    assert_eq!(
        untaken[0]["range"]["start"],
        json!({ "line": 12, "column": 5 })
    );
}

#[test]
fn junit_has_a_case_per_scenario() {
    let project = project();
    project
        .run(["test", "-q", "--report", "junit=report.xml"])
        .expect_code(1);
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="2" failures="1" errors="0" skipped="0">
          <testsuite name="release.test.toml" tests="2" failures="1" errors="0" skipped="0">
            <testcase name="all is well" classname="release" file="release.test.toml" line="2"/>
            <testcase name="tests fail once" classname="release" file="release.test.toml" line="6"><failure message="the path differs at step 3: expected `review`, found `fix`">the path differs at step 3: expected `review`, found `fix`&#10;expected: start → test → review → …&#10;actual:   start → test → fix → test → review → done&#10;`test -&gt; fix` was taken because its condition `outcome=fail` holds (outcome is &quot;fail&quot;)</failure></testcase>
          </testsuite>
        </testsuites>
    "#]]
    .assert_eq(&project.read("report.xml"));
}

#[test]
fn junit_is_red_exactly_where_the_command_fails() {
    let project = project();
    let good = SCENARIOS.split("\n[[").next().unwrap_or_default();
    let red = |scenarios: &str, options: &[&str], code: i32| {
        project.write("release.test.toml", scenarios);
        let arguments = ["test", "-q", "--report", "junit=report.xml"];
        let arguments = arguments.iter().chain(options);
        project.run(arguments).expect_code(code);
        let report = project.read("report.xml");
        report.contains("<error") || report.contains("<failure")
    };
    assert!(!red(good, &[], 0));
    // A warning is not an error.
    let unused = good.replace(
        "expect.path",
        "outcomes.fix = { label = \"again\" }\nexpect.path",
    );
    assert!(!red(&unused, &[], 0));
    assert!(red(good, &["--coverage-fail-under", "100"], 1));
    assert!(red(&good.replace("review", "reveiw"), &[], 2));
    let out_of_range = ["test", "--coverage-fail-under", "101"];
    let refused = project.run(out_of_range).expect_code(2);
    assert!(
        refused.stderr.contains("expected a number from 0 to 100"),
        "{refused}"
    );
}

#[test]
fn wrong_files_are_reported_with_their_place() {
    let project = project();
    project.write(
        "release.test.toml",
        SCENARIOS.replace("test = [\"fail\"", "tset = [\"fial\""),
    );
    let output = project.run(["test"]).expect_code(2);
    for part in [
        "error[scenario]: unknown node `tset`; did you mean `test`?",
        "--> release.test.toml:7:14",
        "error[scenario]: unknown status `fial`; did you mean `fail`?",
        "1 invalid file",
    ] {
        assert!(output.stdout.contains(part), "{part}: {output}");
    }
    project.write("release.test.toml", SCENARIOS);
    project.write(
        "release.dot",
        PIPELINE.replace("-> done [label", "-> done [condition=\"a ==\", label"),
    );
    let output = project.run(["test"]).expect_code(1);
    assert!(
        output.stdout.contains("error[condition_syntax]"),
        "{output}"
    );
}

#[test]
fn missing_files_are_wrong_usage() {
    let project = Project::with("release.dot", PIPELINE);
    for (path, message) in [
        ("nope.dot", "error: nope.dot: no such file\n"),
        (
            ".",
            "error: no scenario file (*.test.toml) in .; `attractor test --init FILE.dot` writes one\n",
        ),
        (
            "release.dot",
            "error: release.dot has no scenarios: release.test.toml does not exist; `attractor test --init release.dot` writes it\n",
        ),
    ] {
        assert_eq!(project.run(["test", path]).expect_code(2).stderr, message);
    }
}

#[test]
fn generated_scenarios_cover_every_edge_and_pass() {
    let project = Project::with("release.dot", PIPELINE);
    let output = project
        .run(["test", "--init", "release.dot"])
        .expect_code(0);
    assert_eq!(
        output.stdout,
        "created release.test.toml: 3 scenarios, 6 of 6 edges covered\n"
    );
    let file = project.read("release.test.toml");
    expect![[r#"
        # Scenarios of release.dot, generated by `attractor test --init`. They cover 6 of 6 edges.

        [[scenario]]
        name = "every step succeeds"
        expect.path = ["start", "test", "review", "done"]

        [[scenario]]
        name = "test fails, then succeeds"
        outcomes = { test = ["fail", "success"] }
        expect.path = ["start", "test", "fix", "test", "review", "done"]

        [[scenario]]
        name = "review: Revise, then Approve"
        answers = { review = ["Revise", "Approve"] }
        expect.path = ["start", "test", "review", "fix", "test", "review", "done"]
    "#]]
    .assert_eq(&file);
    project
        .run(["test", "-q", "--coverage-fail-under", "100"])
        .expect_code(0);

    let output = project.run(["test", "--init", "."]).expect_code(0);
    assert_eq!(
        output.stdout,
        "release.test.toml exists and covers every edge that can be covered\n"
    );
}

#[test]
fn an_existing_file_is_not_changed_and_what_it_lacks_is_printed() {
    let project = project();
    let output = project
        .run(["test", "--init", "release.dot"])
        .expect_code(1);
    assert_eq!(project.read("release.test.toml"), SCENARIOS);
    assert_eq!(
        output.stderr,
        "release.test.toml exists and is not changed; these scenarios would cover more edges:\n"
    );
    assert!(
        output.stdout.contains("review: Revise, then Approve"),
        "{output}"
    );
    assert!(!output.stdout.contains("test fails"), "{output}");
}

#[test]
fn edges_that_cannot_be_covered_have_a_reason() {
    let pipeline = PIPELINE.replace(
        "fix -> test",
        "fix -> test; fix -> done [condition=\"1 > 2\"]",
    );
    let project = Project::with("release.dot", pipeline);
    let output = project.run(["test", "--init"]).expect_code(0);
    let expected = "release.dot:10:18: not covered: fix -> done [1 > 2]: its condition cannot hold";
    assert!(output.stdout.contains(expected), "{output}");
}

/// Every template and every example comes with scenarios that cover all of its edges.
#[test]
fn templates_and_examples_pass_their_scenarios() {
    let project = Project::new();
    for folder in ["templates", "examples"] {
        let folder = repository().join(folder);
        let entries = std::fs::read_dir(&folder).expect("a folder of pipelines");
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.extension().is_some_and(|ending| ending == "dot") {
                let path = path.display().to_string();
                project
                    .run(["test", "-q", "--coverage-fail-under", "100", &path])
                    .expect_code(0);
            }
        }
    }
}

#[test]
fn a_new_pipeline_comes_with_its_scenarios() {
    let project = Project::new();
    let output = project
        .run(["new", "bugfix_workflow", "-o", "fix.dot"])
        .expect_code(0);
    assert_eq!(
        output.stdout,
        "created fix.dot and its scenarios fix.test.toml; run it with: attractor run fix.dot\n"
    );
    project
        .run(["test", "fix.dot", "--coverage-fail-under", "100"])
        .expect_code(0);
}

/// Two attempts, a gate that is answered twice, and branches that end in any order.
const RUN: &str = r#"digraph release {
    start [shape=Mdiamond]
    test [shape=parallelogram, command="echo x >> tries; echo score=$(wc -l < tries); test $(wc -l < tries) -ge 2"]
    split [shape=component]
    slow [shape=parallelogram, command="sleep 0.1"]
    quick [shape=parallelogram, command="true"]
    join [shape=tripleoctagon]
    score [shape=parallelogram, command="echo 7"]
    review [shape=hexagon]
    done [shape=Msquare]
    start -> test
    test -> split [condition="outcome=success"]
    test -> test [condition="outcome=fail", loop_restart=false]
    split -> slow -> join
    split -> quick -> join
    join -> score
    score -> review [condition="tool.last_line = 7"]
    score -> done
    review -> done [label="[A] Approve"]
    review -> test [label="[R] Revise"]
}
"#;

#[test]
fn a_run_becomes_a_scenario_that_takes_its_path() {
    let project = Project::with("release.dot", RUN);
    let answers = ["--answer", "review=Revise", "--answer", "review=Approve"];
    project
        .run(["run", "release.dot"].into_iter().chain(answers))
        .expect_code(0);
    project.run(["test", "--from-run"]).expect_code(0);
    let file = project.read("release.test.toml");
    expect![[r##"
        # Scenarios of release.dot.

        [[scenario]]
        name = "score sets tool.last_line to 7; test fails, then succeeds; review: Revise, then Approve"
        outcomes = { score = { set = { "tool.last_line" = "7" } }, test = ["fail", "success"] }
        answers = { review = ["Revise", "Approve"] }
        expect.path = [
            "start", "test", "test", "split", "slow", "quick", "join", "score", "review", "test", "split",
            "slow", "quick", "join", "score", "review", "done",
        ]
    "##]].assert_eq(&file);
    project.run(["test"]).expect_code(0);

    let list = project.run(["runs", "--format", "json"]).json();
    let run = list["runs"][0]["run"].as_str().expect("a run");
    let folder = format!(".attractor/runs/{run}");
    let output = project.run(["test", "--from-run", &folder]).expect_code(0);
    assert!(output.stdout.contains("already has a scenario"), "{output}");
    assert_eq!(project.read("release.test.toml"), file);
}

#[test]
fn a_run_of_another_version_of_the_pipeline_is_not_recorded() {
    let project = Project::with("release.dot", RUN);
    project
        .run(["run", "release.dot", "--answer", "review=Approve"])
        .expect_code(0);
    project.write(
        "release.dot",
        RUN.replace("tool.last_line = 7", "tool.last_line = 8"),
    );
    let output = project.run(["test", "--from-run"]).expect_code(1);
    assert!(
        output
            .stderr
            .contains("the run entered `review`, the dry run entered `done`"),
        "{output}"
    );
    assert!(!project.path().join("release.test.toml").exists());
}

#[test]
fn a_file_that_is_not_a_scenario_file_of_the_pipeline_is_left_as_it_is() {
    let project = Project::with("release.dot", RUN);
    project
        .run(["run", "release.dot", "--answer", "review=Approve"])
        .expect_code(0);
    let texts = [
        "not toml [[[",
        "pipeline = \"other.dot\"\n",
        "scenario = [{ name = \"old\" }]\n",
    ];
    for text in texts {
        project.write("release.test.toml", text);
        let output = project.run(["test", "--from-run"]);
        assert_ne!(output.code, Some(0), "{text}: {output}");
        assert_eq!(project.read("release.test.toml"), text);
    }
    let elsewhere = Project::with("precious.toml", "precious = 1\n");
    std::fs::remove_file(project.path().join("release.test.toml")).expect("removed");
    let target = elsewhere.path().join("precious.toml");
    std::os::unix::fs::symlink(&target, project.path().join("release.test.toml")).expect("a link");
    let output = project.run(["test", "--from-run"]);
    assert!(output.stderr.contains("not an ordinary file"), "{output}");
    assert_eq!(elsewhere.read("precious.toml"), "precious = 1\n");
}

#[test]
fn a_run_writes_its_scenario_only_in_its_project() {
    let elsewhere = Project::with("release.dot", RUN);
    elsewhere
        .run(["run", "release.dot", "--answer", "review=Approve"])
        .expect_code(0);
    let copy = Project::with("release.dot", RUN);
    let run = Command::new("cp")
        .arg("-r")
        .arg(elsewhere.path().join(".attractor"))
        .arg(copy.path())
        .status()
        .expect("cp starts");
    assert!(run.success());
    let output = copy.run(["test", "--from-run"]);
    assert!(output.stderr.contains("is not in this project"), "{output}");
    assert!(!elsewhere.path().join("release.test.toml").exists());
}

#[test]
fn a_secret_is_not_written_into_a_scenario() {
    let project = Project::with(
        "ask.dot",
        "digraph ask { start [shape=Mdiamond] ask [shape=hexagon, question_type=freeform] done [shape=Msquare] start -> ask -> done }",
    );
    let key = "sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    project
        .run(["run", "ask.dot", "--answer", &format!("ask={key}")])
        .expect_code(0);
    let output = project.run(["test", "--from-run"]);
    assert!(output.stderr.contains("would contain a secret"), "{output}");
    assert!(!project.path().join("ask.test.toml").exists());
}
