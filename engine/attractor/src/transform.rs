//! Changes to a pipeline between reading and validating it.

use crate::edit::PipelineEdit;
use crate::pipeline::Pipeline;

/// Changes a pipeline before it is validated and run. Transforms are applied in the order of their registration,
/// each to the result of the one before.
///
/// ```
/// use attractor::{Pipeline, PipelineEdit, Transform};
///
/// /// Gives every tool node a timeout.
/// struct Timeouts;
///
/// impl Transform for Timeouts {
///     fn name(&self) -> &str {
///         "timeouts"
///     }
///
///     fn apply(&self, pipeline: &Pipeline, edit: &mut PipelineEdit) -> Result<(), String> {
///         for node in pipeline.nodes().filter(|node| node.handler() == "tool") {
///             edit.node(&node.id, &[("timeout", "5m")]);
///         }
///         Ok(())
///     }
/// }
/// ```
pub trait Transform: Send + Sync {
    /// Its name, for messages.
    fn name(&self) -> &str;

    /// Notes the changes to a pipeline.
    ///
    /// # Errors
    /// The pipeline cannot be changed as intended, in a sentence; the run is refused.
    fn apply(&self, pipeline: &Pipeline, edit: &mut PipelineEdit) -> Result<(), String>;
}
