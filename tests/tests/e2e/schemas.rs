//! What the program prints as JSON is what the schemas in `docs/reference/schemas` promise.

use std::collections::BTreeSet;
use std::fs;

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply, repository};
use jsonschema::Validator;
use serde_json::{Value, json};

/// A retry, branches, a gate, a sub-pipeline, a check.
const EVERYTHING: &str = r#"digraph everything {
  goal="All of it"
  start [shape=Mdiamond]
  flaky [shape=parallelogram, command="test {internal.retry_count.flaky:-0} -ge 1", max_retries=2, retry_delay="5ms"]
  fork  [shape=component]
  left  [shape=parallelogram, command="echo left"]
  right [shape=parallelogram, command="echo right >&2", verify="exit_code:0"]
  join  [shape=tripleoctagon]
  gate  [shape=hexagon, prompt="Continue?"]
  inner [shape=folder, sub_pipeline=inside]
  saved [shape=cylinder, name=late]
  think [prompt="Think", goal_gate=true]
  done  [shape=Msquare]
  start -> flaky -> fork
  fork -> {left right} -> join -> gate
  gate -> inner [label="[Y] Yes"]
  gate -> done [label="[N] No"]
  inner -> saved -> think
  think -> done [condition="outcome=success"]
}
digraph inside {
  start [shape=Mdiamond]
  deep [shape=parallelogram, command="echo deep"]
  done [shape=Msquare]
  start -> deep -> done
}
"#;

const FAILS: &str = "digraph fails { start [shape=Mdiamond]; t [shape=parallelogram, command=\"exit 3\"]; done [shape=Msquare]; start -> t -> done }";
const ESCALATES: &str =
    "digraph up { start [shape=Mdiamond]; e [shape=octagon, reason=\"Too hard\"]; start -> e }";

fn schema(name: &str) -> Validator {
    let path = repository().join(format!("docs/reference/schemas/{name}.schema.json"));
    let text = fs::read_to_string(path).expect("a schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("a schema");
    jsonschema::draft202012::new(&schema).expect("a schema that can be used")
}

/// Fails when `value` does not match the schema.
fn conforms(schema: &Validator, value: &Value) {
    let errors: Vec<String> = schema
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}\n{value:#}", errors.join("\n"));
}

/// The page and VS Code have a type for each kind and role of an entry.
#[test]
fn clients_know_every_kind_of_transcript_entry() {
    let schema = repository().join("docs/reference/schemas/transcript-entry.schema.json");
    let schema = fs::read_to_string(schema).expect("a schema");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let types = repository().join("server/http/page/shared/transcriptEntry.ts");
    let types = fs::read_to_string(types).expect("the types");
    for name in ["EntryKind", "EntryRole"] {
        let values = schema["$defs"][name]["oneOf"].as_array();
        for value in values.expect("an enum") {
            let value = value["const"].as_str().expect("a name");
            assert!(types.contains(&format!("'{value}'")), "{name}: `{value}`");
        }
    }
}

/// A schema that accepts anything promises nothing.
fn rejects(schema: &Validator, value: &Value) {
    assert!(!schema.is_valid(value), "accepted: {value:#}");
}

#[test]
fn reports_and_events_of_runs() {
    let (report, event) = (schema("run"), schema("event"));
    let mut seen = std::collections::BTreeSet::new();
    let answer: &[&str] = &["--answer", "gate=Y"];
    for (text, answer, code) in [
        (EVERYTHING, answer, 0),
        (FAILS, &[], 1),
        (ESCALATES, &[], 3),
    ] {
        let project = Project::with("flow.dot", text);
        let run = |format: &str| {
            let run = ["run", "flow.dot", "--simulate", "--format", format];
            project.run(run.iter().chain(answer)).expect_code(code)
        };
        let mut printed = run("json").json();
        conforms(&report, &printed);
        printed["status"] = json!("well");
        rejects(&report, &printed);
        for mut line in run("events").json_lines() {
            conforms(&event, &line);
            seen.insert(line["type"].as_str().unwrap_or_default().to_owned());
            line["seq"] = json!("first");
            rejects(&event, &line);
        }
    }
    for kind in [
        "pipeline_completed",
        "pipeline_failed",
        "stage_retrying",
        "stage_output",
        "edge_selected",
        "parallel_branch_completed",
        "interview_completed",
        "verification",
        "checkpoint_saved",
        "escalated",
    ] {
        assert!(seen.contains(kind), "{kind} did not happen: {seen:?}");
    }
    rejects(
        &event,
        &json!({"run": "x", "seq": 1, "time": "", "type": "party"}),
    );
}

#[test]
fn graphs_and_diagnostics() {
    let (graph, validate) = (schema("graph"), schema("validate"));
    for text in [
        EVERYTHING,
        "graph { a:x:n -- b [label=<<b>1</b>>]; subgraph cluster_c { subgraph { d } } }",
        "digraph { model_stylesheet=\"box { model: x }\"; start -> a; a [prompt=x, promt=y] ",
    ] {
        let project = Project::with("flow.dot", text);
        let mut printed = project
            .run(["graph", "flow.dot", "--format", "json"])
            .json();
        conforms(&graph, &printed);
        printed["graphs"][0]["nodes"][0]["id"].take();
        rejects(&graph, &printed);
        let mut printed = project
            .run(["validate", "flow.dot", "--format", "json"])
            .json();
        conforms(&validate, &printed);
        printed["files"][0]["path"].take();
        rejects(&validate, &printed);
    }
}

#[test]
fn results_of_scenarios() {
    let schema = schema("test");
    let project = Project::with("flow.dot", FAILS);
    project.write(
        "flow.test.toml",
        "[[scenario]]\nname = \"a\"\nexpect.path = [\"start\", \"done\"]\n[[scenario]]\nname = \"b\"\nexpect.end = \"fail\"\n",
    );
    let mut printed = project
        .run(["test", "--format", "json"])
        .expect_code(1)
        .json();
    conforms(&schema, &printed);
    printed["files"][0]["scenarios"][0]["status"] = json!("well");
    rejects(&schema, &printed);
    project.write("flow.test.toml", "[[scenario]]\nnme = 1\n");
    conforms(
        &schema,
        &project
            .run(["test", "--format", "json"])
            .expect_code(2)
            .json(),
    );
}

#[test]
fn plans() {
    let plan = schema("plan");
    let project = Project::with("flow.dot", EVERYTHING);
    conforms(
        &plan,
        &project.run(["convert", "flow.dot", "--to", "plan"]).json(),
    );
    let example = repository().join("engine/convert/src/plan/bugfix_workflow.json");
    let text = fs::read_to_string(example).expect("the example");
    let one: Value = serde_json::from_str(&text).expect("JSON");
    for library in [
        one.clone(),
        json!([one]),
        json!({ "plans": { "a": one } }),
        json!({ "a": { "steps": [{ "name": "Look", "verify": "any_output" }] } }),
    ] {
        conforms(&plan, &library);
    }
    rejects(
        &plan,
        &json!({ "a": { "name": "neither graph nor steps" } }),
    );
    rejects(
        &plan,
        &json!({ "graph": { "nodes": { "a": { "type": "odd" } }, "edges": [] } }),
    );
}

/// The schema of the configuration and the program agree about every file.
#[test]
fn configuration_matches_its_schema() {
    let schema = schema("config");
    let project = Project::with(
        "flow.dot",
        "digraph { start [shape=Mdiamond]; done [shape=Msquare]; start -> done }",
    );
    for (config, accepted) in [
        ("", true),
        ("dialect = 'kilroy'", true),
        ("dialect = 'klingon'", false),
        ("[lints]\ncycle = 'allow'\nsyntax = 'off'", true),
        ("[lints]\ncycle = 'loud'", false),
        ("[lints]\nunknwn_key = 'allow'", false),
        ("lints = 3", false),
        ("[pipelines]\nglobs = ['a/*.gv']", true),
        ("[pipelines]\nglobs = 'a/*.gv'", false),
        ("[pipelines]\nglob = []", false),
        (
            "[format]\nindent = 2\nwidth = 80\nalign = false\nsemicolons = 'never'\nsort = true",
            true,
        ),
        ("[format]\nindent = 'tab'", true),
        ("[format]\nindent = 0", false),
        ("[format]\nidnent = 2", false),
        (
            "[handlers.deploy]\ncommand = ['x']\ndoc = 'd'\nsets = ['k']\nattributes = [{name = 'a', type = 'json', required = true}]",
            true,
        ),
        ("[handlers.deploy]\ndoc = 'no command'", false),
        ("[handlers.deploy]\ncommand = []", false),
        ("[handlers.deploy]\ncommand = 'x'", false),
        (
            "[handlers.deploy]\ncommand = ['x']\nattributes = [{name = 'a', type = 'int'}]",
            false,
        ),
        (
            "[handlers.deploy]\ncommand = ['x']\nattributes = [{type = 'string'}]",
            false,
        ),
        ("[handlers.tool]\ncommand = ['x']", false),
        ("[permissions]\nshell = 'deny'", false),
        ("[sandbox]\nmode = 'off'", false),
        ("[providers.x]\nkey = 'y'", false),
        ("[sandbx]", false),
    ] {
        let table: toml::Table = config.parse().expect("TOML");
        let value = serde_json::to_value(table).expect("JSON");
        assert_eq!(
            schema.is_valid(&value),
            accepted,
            "the schema about {config}"
        );
        project.write(".attractor/config.toml", config);
        let code = if accepted { 0 } else { 2 };
        project.run(["validate", "flow.dot"]).expect_code(code);
    }
}

#[test]
fn events_of_a_session() {
    let schema = schema("agent-event");
    let project = Project::with("a.txt", "hello\n");
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![
            (
                "write_file",
                json!({"path": "b.txt", "content": "x"}).to_string(),
            ),
            ("no_such_tool", "{}".to_owned()),
            ("shell", json!({"command": "echo out; false"}).to_string()),
        ]),
        Reply::Says("Done."),
    ]);
    let mut command =
        project.command(["agent", "Do it.", "--model", "sonnet", "--format", "events"]);
    let output = command.envs(provider.variables()).output();
    let output = ProcessOutput::new(&output.expect("the program starts")).expect_code(0);
    let events = output.json_lines();
    let types: BTreeSet<&str> = events
        .iter()
        .filter_map(|event| event["type"].as_str())
        .collect();
    for expected in [
        "session_start",
        "tool_call_end",
        "files_changed",
        "model_usage",
        "session_end",
    ] {
        assert!(types.contains(expected), "{types:?}");
    }
    for event in &events {
        conforms(&schema, event);
    }
    rejects(
        &schema,
        &json!({"type": "tool_call_end", "data": {}, "timestamp": 1.0}),
    );
    rejects(
        &schema,
        &json!({"type": "unknown", "data": {}, "timestamp": 1.0}),
    );
}
