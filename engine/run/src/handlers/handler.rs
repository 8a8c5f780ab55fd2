//! What a handler is.

use attractor_model::CustomAttribute;

use super::execution::Execution;
use super::input::NodeInput;

/// Does the work of the nodes of one handler type.
///
/// ```
/// use attractor_run::{Execution, NodeHandler, NodeInput, Outcome};
///
/// struct Deploy;
///
/// impl NodeHandler for Deploy {
///     fn execute(&self, input: NodeInput<'_>) -> Execution {
///         let version = input.attribute("version").unwrap_or_default();
///         Execution::run(move |env| async move {
///             env.write(&format!("deploying {version}\n"));
///             Outcome::success().with("deployed", version)
///         })
///     }
/// }
/// ```
pub trait NodeHandler: Send + Sync {
    /// Reads what the node says and returns the work to do. The work runs in a task of its own: a panic, and time
    /// beyond the node's `timeout`, are failures of the node.
    fn execute(&self, input: NodeInput<'_>) -> Execution;

    /// The attributes of its nodes, for validation, and for editors that know the handler.
    fn attributes(&self) -> Vec<CustomAttribute> {
        Vec::new()
    }

    /// The context keys it sets, for validation.
    fn sets(&self) -> Vec<String> {
        Vec::new()
    }
}
