//! The pipelines of a file, ready for dry runs.

use std::sync::Arc;

use attractor_model::{Files, Options, Pipeline};
use attractor_run::{Launch, PipelineBundle, Source};

/// What scenarios run: the pipelines of one DOT file, with the pipelines they call.
pub struct Subject {
    launches: Vec<Launch>,
}

impl Subject {
    /// The pipelines of a text that was read with `options`, in the order of the file.
    pub fn new(
        source: &Source,
        pipelines: &[Arc<Pipeline>],
        options: &Options,
        files: &dyn Files,
    ) -> Self {
        let launch = |pipeline: &Arc<Pipeline>| {
            let bundle = PipelineBundle::collect(pipeline, pipelines, options, files);
            Launch::new(Arc::clone(pipeline), source.clone()).with_bundle(bundle, options.clone())
        };
        Self {
            launches: pipelines.iter().map(launch).collect(),
        }
    }

    /// The pipelines, in the order of the file.
    pub fn pipelines(&self) -> impl Iterator<Item = &Arc<Pipeline>> {
        self.launches.iter().map(|launch| &launch.pipeline)
    }

    /// The launch of a pipeline; the first one without a name.
    pub(crate) fn launch(&self, graph: Option<&str>) -> Option<&Launch> {
        match graph {
            None => self.launches.first(),
            Some(name) => {
                let mut launches = self.launches.iter();
                launches.find(|launch| launch.pipeline.name == name)
            }
        }
    }
}
