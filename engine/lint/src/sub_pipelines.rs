//! The nodes that run other pipelines, for the lints about those.

use crate::LintContext;
use attractor_model::Attribute;
use attractor_model::catalogue::NodeKind;
use attractor_model::{Node, Pipeline};

/// Nodes that run another pipeline, with the attribute that names it.
pub(crate) fn callers(pipeline: &Pipeline) -> impl Iterator<Item = (&Node, Attribute<'_>)> {
    pipeline
        .nodes
        .iter()
        .filter(|node| matches!(node.kind, NodeKind::Supervisor | NodeKind::Pipeline))
        .filter_map(|node| Some((node, node.attributes.get("sub_pipeline")?)))
        .filter(|(_, called)| {
            let value = called.value().trim();
            // DOT text in place of a name, or a name a run decides, is not looked up.
            called.written() != "stack.child_dot_source"
                && !value.is_empty()
                && !value.contains(['{', '$', '\n'])
        })
}

/// Whether a path leads back to the file that is checked.
pub(crate) fn is_own_file(ctx: &LintContext<'_>, file: &str) -> bool {
    let name = |path: &str| path.rsplit(['/', '\\']).next().map(str::to_owned);
    !file.contains('/') && ctx.options.path.as_deref().and_then(name).as_deref() == Some(file)
}
