//! From a node to the handler of its type.

use attractor_machine::outcome::{FailureClass, Outcome};
use attractor_machine::plan::NodeRef;
use attractor_model::{CustomHandler, NodeKind, NodeWork};

use super::input::NodeInput;
use super::registry::HandlerRegistry;
use super::work::{Prepared, Work, fail};
use super::{checks, commands, guard, missing_fields};

/// Decides what a node does.
pub(crate) fn prepare(registry: &HandlerRegistry, work: Work<'_>) -> Prepared {
    checks::checked(work, by_type(registry, work))
}

/// Looks at what a node promised whose work the machine has done.
pub(crate) fn promised(work: Work<'_>, done: Outcome) -> Prepared {
    checks::checked(work, Prepared::ready(done))
}

/// The type of the handler that does a node's work. A start or exit with a command or a prompt is worked on as such.
pub(super) fn handler_type(node_ref: NodeRef<'_>) -> &str {
    let node = node_ref.node;
    match (node_ref.work(), node.kind) {
        (_, NodeKind::Custom) => node.handler().trim(),
        (NodeWork::Commands, _) => NodeKind::Tool.name(),
        (NodeWork::Model, NodeKind::Start | NodeKind::Exit) => NodeKind::Codergen.name(),
        (_, kind) => kind.name(),
    }
}

fn by_type(registry: &HandlerRegistry, work: Work<'_>) -> Prepared {
    let name = handler_type(work.node_ref);
    let Some(handler) = registry.get(name) else {
        let missing = commands::missing_handler(work.node_ref, &work.place.handlers);
        return fail(FailureClass::Configuration, missing.to_string());
    };
    if let Some(missing) = missing_fields::find(work) {
        return fail(FailureClass::Configuration, missing);
    }
    let limit = work.node_ref.node.attributes.duration("timeout");
    // A handler that declares `timeout` reads it itself.
    let declares = |declared: &CustomHandler| declared.name == name && declared.declares("timeout");
    let limit = limit.filter(|limit| !limit.is_zero() && !work.place.handlers.iter().any(declares));
    guard::execute(name, handler.as_ref(), NodeInput::new(work), limit)
}
