//! `attractor new`: creates a pipeline from a template.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_model::Pipeline;
use attractor_model::templates::{TEMPLATES, by_name};
use attractor_scenario::scenario_path;
use clap::ArgGroup;
use clap_complete::ArgValueCandidates;

use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::plan_choice::{CHOSEN, ChoiceOptions};
use crate::render::table;
use crate::shell_completion;

/// Create a pipeline from a template, or list templates
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor new                                    list the templates
  attractor new bugfix_workflow -o fix.dot         write a template to a new file
  attractor new --for \"fix the login bug\" -o fix.dot    choose by the task")]
#[command(group(ArgGroup::new(CHOSEN).args(["task"])))]
#[command(group(ArgGroup::new("named").args(["template", "task"])))]
pub struct New {
    /// The template [default: list templates]
    #[arg(add = ArgValueCandidates::new(shell_completion::templates))]
    template: Option<String>,
    /// Choose the template that fits a task, in words: `--for "fix the login bug"`
    #[arg(long = "for", value_name = "TASK", conflicts_with = "template")]
    task: Option<String>,
    #[command(flatten)]
    choice: ChoiceOptions,
    /// Write to a new file instead of standard output
    #[arg(short, long, value_name = "FILE", requires = "named")]
    output: Option<PathBuf>,
}

/// Writes a file that does not exist yet.
fn create(path: &Path, text: &str) -> Result<(), Error> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|cause| match cause.kind() {
            ErrorKind::AlreadyExists => Error::Exists {
                path: path.display().to_string(),
            },
            _ => Error::unwritable(path.display().to_string(), cause),
        })
}

impl New {
    /// Prints or writes the template.
    pub fn run(self) -> Result<Exit, Error> {
        let chosen = self
            .task
            .as_deref()
            .map(|task| self.chosen(task))
            .transpose()?;
        let Some(name) = self.template.or(chosen) else {
            let rows = TEMPLATES
                .iter()
                .map(|one| vec![one.name.to_owned(), one.summary.to_owned()]);
            console::print(&table::draw(&["TEMPLATE", "DESCRIPTION"], rows))?;
            return Ok(Exit::Success);
        };
        let template = by_name(&name).ok_or_else(|| Error::UnknownTemplate {
            names: TEMPLATES.iter().map(|one| one.name.to_owned()).collect(),
            name,
        })?;
        let Some(path) = self.output else {
            console::print(template.text)?;
            return Ok(Exit::Success);
        };
        create(&path, template.text)?;
        let scenarios = scenario_path(&path);
        let also = if scenarios.exists() {
            String::new()
        } else {
            create(&scenarios, template.scenarios)?;
            format!(" and its scenarios {}", scenarios.display())
        };
        console::line(&format!(
            "created {}{also}; run it with: attractor run {0}",
            path.display()
        ))?;
        Ok(Exit::Success)
    }

    /// The name of the template that fits a task.
    fn chosen(&self, task: &str) -> Result<String, Error> {
        let texts = TEMPLATES.iter().map(|one| one.text);
        let pipelines: Vec<Arc<Pipeline>> = texts.flat_map(Pipeline::from_text).collect();
        let here = self.output.as_deref().unwrap_or(Path::new("pipeline.dot"));
        let pipelines = pipelines.iter().map(AsRef::as_ref);
        Ok(self.choice.choose(task, here, pipelines)?.to_owned())
    }
}
