//! The limits that a node sets for its agent, compared with those of the configuration.

use attractor_model::{Attribute, Node, Options};
use attractor_permissions::{Excess, Narrowing, NarrowingAttributes, NarrowingError};

/// What a node asks for that its agent is not allowed, by the configuration. Values of the context are not known: an
/// attribute with a template is left out.
///
/// # Errors
/// An attribute cannot be understood, which fails the node.
pub fn excess(node: &Node, options: &Options) -> Result<Vec<Excess>, NarrowingError> {
    let known = |name| {
        let text = node.attributes.get(name).map(Attribute::value);
        text.filter(|text| !text.contains(['{', '$']))
    };
    let narrowing = Narrowing::of(&NarrowingAttributes {
        allowed_tools: known("allowed_tools"),
        allowed_paths: known("allowed_paths"),
        permissions: known("permissions"),
    })?;
    Ok(options.agent_permissions.excess(&narrowing))
}
