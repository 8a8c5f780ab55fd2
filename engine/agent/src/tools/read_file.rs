//! `read_file`: the lines of a file, with numbers. A file of any size: it is read as a stream.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};

use async_trait::async_trait;
use attractor_llm::ToolDefinition;
use serde::Deserialize;
use serde_json::Value;

use super::blocking::blocking;
use super::file_name::shown;
use super::read_image::{image_type, read_image};
use crate::text::{TextFormat, is_binary};
use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, path_argument};
use crate::workspace::Workspace;

/// Bytes of a file in one result.
const MAX_OUTPUT: usize = 1024 * 1024;

/// Reads a file.
#[derive(Debug, Clone, Copy)]
pub struct ReadFile;

#[derive(Deserialize)]
struct Arguments {
    path: String,
    #[serde(default)]
    offset: Option<usize>,
    #[serde(default)]
    limit: Option<usize>,
}

#[async_trait]
impl Tool for ReadFile {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .required("path", "string", PATH)
            .count("offset", "The first line to read, from 1. Default: 1.")
            .count("limit", "The most lines to read. Default: all.")
            .define(
                "read_file",
                "Reads a text file of the working folder. Each line of the result is the line number, padded to six \
                 columns, a tab, and the line without its line end. The number and the tab are not part of the file: \
                 leave them out when you quote text for an edit. Long results are cut in the middle; read a large \
                 file in parts with `offset` and `limit`. Images (PNG, JPEG, WebP, GIF) are shown to you; other binary \
                 files are refused.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[("file_path", "path"), ("filename", "path")]
    }

    fn access(&self, arguments: &Value) -> Access {
        Access::Read(path_argument(self, arguments).into_iter().collect())
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        blocking(self, &call, context, read).await
    }
}

const PATH: &str = "The file: relative to the working folder, or absolute inside it.";

fn read(workspace: &Workspace, arguments: &Arguments) -> Result<ToolResult, ToolResult> {
    let below = workspace.resolve(arguments.path.as_ref())?;
    let (file, version) = workspace.open_text(&below)?;
    let fails = |error| {
        ToolResult::error(format!(
            "cannot read `{}`: {error}",
            shown(&workspace.as_written(&below))
        ))
    };
    let mut reader = BufReader::with_capacity(64 * 1024, file);
    if let Some(kind) = image_type(reader.fill_buf().map_err(fails)?) {
        let shown = shown(&workspace.as_written(&below));
        return read_image(reader, &shown, (kind, version.length()));
    }
    if is_binary(reader.fill_buf().map_err(fails)?) {
        return Err(ToolResult::error(format!(
            "`{}` is a binary file of {} bytes; use the shell to look into it",
            shown(&workspace.as_written(&below)),
            version.length()
        )));
    }
    let first = arguments.offset.unwrap_or(1).max(1);
    let mut excerpt = Excerpt {
        first,
        end: first.saturating_add(arguments.limit.unwrap_or(usize::MAX)),
        output: String::new(),
        number: 0,
    };
    let rest = excerpt.take_lines(&mut reader).map_err(fails)?;
    workspace.saw(&below, version);
    let mut output = excerpt.output;
    if excerpt.number == 0 {
        output.push_str("[the file is empty]");
    } else if output.is_empty() {
        return Err(ToolResult::error(format!(
            "`offset` is {first}, but `{}` has {} lines",
            shown(&workspace.as_written(&below)),
            excerpt.number
        )));
    }
    output.push_str(&rest);
    Ok(ToolResult::ok(output))
}

/// The lines from `first` to before `end`.
struct Excerpt {
    first: usize,
    end: usize,
    output: String,
    /// The number of the last line that was seen.
    number: usize,
}

impl Excerpt {
    /// Gives a note if the output is cut.
    fn take_lines(&mut self, reader: &mut impl BufRead) -> std::io::Result<String> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let is_wanted = self.number + 1 >= self.first;
            let Some(cut) = next_line(reader, &mut line, is_wanted)? else {
                return Ok(String::new());
            };
            self.number += 1;
            if self.number >= self.end {
                return Ok(String::new());
            }
            if !is_wanted {
                continue;
            }
            let text = if self.number == 1 {
                TextFormat::without_mark(&line)
            } else {
                &line
            };
            if self.output.len() + text.len() > MAX_OUTPUT && !self.output.is_empty() {
                return Ok(format!(
                    "[more follows: read it with offset {}]",
                    self.number
                ));
            }
            let text = String::from_utf8_lossy(text);
            // Writing to a string does not fail.
            let _ = writeln!(self.output, "{:>6}\t{text}", self.number);
            if cut > 0 {
                return Ok(format!(
                    "[line {} has {cut} more bytes; use the shell to look into it]",
                    self.number
                ));
            }
        }
    }
}

/// Reads a line without its line end, at most [`MAX_OUTPUT`] bytes of it; gives how many bytes are left out, or nothing
/// at the end of the file. A line that is not wanted is only passed over.
fn next_line(
    reader: &mut impl BufRead,
    line: &mut Vec<u8>,
    is_wanted: bool,
) -> std::io::Result<Option<usize>> {
    let mut length = 0;
    let mut any = false;
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            break;
        }
        any = true;
        let newline = memchr::memchr(b'\n', buffer);
        let piece = buffer
            .get(..newline.unwrap_or(buffer.len()))
            .unwrap_or_default();
        if is_wanted {
            let capacity = MAX_OUTPUT.saturating_sub(line.len());
            line.extend(piece.iter().take(capacity));
        }
        length += piece.len();
        let used = piece.len() + usize::from(newline.is_some());
        reader.consume(used);
        if newline.is_some() {
            break;
        }
    }
    let left_out = if is_wanted { length - line.len() } else { 0 };
    if left_out == 0 && line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(any.then_some(left_out))
}
