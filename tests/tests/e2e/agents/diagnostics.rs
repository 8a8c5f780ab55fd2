//! After an edit, an agent gets the new problems of that file: from a language server that is a script on the path, in the
//! place of one of those that are known.

use std::os::unix::fs::PermissionsExt as _;

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply};
use serde_json::json;

use super::{FIX, call, events};

/// Reports an error for each line with `BAD`; with the variable `SILENT_SERVER`, nothing at all.
const SERVER: &str = r#"#!/usr/bin/env python3
import json, os, sys

def read():
    length = 0
    for line in iter(sys.stdin.buffer.readline, b"\r\n"):
        if not line:
            sys.exit(0)
        name, value = line.split(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(sys.stdin.buffer.read(length))

def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()

def publish(document, text):
    if os.environ.get("SILENT_SERVER"):
        return
    problems = [
        {"range": {"start": {"line": n, "character": 0}, "end": {"line": n, "character": 3}}, "severity": 1, "message": line}
        for n, line in enumerate(text.split("\n")) if "BAD" in line
    ]
    send({"method": "textDocument/publishDiagnostics",
          "params": {"uri": document["uri"], "version": document["version"], "diagnostics": problems}})

while True:
    message = read()
    method, params = message.get("method"), message.get("params") or {}
    if method == "textDocument/didOpen":
        publish(params["textDocument"], params["textDocument"]["text"])
    elif method == "textDocument/didChange":
        publish(params["textDocument"], params["contentChanges"][0]["text"])
    elif method == "exit":
        sys.exit(0)
    elif "id" in message and method:
        send({"id": message["id"], "result": {"capabilities": {}} if method == "initialize" else None})
"#;

/// The results of two edits of a file that has a problem already. `variables` are those of the server.
fn edits(variables: &[(&str, &str)]) -> (Vec<String>, ProcessOutput) {
    let project = Project::with("fix.dot", FIX.replace("MODEL", "sonnet"));
    project.write("pyproject.toml", "[project]\nname = \"x\"\n");
    project.write("a.py", "first = 1\nold = 'BAD old'\n");
    project.write("bin/pyright-langserver", SERVER);
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(project.file("bin/pyright-langserver"), mode).expect("it is there");
    project.write(
        "config/attractor/config.toml",
        "[agent]\nlanguage_servers = \"always\"\n",
    );
    let edit = |old: &str, new: &str| {
        let arguments = json!({"path": "a.py", "old_string": old, "new_string": new});
        Reply::Calls(vec![call("edit_file", &arguments)])
    };
    let provider = MockProvider::start(vec![
        edit("first = 1\n", "first = 1\nnew = 'BAD new'\n"),
        edit("first = 1\n", "# moved down\nfirst = 1\n"),
        Reply::Says("Done."),
    ]);
    let mut command = project.command(["run", "fix.dot", "--format", "events"]);
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", project.file("bin").display()));
    command.env("XDG_CONFIG_HOME", project.file("config"));
    command.envs(provider.variables());
    command.envs(variables.iter().copied());
    let output = ProcessOutput::new(&command.output().expect("the program starts"));
    assert_eq!(output.code, Some(0), "{output}");
    let ended = events(&output, "agent.tool_call_end");
    let results = ended.iter().map(|event| event["output"].as_str());
    let results = results.map(|text| text.unwrap_or_default().to_owned());
    (results.collect(), output)
}

#[test]
fn after_an_edit_only_the_new_problems_of_the_file_come_back() {
    let (results, output) = edits(&[]);
    let [first, second] = &results[..] else {
        unreachable!("two edits: {output}");
    };
    assert_eq!(
        first,
        "Successfully edited a.py\nNew problems in a.py since this change:\n2:1: error: new = 'BAD new'"
    );
    // Both problems are on other lines now, and none of them is new.
    assert_eq!(second, "Successfully edited a.py");
}

#[test]
fn a_server_that_reports_nothing_does_not_hold_an_edit() {
    let (results, output) = edits(&[("SILENT_SERVER", "1")]);
    assert_eq!(results, ["Successfully edited a.py"; 2], "{output}");
}
