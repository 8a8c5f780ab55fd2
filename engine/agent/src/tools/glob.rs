//! `glob`: files by a pattern of their paths, the newest first.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use async_trait::async_trait;
use attractor_llm::ToolDefinition;
use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::blocking::blocking;
use super::file_name::shown;
use super::walk::{SearchLimits, Walk, partial_search_note};
use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, path_argument};
use crate::workspace::{FileError, Workspace};

/// Paths in a result.
const MAX_RESULTS: usize = 1000;

/// Finds files.
#[derive(Debug, Clone, Copy, Default)]
pub struct Glob {
    /// Its bounds.
    pub limits: SearchLimits,
}

#[derive(Deserialize)]
struct Arguments {
    pattern: String,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    include_ignored: bool,
}

#[async_trait]
impl Tool for Glob {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .required(
                "pattern",
                "string",
                "A glob: `*` and `?` match within a name, `**/` any folders, `{a,b}` either, `[a-z]` a letter of it. \
                 `*.py` matches files directly in the folder, `**/*.py` also those below.",
            )
            .optional("path", "string", "The folder to search. Default: the working folder.")
            .optional(
                "include_ignored",
                "boolean",
                "Find also files that .gitignore excludes. Default: false.",
            )
            .define(
                "glob",
                "Finds files by their paths and returns one path per line, relative to the working folder, the last \
                 modified first, or `No files matched.`. Hidden files are found; files that git ignores and the folder \
                 .git are not.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[("file_path", "path")]
    }

    fn access(&self, arguments: &Value) -> Access {
        Access::Read(vec![
            path_argument(self, arguments).unwrap_or_else(|| ".".into()),
        ])
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        let cancel = context.cancel.clone();
        let limits = self.limits;
        let work = move |workspace: &Workspace, arguments: &Arguments| {
            find(workspace, arguments, limits, &cancel)
        };
        blocking(self, &call, context, work).await
    }
}

fn find(
    workspace: &Workspace,
    arguments: &Arguments,
    limits: SearchLimits,
    cancel: &CancellationToken,
) -> Result<ToolResult, ToolResult> {
    let below = workspace.resolve(arguments.path.as_deref().unwrap_or(".").as_ref())?;
    // An error if it is not a folder.
    workspace.list(&below, 0)?;
    let pattern = relative(workspace, &below, &arguments.pattern)?;
    let pattern = matcher(&pattern)?;
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    let walk = Walk {
        workspace,
        below: &below,
        include_ignored: arguments.include_ignored,
        limits,
        cancel,
    };
    let early = walk.files(|path, entry| {
        let inside = path.strip_prefix(&below).unwrap_or(path);
        if pattern.is_match(inside) {
            let modified = entry.metadata().ok().and_then(|file| file.modified().ok());
            let modified = modified.unwrap_or(SystemTime::UNIX_EPOCH);
            found.push((modified, path.to_owned()));
        }
        ControlFlow::Continue(())
    });
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let total = found.len();
    let paths = found.iter().take(MAX_RESULTS);
    let mut lines: Vec<String> = paths
        .map(|(_, path)| shown(&workspace.as_written(path)))
        .collect();
    if lines.is_empty() {
        lines.push("No files matched.".to_owned());
    }
    if total > MAX_RESULTS {
        lines.push(format!(
            "[the first {MAX_RESULTS} of {total} files; narrow the pattern]"
        ));
    }
    lines.extend(early.as_deref().map(partial_search_note));
    Ok(ToolResult::ok(lines.join("\n")))
}

/// A pattern relative to the folder that is searched; an absolute one may be inside it.
fn relative(workspace: &Workspace, below: &Path, pattern: &str) -> Result<String, ToolResult> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    if Path::new(pattern).is_relative() {
        return Ok(pattern.to_owned());
    }
    let folder = workspace.root().join(below);
    match Path::new(pattern).strip_prefix(folder) {
        Ok(inside) => Ok(inside.to_string_lossy().into_owned()),
        Err(_) => Err(FileError::Outside {
            path: PathBuf::from(pattern),
            root: workspace.root().to_owned(),
        }
        .into()),
    }
}

fn matcher(pattern: &str) -> Result<GlobMatcher, ToolResult> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher())
        .map_err(|error| ToolResult::error(format!("invalid glob: {error}")))
}
