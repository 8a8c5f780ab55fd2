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

/// Names are compared with all pipelines that are checked together, and with the models of the catalogue.
#[test]
fn names_are_checked_like_those_inside_a_pipeline() {
    let project = project();
    project.write(
        "sheet.css",
        "codergen { model: cluade-sonnet-5-5 }\n.hrad { timeout: 5m }\n.quick { timeout: 1m }\n",
    );
    project.write(
        "rules.json",
        "[\n  {\"handler_type\": \"codergn\", \"model\": \"cluade-sonnet-5-5\"}\n]\n",
    );
    project.write(
        "hard.dot",
        "digraph h { start [shape=Mdiamond]; b [class=hard, prompt=y]; done [shape=Msquare]; start -> b -> done }",
    );
    project.write(
        "quick.dot",
        "digraph q { start [shape=Mdiamond]; c [class=quick, prompt=z]; done [shape=Msquare]; start -> c -> done }",
    );
    let found = |pipelines: &[&str], sheet: &str| {
        let validate = ["validate", "--format", "json", "--stylesheet", sheet];
        let report = project.run(validate.iter().chain(pipelines)).json();
        assert_eq!(report["files"][0]["path"], sheet);
        let diagnostics = report["files"][0]["diagnostics"]
            .as_array()
            .expect("a list");
        let lines = diagnostics.iter().map(|one| {
            let (line, column) = (
                &one["range"]["start"]["line"],
                &one["range"]["start"]["column"],
            );
            let text = |field: &str| one[field].as_str().expect("a string").to_owned();
            format!(
                "{line}:{column} {}[{}]: {}",
                text("severity"),
                text("rule"),
                text("message")
            )
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    expect![[r#"
        1:19 error[unknown_model]: unknown model `cluade-sonnet-5-5`; did you mean `claude-sonnet-5-5`?
        2:1 warning[selector_unmatched]: no node has class `hrad`; did you mean `hard`?
        3:1 hint[selector_unmatched]: no node has class `quick`"#]].assert_eq(&found(&["hard.dot"], "sheet.css"));
    expect![[r#"
        1:19 error[unknown_model]: unknown model `cluade-sonnet-5-5`; did you mean `claude-sonnet-5-5`?
        2:1 warning[selector_unmatched]: no node has class `hrad`; did you mean `hard`?"#]].assert_eq(&found(&["hard.dot", "quick.dot"], "sheet.css"));
    expect![[r#"
        2:20 warning[selector_unmatched]: no node has shape or kind `codergn`; did you mean `codergen`?
        2:40 error[unknown_model]: unknown model `cluade-sonnet-5-5`; did you mean `claude-sonnet-5-5`?"#]].assert_eq(&found(&["g.dot"], "rules.json"));

    let refused = project
        .run(["run", "hard.dot", "--dry-run", "--stylesheet", "sheet.css"])
        .expect_code(1);
    expect![[r#"
        error[unknown_model]: unknown model `cluade-sonnet-5-5`; did you mean `claude-sonnet-5-5`?
         --> sheet.css:1:19
          |
        1 | codergen { model: cluade-sonnet-5-5 }
          |                   ^^^^^^^^^^^^^^^^^
          |
        help: Replace with `claude-sonnet-5-5`
          |
        1 - codergen { model: cluade-sonnet-5-5 }
        1 + codergen { model: claude-sonnet-5-5 }
          |

        warning[selector_unmatched]: no node has class `hrad`; did you mean `hard`?
         --> sheet.css:2:1
          |
        2 | .hrad { timeout: 5m }
          | ^^^^^
          |
        help: Replace with `hard`
          |
        2 - .hrad { timeout: 5m }
        2 + .hard { timeout: 5m }
          |

        sheet.css: 1 error, 1 warning, 1 note (--notes shows them)
    "#]]
    .assert_eq(&refused.stderr);
    project.write("sheet.css", ".hrad { timeout: 5m }\n");
    let run = ["run", "hard.dot", "--simulate", "--stylesheet", "sheet.css"];
    let warned = project.run(run).expect_code(0);
    let warning = "warning[selector_unmatched]: no node has class `hrad`; did you mean `hard`?";
    assert!(warned.stderr.contains(warning), "{warned}");
}

/// A class that only the file could select.
#[test]
fn classes_are_compared_with_the_rules_of_the_file() {
    let project = Project::with(
        "g.dot",
        "digraph g { start [shape=Mdiamond]; a [class=hard, prompt=x]; b [class=hrad, prompt=y]; done [shape=Msquare]; start -> a -> b -> done }",
    );
    project.write("sheet.css", ".hard { timeout: 5m }");
    let shown = project
        .run(["validate", "g.dot", "--stylesheet", "sheet.css"])
        .expect_code(0);
    let warning = "warning[unused_class]: class `hrad` is not used by any stylesheet rule; did you mean `hard`?";
    assert!(shown.stdout.contains(warning), "{shown}");
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
