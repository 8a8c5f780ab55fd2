//! What a handler works on, and the work it prepares.
//!
//! A handler works in two halves. The first is pure: it reads the node and the context, fills in the templates, and
//! gives either an outcome at once or a task. The task has the effects and no context; what it found comes back in
//! its outcome. So the context is never shared and never copied.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use attractor_exec::{ExecutionEnvironment, Redactor, Secrets};
use attractor_lang::referred_file;
use attractor_machine::context::View;
use attractor_machine::outcome::RemainingBudget;
use attractor_machine::outcome::{FailureClass, Outcome};
use attractor_machine::plan::NodeRef;
use attractor_machine::transition::{Frame, LeftNode, State};
use attractor_model::{CustomHandler, Reality, ToolHook};
use futures::future::BoxFuture;

use super::command_runner::CommandRunner;
use super::env::HandlerEnv;
use crate::backend::BackendRegistry;
use crate::project::files::ProjectFiles;

/// An attempt of a node, as its handler sees it.
#[derive(Clone, Copy)]
pub(crate) struct Work<'w> {
    pub(crate) node_ref: NodeRef<'w>,
    pub(crate) frame: &'w Frame,
    pub(crate) view: View<'w>,
    /// The latest nodes the run was done with.
    pub(crate) latest: &'w VecDeque<LeftNode>,
    pub(crate) place: &'w RunEnvironment,
    pub(crate) stage_dir: &'w Path,
    /// Where relative paths of the node begin: the folder of the run, or that of its sub-pipeline.
    pub(crate) workdir: &'w Path,
    /// What the run may still spend.
    pub(crate) budget: RemainingBudget,
    /// The run so far.
    pub(crate) state: &'w State,
}

/// What is the same for all nodes of a run.
pub(crate) struct RunEnvironment {
    pub(crate) run: String,
    /// The directory of the run; none in a dry run.
    pub(crate) directory: Option<PathBuf>,
    /// Where commands run.
    pub(crate) workdir: PathBuf,
    /// The root of the project that holds `workdir`: no node works outside of it.
    pub(crate) root: PathBuf,
    /// Files the pipeline names, by path as written.
    pub(crate) files: Vec<(String, String)>,
    /// Handlers of the configuration.
    pub(crate) handlers: Vec<CustomHandler>,
    /// Hooks of the configuration.
    pub(crate) tool_hooks: Vec<ToolHook>,
    /// How real the run is.
    pub(crate) reality: Reality,
    /// What calls models.
    pub(crate) backends: BackendRegistry,
    /// What commands may know and nobody else.
    pub(crate) secrets: Secrets,
    /// Masks them.
    pub(crate) redactor: Arc<Redactor>,
    /// Runs commands.
    pub(crate) execution: Arc<dyn ExecutionEnvironment>,
}

/// What a node is about to do.
pub(crate) enum Prepared {
    /// Nothing that takes time.
    Ready(Box<Outcome>),
    /// This.
    Task(Task),
}

/// The second half of a handler.
pub(crate) type Task = Box<dyn FnOnce(HandlerEnv) -> BoxFuture<'static, Outcome> + Send>;

/// A node that cannot begin.
pub(super) fn fail(class: FailureClass, reason: impl Into<String>) -> Prepared {
    Prepared::ready(Outcome::fail(class, reason))
}

impl Prepared {
    pub(super) fn ready(outcome: Outcome) -> Self {
        Self::Ready(Box::new(outcome))
    }
}

impl Work<'_> {
    /// A template of the node, filled in; `@path` gives the content of that file.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.node_ref.written(name).map(|text| self.fill(text))
    }

    pub(super) fn fill(&self, text: &str) -> String {
        match referred_file(text).and_then(|path| self.file(path)) {
            Some(content) => attractor_machine::context::text::plain(self.view, content),
            None => attractor_machine::context::text::plain(self.view, text),
        }
    }

    /// A file the pipeline names.
    pub(super) fn file(&self, path: &str) -> Option<&str> {
        let path = path.trim();
        self.place
            .files
            .iter()
            .find(|(name, _)| name == path)
            .map(|(_, content)| content.as_str())
    }

    /// The attempt, as its processes are marked with it.
    pub(super) fn step(&self) -> String {
        let frame = self.frame;
        format!(
            "{}/{}/{}-{}",
            self.place.run,
            frame.key(&frame.node),
            frame.visit,
            frame.attempt
        )
    }

    /// What runs the commands of a handler.
    pub(crate) fn command_runner(&self) -> CommandRunner {
        CommandRunner {
            execution: self.place.execution.clone(),
            run: self.place.run.clone(),
            node: self.frame.node.clone(),
            step: self.step(),
            directory: self.directory(),
            stage_dir: self.stage_dir.to_owned(),
            redactor: self.place.redactor.clone(),
            started: AtomicU32::new(0),
        }
    }

    /// The files that the node may look at: those of the project, or of its branch's copy of it.
    pub(crate) fn project_files(&self) -> ProjectFiles {
        let root = &self.place.root;
        let root = if self.workdir.starts_with(root) {
            root
        } else {
            self.workdir
        };
        ProjectFiles::new(&self.directory(), root)
    }

    /// Where the node works.
    pub(crate) fn directory(&self) -> PathBuf {
        match self.text("working_dir") {
            Some(folder) => self.workdir.join(folder),
            None => self.workdir.to_owned(),
        }
    }
}
