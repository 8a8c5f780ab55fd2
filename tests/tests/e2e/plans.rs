//! JSON plan libraries, without converting them first.

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply};
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
fn github_annotations_have_places_in_the_json() {
    let library = LIBRARY.replace(
        r#""type": "task", "action": "Fix it", "max_retries": 2, "verify": {"type": "any_output"}"#,
        r#""type": "task", "action": "Fix it", "verify": {"type": "output_contains", "value": "42"}"#,
    );
    let annotations = |text: &str, command: &str| {
        let project = Project::with("plans.json", text);
        let ended = project.run([command, "plans.json", "--format", "github"]);
        let lines = ended.stdout.lines().filter(|line| line.starts_with("::"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let escalates = library.replace("on_exhaust", "on_success");
    expect!["::error file=plans.json,line=9,title=fix::check `output_contains:42` failed"]
        .assert_eq(&annotations(&escalates, "run"));
    let broken = LIBRARY.replace(r#""to": "done""#, r#""to": "dne""#);
    let expected = expect![[
        r#"::error file=plans.json,line=14,col=31,endLine=14,endColumn=36,title=edge_target_exists::an edge of plan `bugfix` names `dne`, but there is no such node; did you mean `done`?"#
    ]];
    for command in ["validate", "run"] {
        expected.assert_eq(&annotations(&broken, command));
    }
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

const HAND_OVER: &str = "digraph hand_over {
  label=\"Hand over\"; workflow_context=true
  fix [start=true, prompt=\"Fix {task}\", tool=editor, verify=\"output_contains:nothing\", max_retries=1, retry_delay=\"1ms\"]
  give_up [shape=octagon, reason=\"no idea about {task}\", pace_level=alternate]
  decide [shape=diamond, description=\"Is a report enough?\"]
  report [prompt=\"Write a report\"]
  stuck [shape=octagon, reason=\"still stuck\", pace_level=contingent]
  fix -> report [condition=on_success]; fix -> give_up [condition=on_exhaust]
  give_up -> decide; decide -> report; report -> stuck
}";

#[test]
fn workflow_block_is_at_the_head_of_prompts() {
    let project = Project::with("a.dot", HAND_OVER);
    let run = [
        "run",
        "a.dot",
        "--input",
        "task=the bug",
        "--format",
        "json",
    ];
    let run = project.run(run).expect_code(3).json();
    let folder = format!(".attractor/runs/{}", run["run"].as_str().expect("an id"));
    let second = project.read(&format!("{folder}/fix/1-2/prompt.md"));
    expect![[r#"
        [WORKFLOW: Hand over]
          Task: the bug
          fix << CURRENT (attempt 2/2)
            Action: Fix the bug
            Tool: editor
            Verify: the output contains "nothing"
            On success → report
            On fail (retries left) → retry fix
            On fail (exhausted) → give_up (escalate: no idea about the bug)
          Pending: give_up, decide, report, stuck

        Execute the current step. Do not skip ahead.

        Fix the bug"#]]
    .assert_eq(&second);
    let last = project.read(&format!("{folder}/report/1-1/prompt.md"));
    expect![[r#"
        [WORKFLOW: Hand over]
          Task: the bug
          fix [FAILED] → give_up [ESCALATED] → decide [DECIDED] → report << CURRENT (attempt 1/1)
            Action: Write a report
            Then → stuck (escalate: still stuck)
            On fail → the workflow fails
          Decision decide: Is a report enough?
          Escalated by give_up (alternate): no idea about the bug
          Pending: stuck

        Execute the current step. Do not skip ahead.

        Write a report"#]]
    .assert_eq(&last);
    let explained = project.run(["explain", "a.dot:fix"]).expect_code(0).stdout;
    assert!(
        explained.contains("fix << CURRENT (attempt 1/2)"),
        "{explained}"
    );
}

#[test]
fn status_report_of_an_escalation() {
    let project = Project::with("a.dot", HAND_OVER);
    let run = ["run", "a.dot", "--input", "task=x", "--format", "events"];
    let events = project.run(run).expect_code(3).stdout;
    let events: Vec<serde_json::Value> = events
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let reports = events
        .iter()
        .filter(|event| event["type"] == "status_report");
    let levels: Vec<_> = reports
        .map(|event| (&event["report"]["pace_level"], &event["report"]["state"]))
        .collect();
    assert_eq!(
        levels,
        [
            (&"alternate".into(), &"running".into()),
            (&"contingent".into(), &"escalated".into())
        ]
    );
    let last = events.last().expect("events");
    // The report comes before the end.
    assert_eq!(last["type"], "escalated", "{last}");
    let shown = project
        .run(["runs", "show", "--format", "json"])
        .expect_code(0)
        .json();
    let report = &shown["report"];
    let reported = events
        .iter()
        .rev()
        .find(|event| event["type"] == "status_report");
    let reported = &reported.expect("a report")["report"];
    for field in [
        "plan_id",
        "plan_name",
        "state",
        "path",
        "visited",
        "events",
        "pace_level",
        "completed_nodes",
    ] {
        assert_eq!(report[field], reported[field], "{field}");
    }
    assert_eq!(report["plan_name"], "Hand over");
    assert_eq!(
        report["path"],
        serde_json::json!(["fix", "give_up", "decide", "report", "stuck"])
    );
    assert_eq!(
        report["visited"]["fix"],
        serde_json::json!({"outcome": "fail", "attempts": 2})
    );
    assert_eq!(report["events"].as_array().map(Vec::len), Some(5));
    let human = project.run(["runs", "show"]).expect_code(0).stdout;
    assert!(human.contains("PACE level: contingent"), "{human}");
    assert!(
        human.contains("path: fix → give_up → decide → report → stuck (5 of 5 nodes done)"),
        "{human}"
    );
    assert!(!human.contains("plan_"), "{human}");
}

#[test]
fn run_expires_after_turns_without_a_transition() {
    let project = Project::with(
        "a.dot",
        "digraph a { stale_after_turns=3; n [start=true, prompt=x, max_retries=20]; n -> m; m [shape=Msquare] }",
    );
    let dry = [
        "run",
        "a.dot",
        "--dry-run",
        "--format",
        "events",
        "--outcome",
        "n=fail",
    ];
    let events = project.run(dry).expect_code(1).stdout;
    let attempts = events.matches("\"type\":\"stage_started\"").count();
    assert_eq!(attempts, 3, "{events}");
    assert!(
        events.contains("\"type\":\"expired\",\"stale_after_turns\":3"),
        "{events}"
    );
    assert!(events.contains("\"workflow\":\"plan_expired\""), "{events}");
    let dry = [
        "run",
        "a.dot",
        "--dry-run",
        "--outcome",
        "n=fail,fail,success",
    ];
    project.run(dry).expect_code(0);
}

/// The hint of a plan's node is in the workflow block, and nowhere else.
#[test]
fn the_hint_of_a_plan_reaches_the_model_once() {
    let plan = |hint: &str| {
        format!(
            r#"{{"fix": {{"name": "Fix", "graph": {{"start": "fix", "nodes": {{
                "fix": {{"type": "task", "action": "Make the change", "tool_hint": "{hint}"}},
                "done": {{"type": "exit"}}
            }}, "edges": [{{"from": "fix", "to": "done", "condition": "on_success"}}]}}}}}}"#
        )
    };
    let prompt = |hint: &str| {
        let project = Project::with("plans.json", plan(hint));
        let provider = MockProvider::start(vec![Reply::Says("Done.")]);
        let mut command = project.command(["run", "plans.json"]);
        command.envs(provider.variables());
        ProcessOutput::new(&command.output().expect("it starts")).expect_code(0);
        provider.sent()[0].body.to_string()
    };
    let sent = prompt("Edit with the smallest tool");
    assert_eq!(
        sent.matches("Edit with the smallest tool").count(),
        1,
        "{sent}"
    );
    // One that the block cuts is in the prompt, whole.
    let long = format!("Begin {} to the very last word", "with care ".repeat(40));
    let sent = prompt(&long);
    assert_eq!(sent.matches("the very last word").count(), 1, "{sent}");
}

#[test]
fn a_converted_plan_is_formatted() {
    let project = Project::with("plans.json", LIBRARY);
    let dot = project.run(["convert", "plans.json"]).expect_code(0).stdout;
    project.write("plans.dot", &dot);
    project.run(["fmt", "--check", "plans.dot"]).expect_code(0);
    // A formatted file stays one in another dialect.
    let other = project.run(["convert", "plans.dot", "--to", "fabro"]);
    project.write("other.dot", other.expect_code(0).stdout);
    project.run(["fmt", "--check", "other.dot"]).expect_code(0);
}

#[test]
fn a_run_that_escalated_shows_how_each_node_ended() {
    let library = LIBRARY.replace("any_output", "exit_code").replace(
        r#""verify": {"type": "exit_code"}"#,
        r#""verify": {"type": "output_contains", "value": "42"}"#,
    );
    let project = Project::with("plans.json", library);
    project
        .run(["run", "plans.json", "--simulate"])
        .expect_code(3);
    let shown = project.run(["runs", "show"]).expect_code(0).stdout;
    let row = |node: &str| {
        let mut rows = shown.lines().filter(|line| line.starts_with(node));
        rows.next().expect(node).to_owned()
    };
    assert!(
        row("fix ").contains("check `output_contains:42` failed"),
        "{shown}"
    );
    assert!(row("stuck ").contains("Too hard"), "{shown}");
    assert!(shown.contains("path: fix → stuck"), "{shown}");
}
