//! `--stylesheet FILE`: rules from outside the pipeline, as CSS, JSON, YAML or TOML.

use attractor_tests::Project;
use expect_test::expect;

const PIPELINE: &str = "digraph g { start [shape=Mdiamond]; a [prompt=x]; t [shape=parallelogram, command=\"touch ran\"]; done [shape=Msquare]; start -> a -> t -> done }";
const MISSPELT: &str = "[\n  {\"handler_typ\": \"tool\", \"timeout\": 1},\n  {\"handler_type\": \"codergen\", \"model\": \"gpt-5.4\"}\n]\n";

fn project() -> Project {
    let project = Project::with("g.dot", PIPELINE);
    project.write("rules.json", MISSPELT);
    project
}

#[test]
fn invalid_stylesheet_refuses_the_run() {
    let project = project();
    let output = project
        .run(["run", "g.dot", "--stylesheet", "rules.json"])
        .expect_code(1);
    expect![[r#"
        error[stylesheet_syntax]: unknown key `handler_typ`, so this rule matches nothing; did you mean `handler_type`?
         --> rules.json:2:4
          |
        2 |   {"handler_typ": "tool", "timeout": 1},
          |    ^^^^^^^^^^^^^

        rules.json: 1 error
    "#]].assert_eq(&output.stderr);
    assert!(!project.file("ran").exists() && !project.file(".attractor").exists());
    project
        .run(["graph", "g.dot", "--stylesheet", "rules.json"])
        .expect_code(1);
}

#[test]
fn validate_reports_the_stylesheet_file() {
    let project = project();
    project.write("rules.toml", "[[rules]]\nmodel = [1]\n");
    project.write(
        "rules.yml",
        "rules:\n  - handler_typ: tool\n    timeout: 1\n",
    );
    project.write("sheet.css", "* { model = x }");
    for (file, place) in [
        ("rules.json", (2, 4)),
        ("rules.toml", (2, 9)),
        ("rules.yml", (2, 5)),
        ("sheet.css", (1, 5)),
    ] {
        let report = project
            .run([
                "validate",
                "g.dot",
                "--format",
                "json",
                "--stylesheet",
                file,
            ])
            .expect_code(1)
            .json();
        let first = &report["files"][0];
        assert_eq!(first["path"], file);
        assert_eq!(first["diagnostics"][0]["rule"], "stylesheet_syntax");
        let start = &first["diagnostics"][0]["range"]["start"];
        assert_eq!(start["line"], place.0, "{file}");
        assert_eq!(start["column"], place.1, "{file}");
        assert_eq!(report["files"][1]["path"], "g.dot");
    }
}

#[test]
fn declarations_are_checked_like_those_inside_a_pipeline() {
    let project = project();
    project.write("sheet.css", "* { llm_modle: small }");
    project.write(
        "rules.json",
        "[{\"handler_type\": \"codergen\", \"timeout\": \"5 minutes\"}]",
    );
    let warned = project
        .run(["validate", "g.dot", "--stylesheet", "sheet.css"])
        .expect_code(0);
    let warning =
        "warning[unknown_attribute]: unknown property `llm_modle`; did you mean `llm_model`?";
    assert!(warned.stdout.starts_with(warning), "{warned}");
    let dry = [
        "run",
        "g.dot",
        "--dry-run",
        "--model",
        "gpt-5.4",
        "--stylesheet",
    ];
    let warned = project
        .run([&dry[..], &["sheet.css"]].concat())
        .expect_code(0);
    assert!(warned.stderr.starts_with(warning), "{warned}");
    let refused = project
        .run([&dry[..], &["rules.json"]].concat())
        .expect_code(1);
    let error = "error[attribute_value]: invalid duration `5 minutes` for `timeout`";
    assert!(refused.stderr.starts_with(error), "{refused}");
    let refused = project
        .run(["validate", "g.dot", "--stylesheet", "rules.json"])
        .expect_code(1);
    assert!(refused.stdout.starts_with(error), "{refused}");
}

#[test]
fn every_stylesheet_syntax_applies() {
    let project = project();
    for (file, text) in [
        ("a.css", "codergen { timeout: 77s; }"),
        (
            "a.json",
            r#"{"rules": [{"handler_type": "codergen", "timeout": "77s"}]}"#,
        ),
        (
            "a.toml",
            "[[rules]]\nhandler_type = \"codergen\"\ntimeout = \"77s\"\n",
        ),
        ("a.yaml", "- handler_type: codergen\n  timeout: 77s\n"),
    ] {
        project.write(file, text);
        let shown = project
            .run(["explain", "g.dot:a", "--stylesheet", file])
            .expect_code(0);
        let timeout = shown
            .stdout
            .lines()
            .find(|line| line.starts_with("timeout"));
        assert!(timeout.is_some_and(|line| line.contains("77s")), "{shown}");
        project
            .run([
                "run",
                "g.dot",
                "--dry-run",
                "--stylesheet",
                file,
                "--model",
                "gpt-5.4",
            ])
            .expect_code(0);
    }
}
