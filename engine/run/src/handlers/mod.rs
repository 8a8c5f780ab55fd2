//! What nodes do: all side effects of a run, one file per kind.
//!
//! A handler works in two halves. `prepare` is pure: it reads the node and the context, fills in the
//! templates, and gives either an outcome at once or a task. The task has the effects and no context; what
//! it found comes back in its outcome. So the context is never shared and never copied.

mod checks;
mod codergen;
pub(crate) mod commands;
mod custom;
mod fan_in;
mod json;
mod loops;
mod quiet;
mod scripted;
mod status;
mod tool;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_exec::{ExecutionEnvironment, Redactor, Secrets};
use attractor_lang::referred_file;
use attractor_model::{CustomHandler, NodeKind};
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use crate::backend::CodergenBackend;
use crate::context::View;
use crate::event::Stream;
use crate::file_changes::Folders;
use crate::machine::{Frame, NodeRef};
use crate::outcome::{FailureClass, Outcome};

pub(crate) use scripted::scripted;

/// An attempt of a node, as its handler sees it.
#[derive(Clone, Copy)]
pub(crate) struct Work<'w> {
    pub(crate) node_ref: NodeRef<'w>,
    pub(crate) frame: &'w Frame,
    pub(crate) view: View<'w>,
    pub(crate) place: &'w RunEnvironment,
    pub(crate) stage_dir: &'w Path,
    /// Where relative paths of the node begin: the folder of the run, or that of its sub-pipeline.
    pub(crate) workdir: &'w Path,
}

/// What is the same for all nodes of a run.
pub(crate) struct RunEnvironment {
    pub(crate) run: String,
    /// Where commands run.
    pub(crate) workdir: PathBuf,
    /// The root of the project that holds `workdir`: no node works outside of it.
    pub(crate) root: PathBuf,
    /// Files the pipeline names, by path as written.
    pub(crate) files: Vec<(String, String)>,
    /// Handlers of the configuration.
    pub(crate) handlers: Vec<CustomHandler>,
    pub(crate) backend: Arc<dyn CodergenBackend>,
    /// What commands may know and nobody else.
    pub(crate) secrets: Secrets,
    /// Masks them.
    pub(crate) redactor: Arc<Redactor>,
    /// Runs commands.
    pub(crate) execution: Arc<dyn ExecutionEnvironment>,
}

impl RunEnvironment {
    /// The folders whose files a gate compares.
    pub(crate) fn folders<'p>(&'p self, runs_dir: &'p Path) -> Folders<'p> {
        Folders {
            root: &self.root,
            workdir: &self.workdir,
            runs_dir,
        }
    }
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

/// What a task may use.
#[derive(Clone)]
pub(crate) struct HandlerEnv {
    /// Tells the task to stop.
    pub(crate) stop: CancellationToken,
    /// Takes what it has to say.
    pub(crate) output: Arc<dyn Output>,
    /// Runs commands.
    pub(crate) execution: Arc<dyn ExecutionEnvironment>,
}

/// Where a task's output goes, for people to see while it runs.
pub(crate) trait Output: Send + Sync {
    /// A piece of text.
    fn write(&self, stream: Stream, bytes: &[u8]);
}

/// Decides what a node does.
pub(crate) fn prepare(work: Work<'_>) -> Prepared {
    checks::checked(work, by_kind(work))
}

/// Looks at what a node promised whose work the machine has done.
pub(crate) fn promised(work: Work<'_>, done: Outcome) -> Prepared {
    checks::checked(work, Prepared::ready(done))
}

fn by_kind(work: Work<'_>) -> Prepared {
    match commands::work_of(work.node_ref) {
        commands::Work::Commands => return tool::prepare(work),
        commands::Work::Model => return codergen::prepare(work),
        commands::Work::Other => {}
    }
    match work.node_ref.node.kind {
        NodeKind::FanIn => fan_in::prepare(work),
        NodeKind::Loop => loops::prepare(work),
        // The rest the machine does itself.
        _ => quiet::prepare(work),
    }
}

/// The outcome of a node that needs no effects, for a dry run.
fn prepare_quietly(work: Work<'_>) -> Option<Outcome> {
    match (work.node_ref.node.kind, work.node_ref.written("prompt")) {
        (NodeKind::Conditional, _) | (NodeKind::FanIn, None) => match by_kind(work) {
            Prepared::Ready(outcome) => Some(*outcome),
            Prepared::Task(_) => None,
        },
        _ => None,
    }
}

fn fail(class: FailureClass, reason: impl Into<String>) -> Prepared {
    Prepared::ready(Outcome::fail(class, reason))
}

impl Prepared {
    fn ready(outcome: Outcome) -> Self {
        Self::Ready(Box::new(outcome))
    }
}

impl Work<'_> {
    /// A template of the node, filled in; `@path` gives the content of that file.
    fn text(&self, name: &str) -> Option<String> {
        self.node_ref.written(name).map(|text| self.fill(text))
    }

    fn fill(&self, text: &str) -> String {
        match referred_file(text).and_then(|path| self.file(path)) {
            Some(content) => crate::text::plain(self.view, content),
            None => crate::text::plain(self.view, text),
        }
    }

    /// A file the pipeline names.
    fn file(&self, path: &str) -> Option<&str> {
        let path = path.trim();
        self.place
            .files
            .iter()
            .find(|(name, _)| name == path)
            .map(|(_, content)| content.as_str())
    }

    /// Where the node works.
    pub(crate) fn directory(&self) -> PathBuf {
        match self.text("working_dir") {
            Some(folder) => self.workdir.join(folder),
            None => self.workdir.to_owned(),
        }
    }
}
