//! `attractor ci init`: writes a workflow for GitHub, hooks for pre-commit, and scenario tests.
//!
//! A workflow is overwritten after a question only. A configuration of pre-commit may have hooks of others: it is never
//! overwritten, and the entry to add is printed.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use attractor_exec::RootDirectory;
use attractor_run::DOT_EXTENSIONS;

use crate::commands::test::init as scenarios;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::input::under;

const WORKFLOW: &str = ".github/workflows/attractor.yml";
const PRE_COMMIT: &str = ".pre-commit-config.yaml";
/// What a configuration of pre-commit contains that has the hooks already.
const HOOK: &str = "attractor-validate";

/// Write a GitHub workflow, hooks for pre-commit, and scenarios that cover every edge
///
/// Asks before it overwrites a workflow; without a terminal, `--force` is required. Scenario files and a configuration of
/// pre-commit that exist are not changed: what they lack is printed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor ci init --dry-run   list what would be written
  attractor ci init             write it, for the pipelines of this folder

Exit codes: 0 success, 1 a pipeline has problems or a scenario file lacks scenarios, 2 usage.")]
pub struct Init {
    /// The root of the repository
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Overwrite the workflow without a question
    #[arg(long, conflicts_with = "dry_run")]
    force: bool,
    /// Write nothing; list what would be written
    #[arg(long)]
    dry_run: bool,
}

impl Init {
    /// Writes the files.
    pub fn run(self) -> Result<Exit, Error> {
        if !self.folder.is_dir() {
            return Err(Error::NotFolder {
                path: self.folder.display().to_string(),
            });
        }
        if under(&self.folder).is_empty() {
            return Err(Error::NoFiles {
                path: self.folder.display().to_string(),
            });
        }
        let workflow = Target::read(&self.folder, WORKFLOW, workflow_text())?;
        let hooks = Target::read(&self.folder, PRE_COMMIT, pre_commit_text())?;
        if self.dry_run {
            workflow.announce("overwrite")?;
            hooks.announce("print what to add to")?;
            for path in scenarios::missing(&self.folder) {
                console::line(&format!("would create {}", path.display()))?;
            }
            return Ok(Exit::Success);
        }
        // Before anything is written: a refusal leaves nothing behind.
        let overwrites = workflow.content == Content::Other && self.may_overwrite(&workflow)?;
        workflow.write(overwrites)?;
        hooks.write(false)?;
        if hooks.content == Content::Other {
            console::remark(&format!(
                "{} is not changed; add this to its `repos`:",
                hooks.path.display()
            ));
            console::print(&hooks_entry())?;
        }
        scenarios::run(&[self.folder])
    }

    fn may_overwrite(&self, target: &Target) -> Result<bool, Error> {
        let path = target.path.display().to_string();
        if self.force {
            Ok(true)
        } else if console::can_ask() {
            console::confirmed(&format!("Overwrite {path}? [y/N] "))
        } else {
            Err(Error::NotOverwritten { path })
        }
    }
}

/// A file to write.
struct Target {
    folder: PathBuf,
    /// Relative to the folder.
    name: &'static str,
    path: PathBuf,
    text: String,
    content: Content,
}

/// What a file has now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// It does not exist.
    None,
    /// What would be written.
    Same,
    /// Something else.
    Other,
}

impl Target {
    fn read(folder: &Path, name: &'static str, text: String) -> Result<Self, Error> {
        let path = match folder.to_str() {
            Some(".") => PathBuf::from(name),
            _ => folder.join(name),
        };
        let content = match fs::read_to_string(&path) {
            Ok(old) if old == text || name == PRE_COMMIT && old.contains(HOOK) => Content::Same,
            Ok(_) => Content::Other,
            Err(cause) if cause.kind() == ErrorKind::NotFound => Content::None,
            Err(cause) => return Err(Error::unreadable(path.display().to_string(), cause)),
        };
        Ok(Self {
            folder: folder.to_owned(),
            name,
            path,
            text,
            content,
        })
    }

    fn announce(&self, otherwise: &str) -> Result<(), Error> {
        let path = self.path.display();
        console::line(&match self.content {
            Content::None => format!("would create {path}"),
            Content::Same => format!("unchanged {path}"),
            Content::Other => format!("would {otherwise} {path}"),
        })
    }

    fn write(&self, overwrites: bool) -> Result<(), Error> {
        let path = self.path.display();
        let done = match self.content {
            Content::None => "created",
            Content::Other if overwrites => "overwrote",
            Content::Same | Content::Other => {
                return console::line(&format!("unchanged {path}"));
            }
        };
        // No link of the project leads out of its folder.
        RootDirectory::open(&self.folder)
            .and_then(|root| {
                let name = Path::new(self.name);
                root.create_directories(name.parent().unwrap_or(Path::new("")))?;
                root.replace(name, self.text.as_bytes(), None)
            })
            .map_err(|cause| Error::unwritable(path.to_string(), cause))?;
        console::line(&format!("{done} {path}"))
    }
}

fn workflow_text() -> String {
    include_str!("workflow.yml").replace("VERSION", env!("CARGO_PKG_VERSION"))
}

fn pre_commit_text() -> String {
    format!("repos:\n{}", hooks_entry())
}

/// The hooks as an item of `repos`.
fn hooks_entry() -> String {
    include_str!("hooks.yaml").replace("ENDINGS", &DOT_EXTENSIONS.join("|"))
}
