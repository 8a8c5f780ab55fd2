//! What the adapter needs of the program around it: how runs are found, started and forked there.

use std::path::{Path, PathBuf};

use attractor_run::{PausePoints, RunHandle};
use futures::future::BoxFuture;

use crate::protocol::{LaunchArguments, RestartFiles};

/// A visit that begins again as a new run.
#[derive(Debug, Clone)]
pub struct Restart {
    /// The directory of the run.
    pub run: PathBuf,
    /// The node, `GRAPH/NODE` in a sub-pipeline.
    pub node: String,
    /// The visit of the node.
    pub visit: u32,
    /// What to do with files that are not as they were then.
    pub files: RestartFiles,
    /// Where the new run pauses.
    pub points: PausePoints,
}

/// How runs are found, started and forked. Errors are for people.
pub trait Host: Send + Sync {
    /// Starts a run of a file, as `attractor run` does. The user who asks for it consents to what it runs.
    fn launch(
        &self,
        arguments: LaunchArguments,
        points: PausePoints,
    ) -> BoxFuture<'static, Result<RunHandle, String>>;

    /// The directory of a run: by its id, a unique prefix of it, or its folder.
    ///
    /// # Errors
    /// There is no such run.
    fn find(&self, run: &str) -> Result<PathBuf, String>;

    /// Starts a new run from the beginning of a visit, with the file as it is now.
    fn restart(&self, restart: Restart) -> BoxFuture<'static, Result<RunHandle, String>>;

    /// The pipeline that a launch runs: the name of `graph`, or of the first one in the file.
    fn root(&self, program: &Path, graph: Option<&str>) -> Option<String> {
        let text = crate::places::read_file(program)?;
        let pipelines = attractor_model::Pipeline::from_text(&text);
        let mut names = pipelines.iter().map(|pipeline| pipeline.name.clone());
        match graph {
            Some(graph) => names.find(|name| name == graph),
            None => names.next(),
        }
    }
}
