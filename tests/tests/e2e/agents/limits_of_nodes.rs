//! A node that allows its agent more than the configuration does: the command line, the editor and the run say the same.

use attractor_tests::{Editor, MockProvider, Project, Reply};
use serde_json::json;

use super::{events, run};

const DOT: &str = "digraph fix {
  start [shape=Mdiamond]
  fix   [shape=box, prompt=\"Greet the world.\", model=sonnet, allowed_tools=\"read, shell\"]
  test  [shape=parallelogram, command=true]
  done  [shape=Msquare]
  start -> fix -> test -> done
}
";

const MESSAGE: &str =
    "`shell` in `allowed_tools` has no effect: `shell = deny` in the project's configuration";

#[test]
fn what_a_node_asks_for_in_vain_is_the_same_everywhere() {
    let project = Project::with("fix.dot", DOT);
    project.write(
        ".attractor/config.toml",
        "[agent.permissions]\nshell = \"deny\"\n",
    );
    let validated = project
        .run(["validate", "fix.dot", "--format", "json"])
        .json();
    let found = &validated["files"][0]["diagnostics"][0];
    assert_eq!(found["rule"], "exceeds_permissions", "{validated}");
    assert_eq!(found["message"], MESSAGE, "{validated}");
    let mut editor = Editor::open(&project, &json!({}));
    let uri = format!("file://{}", project.file("fix.dot").display());
    editor.did_open(&uri, DOT);
    let shown = editor.diagnostics(&uri, 1);
    assert!(
        shown.iter().any(|one| one["message"] == MESSAGE),
        "{shown:?}"
    );
    let place =
        json!({ "textDocument": { "uri": uri }, "position": { "line": 2, "character": 3 } });
    let hover = editor
        .request("textDocument/hover", place)
        .expect("a hover");
    assert!(hover.to_string().contains(MESSAGE), "{hover}");
    let provider = MockProvider::start(vec![Reply::Says("Done.")]);
    let output = run(
        &project,
        &provider,
        ["run", "fix.dot", "--format", "events"],
    );
    assert_eq!(output.code, Some(0), "{output}");
    let ended = events(&output, "stage_completed");
    let fix = ended.iter().find(|event| event["node"] == "fix");
    let warnings = &fix.expect("it ran")["model"]["warnings"];
    assert_eq!(warnings[0], MESSAGE, "{warnings}");
}
