//! JSON plan libraries, without converting them first.

use attractor_tests::Project;
use expect_test::expect;

const LIBRARY: &str = r#"{
  "bugfix": {
    "name": "Bug fix",
    "domains": ["bugs"],
    "triggers": ["fix bug", "broken"],
    "graph": {
      "start": "fix",
      "nodes": {
        "fix": {"type": "task", "action": "Fix it", "max_retries": 2, "verify": {"type": "any_output"}},
        "stuck": {"type": "escalate", "reason": "Too hard", "pace_level": "contingent"},
        "done": {"type": "exit"}
      },
      "edges": [
        {"from": "fix", "to": "done", "condition": "on_success"},
        {"from": "fix", "to": "stuck", "condition": "on_exhaust"}
      ]
    }
  },
  "tidy": {"name": "Tidy up", "triggers": ["tidy up"], "vars": "folder", "steps": [
    {"name": "Look", "action": "Look at {folder}", "on_fail": "escalate"},
    {"name": "Act", "action": "Act", "on_fail": "skip"}
  ]}
}
"#;

fn path(report: &serde_json::Value) -> String {
    let nodes = report["path"].as_array().expect("a path").iter();
    let nodes: Vec<&str> = nodes.filter_map(serde_json::Value::as_str).collect();
    nodes.join(" ")
}

#[test]
fn library_is_validated_run_and_drawn() {
    let project = Project::with("plans.json", LIBRARY);
    project
        .run(["validate", "--strict", "plans.json"])
        .expect_code(0);
    let dry = |options: &[&str], code| {
        let run = ["run", "plans.json", "--dry-run", "--format", "json"];
        let report = project.run(run.iter().chain(options).copied());
        path(&report.expect_code(code).json())
    };
    assert_eq!(dry(&[], 0), "fix done");
    assert_eq!(dry(&["--outcome", "fix=fail"], 3), "fix stuck");
    let tidy = ["--graph", "tidy", "--input", "folder=src"];
    assert_eq!(dry(&tidy, 0), "look act done");
    let graph = project
        .run(["graph", "plans.json", "--graph", "bugfix"])
        .json();
    let fix = &graph["graphs"][0]["nodes"][0];
    // Of the JSON, not of the DOT text between.
    assert_eq!(fix["range"]["start"]["line"], 9, "{fix}");
}

#[test]
fn problem_of_a_library_has_its_place_in_the_json() {
    let broken = LIBRARY.replace(r#""to": "done""#, r#""to": "dne""#);
    let project = Project::with("plans.json", &broken);
    for command in ["validate", "run", "graph"] {
        let output = project.run([command, "plans.json"]).expect_code(1);
        let text = [&*output.stdout, &*output.stderr].concat();
        assert!(text.contains("plans.json:14:31"), "{command}: {text}");
        assert!(text.contains("Replace with `done`"), "{command}: {text}");
    }
    let missing = Project::with("plans.json", LIBRARY)
        .run(["run", "plans.json", "--graph", "tidy"])
        .expect_code(1);
    expect![[r#"
        error[missing_input]: input `folder` is missing; pass --input folder=VALUE
          --> plans.json:19:64
           |
        19 |   "tidy": {"name": "Tidy up", "triggers": ["tidy up"], "vars": "folder", "steps": [
           |                                                                ^^^^^^^^

        plans.json: 1 error
    "#]]
    .assert_eq(&missing.stderr);
}

#[test]
fn run_of_a_library_is_resumed() {
    let library = r#"{"first": {"steps": [{"name": "a"}]}, "second": {"steps": [
        {"name": "look"}, {"name": "test", "command": "test -f ok"}, {"name": "report"}
    ]}}"#;
    let project = Project::with("plans.json", library);
    project
        .run(["run", "plans.json", "--graph", "second"])
        .expect_code(1);
    project.write("ok", "");
    let resumed = project.run(["resume", "--format", "json"]).expect_code(0);
    assert_eq!(path(&resumed.json()), "look test test report done");
}

#[test]
fn plan_is_chosen_for_a_task() {
    let project = Project::with("plans.json", LIBRARY);
    let run = |options: &[&str], code| {
        let run = [
            "run",
            "--library",
            "plans.json",
            "--dry-run",
            "--format",
            "json",
        ];
        project
            .run(run.iter().chain(options).copied())
            .expect_code(code)
    };
    let output = run(&["--task", "Please fix the login bug"], 0);
    let report = output.json();
    assert_eq!(report["pipeline"], "bugfix", "{output}");
    assert_eq!(
        report["context"]["task"], "Please fix the login bug",
        "{output}"
    );
    assert_eq!(
        output.stderr,
        "plan `bugfix` chosen: \"fix bug\" occurs in the task\n"
    );
    let tidy = ["--task", "tidy this up", "--input", "folder=src"];
    assert_eq!(run(&tidy, 0).json()["pipeline"], "tidy");
    let output = run(&["--task", "fix the bug", "--domain", "docs"], 2);
    expect![[r#"
        error: no plan in domain `docs` fits the task "fix the bug"; name one with --graph, or use words of the triggers of a plan:
          bugfix: "fix bug", "broken"; domains bugs
          tidy: "tidy up"
    "#]]
    .assert_eq(&output.stderr);
    project
        .run(["run", "--library", "plans.json"])
        .expect_code(2);
    for option in ["--task", "--role", "--domain"] {
        let output = project.run(["run", "plans.json", option, "x"]);
        output.expect_code(2);
    }
}

#[test]
fn role_restricts_the_choice() {
    let project = Project::with("plans.json", LIBRARY);
    project.write(
        ".attractor/config.toml",
        "[roles]\nclerk = [\"tidy\"]\ndeveloper = [\"bugfix\", \"tidy\"]\n",
    );
    let run = |role: &str, code| {
        let task = [
            "--task",
            "it is broken: tidy up",
            "--role",
            role,
            "--dry-run",
        ];
        let input = ["--input", "folder=src", "run", "--library", "plans.json"];
        let (folder, run) = input.split_at(2);
        let arguments = run.iter().chain(&task).chain(folder).copied();
        project.run(arguments).expect_code(code)
    };
    let clerk = run("clerk", 0).stderr;
    assert_eq!(
        clerk,
        "plan `tidy` chosen for role `clerk`: \"tidy up\" occurs in the task\n"
    );
    assert!(run("developer", 0).stderr.contains("plan `tidy` chosen"));
    assert_eq!(
        run("nobody", 2).stderr,
        "error: unknown role `nobody`; roles in the configuration: clerk, developer\n"
    );
    let config = project.run(["config"]).expect_code(0).stdout;
    assert!(config.contains("roles.clerk"), "{config}");
}

#[test]
fn template_is_chosen_for_a_task() {
    let project = Project::new();
    let output = project
        .run(["new", "--for", "fix the login bug"])
        .expect_code(0);
    assert!(
        output.stdout.contains("digraph bugfix_workflow"),
        "{output}"
    );
    assert_eq!(
        output.stderr,
        "plan `bugfix_workflow` chosen: \"fix bug\" occurs in the task\n"
    );
    project
        .run(["new", "--for", "merge the pull request", "-o", "merge.dot"])
        .expect_code(0);
    project.run(["validate", "merge.dot"]).expect_code(0);
    let output = project.run(["new", "--for", "bake a cake"]).expect_code(2);
    assert!(output.stderr.contains("log_investigation: "), "{output}");
}
