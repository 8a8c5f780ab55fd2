//! Agents with real language servers in the sandbox, and with the reference servers of the Model Context Protocol.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply, skip};
use serde_json::{Value, json};

use super::{FIX, call, events, has_sandbox};

/// Whether a program starts here; reports what is not tested otherwise.
fn is_installed(program: &str, test: &str) -> bool {
    let mut command = Command::new(program);
    command
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let is_installed = command.status().is_ok_and(|status| status.success());
    if !is_installed {
        skip(test, &format!("{program} is not installed"));
    }
    is_installed
}

/// Runs the pipeline with the toolchain of this machine.
fn run(project: &Project, provider: &MockProvider) -> ProcessOutput {
    let mut command = project.command(["run", "fix.dot", "--format", "events"]);
    let home = std::env::home_dir().unwrap_or_default();
    for (name, usual) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        let set = std::env::var_os(name).map(PathBuf::from);
        command.env(name, set.unwrap_or_else(|| home.join(usual)));
    }
    command.envs(provider.variables());
    ProcessOutput::new(&command.output().expect("the program starts"))
}

/// The result of the only call of a request's last round.
fn results(output: &ProcessOutput) -> Vec<String> {
    let ended = events(output, "agent.tool_call_end");
    let outputs = ended.iter().map(|event| event["output"].as_str());
    outputs
        .map(|output| output.unwrap_or_default().to_owned())
        .collect()
}

/// A project whose agent asks where a name is defined, for its hover, and for the problems of the file.
fn asked(files: &[(&str, &str)], place: &Value) -> (Vec<String>, ProcessOutput) {
    let project = Project::with("fix.dot", FIX.replace("MODEL", "sonnet"));
    for (path, text) in files {
        project.write(path, text);
    }
    let file = json!({"path": place["path"]});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("get_definition", place)]),
        Reply::Calls(vec![call("get_hover", place)]),
        Reply::Calls(vec![call("get_references", place)]),
        Reply::Calls(vec![call("get_diagnostics", &file)]),
        Reply::Says("Done."),
    ]);
    let output = run(&project, &provider);
    assert_eq!(output.code, Some(0), "{output}");
    (results(&output), output)
}

#[test]
fn rust_analyzer_answers_from_within_the_sandbox() {
    let test = "an agent with rust-analyzer";
    let project = Project::new();
    if !is_installed("rust-analyzer", test) || !has_sandbox(&project, test) {
        return;
    }
    let files = [
        (
            "Cargo.toml",
            "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        ),
        (
            "src/main.rs",
            "fn double(n: u32) -> u32 {\n    n * 2\n}\n\nfn main() {\n    double(1);\n    missing(;\n}\n",
        ),
    ];
    let place = json!({"path": "src/main.rs", "line": 6, "symbol": "double"});
    let (results, output) = asked(&files, &place);
    let [definition, hover, references, diagnostics] = &results[..] else {
        unreachable!("{output}")
    };
    assert_eq!(definition, "src/main.rs:1:4: fn double(n: u32) -> u32 {");
    assert!(hover.contains("fn double(n: u32) -> u32"), "{hover}");
    assert!(references.contains("src/main.rs:6:5"), "{references}");
    assert!(diagnostics.contains("7:"), "{diagnostics}");
}

#[test]
fn pyright_answers_from_within_the_sandbox() {
    let test = "an agent with pyright";
    let project = Project::new();
    if !is_installed("pyright", test) || !has_sandbox(&project, test) {
        return;
    }
    let files = [
        ("pyproject.toml", ""),
        ("a.py", "def f(n: int) -> int:\n    return n\n\nf(\"x\")\n"),
    ];
    let place = json!({"path": "a.py", "line": 4, "symbol": "f"});
    let (results, output) = asked(&files, &place);
    let [definition, hover, references, diagnostics] = &results[..] else {
        unreachable!("{output}")
    };
    assert_eq!(definition, "a.py:1:5: def f(n: int) -> int:");
    assert!(hover.contains("(n: int) -> int"), "{hover}");
    assert!(references.contains("a.py:4:1"), "{references}");
    assert!(diagnostics.contains("4:3: error"), "{diagnostics}");
}

#[test]
fn the_typescript_server_answers_from_within_the_sandbox() {
    let test = "an agent with typescript-language-server";
    let project = Project::new();
    if !is_installed("typescript-language-server", test) || !has_sandbox(&project, test) {
        return;
    }
    let files = [
        ("package.json", "{}"),
        (
            "a.ts",
            "function f(n: number): number {\n  return n;\n}\nf(\"x\");\n",
        ),
    ];
    let place = json!({"path": "a.ts", "line": 4, "symbol": "f"});
    let (results, output) = asked(&files, &place);
    let [definition, hover, references, diagnostics] = &results[..] else {
        unreachable!("{output}")
    };
    assert_eq!(definition, "a.ts:1:10: function f(n: number): number {");
    assert!(hover.contains("function f(n: number): number"), "{hover}");
    assert!(references.contains("a.ts:4:1"), "{references}");
    assert!(diagnostics.contains("4:3: error"), "{diagnostics}");
}

#[test]
fn language_servers_can_be_switched_off() {
    let project = Project::with("fix.dot", FIX.replace("MODEL", "sonnet"));
    project.write(
        "Cargo.toml",
        "[package]\nname = \"x\"\nversion = \"0.1.0\"\n",
    );
    project.write(
        ".attractor/config.toml",
        "[agent]\nlanguage_servers = \"off\"\n",
    );
    let provider = MockProvider::start(vec![Reply::Says("Done.")]);
    run(&project, &provider).expect_code(0);
    let tools = provider.sent()[0].body["tools"].to_string();
    assert!(!tools.contains("get_definition"), "{tools}");
    let doctor = project.run(["doctor", "--offline"]);
    let line = "language servers of agents: ";
    assert!(doctor.stdout.contains(line), "{doctor}");
}

#[test]
fn the_reference_servers_of_mcp_do_what_the_model_calls() {
    let test = "an agent with the reference MCP servers";
    let programs = ["mcp-server-filesystem", "mcp-server-everything"];
    let on_path = |program: &&str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    };
    if let Some(missing) = programs.iter().find(|program| !on_path(program)) {
        return skip(test, &format!("{missing} is not installed"));
    }
    let node = "mcp=\"files, everything\", prompt=";
    let pipeline = FIX.replace("MODEL", "sonnet").replace("prompt=", node);
    let project = Project::with("fix.dot", pipeline);
    project.write("notes.txt", "remember the milk\n");
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\n\"mcp(*)\" = \"allow\"\n[mcp.files]\ncommand = [\"mcp-server-filesystem\", \".\"]\n[mcp.everything]\ncommand = [\"mcp-server-everything\"]\n",
    );
    let folder = std::fs::canonicalize(project.path()).expect("the folder");
    let path = |name: &str| folder.join(name).display().to_string();
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![
            call("files__read_text_file", &json!({"path": path("notes.txt")})),
            call("everything__echo", &json!({"message": "hello"})),
            call(
                "files__write_file",
                &json!({"path": path("new.txt"), "content": "written"}),
            ),
            call("files__read_text_file", &json!({"path": "/etc/passwd"})),
        ]),
        Reply::Says("Done."),
    ]);
    let output = run(&project, &provider);
    assert_eq!(output.code, Some(0), "{output}");
    let ended = events(&output, "agent.tool_call_end");
    let result = |index: usize| {
        let id = format!("call_0_{index}");
        let found = ended.iter().find(|event| event["tool_call_id"] == id);
        let event = found.expect("a result");
        (event["output"].to_string(), event["is_error"] == true)
    };
    assert!(result(0).0.contains("remember the milk"), "{output}");
    assert!(result(1).0.contains("hello"), "{output}");
    assert_eq!(project.read("new.txt"), "written");
    let (reason, is_error) = result(3);
    assert!(is_error && reason.contains("denied"), "{reason}");
    let tools = provider.sent()[0].body["tools"].clone();
    let names: Vec<&str> = tools
        .as_array()
        .expect("tools")
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .filter(|name| name.contains("__"))
        .collect();
    assert!(names.len() > 10 && names.is_sorted(), "{names:?}");
}
