//! `apply_patch`: changes to several files at once. The first line says which of two forms it has: the envelope
//! `*** Begin Patch`, or a unified diff.

mod envelope;
mod hunk;
mod matching;
mod operation;
mod unified;

use std::fmt::Write as _;
use std::path::PathBuf;

use async_trait::async_trait;
use attractor_llm::ToolDefinition;
use serde::Deserialize;
use serde_json::Value;

use self::operation::{Operation, OperationKind, PatchError};
use super::blocking::blocking;
use super::file_name::shown;
use crate::text::TextFormat;
use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, parse};
use crate::workspace::{FileChange, FileError, Workspace};

/// Applies a patch.
#[derive(Debug, Clone, Copy, Default)]
pub enum ApplyPatch {
    /// The model writes the patch as plain text that follows a grammar, for models with such tools.
    #[default]
    Freeform,
    /// The model writes the patch as the argument `patch`.
    Json,
}

const DESCRIPTION: &str = "\
Changes files by a patch: adds, deletes, updates and moves any number of them. A patch is

*** Begin Patch
*** Add File: docs/new.md
+every line of a new file begins with a plus
*** Delete File: old.txt
*** Update File: src/app.py
*** Move to: src/main.py
@@ class Greeter
     def greet(self):
-        print(\"hi\")
+        print(\"hello\")
*** End Patch

Paths are relative to the working folder. `*** Move to:` is optional. In an update, each hunk begins with `@@`, with or \
without a line of the file after it (a class or a function) below which the hunk is searched. Lines with a space are \
context, with `-` removed, with `+` added. Context and removed lines must be in the file in this order: give about three \
lines of context before and after a change, and never line numbers. Hunks of a file are in the order of the file. A line \
`*** End of File` after a hunk says that it is at the end of the file. Every operation is applied as a whole or not at \
all; the result names those that failed. Line ends of a file are kept. Files in `.git` and `.attractor` cannot be \
changed.";

#[derive(Deserialize)]
struct Arguments {
    #[serde(alias = "input")]
    patch: String,
}

#[async_trait]
impl Tool for ApplyPatch {
    fn definition(&self) -> ToolDefinition {
        match self {
            Self::Freeform => ToolDefinition::freeform(
                "apply_patch",
                DESCRIPTION,
                Some(include_str!("apply_patch/grammar.lark").to_owned()),
            ),
            Self::Json => Parameters::new()
                .required("patch", "string", "The patch. A unified diff works too.")
                .define("apply_patch", DESCRIPTION),
        }
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Freeform => &[("patch", "input")],
            Self::Json => &[("input", "patch")],
        }
    }

    fn access(&self, arguments: &Value) -> Access {
        let operations = parse(self, arguments)
            .ok()
            .and_then(|one: Arguments| operations(&one.patch).ok())
            .unwrap_or_default();
        Access::Write(operations.iter().flat_map(Operation::paths).collect())
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        let work =
            |workspace: &Workspace, arguments: &Arguments| apply(workspace, &arguments.patch);
        blocking(self, &call, context, work).await
    }
}

/// Reads a patch in either form.
fn operations(patch: &str) -> Result<Vec<Operation>, PatchError> {
    let lines: Vec<&str> = patch.lines().collect();
    let first = lines
        .iter()
        .map(|line| line.trim())
        .find(|line| !line.is_empty());
    let operations = match first {
        None => return Err(PatchError::new(1, "the patch is empty")),
        Some(line) if unified::is_start(line) => unified::parse(&lines)?,
        Some(_) => envelope::parse(&lines)?,
    };
    if operations.is_empty() {
        return Err(PatchError::new(1, "the patch has no operations"));
    }
    Ok(operations)
}

/// What became of the operations of a patch.
#[derive(Default)]
struct Report {
    changes: Vec<FileChange>,
    applied: Vec<String>,
    failed: Vec<String>,
    /// Files that somebody else had changed.
    others: Vec<PathBuf>,
}

fn apply(workspace: &Workspace, patch: &str) -> Result<ToolResult, ToolResult> {
    let operations = operations(patch).map_err(|error| {
        ToolResult::error(format!(
            "the patch cannot be read, nothing was applied: {error}"
        ))
    })?;
    let mut report = Report::default();
    for operation in &operations {
        match apply_one(workspace, operation, &mut report) {
            Ok(()) => report.applied.push(operation.shown()),
            Err(error) => report.failed.push(format!(
                "- {} (line {} of the patch): {error}",
                operation.shown(),
                operation.line
            )),
        }
    }
    Ok(report.result(&operations))
}

impl Report {
    fn result(self, operations: &[Operation]) -> ToolResult {
        let mut output = if self.failed.is_empty() {
            let files: Vec<&str> = operations.iter().map(Operation::target).collect();
            format!("Patch applied successfully to: {}", files.join(", "))
        } else {
            let applied = if self.applied.is_empty() {
                "Nothing was applied.".to_owned()
            } else {
                format!(
                    "Applied, and not to be sent again: {}",
                    self.applied.join(", ")
                )
            };
            format!(
                "{} of {} operations failed:\n{}\n{applied}",
                self.failed.len(),
                operations.len(),
                self.failed.join("\n")
            )
        };
        for path in &self.others {
            // Writing to a string does not fail.
            let _ = write!(
                output,
                "\nNote: {} was modified by another program since it was last read here.",
                shown(path)
            );
        }
        ToolResult {
            output,
            is_error: !self.failed.is_empty(),
            changes: self.changes,
            ..ToolResult::default()
        }
    }
}

/// Why an operation fails.
#[derive(Debug, thiserror::Error)]
enum OperationError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Patch(#[from] PatchError),
}

fn apply_one(
    workspace: &Workspace,
    operation: &Operation,
    report: &mut Report,
) -> Result<(), OperationError> {
    let below = workspace.resolve_for_change(operation.path.as_ref())?;
    let before = match operation.kind {
        OperationKind::Add { .. } => workspace.read_if_exists(&below)?,
        OperationKind::Delete | OperationKind::Update { .. } => workspace.read(&below)?,
    };
    if let Some(version) = before.version
        && workspace.saw(&below, version)
    {
        report.others.push(below.clone());
    }
    let content = before.content.as_deref().unwrap_or_default();
    match &operation.kind {
        OperationKind::Add { text } => {
            let after = TextFormat::of(content).encode(text);
            report
                .changes
                .push(workspace.change(&below, before, Some(after))?);
        }
        OperationKind::Delete => report.changes.push(workspace.change(&below, before, None)?),
        OperationKind::Update { move_to, hunks } => {
            let after = hunk::apply(content, hunks)?;
            let target = move_to
                .as_ref()
                .map(|path| workspace.resolve_for_change(path.as_ref()));
            match target.transpose()?.filter(|target| *target != below) {
                None => report
                    .changes
                    .push(workspace.change(&below, before, Some(after))?),
                Some(target) => {
                    let mode = before.version.map(|version| version.mode());
                    let overwritten = workspace.read_if_exists(&target)?;
                    let moved =
                        workspace.change_with_mode(&target, overwritten, Some(after), mode)?;
                    report.changes.push(moved);
                    report.changes.push(workspace.change(&below, before, None)?);
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
