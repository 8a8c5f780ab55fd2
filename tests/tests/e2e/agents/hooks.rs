//! Hooks before and after the tool calls of agents: of the user, of the project, of the pipeline.

use attractor_tests::{MockProvider, Project, Reply};
use serde_json::{Value, json};

use super::{call, events, run};

const DOT: &str = "digraph fix {
  tool_hooks.post=\"cat >> post.jsonl; exit 2\"
  start [shape=Mdiamond]
  fix   [shape=box, prompt=\"Greet the world.\", model=sonnet, tool_hooks.pre=\"echo by the node; test \\\"$ATTRACTOR_TOOL\\\" != glob\"]
  done  [shape=Msquare]
  start -> fix -> done
}
";

const CONFIGURATION: &str = "[hooks.no-push]
when = \"before\"
tool = \"shell(git push*)\"
command = [\"sh\", \".attractor/no-push.sh\"]
";

fn project() -> Project {
    let project = Project::with("fix.dot", DOT);
    project.write(".attractor/config.toml", CONFIGURATION);
    project.write(
        ".attractor/no-push.sh",
        "echo \"pushes are for people\"; cat > seen.json; exit 3\n",
    );
    project.write("greeting.txt", "Hello.\n");
    project
}

fn calls() -> Vec<Reply> {
    vec![
        Reply::Calls(vec![
            call("shell", &json!({"command": "cd . && git push origin main"})),
            call("glob", &json!({"pattern": "*.txt"})),
            call("read_file", &json!({"path": "greeting.txt"})),
        ]),
        Reply::Says("Done."),
    ]
}

/// The results of the calls, as the model received them.
fn results(provider: &MockProvider) -> Vec<String> {
    let sent = provider.sent();
    let last = sent.last().expect("a request");
    let messages = last.body["messages"].as_array().expect("messages");
    let parts = messages
        .iter()
        .filter_map(|message| message["content"].as_array());
    let results = parts.flatten().filter(|part| part["type"] == "tool_result");
    results
        .map(|result| match &result["content"] {
            Value::String(text) => text.clone(),
            other => other[0]["text"].as_str().unwrap_or_default().to_owned(),
        })
        .collect()
}

#[test]
fn a_hook_refuses_calls_and_another_records_those_that_ran() {
    let project = project();
    let provider = MockProvider::start(calls());
    let output = run(
        &project,
        &provider,
        ["run", "fix.dot", "--format", "events"],
    );
    assert_eq!(output.code, Some(0), "{output}");
    let [pushed, listed, read] = results(&provider).try_into().expect("three results");
    assert_eq!(
        pushed,
        "error: the call was not run: the hook `no-push` refused it with exit code 3:\npushes are for people"
    );
    assert_eq!(
        listed,
        "error: the call was not run: the hook `tool_hooks.pre` refused it with exit code 1:\nby the node"
    );
    assert!(read.contains("Hello."), "{read}");
    let seen: Value = serde_json::from_str(&project.read("seen.json")).expect("JSON");
    assert_eq!(seen["tool_name"], "shell", "{seen}");
    assert_eq!(seen["node"], "fix", "{seen}");
    // Only calls that ran are recorded, and the failure of the hook changed nothing.
    let recorded = project.read("post.jsonl");
    assert_eq!(recorded.lines().count(), 1, "{recorded}");
    let recorded: Value = serde_json::from_str(&recorded).expect("JSON");
    assert_eq!(recorded["tool_name"], "read_file", "{recorded}");
    assert_eq!(recorded["is_error"], false, "{recorded}");
    let hooks: Vec<String> = events(&output, "agent.tool_hook")
        .iter()
        .map(|event| {
            let word = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
            let words = ["hook", "when", "tool_name", "outcome"].map(word);
            words.join(" ")
        })
        .collect();
    for expected in [
        "no-push before shell refused",
        "tool_hooks.pre before glob refused",
        "tool_hooks.pre before read_file passed",
        "tool_hooks.post after read_file failed",
    ] {
        assert!(hooks.iter().any(|hook| hook == expected), "{hooks:?}");
    }
    assert_eq!(hooks.len(), 4, "{hooks:?}");
}

#[test]
fn hooks_are_listed_and_their_programs_are_checked() {
    let project = project();
    let verbose = {
        let provider = MockProvider::start(calls());
        run(&project, &provider, ["run", "fix.dot", "-v"])
    };
    assert!(
        verbose.stdout.contains(
            "hook `no-push` before shell: refused the call, exit code 3: pushes are for people"
        ),
        "{verbose}"
    );
    let shown = project.run(["config"]);
    assert!(
        shown
            .stdout
            .contains("before shell(git push*): sh .attractor/no-push.sh"),
        "{shown}"
    );
    project.write(
        ".attractor/config.toml",
        "[hooks.audit]\nwhen = \"after\"\ncommand = [\"no-such-program-here\"]\n",
    );
    let checked = project.run(["doctor", "--offline"]);
    assert_eq!(checked.code, Some(1), "{checked}");
    assert!(
        checked
            .stdout
            .contains("hook `audit` cannot run: `no-such-program-here` is not on PATH"),
        "{checked}"
    );
}

/// A repository's commands run in a session by itself only if somebody was asked about them, which nobody is.
#[test]
fn a_session_by_itself_runs_hooks_of_the_user_and_none_of_the_project() {
    let project = project();
    project.write(
        "config/attractor/config.toml",
        "[hooks.mine]\nwhen = \"before\"\ntool = \"glob\"\ncommand = [\"sh\", \"-c\", \"echo by the user; exit 1\"]\n",
    );
    let provider = MockProvider::start(calls());
    let mut command = project.command(["agent", "Greet the world.", "--model", "sonnet"]);
    command.envs(provider.variables());
    command.env("XDG_CONFIG_HOME", project.file("config"));
    let output =
        attractor_tests::ProcessOutput::new(&command.output().expect("the program starts"));
    assert_eq!(output.code, Some(0), "{output}");
    assert!(
        output
            .stderr
            .contains("hooks of the project's configuration run in pipelines only, not in this session: `no-push`"),
        "{output}"
    );
    assert!(!project.file("seen.json").exists());
    let results = results(&provider);
    assert!(
        results[1].contains("the hook `mine` refused it with exit code 1:\nby the user"),
        "{results:?}"
    );
}
