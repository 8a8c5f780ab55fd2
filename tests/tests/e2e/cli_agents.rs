//! Command-line agents behind nodes: programs in PATH that write what the real ones write.

use attractor_tests::{ProcessOutput, Project};

const FLOW: &str = r#"digraph flow {
  start [shape=Mdiamond]
  fix [prompt="Fix the test.", backend=cli, agent_tool=claude, max_turns=5, temperature=0.5]
  done [shape=Msquare]
  start -> fix -> done
}
"#;

/// Claude Code that does its work, says what it was called with, and leaves its input in a file.
const WORKS: &str = r#"#!/bin/sh
cat > input.txt
printf '%s\n' "$@" > arguments.txt
env > environment.txt
echo fixed > test.py
echo '{"type":"system","subtype":"init","session_id":"5d1e","model":"claude-opus-5-5"}'
echo '{"type":"assistant","message":{"content":[{"type":"text","text":"I change test.py."}]}}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"Fixed.","total_cost_usd":0.25,"usage":{"input_tokens":10,"output_tokens":7}}'
"#;

fn project(script: &str) -> Project {
    let project = Project::with("flow.dot", FLOW);
    project.write("bin/claude", script);
    make_executable(&project);
    project
}

fn make_executable(project: &Project) {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(project.file("bin/claude"), mode).expect("a program");
}

fn run(project: &Project) -> ProcessOutput {
    let mut command = project.command(["run", "flow.dot", "--format", "json"]);
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .env("PATH", format!("{}:{path}", project.file("bin").display()))
        .env("ANTHROPIC_API_KEY", "sk-ant-own-key")
        .env("OPENAI_API_KEY", "sk-other-key");
    ProcessOutput::new(&command.output().expect("the program starts"))
}

#[test]
fn agent_works_and_answers() {
    let project = project(WORKS);
    let report = run(&project).expect_code(0).json();
    assert_eq!(report["context"]["last_response"], "Fixed.");
    assert_eq!(report["usage"]["cost"], 0.25);
    assert_eq!(project.read("test.py"), "fixed\n");
    assert!(project.read("input.txt").starts_with("Fix the test."));
    let arguments = project.read("arguments.txt");
    assert!(arguments.contains("--max-turns=5\n"), "{arguments}");
    let environment = project.read("environment.txt");
    assert!(environment.contains("sk-ant-own-key"));
    assert!(!environment.contains("sk-other-key"));
    let run = report["run"].as_str().expect("its id");
    let journal = project.read(&format!(".attractor/runs/{run}/journal.jsonl"));
    assert!(journal.contains("claude-opus-5-5"), "{journal}");
    assert!(journal.contains("`temperature` has no effect"), "{journal}");
    assert!(!journal.contains("sk-ant-own-key"), "{journal}");
}

#[test]
fn agent_failure_has_a_reason() {
    for (script, reason) in [
        (
            "echo '{\"type\":\"result\",\"subtype\":\"error_during_execution\",\"is_error\":true,\"result\":\"Invalid API key\"}'",
            "Claude Code failed: Invalid API key",
        ),
        (
            "echo 'unknown option --verbose' >&2; exit 2",
            "Claude Code failed: it ended with exit code 2: unknown option --verbose",
        ),
        ("exit 0", "Claude Code failed: it ended without an answer"),
        (
            "echo '[]'; echo not JSON; printf '\\000\\377'",
            "Claude Code failed: it ended without an answer",
        ),
    ] {
        let project = project(&format!("#!/bin/sh\n{script}\n"));
        let report = run(&project).expect_code(1).json();
        assert_eq!(report["status"], "fail");
        let found = report["failure"]["reason"].as_str().expect("a reason");
        assert!(found.contains(reason), "{found}");
        assert!(!found.contains("sk-ant-own-key"), "{found}");
    }
}

#[test]
fn agent_that_is_not_installed_fails_the_node() {
    let project = Project::with("flow.dot", FLOW.replace("claude", "opencode"));
    let output = project.run(["run", "flow.dot"]).expect_code(1);
    let reason = "the program `opencode` is not in PATH; install opencode, or set `agent_tool` to another agent";
    assert!(
        output.stderr.contains(reason) || output.stdout.contains(reason),
        "{output}"
    );
}

#[test]
fn secrets_of_the_run_are_masked_in_the_session() {
    let project = project(
        "#!/bin/sh\ncat\necho\necho '{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"ok\"}'\n",
    );
    let flow = FLOW
        .replace("digraph flow {", "digraph flow { inputs=\"db_password\"")
        .replace("Fix the test.", "Connect with {db_password}.");
    project.write("flow.dot", flow);
    let mut command = project.command(["run", "flow.dot", "--input", "db_password=hunter2hunter2"]);
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", project.file("bin").display()));
    let output = ProcessOutput::new(&command.output().expect("the program starts"));
    assert!(!output.expect_code(0).stdout.contains("hunter2"));
    let runs = std::fs::read_dir(project.file(".attractor/runs")).expect("the runs");
    let run = runs
        .flatten()
        .find(|entry| entry.path().join("journal.jsonl").exists());
    let session = run.expect("the run").path().join("fix/1-1/session.jsonl");
    let session = std::fs::read_to_string(session).expect("the session");
    assert!(session.contains("Connect with"), "{session}");
    assert!(!session.contains("hunter2"), "{session}");
}

#[test]
fn timeout_ends_the_processes_of_an_agent() {
    let project = project("#!/bin/sh\nsleep 1000 &\necho $! > child.txt\nwait\n");
    let flow = FLOW.replace("max_turns=5", "timeout=1s");
    project.write("flow.dot", flow);
    let report = run(&project).expect_code(1).json();
    assert_eq!(report["failure"]["class"], "timeout", "{report}");
    let child = project.read("child.txt");
    let stat = format!("/proc/{}/stat", child.trim());
    project.eventually("the child is gone", || {
        (!std::path::Path::new(&stat).exists()).then_some(())
    });
}
