//! The server for web pages gives the answers of `attractor lsp`, byte for byte.
//!
//! Both get the same messages: each pipeline is opened as a document without a path, asked about at several places, changed,
//! and asked again. `tests/web/suite.mjs` tries the compiled module itself.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use attractor_tests::{Editor, Project, repository};
use attractor_web::{Date, LanguageServer};
use serde_json::{Value, json};

/// What the client of the tests announces.
fn capabilities() -> Value {
    json!({
        "textDocument": {
            "completion": { "completionItem": { "snippetSupport": true, "insertReplaceSupport": true } },
            "definition": { "linkSupport": true },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
            "publishDiagnostics": { "relatedInformation": true },
        },
        "workspace": { "workspaceEdit": { "documentChanges": true } },
    })
}

/// The requests about a document, with places spread over its text.
fn requests(uri: &str, text: &str) -> Vec<(&'static str, Value)> {
    let document = json!({ "uri": uri });
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.len().saturating_sub(1);
    let all = json!({
        "start": { "line": 0, "character": 0 },
        "end": { "line": lines.len(), "character": 0 },
    });
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let mut requests = vec![
        (
            "textDocument/documentSymbol",
            json!({ "textDocument": document }),
        ),
        (
            "textDocument/foldingRange",
            json!({ "textDocument": document }),
        ),
        (
            "textDocument/documentLink",
            json!({ "textDocument": document }),
        ),
        (
            "textDocument/documentColor",
            json!({ "textDocument": document }),
        ),
        ("textDocument/codeLens", json!({ "textDocument": document })),
        (
            "textDocument/semanticTokens/full",
            json!({ "textDocument": document }),
        ),
        (
            "textDocument/semanticTokens/range",
            json!({ "textDocument": document, "range": all }),
        ),
        (
            "textDocument/formatting",
            json!({ "textDocument": document, "options": options }),
        ),
        (
            "textDocument/inlayHint",
            json!({ "textDocument": document, "range": all }),
        ),
        (
            "textDocument/codeAction",
            json!({ "textDocument": document, "range": all, "context": { "diagnostics": [] } }),
        ),
        (
            "textDocument/diagnostic",
            json!({ "textDocument": document }),
        ),
        (
            "workspace/executeCommand",
            json!({ "command": "attractor.graph", "arguments": [{ "uri": uri }] }),
        ),
        (
            "workspace/executeCommand",
            json!({ "command": "attractor.validate", "arguments": [{ "uri": uri }] }),
        ),
    ];
    for part in 1..4 {
        let line = last * part / 4;
        let length = lines
            .get(line)
            .map_or(0, |line| line.encode_utf16().count());
        let position = json!({ "line": line, "character": length / 2 });
        let at = json!({ "textDocument": document, "position": position });
        for method in [
            "textDocument/hover",
            "textDocument/completion",
            "textDocument/definition",
            "textDocument/declaration",
            "textDocument/documentHighlight",
            "textDocument/prepareRename",
            "textDocument/prepareCallHierarchy",
            "textDocument/linkedEditingRange",
            "textDocument/signatureHelp",
        ] {
            requests.push((method, at.clone()));
        }
        let place = |more: Value| {
            let mut params = at.clone();
            for (name, value) in more.as_object().into_iter().flatten() {
                params[name] = value.clone();
            }
            params
        };
        requests.push((
            "textDocument/references",
            place(json!({ "context": { "includeDeclaration": true } })),
        ));
        requests.push((
            "textDocument/rename",
            place(json!({ "newName": "renamed" })),
        ));
        requests.push((
            "textDocument/selectionRange",
            json!({ "textDocument": document, "positions": [position] }),
        ));
    }
    requests
}

/// The day on the calendar of this machine.
fn today() -> Option<Date> {
    let output = Command::new("date").arg("+%Y %m %d").output();
    let text = String::from_utf8(output.expect("date runs").stdout).expect("text");
    let numbers: Vec<u16> = text
        .split_whitespace()
        .filter_map(|number| number.parse().ok())
        .collect();
    let part = |index: usize| u8::try_from(numbers[index]).ok();
    Date::new(numbers[0], part(1)?, part(2)?)
}

/// Sends to the server for web pages.
struct Page {
    server: LanguageServer,
    next_id: i64,
}

impl Page {
    fn send(&mut self, method: &str, params: &Value) -> Vec<Value> {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        read(&self.server.handle(&message.to_string()))
    }

    /// The result, or the error.
    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next_id += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params });
        let response = read(&self.server.handle(&message.to_string())).remove(0);
        outcome(response)
    }
}

fn read(messages: &[String]) -> Vec<Value> {
    let messages = messages.iter();
    messages
        .map(|message| serde_json::from_str(message).expect("a message is JSON"))
        .collect()
}

fn outcome(mut response: Value) -> Value {
    match response.get_mut("error") {
        Some(error) => error.take(),
        None => response["result"].take(),
    }
}

/// Compares the answers about the pipelines and returns how many there were.
fn compare(files: &[PathBuf]) -> usize {
    let project = Project::with("empty.txt", "");
    let mut native = Editor::open(&project, &capabilities());
    // Models retire by the day, so both servers have the same one.
    let mut page = Page {
        server: LanguageServer::new(today()),
        next_id: 0,
    };
    page.request("initialize", &json!({ "capabilities": capabilities() }));
    let mut count = 0;
    for (number, path) in files.iter().enumerate() {
        let Ok(text) = fs::read_to_string(path) else {
            continue;
        };
        let uri = format!("untitled:{number}.dot");
        native.did_open(&uri, &text);
        let document = json!({ "uri": uri, "languageId": "dot", "version": 1, "text": text });
        let opened = page.send("textDocument/didOpen", &json!({ "textDocument": document }));
        let mut same = |native: &Value, page: &Value, what: &str| {
            assert_eq!(
                native.to_string(),
                page.to_string(),
                "{what} of {}",
                path.display()
            );
            count += 1;
        };
        let published = Value::Array(native.diagnostics(&uri, 1));
        same(&published, &opened[0]["params"]["diagnostics"], "didOpen");
        for round in 0..2 {
            for (method, params) in requests(&uri, &text) {
                let expected = native.request(method, params.clone());
                let expected = expected.unwrap_or_else(|error| error);
                same(&expected, &page.request(method, &params), method);
            }
            if round == 0 {
                // Behind a letter of two units of UTF-16.
                let place = json!({ "line": 0, "character": 0 });
                for (version, text) in [(2, "// 🙂"), (3, "\n")] {
                    let column = if version == 2 { 0 } else { 5 };
                    native.types(&uri, version, 0, column, text);
                    let mut start = place.clone();
                    start["character"] = json!(column);
                    let change = json!({ "range": { "start": start, "end": start }, "text": text });
                    let document = json!({ "uri": uri, "version": version });
                    let params = json!({ "textDocument": document, "contentChanges": [change] });
                    page.send("textDocument/didChange", &params);
                }
            }
        }
        native.notify(
            "textDocument/didClose",
            json!({ "textDocument": { "uri": uri } }),
        );
        page.send(
            "textDocument/didClose",
            &json!({ "textDocument": { "uri": uri } }),
        );
    }
    count
}

fn pipelines_below(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(folder)
            .expect("a folder")
            .filter_map(Result::ok);
        for path in entries.map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "dot") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_server_for_web_pages_answers_as_the_native_one() {
    let count = compare(&pipelines_below(&repository().join("examples")));
    assert!(count > 500, "only {count} answers were compared");
}

#[test]
#[ignore = "reads the pipelines of ATTRACTOR_CORPUS"]
fn the_servers_agree_on_every_file_of_the_corpus() {
    let corpus = std::env::var_os("ATTRACTOR_CORPUS").expect("ATTRACTOR_CORPUS is set");
    let count = compare(&pipelines_below(Path::new(&corpus)));
    assert!(count > 500, "only {count} answers were compared");
}
