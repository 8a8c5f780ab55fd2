//! `grep`: lines that match a regular expression.

mod pattern;

use std::ops::ControlFlow;
use std::path::Path;

use async_trait::async_trait;
use attractor_exec::EntryKind;
use attractor_llm::ToolDefinition;
use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use self::pattern::{Match, Pattern};
use super::blocking::blocking;
use super::file_name::shown;
use super::walk::{SearchLimits, Walk, partial_search_note};
use crate::text::{TextFormat, is_binary};
use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, path_argument};
use crate::workspace::{FileError, Workspace};

/// Results if nothing is asked for.
const DEFAULT_RESULTS: usize = 100;

/// Results at most.
const MAX_RESULTS: usize = 10_000;

/// Searches files.
#[derive(Debug, Clone, Copy, Default)]
pub struct Grep {
    /// Its bounds.
    pub limits: SearchLimits,
}

#[derive(Deserialize)]
struct Arguments {
    pattern: String,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    include: Option<String>,
    #[serde(default)]
    max_results: Option<usize>,
    #[serde(default)]
    include_ignored: bool,
}

#[async_trait]
impl Tool for Grep {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .required(
                "pattern",
                "string",
                "A regular expression in the syntax of Rust's `regex`, and look-around and back-references. It is \
                 matched line by line; begin it with `(?i)` to ignore case.",
            )
            .optional("path", "string", "The file or folder to search. Default: the working folder.")
            .optional(
                "include",
                "string",
                "Search only files that match this glob: by name, as `*.py`, or by path, as `src/**/*.rs`.",
            )
            .count("max_results", "The most matching lines to return. Default: 100.")
            .optional(
                "include_ignored",
                "boolean",
                "Search also files that .gitignore excludes. Default: false.",
            )
            .define(
                "grep",
                "Searches the contents of files and returns the matching lines as `file:line: content`, or `No matches \
                 found.`. Hidden files are searched; binary files, files that git ignores and the folder .git are not.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("file_path", "path"),
            ("glob", "include"),
            ("glob_filter", "include"),
        ]
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
            search(workspace, arguments, limits, &cancel)
        };
        blocking(self, &call, context, work).await
    }
}

fn search(
    workspace: &Workspace,
    arguments: &Arguments,
    limits: SearchLimits,
    cancel: &CancellationToken,
) -> Result<ToolResult, ToolResult> {
    let pattern = Pattern::new(&arguments.pattern).map_err(ToolResult::error)?;
    let include = arguments
        .include
        .as_deref()
        .map(include_filter)
        .transpose()?;
    let below = workspace.resolve(arguments.path.as_deref().unwrap_or(".").as_ref())?;
    let is_one_file = workspace.kind(&below) != Some(EntryKind::Directory);
    if is_one_file {
        // What cannot be read is an error instead of a search without a result.
        workspace.open_file(&below)?;
    }
    let mut results = Results {
        lines: Vec::new(),
        most: arguments
            .max_results
            .unwrap_or(DEFAULT_RESULTS)
            .min(MAX_RESULTS),
        more: false,
        skipped: Vec::new(),
    };
    let walk = Walk {
        workspace,
        below: &below,
        include_ignored: arguments.include_ignored,
        limits,
        cancel,
    };
    let early = walk.files(|path, _| {
        if include
            .as_ref()
            .is_some_and(|include| !include.is_match(path))
        {
            return ControlFlow::Continue(());
        }
        results.search(workspace, path, &pattern, is_one_file)
    });
    Ok(ToolResult::ok(results.report(early.as_deref())))
}

/// A glob without `/` is for the name of a file in any folder.
fn include_filter(glob: &str) -> Result<GlobMatcher, ToolResult> {
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    let anywhere = if glob.contains('/') {
        glob.to_owned()
    } else {
        format!("**/{glob}")
    };
    GlobBuilder::new(&anywhere)
        .literal_separator(true)
        .build()
        .map(|glob| glob.compile_matcher())
        .map_err(|error| ToolResult::error(format!("invalid glob in `include`: {error}")))
}

/// What was found.
struct Results {
    lines: Vec<String>,
    most: usize,
    /// There are more than `most`.
    more: bool,
    /// Files that were not searched, with the reason.
    skipped: Vec<String>,
}

impl Results {
    fn search(
        &mut self,
        workspace: &Workspace,
        path: &Path,
        pattern: &Pattern,
        is_one_file: bool,
    ) -> ControlFlow<()> {
        let content = match workspace.read_stored(path) {
            Ok(read) => read.content.unwrap_or_default(),
            Err(error @ FileError::TooLarge(_)) => {
                self.skipped.push(error.to_string());
                return ControlFlow::Continue(());
            }
            // It was removed or may not be read.
            Err(_) => return ControlFlow::Continue(()),
        };
        if is_binary(&content) {
            if is_one_file {
                self.skipped.push(format!(
                    "`{}` is a binary file",
                    shown(&workspace.as_written(path))
                ));
            }
            return ControlFlow::Continue(());
        }
        let name = shown(&workspace.as_written(path));
        let searched = pattern.search(TextFormat::without_mark(&content), |found: Match| {
            if self.lines.len() == self.most {
                self.more = true;
                return ControlFlow::Break(());
            }
            self.lines
                .push(format!("{name}:{}: {}", found.line, found.text));
            ControlFlow::Continue(())
        });
        match searched {
            Ok(next) => next,
            Err(problem) => {
                self.skipped.push(format!("`{name}`: {problem}"));
                ControlFlow::Continue(())
            }
        }
    }

    fn report(mut self, early: Option<&str>) -> String {
        if self.lines.is_empty() {
            self.lines.push("No matches found.".to_owned());
        }
        if self.more {
            self.lines.push(format!(
                "[there are more matches than the {} shown; narrow the search or raise `max_results`]",
                self.most
            ));
        }
        self.lines.extend(early.map(partial_search_note));
        let count = self.skipped.len();
        let skipped = self.skipped.iter().take(5);
        self.lines
            .extend(skipped.map(|why| format!("[not searched: {why}]")));
        if count > 5 {
            self.lines
                .push(format!("[not searched: {} more files]", count - 5));
        }
        self.lines.join("\n")
    }
}
