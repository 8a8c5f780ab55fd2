//! Files that tools of an agent do not write without a person, whatever name they are given.

use std::os::unix::fs::symlink;

use attractor_tests::{MockProvider, Project, Reply};
use serde_json::{Value, json};

use super::{call, project, run};

/// Lets the agent call one tool, and gives what the model was sent.
fn after(project: &Project, tool: &'static str, arguments: &Value) -> String {
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call(tool, arguments)]),
        Reply::Says("Done."),
    ]);
    run(project, &provider, ["run", "fix.dot"]);
    let sent = provider.sent();
    sent.last().expect("a request").body.to_string()
}

#[test]
fn a_link_into_a_denied_folder_is_denied() {
    let project = project("sonnet");
    project.write("secrets/a", "secret\n");
    symlink("secrets", project.file("link")).expect("a link");
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\n\"write(secrets/**)\" = \"deny\"\n",
    );
    for path in ["link/a", "link/new", "./link/../link/a"] {
        let sent = after(
            &project,
            "write_file",
            &json!({"path": path, "content": "x"}),
        );
        assert!(
            sent.contains("`write(secrets/**) = deny`"),
            "{path}: {sent}"
        );
    }
    assert_eq!(project.read("secrets/a"), "secret\n");
    assert!(!project.file("secrets/new").exists());
}

/// With nobody to ask, the call is refused.
#[test]
fn what_editors_and_shells_run_asks() {
    let project = project("sonnet");
    for path in [
        ".vscode/tasks.json",
        "app/.idea/workspace.xml",
        ".envrc",
        "evil.code-workspace",
        ".bashrc",
    ] {
        let sent = after(
            &project,
            "write_file",
            &json!({"path": path, "content": "x"}),
        );
        assert!(
            sent.contains("editors and shells run it on their own"),
            "{path}: {sent}"
        );
        assert!(!project.file(path).exists(), "{path}");
    }
    for path in [
        ".attractor/config.toml",
        ".git/config",
        "sub/.git/hooks/pre-commit",
    ] {
        let sent = after(
            &project,
            "write_file",
            &json!({"path": path, "content": "x"}),
        );
        assert!(sent.contains("is write-protected"), "{path}: {sent}");
        assert!(!project.file(path).exists(), "{path}");
    }
}
