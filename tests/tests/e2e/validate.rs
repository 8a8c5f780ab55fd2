//! `attractor validate`: its forms, its exit codes, and what it does with files that are none.

use attractor_tests::Project;
use expect_test::expect;

const BROKEN: &str = "digraph release {
    start [shape=Mdiamond]
    test  [type=tol, command=\"make test\"]
    done  [shape=Msquare]
    start -> test -> done
}
";

const FINE: &str = "digraph fine { start [shape=Mdiamond]; done [shape=Msquare]; start -> done }\n";

#[test]
fn human_output_has_source_and_fix() {
    let output = Project::with("release.dot", BROKEN)
        .run(["validate", "release.dot"])
        .expect_code(1);
    expect![[r#"
        error[unknown_handler]: unknown handler `tol`; did you mean `tool`?
         --> release.dot:3:17
          |
        3 |     test  [type=tol, command="make test"]
          |                 ^^^
          |
        help: Replace with `tool`
          |
        3 |     test  [type=tool, command="make test"]
          |                   +

        release.dot: 1 error
    "#]]
    .assert_eq(&output.stdout);
    assert_eq!(output.stderr, "");
}

#[test]
fn json_is_stable() {
    let output =
        Project::with("release.dot", BROKEN).run(["validate", "--format", "json", "release.dot"]);
    expect![[r#"
        {
          "files": [
            {
              "path": "release.dot",
              "diagnostics": [
                {
                  "rule": "unknown_handler",
                  "severity": "error",
                  "message": "unknown handler `tol`; did you mean `tool`?",
                  "range": {
                    "start": {
                      "line": 3,
                      "column": 17
                    },
                    "end": {
                      "line": 3,
                      "column": 20
                    }
                  },
                  "node": "test",
                  "related": [],
                  "fixes": [
                    {
                      "title": "Replace with `tool`",
                      "edits": [
                        {
                          "range": {
                            "start": {
                              "line": 3,
                              "column": 17
                            },
                            "end": {
                              "line": 3,
                              "column": 20
                            }
                          },
                          "text": "tool"
                        }
                      ]
                    }
                  ]
                }
              ]
            }
          ]
        }
    "#]]
    .assert_eq(&output.expect_code(1).stdout);
}

#[test]
fn json_lists_are_never_null() {
    let output = Project::with("fine.dot", FINE).run(["validate", "--format", "json", "fine.dot"]);
    expect![[r#"
        {
          "files": [
            {
              "path": "fine.dot",
              "diagnostics": []
            }
          ]
        }
    "#]]
    .assert_eq(&output.expect_code(0).stdout);
}

#[test]
fn sarif_contains_rules_and_locations() {
    let log = Project::with("a b.dot", BROKEN)
        .run(["validate", "--format", "sarif", "a b.dot"])
        .json();
    let run = &log["runs"][0];
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(run["results"][0]["ruleId"], "unknown_handler");
    let place = &run["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b.dot");
    assert_eq!(place["region"]["startLine"], 3);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(
        rules.iter().any(|rule| rule["id"] == "unknown_handler"),
        "{rules:?}"
    );
}

#[test]
fn github_output_has_a_command_per_diagnostic() {
    let output =
        Project::with("release.dot", BROKEN).run(["validate", "--format", "github", "release.dot"]);
    expect![[r#"
        ::error file=release.dot,line=3,col=17,endLine=3,endColumn=20,title=unknown_handler::unknown handler `tol`; did you mean `tool`?
    "#]].assert_eq(&output.expect_code(1).stdout);
}

#[test]
fn strict_fails_on_warnings() {
    let text = "digraph g { goal=x; start [shape=Mdiamond]; done [shape=Msquare]; lost [prompt=hi]; start -> done }";
    let project = Project::with("warn.dot", text);
    project.run(["validate", "warn.dot"]).expect_code(0);
    project
        .run(["validate", "--strict", "warn.dot"])
        .expect_code(1);
}

#[test]
fn plain_graphs_have_no_diagnostics() {
    let output = Project::with("plain.dot", "graph { a -- b -- c }").run([
        "validate",
        "--strict",
        "plain.dot",
    ]);
    expect!["plain.dot: no problems found\n"].assert_eq(&output.expect_code(0).stdout);
}

#[test]
fn project_configuration_sets_levels() {
    let project = Project::with("release.dot", BROKEN);
    project.write(
        ".attractor/config.toml",
        "[handlers.tol]\ndoc = \"Ours.\"\ncommand = [\"true\"]\n",
    );
    project.run(["validate", "release.dot"]).expect_code(0);
}

#[test]
fn validate_reads_standard_input() {
    let project = Project::new();
    let output = project
        .run_with_input(["validate", "-"], FINE)
        .expect_code(0);
    expect!["<stdin>: no problems found\n"].assert_eq(&output.stdout);
    project
        .run_with_input(["validate", "-"], BROKEN)
        .expect_code(1);
}

#[test]
fn unreadable_file_does_not_hide_others() {
    let project = Project::with("fine.dot", FINE);
    let output = project
        .run(["validate", "missing.dot", "fine.dot"])
        .expect_code(2);
    expect!["fine.dot: no problems found\n"].assert_eq(&output.stdout);
    expect![[r#"
        error: missing.dot: no such file
    "#]]
    .assert_eq(&output.stderr);
}

#[test]
fn only_what_the_project_ignores_is_left_out_of_a_folder() {
    let project = Project::with(".github/flows/a.dot", FINE);
    project.write(".claude-plugin/.fabro/b.dag", FINE);
    project.write("ignored/c.dot", BROKEN);
    project.write("node_modules/d.dot", BROKEN);
    project.write(".gitignore", "ignored\n");
    let report = project.run(["validate", ".", "--format", "json"]);
    let report = report.expect_code(0).json();
    let files = report["files"].as_array().expect("files").iter();
    let files: Vec<_> = files.map(|file| &file["path"]).collect();
    assert_eq!(
        files,
        [".claude-plugin/.fabro/b.dag", ".github/flows/a.dot"]
    );
    project.run(["validate", ".github"]).expect_code(0);
}

#[test]
fn folders_are_searched_for_pipelines() {
    let project = Project::with("flows/a.dot", FINE);
    project.write("flows/deeper/b.gv", BROKEN);
    project.write("flows/notes.txt", "no pipeline");
    let output = project
        .run(["validate", ".", "--format", "json"])
        .expect_code(1);
    let report = output.json();
    let files: Vec<_> = report["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| &file["path"])
        .collect();
    assert_eq!(files, ["flows/a.dot", "flows/deeper/b.gv"]);
    project.write("empty/notes.txt", "no pipeline");
    let output = project.run(["validate", "empty"]).expect_code(2);
    expect![[r#"
        error: no DOT file in empty; expected a file name that ends with .dot, .gv, .attractor, .fabro, .dag
    "#]]
    .assert_eq(&output.stderr);
}

#[test]
fn missing_file_argument_is_a_usage_error() {
    Project::new().run(["validate"]).expect_code(2);
    Project::new()
        .run(["validate", "--format", "yaml", "a.dot"])
        .expect_code(2);
    Project::new().run(["vlaidate", "a.dot"]).expect_code(2);
}

/// The day is the machine's: this model is retired since long before any test runs.
#[test]
fn a_retired_model_is_a_warning_with_its_successor() {
    let project = Project::with(
        "flow.dot",
        "digraph { start [shape=Mdiamond]; a [prompt=x, model=\"claude-3-opus-20240229\"]; done [shape=Msquare]; start -> a -> done }",
    );
    let output = project
        .run(["validate", "--strict", "flow.dot"])
        .expect_code(1);
    assert!(
        output.stdout.contains(
            "`claude-3-opus-20240229` is retired since 2026-01-05; use `claude-opus-5-5`"
        ),
        "{}",
        output.stdout
    );
}
