//! Tools over language servers: `get_definition`, `get_references`, `get_hover`, `get_completions`, `get_diagnostics`;
//! and the new diagnostics after an edit.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use attractor_llm::ToolDefinition;
use serde::Deserialize;
use serde_json::Value;

use crate::language_server::{Diagnostic, LanguageServers, Place, Question};
use crate::tool::{
    Access, Parameters, Tool, ToolCall, ToolContext, ToolRegistry, ToolResult, parse,
};

/// Diagnostics in a result.
const MAX_DIAGNOSTICS: usize = 50;

/// The tools that ask about a place: the name, what it does, the question.
const QUESTIONS: &[(&str, &str, Question)] = &[
    (
        "get_definition",
        "Finds where the name at a place of a file is defined, by the language server of the project. Returns \
         `path:line:column: line`, or `Nothing found.`.",
        Question::Definition,
    ),
    (
        "get_references",
        "Finds all uses of the name at a place of a file, by the language server of the project: more exact than a \
         search for the text. Returns `path:line:column: line`, one per line.",
        Question::References,
    ),
    (
        "get_hover",
        "Returns type and documentation of the name at a place of a file, by the language server of the project.",
        Question::Hover,
    ),
    (
        "get_completions",
        "Returns what can be written at a place of a file, such as the methods of a value after its dot, by the \
         language server of the project.",
        Question::Completions,
    ),
];

/// Adds the tools over language servers, and lets the tools that change files report the diagnostics that are new.
pub fn add_language_tools(tools: &mut ToolRegistry, servers: &Arc<LanguageServers>) {
    for name in ["write_file", "edit_file", "apply_patch"] {
        if let Some(inner) = tools.get(name).cloned() {
            tools.register(Arc::new(WithDiagnostics {
                inner,
                servers: Arc::clone(servers),
            }));
        }
    }
    for (name, description, question) in QUESTIONS {
        tools.register(Arc::new(PlaceTool {
            name,
            description,
            question: *question,
            servers: Arc::clone(servers),
        }));
    }
    tools.register(Arc::new(GetDiagnostics(Arc::clone(servers))));
}

/// Asks about a place.
struct PlaceTool {
    name: &'static str,
    description: &'static str,
    question: Question,
    servers: Arc<LanguageServers>,
}

#[derive(Deserialize)]
struct PlaceArguments {
    path: String,
    line: usize,
    #[serde(default)]
    column: Option<usize>,
    #[serde(default)]
    symbol: Option<String>,
}

#[async_trait]
impl Tool for PlaceTool {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .required("path", "string", "The file.")
            .required("line", "integer", "The line, from 1.")
            .optional("column", "integer", "The column, from 1, in characters.")
            .optional(
                "symbol",
                "string",
                "The name on that line that is meant; easier than `column`. For completions, the place is where it \
                 begins.",
            )
            .define(self.name, self.description)
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("file", "path"),
            ("file_path", "path"),
            ("col", "column"),
            ("character", "column"),
        ]
    }

    fn access(&self, arguments: &Value) -> Access {
        let path = parse(self, arguments).map(|one: PlaceArguments| PathBuf::from(one.path));
        Access::Read(path.into_iter().collect())
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        let arguments: PlaceArguments = match parse(self, &call.arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        let below = match context.workspace.resolve(arguments.path.as_ref()) {
            Ok(below) => below,
            Err(error) => return error.into(),
        };
        let place = Place {
            line: arguments.line,
            column: arguments.column,
            symbol: arguments.symbol.filter(|symbol| !symbol.is_empty()),
        };
        let asking = self.servers.ask(self.question, &below, &place);
        tokio::select! {
            answer = asking => match answer {
                Ok(answer) => ToolResult::ok(answer),
                Err(error) => ToolResult::error(error.to_string()),
            },
            () = context.cancel.cancelled() => ToolResult::error("the session was cancelled"),
        }
    }
}

/// Reports the problems of a file.
struct GetDiagnostics(Arc<LanguageServers>);

#[derive(Deserialize)]
struct FileArguments {
    path: String,
}

#[async_trait]
impl Tool for GetDiagnostics {
    fn definition(&self) -> ToolDefinition {
        Parameters::new().required("path", "string", "The file.").define(
            "get_diagnostics",
            "Returns the errors and warnings of a file, by the language server of the project, as \
             `line:column: severity: message`, or `No problems.`.",
        )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[("file", "path"), ("file_path", "path")]
    }

    fn access(&self, arguments: &Value) -> Access {
        let path = parse(self, arguments).map(|one: FileArguments| PathBuf::from(one.path));
        Access::Read(path.into_iter().collect())
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        let arguments: FileArguments = match parse(self, &call.arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        let below = match context.workspace.resolve(arguments.path.as_ref()) {
            Ok(below) => below,
            Err(error) => return error.into(),
        };
        tokio::select! {
            diagnostics = self.0.diagnostics(&below) => match diagnostics {
                Ok(Some(list)) if list.is_empty() => ToolResult::ok("No problems."),
                Ok(Some(list)) => ToolResult::ok(listed(&list)),
                Ok(None) => ToolResult::error("the language server has not reported on the file yet; try again later"),
                Err(error) => ToolResult::error(error.to_string()),
            },
            () = context.cancel.cancelled() => ToolResult::error("the session was cancelled"),
        }
    }
}

fn listed(diagnostics: &[Diagnostic]) -> String {
    let mut lines: Vec<String> = diagnostics
        .iter()
        .take(MAX_DIAGNOSTICS)
        .map(ToString::to_string)
        .collect();
    if diagnostics.len() > MAX_DIAGNOSTICS {
        lines.push(format!(
            "[the first {MAX_DIAGNOSTICS} of {}]",
            diagnostics.len()
        ));
    }
    lines.join("\n")
}

/// A tool that changes files, and reports the diagnostics that they have since.
struct WithDiagnostics {
    inner: Arc<dyn Tool>,
    servers: Arc<LanguageServers>,
}

#[async_trait]
impl Tool for WithDiagnostics {
    fn definition(&self) -> ToolDefinition {
        self.inner.definition()
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        self.inner.aliases()
    }

    fn access(&self, arguments: &Value) -> Access {
        self.inner.access(arguments)
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        // Of one file only: a call must not wait for each of a large patch.
        let first = match self.access(&call.arguments) {
            Access::Write(paths) => paths.into_iter().next(),
            _ => None,
        };
        let below = first.and_then(|path| context.workspace.resolve(&path).ok());
        let before = match &below {
            Some(below) => self.servers.before_edit(below).await,
            None => None,
        };
        let mut result = self.inner.call(call, context).await;
        if let (Some(below), Some(before)) = (below, before)
            && result
                .changes
                .iter()
                .any(|one| one.path == below && one.after.is_some())
        {
            self.report(&mut result, &below, &before).await;
        }
        result
    }
}

impl WithDiagnostics {
    async fn report(&self, result: &mut ToolResult, below: &Path, before: &[Diagnostic]) {
        let new = self.servers.after_edit(below, before).await;
        if !new.is_empty() {
            // Writing to a string does not fail.
            let _ = write!(
                result.output,
                "\nNew problems in {} since this change:\n{}",
                below.display(),
                listed(&new)
            );
        }
    }
}
