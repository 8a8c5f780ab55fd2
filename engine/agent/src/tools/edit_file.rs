//! `edit_file`: replaces a text in a file. Works on bytes, so that the rest of the file stays as it is in any encoding.

use async_trait::async_trait;
use attractor_llm::ToolDefinition;
use memchr::memmem;
use serde::Deserialize;
use serde_json::Value;

use super::blocking::blocking;
use crate::text::{TextFormat, nearest};
use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, path_argument};
use crate::workspace::Workspace;

/// Replaces a text in a file.
#[derive(Debug, Clone, Copy)]
pub struct EditFile;

#[derive(Deserialize)]
struct Arguments {
    path: String,
    old_string: String,
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

#[async_trait]
impl Tool for EditFile {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .required(
                "path",
                "string",
                "The file: relative to the working folder, or absolute inside it.",
            )
            .required(
                "old_string",
                "string",
                "The exact text to find, with its indentation and without line numbers. It must be in the file exactly \
                 once: include lines around it until it is.",
            )
            .required("new_string", "string", "The text to put in its place; may be empty.")
            .optional(
                "replace_all",
                "boolean",
                "Replace every occurrence instead of requiring exactly one. Default: false.",
            )
            .define(
                "edit_file",
                "Replaces a text in a file that exists. Read the file first. The file is read again for the edit, so \
                 that changes by others are kept. Write `\\n` for line ends: those of the file are used. Files in \
                 `.git` and `.attractor` cannot be edited.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("file_path", "path"),
            ("filename", "path"),
            ("old_str", "old_string"),
            ("new_str", "new_string"),
        ]
    }

    fn access(&self, arguments: &Value) -> Access {
        Access::Write(path_argument(self, arguments).into_iter().collect())
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        blocking(self, &call, context, edit).await
    }
}

fn edit(workspace: &Workspace, arguments: &Arguments) -> Result<ToolResult, ToolResult> {
    let below = workspace.resolve_for_change(arguments.path.as_ref())?;
    let before = workspace.read(&below)?;
    let others = before
        .version
        .is_some_and(|version| workspace.saw(&below, version));
    let mut note = if others {
        "\nNote: the file was modified by another program since it was last read here; the rest of the file is as they \
         left it."
            .to_owned()
    } else {
        String::new()
    };
    let content = before.content.as_deref().unwrap_or_default();
    let replaced = replace(content, arguments).map_err(|problem| {
        ToolResult::error(format!("{}{note}", problem.message(&arguments.path)))
    })?;
    if replaced.count > 1 {
        note = format!(" ({} occurrences){note}", replaced.count);
    }
    let change = workspace.change(&below, before, Some(replaced.content))?;
    Ok(ToolResult {
        changes: vec![change],
        ..ToolResult::ok(format!("Successfully edited {}{note}", arguments.path))
    })
}

#[derive(Debug)]
struct Replacement {
    content: Vec<u8>,
    count: usize,
}

/// Why a text is not replaced.
enum EditProblem {
    Empty,
    Identical,
    Missing(String),
    /// The lines of its occurrences.
    Ambiguous(Vec<usize>),
}

impl EditProblem {
    fn message(&self, path: &str) -> String {
        match self {
            Self::Empty => {
                "`old_string` is empty; give the text to replace, or use write_file for a whole file".to_owned()
            }
            Self::Identical => "`old_string` and `new_string` are identical; nothing to do".to_owned(),
            Self::Missing(hint) => {
                format!("`old_string` was not found in {path}; it must match exactly{hint}")
            }
            Self::Ambiguous(lines) => {
                let shown: Vec<String> = lines.iter().take(10).map(usize::to_string).collect();
                format!(
                    "`old_string` appears {} times in {path} (lines {}{}), but must appear exactly once; include \
                     more of the lines around it, or set `replace_all`",
                    lines.len(),
                    shown.join(", "),
                    if lines.len() > 10 { ", …" } else { "" }
                )
            }
        }
    }
}

fn replace(content: &[u8], arguments: &Arguments) -> Result<Replacement, EditProblem> {
    let (old, new) = (&arguments.old_string, &arguments.new_string);
    if old.is_empty() {
        return Err(EditProblem::Empty);
    }
    if old == new {
        return Err(EditProblem::Identical);
    }
    let format = TextFormat::of(content);
    let new = format.line_ends(new);
    let written = format.line_ends(old);
    let mut old = written.as_bytes();
    let mut found: Vec<usize> = memmem::find_iter(content, old).collect();
    if found.is_empty() {
        // A part of the file may have other line ends than the rest.
        old = arguments.old_string.as_bytes();
        found = memmem::find_iter(content, old).collect();
    }
    if found.is_empty() {
        return Err(EditProblem::Missing(hint(content, &arguments.old_string)));
    }
    if found.len() > 1 && !arguments.replace_all {
        return Err(EditProblem::Ambiguous(line_numbers(content, &found)));
    }
    let mut after = Vec::with_capacity(content.len() + new.len());
    let mut rest = content;
    let mut position = 0;
    for at in &found {
        let (before, behind) = rest.split_at(at - position);
        after.extend_from_slice(before);
        after.extend_from_slice(new.as_bytes());
        rest = behind.get(old.len()..).unwrap_or_default();
        position = at + old.len();
    }
    after.extend_from_slice(rest);
    Ok(Replacement {
        content: after,
        count: found.len(),
    })
}

/// The lines, from 1, of ascending positions.
fn line_numbers(content: &[u8], positions: &[usize]) -> Vec<usize> {
    let mut newlines = memchr::memchr_iter(b'\n', content).peekable();
    let mut line = 1;
    let number = |at: &usize| {
        while newlines.next_if(|newline| newline < at).is_some() {
            line += 1;
        }
        line
    };
    positions.iter().map(number).collect()
}

/// What may be wrong with a text that is not in the file.
fn hint(content: &[u8], old: &str) -> String {
    let content = String::from_utf8_lossy(content);
    let lines: Vec<&str> = content.lines().collect();
    let wanted: Vec<&str> = old.lines().collect();
    if wanted.iter().all(|line| has_number(line)) {
        return "; leave out the line numbers and tabs that read_file puts before each line"
            .to_owned();
    }
    match nearest(&lines, &wanted) {
        Some(place) => format!("; {place}"),
        None => "; nothing in the file is like it: read the file again".to_owned(),
    }
}

/// Whether a line begins as those of `read_file` do.
fn has_number(line: &str) -> bool {
    let number = line.split_once('\t').map(|(number, _)| number.trim());
    number
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|one| one.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(content: &str, old: &str, new: &str) -> String {
        let arguments = Arguments {
            path: "a.txt".to_owned(),
            old_string: old.to_owned(),
            new_string: new.to_owned(),
            replace_all: false,
        };
        match replace(content.as_bytes(), &arguments) {
            Ok(replaced) => String::from_utf8(replaced.content).unwrap(),
            Err(problem) => problem.message("a.txt"),
        }
    }

    #[test]
    fn one_occurrence_is_replaced() {
        assert_eq!(edited("a\nb\nc\n", "b", "x\ny"), "a\nx\ny\nc\n");
        assert_eq!(edited("a\nb\nc\n", "b\n", ""), "a\nc\n");
    }

    #[test]
    fn line_ends_of_the_file_are_kept() {
        assert_eq!(edited("a\r\nb\r\n", "a\nb", "x\ny"), "x\r\ny\r\n");
        assert_eq!(edited("a\r\nb\r\n", "a\r\nb", "x\r\ny"), "x\r\ny\r\n");
        assert_eq!(
            edited("a\r\nb\r\nc\nd\n\r\n", "c\nd", "x"),
            "a\r\nb\r\nx\n\r\n"
        );
        assert_eq!(edited("\u{feff}a\nb\n", "a", "x"), "\u{feff}x\nb\n");
    }

    #[test]
    fn problems_say_what_to_do() {
        assert_eq!(
            edited("a\nb\na\n", "a", "x"),
            "`old_string` appears 2 times in a.txt (lines 1, 3), but must appear exactly once; include more of the \
             lines around it, or set `replace_all`"
        );
        assert_eq!(
            edited("fn main() {\n    run();\n}\n", "fn main()  {", "x"),
            "`old_string` was not found in a.txt; it must match exactly; the nearest text is at line 1:\nfn main() {"
        );
        assert_eq!(
            edited("a\n", "     1\ta", "x"),
            "`old_string` was not found in a.txt; it must match exactly; leave out the line numbers and tabs that \
             read_file puts before each line"
        );
        assert!(edited("a", "", "x").contains("is empty"));
        assert!(edited("a", "a", "a").contains("identical"));
    }
}
