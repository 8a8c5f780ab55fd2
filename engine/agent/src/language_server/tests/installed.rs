//! Servers that are installed on this machine. One that is missing is skipped, saying so.

use std::process::{Command, Stdio};
use std::sync::Arc;

use attractor_exec::{LocalEnvironment, Redactor};
use serde_json::json;

use crate::language_server::{FolderTrust, LanguageServers, ServerProcess, detected_servers};
use crate::tools::add_language_tools;
use crate::tools::tests::Fixture;

/// A project with the real servers; none if the program is missing.
fn project(program: &str, argument: &str, files: &[(&str, &str)]) -> Option<Fixture> {
    let mut command = Command::new(program);
    command
        .arg(argument)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if !command.status().is_ok_and(|status| status.success()) {
        attractor_tests::skip(
            "tools over a language server",
            &format!("{program} is not installed"),
        );
        return None;
    }
    let mut fixture = Fixture::new(files);
    let servers = LanguageServers::new(
        fixture.context.workspace.clone(),
        FolderTrust::Trusted,
        detected_servers(&fixture.context.workspace),
        ServerProcess {
            environment: Arc::new(LocalEnvironment),
            redactor: Arc::new(Redactor::default()),
            run: "language-servers".to_owned(),
            step: program.to_owned(),
        },
    );
    // A busy machine is slow.
    let servers = servers.patient();
    add_language_tools(&mut fixture.tools, &Arc::new(servers));
    Some(fixture)
}

#[tokio::test]
async fn rust_analyzer_answers() {
    let manifest = "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let source = "fn double(n: u32) -> u32 {\n    n * 2\n}\n\nfn main() {\n    double(1);\n}\n";
    let files = [("Cargo.toml", manifest), ("src/main.rs", source)];
    let Some(one) = project("rust-analyzer", "--version", &files) else {
        return;
    };
    let place = json!({"path": "src/main.rs", "line": 6, "symbol": "double"});
    let definition = one.call("get_definition", place.clone()).await;
    assert_eq!(definition, "src/main.rs:1:4: fn double(n: u32) -> u32 {");
    let hover = one.call("get_hover", place).await;
    assert!(hover.contains("fn double(n: u32) -> u32"), "{hover}");
    one.call("get_diagnostics", json!({"path": "src/main.rs"}))
        .await;
    let edit = json!({"path": "src/main.rs", "old_string": "double(1);", "new_string": "double(1"});
    let edited = one.call("edit_file", edit).await;
    assert!(
        edited.contains("New problems in src/main.rs since this change:"),
        "{edited}"
    );
}

#[tokio::test]
async fn pyright_answers() {
    let files = [
        ("pyproject.toml", ""),
        ("a.py", "def f(n: int) -> int:\n    return n\n\nf(1)\n"),
    ];
    let Some(one) = project("pyright", "--version", &files) else {
        return;
    };
    let place = json!({"path": "a.py", "line": 4, "symbol": "f"});
    let definition = one.call("get_definition", place).await;
    assert_eq!(definition, "a.py:1:5: def f(n: int) -> int:");
    let edit = json!({"path": "a.py", "old_string": "f(1)", "new_string": "f(\"x\")"});
    let edited = one.call("edit_file", edit).await;
    assert!(
        edited.contains("New problems in a.py since this change:"),
        "{edited}"
    );
}
