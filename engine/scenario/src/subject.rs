//! The pipelines of a file, ready for dry runs.

use std::sync::{Arc, OnceLock};

use attractor_model::{Files, Options, Pipeline};
use attractor_run::{DryRuns, Launch, PipelineBundle, RunError, Source};

/// What scenarios run: the pipelines of one DOT file, with the pipelines they call.
pub struct Subject {
    pipelines: Vec<TestedPipeline>,
}

/// A pipeline of the file.
pub(crate) struct TestedPipeline {
    launch: Launch,
    /// Its dry runs, since one was started; an error when it cannot run.
    dry_runs: OnceLock<Result<DryRuns, RunError>>,
}

impl Subject {
    /// The pipelines of a text that was read with `options`, in the order of the file.
    pub fn new(
        source: &Source,
        pipelines: &[Arc<Pipeline>],
        options: &Options,
        files: &dyn Files,
    ) -> Self {
        let tested = |pipeline: &Arc<Pipeline>| {
            let bundle = PipelineBundle::collect(pipeline, pipelines, options, files);
            let launch = Launch::new(Arc::clone(pipeline), source.clone());
            TestedPipeline {
                launch: launch.with_bundle(bundle, options.clone()),
                dry_runs: OnceLock::new(),
            }
        };
        Self {
            pipelines: pipelines.iter().map(tested).collect(),
        }
    }

    /// The pipelines, in the order of the file.
    pub fn pipelines(&self) -> impl Iterator<Item = &Arc<Pipeline>> {
        self.pipelines.iter().map(TestedPipeline::pipeline)
    }

    /// The dry runs of the pipeline of that name; the first one without a name.
    ///
    /// # Errors
    /// The file has no such pipeline, or it has errors.
    pub fn dry_runs(&self, graph: Option<&str>) -> Result<&DryRuns, String> {
        let tested = self
            .pipeline(graph)
            .ok_or("the file has no such pipeline")?;
        tested.dry_runs().map_err(ToString::to_string)
    }

    /// The pipeline of that name; the first one without a name.
    pub(crate) fn pipeline(&self, graph: Option<&str>) -> Option<&TestedPipeline> {
        match graph {
            None => self.pipelines.first(),
            Some(name) => {
                let mut pipelines = self.pipelines.iter();
                pipelines.find(|one| one.pipeline().name == name)
            }
        }
    }
}

impl TestedPipeline {
    /// The pipeline.
    pub(crate) fn pipeline(&self) -> &Arc<Pipeline> {
        &self.launch.pipeline
    }

    /// The pipeline and those it calls.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Pipeline> {
        let own = std::iter::once(self.pipeline());
        own.chain(&self.launch.library).map(AsRef::as_ref)
    }

    /// Its dry runs. The pipeline is validated when they are first used, once.
    pub(crate) fn dry_runs(&self) -> Result<&DryRuns, &RunError> {
        let dry_runs = || DryRuns::of(self.launch.clone());
        self.dry_runs.get_or_init(dry_runs).as_ref()
    }
}
