//! `attractor fmt`: the canonical layout. It never changes the meaning of a file.
//!
//! ```text
//! attractor fmt flow.dot              one file, in place
//! attractor fmt --check .             every DOT file in a folder: show a diff, exit code 1
//! attractor fmt --sort --indent 2 -   standard input to standard output
//! ```

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use attractor_config::format::{FormatSettings, OptionError};
use attractor_dot::format::{Options, format};
use attractor_dot::graphviz_compat::quote_extended;
use attractor_text_diff::TextDiff;
use tempfile::NamedTempFile;

use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::input::{Source, under};
use crate::render::line_column::Lines;
use crate::style::{BAD, GOOD, paint};

/// Format DOT files
///
/// Statements with syntax errors are kept as they are; the exit code is 1 then.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor fmt release.dot           format a file in place
  attractor fmt --check .             show what would change in this folder, exit code 1
  attractor fmt - < in.dot > out.dot  standard input to standard output")]
pub struct Fmt {
    /// DOT files and folders of them; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write nothing; show a diff and exit with 1 if files are not formatted
    #[arg(long)]
    check: bool,
    /// Quote values that Graphviz requires to be quoted
    #[arg(long)]
    portable: bool,
    #[command(flatten)]
    layout: Layout,
}

/// Layout options [default: `[format]` in `.attractor/config.toml`]
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Layout (overrides [format] in .attractor/config.toml)")]
struct Layout {
    /// Indent width, 1 to 16, or `tab` [default: 4]
    #[arg(long, value_name = "N|tab", value_parser = option("indent"))]
    indent: Option<FormatSettings>,
    /// Maximum line width; longer attribute lists are wrapped [default: 100]
    #[arg(long, value_name = "N", value_parser = option("width"))]
    width: Option<FormatSettings>,
    /// Align the attribute lists of adjacent statements [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = option("align"))]
    align: Option<FormatSettings>,
    /// Semicolons after statements: keep, always or never [default: keep]
    #[arg(long, value_name = "WHEN", value_parser = option("semicolons"))]
    semicolons: Option<FormatSettings>,
    /// Sort the attributes of a list by name [default: false]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = option("sort"))]
    sort: Option<FormatSettings>,
}

/// Reads the value of one option.
fn option(name: &'static str) -> impl Fn(&str) -> Result<FormatSettings, OptionError> + Clone {
    move |value| {
        let mut wanted = FormatSettings::default();
        wanted.set(name, value).map(|()| wanted)
    }
}

impl Fmt {
    /// Formats every file; one that cannot be read is reported.
    pub fn run(self) -> Result<Exit, Error> {
        let mut exit = Exit::Success;
        let mut changing = Vec::new();
        let mut layouts = HashMap::new();
        let mut files = Vec::new();
        for path in &self.files {
            let below = under(path);
            if below.is_empty() {
                return Err(Error::NoFiles {
                    path: path.display().to_string(),
                });
            }
            files.extend(below);
        }
        for path in &files {
            let source = match Source::read(path) {
                Ok(source) => source,
                Err(error) => {
                    console::error(&error);
                    exit = error.exit();
                    continue;
                }
            };
            let folder = source.path.as_deref().and_then(Path::parent);
            let options = layouts
                .entry(folder.map(Path::to_path_buf))
                .or_insert_with(|| self.options(source.path.as_deref()));
            if !is_readable(&source) {
                exit = Exit::Failed;
            }
            let formatted = self.format(&source.text, options);
            let changed = *formatted != *source.text;
            if self.check {
                if changed {
                    console::print(&diff(&source, &formatted))?;
                    changing.push(console::plain(&source.name).into_owned());
                }
            } else if source.path.is_none() {
                console::print(&formatted)?;
            } else if changed {
                replace(path, &source.encode(&formatted))?;
            }
        }
        if !changing.is_empty() {
            console::remark(&format!(
                "{} of {} {} would be reformatted: {}",
                changing.len(),
                files.len(),
                if files.len() == 1 { "file" } else { "files" },
                changing.join(", ")
            ));
            exit = Exit::Failed;
        }
        Ok(exit)
    }

    fn format(&self, text: &str, options: &Options) -> String {
        if self.portable {
            format(&quote_extended(text), options)
        } else {
            format(text, options)
        }
    }

    /// The flags, then the configuration of the file's folder, then the defaults.
    fn options(&self, path: Option<&Path>) -> Options {
        let layout = &self.layout;
        let flags = [
            layout.indent,
            layout.width,
            layout.align,
            layout.semicolons,
            layout.sort,
        ];
        let here = match path {
            Some(path) => std::path::absolute(path),
            None => std::env::current_dir(),
        };
        let configuration = here
            .map(|here| configuration::read(&here))
            .unwrap_or_default();
        configuration::report_problems(&configuration);
        let flags = flags.into_iter().flatten();
        flags
            .fold(FormatSettings::default(), FormatSettings::or)
            .or(configuration.format())
            .options()
    }
}

/// Prints the syntax errors of a file; the statements with them are kept as they are.
fn is_readable(source: &Source) -> bool {
    let parse = attractor_dot::parse(&source.text);
    let lines = Lines::new(&source.text);
    for error in &parse.errors {
        let at = lines.position(error.range.start());
        console::remark(&format!(
            "{} {}:{}:{}: {}",
            paint(BAD, "error:"),
            console::plain(&source.name),
            at.line,
            at.column,
            console::plain(&error.message)
        ));
    }
    parse.errors.is_empty()
}

/// What would change, as a unified diff.
fn diff(source: &Source, formatted: &str) -> String {
    let name = console::plain(&source.name);
    let text = TextDiff::of_lines(&source.text, formatted).unified_with_names(2, &name, &name);
    let painted = text.lines().map(|line| match line.chars().next() {
        Some('+') => paint(GOOD, console::plain(line)),
        Some('-') => paint(BAD, console::plain(line)),
        _ => console::plain(line).into_owned(),
    });
    painted.map(|line| line + "\n").collect()
}

/// Writes a temporary file next to the old one and renames it, so that a full disk or a crash leaves the old one
/// unchanged.
fn replace(path: &Path, content: &[u8]) -> Result<(), Error> {
    let write = || -> std::io::Result<()> {
        let path = fs::canonicalize(path)?;
        let mut new = NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
        new.write_all(content)?;
        new.as_file()
            .set_permissions(fs::metadata(&path)?.permissions())?;
        new.as_file().sync_all()?;
        new.persist(&path)?;
        Ok(())
    };
    write().map_err(|cause| Error::unwritable(path.display().to_string(), cause))
}
