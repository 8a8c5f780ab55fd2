//! `attractor agent`: sessions without a pipeline, continued and forked; what the configuration says about them.

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply};
use serde_json::{Value, json};

use super::{call, run};

/// Runs the agent on a prompt; gives its report.
fn agent(project: &Project, provider: &MockProvider, arguments: &[&str]) -> Value {
    let mut command = project.command(["agent", "--model", "sonnet", "--format", "json"]);
    command.args(arguments).envs(provider.variables());
    let output = ProcessOutput::new(&command.output().expect("the program starts"));
    output.expect_code(0).json()
}

fn session(report: &Value) -> String {
    report["session"].as_str().expect("an id").to_owned()
}

#[test]
fn a_session_is_continued_and_forked() {
    let project = Project::new();
    let content = json!({"path": "a.txt", "content": "one"});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("write_file", &content)]),
        Reply::Says("First answer."),
        Reply::Says("Second answer."),
        Reply::Says("Third answer."),
        Reply::Says("Fourth answer."),
    ]);
    let first = session(&agent(&project, &provider, &["First task."]));
    let same = session(&agent(
        &project,
        &provider,
        &["Second task.", "--session", &first],
    ));
    assert_eq!(same, first);
    let forked = session(&agent(
        &project,
        &provider,
        &["Third task.", "--fork", &first],
    ));
    assert_ne!(forked, first);
    agent(&project, &provider, &["Fourth task.", "--session", &first]);
    let text = |index: usize| provider.sent()[index].body["messages"].to_string();
    for part in ["First task.", "Second answer.", "Third task."] {
        assert!(text(3).contains(part), "{part}: {}", text(3));
    }
    assert!(text(4).contains("Second answer."), "{}", text(4));
    assert!(
        !text(4).contains("Third task."),
        "the fork changed the session: {}",
        text(4)
    );
}

#[test]
fn an_unknown_session_is_a_usage_error_that_names_the_known_ones() {
    let project = Project::new();
    let provider = MockProvider::start(vec![Reply::Says("Done.")]);
    for option in ["--session", "--fork"] {
        let output = run(&project, &provider, ["agent", "Continue.", option, "nope"]);
        let output = output.expect_code(2);
        let expected = "unknown session `nope`: there are no sessions in";
        assert!(output.stderr.contains(expected), "{output}");
    }
    let known = session(&agent(&project, &provider, &["A task."]));
    for id in ["nope", "../sessions", ""] {
        let output = run(&project, &provider, ["agent", "Continue.", "--session", id]);
        let output = output.expect_code(2);
        assert!(
            output.stderr.contains(&format!("unknown session `{id}`")),
            "{output}"
        );
        assert!(output.stderr.contains(&known), "{output}");
    }
}

#[test]
fn the_configuration_of_agents_is_shown_with_what_has_no_effect() {
    let project = Project::new();
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\n\"shell(git push*)\" = \"deny\"\n[agent.sandbox]\nnetwork = true\n[mcp.files]\ncommand = [\"files\"]\n",
    );
    project.write(
        ".attractor/config.toml",
        "[agent]\nlanguage_servers = \"off\"\n[agent.permissions]\n\"shell(git push*)\" = \"allow\"\n",
    );
    let report = project
        .run(["config", "--format", "json"])
        .expect_code(0)
        .json();
    let value = |key: &str, from: &str| {
        let rows = report["values"].as_array().expect("rows");
        let mut rows = rows.iter().filter(|row| {
            row["key"] == key && row["from"].as_str().unwrap_or_default().contains(from)
        });
        rows.next().expect(key)["value"].clone()
    };
    assert_eq!(value("agent.language_servers", ".attractor"), "off");
    assert_eq!(value("agent.sandbox.mode", ""), "workspace-write");
    assert_eq!(value("agent.sandbox.network", ".config"), true);
    assert_eq!(value("mcp.files", ".config"), "files");
    let rule = "agent.permissions.\"shell(git push*)\"";
    assert_eq!(value(rule, ".config"), "deny");
    let expected = "allow (no effect: the user's file says deny)";
    assert_eq!(value(rule, "/.attractor"), expected);
}

#[test]
fn the_rules_of_the_user_hold_in_a_replay() {
    let project = super::project("sonnet");
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\nshell = \"allow\"\n",
    );
    let tapes = Project::new();
    let tape = tapes.file("fix.tape").display().to_string();
    let arguments = json!({"command": "echo ran >> log"});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("shell", &arguments)]),
        Reply::Says("Done."),
    ]);
    run(&project, &provider, ["run", "fix.dot", "--record", &tape]).expect_code(0);
    assert_eq!(project.read("log"), "ran\n");
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\nshell = \"deny\"\n",
    );
    let output = project.run(["run", "fix.dot", "--replay", &tape]);
    assert_ne!(
        output.code,
        Some(0),
        "the result differs from the recorded one: {output}"
    );
    assert_eq!(project.read("log"), "ran\n");
}
