//! What all runs of an engine share.

use std::path::PathBuf;
use std::sync::Arc;

use attractor_exec::ExecutionEnvironment;
use attractor_model::Options;
use attractor_run::{
    AnswerPolicy, BackendRegistry, Clock, HandlerRegistry, Limits, RecordKey, Rng,
};

use crate::run_observer::RunObserver;
use crate::transform::Transform;

/// What all runs of an engine share.
#[derive(Clone, Default)]
pub(crate) struct Settings {
    pub(crate) handlers: HandlerRegistry,
    pub(crate) answers: AnswerPolicy,
    pub(crate) backends: BackendRegistry,
    pub(crate) clock: Option<Arc<dyn Clock>>,
    pub(crate) rng: Option<Arc<dyn Rng>>,
    pub(crate) transforms: Vec<Arc<dyn Transform>>,
    pub(crate) options: Options,
    pub(crate) limits: Limits,
    pub(crate) observer: Option<Arc<dyn RunObserver>>,
    pub(crate) execution: Option<Arc<dyn ExecutionEnvironment>>,
    pub(crate) working_dir: Option<PathBuf>,
    pub(crate) runs_dir: Option<PathBuf>,
    pub(crate) checkpoint_dir: Option<PathBuf>,
    pub(crate) record_key: Option<RecordKey>,
}
