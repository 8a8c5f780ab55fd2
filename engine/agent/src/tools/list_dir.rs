//! `list_dir`: the entries of a folder.

use std::path::Path;

use async_trait::async_trait;
use attractor_exec::{DirectoryEntry, EntryKind};
use attractor_llm::ToolDefinition;
use serde::Deserialize;
use serde_json::Value;

use super::blocking::blocking;
use super::file_name::shown;
use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, path_argument};
use crate::workspace::{FileError, Workspace};

/// Entries in a result.
const MAX_ENTRIES: usize = 1000;

/// Entries read of one folder: more are not sorted.
const MAX_READ: usize = 50_000;

/// Lists a folder.
#[derive(Debug, Clone, Copy)]
pub struct ListDir;

#[derive(Deserialize)]
struct Arguments {
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    depth: Option<usize>,
}

#[async_trait]
impl Tool for ListDir {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .optional("path", "string", "The folder. Default: the working folder.")
            .count("depth", "How many levels to list. Default: 1, only the folder itself.")
            .define(
                "list_dir",
                "Lists the entries of a folder by name, one per line: folders with a `/` at the end, files with their \
                 size in bytes, symbolic links with `@`. Deeper levels are indented. Hidden entries are listed.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[("dir_path", "path"), ("file_path", "path")]
    }

    fn access(&self, arguments: &Value) -> Access {
        Access::Read(vec![
            path_argument(self, arguments).unwrap_or_else(|| ".".into()),
        ])
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        blocking(self, &call, context, list).await
    }
}

fn list(workspace: &Workspace, arguments: &Arguments) -> Result<ToolResult, ToolResult> {
    let below = workspace.resolve(arguments.path.as_deref().unwrap_or(".").as_ref())?;
    let mut listing = Listing {
        workspace,
        depth: arguments.depth.unwrap_or(1).min(32),
        lines: Vec::new(),
        is_cut: false,
    };
    listing.add(&below, 0)?;
    let mut lines = listing.lines;
    if lines.is_empty() {
        lines.push("[the folder is empty]".to_owned());
    }
    if listing.is_cut {
        lines.push(format!(
            "[there are more entries than the {} shown; list a folder below, or use glob]",
            lines.len()
        ));
    }
    Ok(ToolResult::ok(lines.join("\n")))
}

struct Listing<'a> {
    workspace: &'a Workspace,
    depth: usize,
    lines: Vec<String>,
    is_cut: bool,
}

impl Listing<'_> {
    fn add(&mut self, below: &Path, level: usize) -> Result<(), FileError> {
        let (mut entries, more) = self.workspace.list(below, MAX_READ)?;
        self.is_cut |= more;
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        for entry in entries {
            if self.lines.len() >= MAX_ENTRIES {
                self.is_cut = true;
                return Ok(());
            }
            self.lines.push(line(&entry, level));
            if entry.kind == EntryKind::Directory && level + 1 < self.depth {
                // A folder below that cannot be read is listed without its entries.
                let _ = self.add(&below.join(&entry.name), level + 1);
            }
        }
        Ok(())
    }
}

fn line(entry: &DirectoryEntry, level: usize) -> String {
    let name = shown(Path::new(&entry.name));
    let indent = "  ".repeat(level);
    match entry.kind {
        EntryKind::Directory => format!("{indent}{name}/"),
        EntryKind::File => format!("{indent}{name} ({} bytes)", entry.size),
        EntryKind::Link => format!("{indent}{name}@"),
        EntryKind::Special => format!("{indent}{name} (special file)"),
    }
}
