//! Calls of the tools in a folder, with their results.

mod background;
mod files;
mod images;
mod plan;
mod questions;
mod search;
mod shell;

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use attractor_exec::{LocalEnvironment, Redactor};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::person::NoPerson;
use crate::tool::{CommandLimits, ToolCall, ToolContext, ToolOutput, ToolResult};
use crate::workspace::Workspace;

/// A folder with a session's tools.
pub(crate) struct Fixture {
    folder: tempfile::TempDir,
    pub(crate) context: ToolContext,
    pub(crate) tools: ToolRegistry,
    live: Arc<Live>,
}

/// The output that came while tools were running.
#[derive(Default)]
struct Live(Mutex<String>);

impl ToolOutput for Live {
    fn piece(&self, text: &str) {
        self.0.lock().unwrap().push_str(text);
    }
}

impl Fixture {
    /// A folder with files; the parts of a path that end with `/` make a folder.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        let live = Arc::new(Live::default());
        let context = ToolContext {
            git: None,
            workspace: Arc::new(Workspace::open(&root).unwrap()),
            environment: Arc::new(LocalEnvironment),
            commands: CommandLimits::default(),
            background: Arc::default(),
            run: "tools-test".to_owned(),
            step: format!("{:?}", std::thread::current().id()),
            redactor: Arc::new(Redactor::default()),
            person: Arc::new(NoPerson),
            output: live.clone(),
            cancel: CancellationToken::new(),
        };
        let fixture = Self {
            folder,
            context,
            tools: core_tools(),
            live,
        };
        for (path, content) in files {
            fixture.write(path, content.as_bytes());
        }
        fixture
    }

    /// A path in the folder.
    pub(crate) fn path(&self, path: &str) -> std::path::PathBuf {
        self.context.workspace.root().join(path)
    }

    /// The folder around the one of the session.
    pub(crate) fn outside(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, path: &str, content: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    pub(crate) async fn result(&self, tool: &str, arguments: Value) -> ToolResult {
        let tool = self.tools.get(tool).unwrap();
        let call = ToolCall {
            id: "call-1".to_owned(),
            arguments,
        };
        tool.call(call, &self.context).await
    }

    /// The result of a call as a text; an error begins with `error: `.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> String {
        let result = self.result(tool, arguments).await;
        let output = result
            .output
            .replace(self.context.workspace.root().to_str().unwrap(), "ROOT");
        if result.is_error {
            format!("error: {output}")
        } else {
            output
        }
    }

    pub(crate) fn live(&self) -> String {
        self.live.0.lock().unwrap().clone()
    }
}

#[test]
fn definitions_are_valid_schemas_with_the_names_of_the_documents() {
    let tools = core_tools();
    assert_eq!(
        tools.tool_names(),
        [
            "read_file",
            "write_file",
            "edit_file",
            "apply_patch",
            "shell",
            "shell_output",
            "shell_input",
            "shell_stop",
            "grep",
            "glob",
            "list_dir",
            "web_fetch",
            "update_plan",
            "ask_user"
        ]
    );
    let definitions = tools.definitions();
    for one in definitions.iter().filter(|one| one.freeform.is_none()) {
        let schema = one.to_json_schema();
        jsonschema::validator_for(&schema).unwrap();
        let described = |value: &Value| {
            value["description"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        };
        let properties = schema["properties"].as_object().unwrap();
        assert!(properties.values().all(described), "{}", one.name);
        let tool = tools.get(&one.name).unwrap();
        for (_, name) in tool.aliases() {
            assert!(properties.contains_key(*name), "{} {name}", one.name);
        }
    }
}

#[tokio::test]
async fn aliases_of_arguments_are_accepted() {
    let one = Fixture::new(&[("a.txt", "x\n")]);
    let arguments = serde_json::json!({"file_path": "a.txt"});
    assert_eq!(
        one.call("read_file", arguments.clone()).await,
        "     1\tx\n"
    );
    let mut renamed = arguments;
    crate::rename_aliases(one.tools.get("read_file").unwrap().as_ref(), &mut renamed);
    assert_eq!(renamed, serde_json::json!({"path": "a.txt"}));
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_errors() {
    let one = Fixture::new(&[]);
    assert_eq!(
        one.call("read_file", serde_json::json!({})).await,
        "error: the arguments of `read_file` do not fit its schema: missing field `path`"
    );
}
