//! What the program knows by heart: handlers, lints, explanations, templates, plans, completions.

use attractor_tests::Project;
use expect_test::expect;

#[test]
fn handlers_and_lints_list_as_table_and_json() {
    let project = Project::new();
    for (command, known) in [("handlers", "human_gate"), ("lints", "condition_syntax")] {
        let table = project.run([command]).expect_code(0).stdout;
        assert!(table.lines().any(|line| line.starts_with(known)), "{table}");
        let json = project
            .run([command, "--format", "json"])
            .expect_code(0)
            .json();
        let rows = json[command].as_array().expect("a list").len();
        assert_eq!(
            rows + 1,
            table.lines().count(),
            "{command}: both forms list the same"
        );
    }
}

#[test]
fn every_lint_and_handler_is_explained() {
    let project = Project::new();
    let lints = project.run(["lints", "--format", "json"]).json();
    let handlers = project.run(["handlers", "--format", "json"]).json();
    let lints = lints["lints"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| &row["rule"]);
    let handlers = handlers["handlers"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| &row["name"]);
    for name in lints.chain(handlers).filter_map(|name| name.as_str()) {
        let page = project.run(["explain", name]).expect_code(0).stdout;
        assert!(page.contains(name), "{name}: {page}");
    }
}

#[test]
fn unknown_name_gets_a_suggestion() {
    let output = Project::new().run(["explain", "max_retrys"]).expect_code(2);
    expect![[r#"
        error: unknown name `max_retrys`; did you mean `max_retries`?
    "#]]
    .assert_eq(&output.stderr);
}

#[test]
fn every_template_validates_and_dry_runs() {
    let project = Project::new();
    let table = project.run(["new"]).expect_code(0).stdout;
    let names: Vec<&str> = table
        .lines()
        .skip(1)
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        let file = format!("{name}.dot");
        project.run(["new", name, "--output", &file]).expect_code(0);
        project.run(["validate", &file]).expect_code(0);
        let report = project.run(["run", &file, "--dry-run", "--format", "json"]);
        assert!(matches!(report.code, Some(0 | 3)), "{name}: {report}");
        project.run(["new", name, "--output", &file]).expect_code(2);
    }
    project.run(["new", "no_such_template"]).expect_code(2);
}

#[test]
fn completion_scripts_are_printed() {
    for shell in ["bash", "zsh", "fish"] {
        let script = Project::new()
            .run(["completions", shell])
            .expect_code(0)
            .stdout;
        assert!(script.contains("ATTRACTOR_COMPLETE"), "{shell}");
    }
}

#[test]
fn version_names_the_build_and_its_short_form_the_version_alone() {
    let project = Project::new();
    let version = env!("CARGO_PKG_VERSION");
    let short = project.run(["-V"]).expect_code(0).stdout;
    assert_eq!(short, format!("attractor {version}\n"));
    let long = project.run(["--version"]).expect_code(0).stdout;
    let names: Vec<&str> = long
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(
        names,
        ["attractor", "commit:", "target:", "features:"],
        "{long}"
    );
    assert!(long.starts_with(&short), "{long}");
    let manual = project.run(["man"]).expect_code(0).stdout;
    assert!(!manual.contains("commit:"), "{manual}");
}

#[test]
fn version_and_help_exit_with_success() {
    let project = Project::new();
    assert!(
        project
            .run(["--version"])
            .expect_code(0)
            .stdout
            .starts_with("attractor ")
    );
    assert!(
        project
            .run(["--help"])
            .expect_code(0)
            .stdout
            .contains("Exit codes:")
    );
    project.run(Vec::<&str>::new()).expect_code(2);
}

#[test]
fn what_a_model_sees_of_a_run_is_explained() {
    let project = Project::with(
        "a.dot",
        "digraph { goal=\"Ship it\"; s [shape=Mdiamond]; e [shape=Msquare]
          test [command=\"echo 3 failed\"]; fix [prompt=\"Fix it\", fidelity=\"summary:low\"]
          s -> test -> fix -> e }",
    );
    let before = project.run(["explain", "a.dot:fix"]).expect_code(0).stdout;
    let before = before.split_once("With").expect("a preview").1;
    expect![[r#"
         `fidelity=summary:low` the model sees before the prompt:

        Goal: Ship it
        Steps so far:
        - s: success
        - test: success
          (the output of test)
    "#]]
    .assert_eq(before);
    let report = project
        .run(["run", "a.dot", "--format", "json"])
        .expect_code(0)
        .json();
    let run = report["run"].as_str().expect("the id of the run");
    let seen = project
        .run(["explain", "a.dot:fix", "--run", run])
        .expect_code(0)
        .stdout;
    expect![[r#"
        Goal: Ship it
        Steps so far:
        - s: success
        - test: success
          3 failed

        Fix it
    "#]]
    .assert_eq(&seen);
    let none = project
        .run(["explain", "a.dot:test", "--run", run])
        .expect_code(2)
        .stderr;
    assert!(none.contains("`test` has called no model"), "{none}");
}
