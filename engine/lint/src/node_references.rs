//! Attributes that name nodes, and what to say when there is no such node. Shared by several lints.

use std::mem::discriminant;

use attractor_dot::TextRange;

use crate::attribute_index::{AttributeSite, AttributeTarget};
use crate::near_nodes::NearNodes;
use crate::typos::did_you_mean;
use crate::{DiagnosticSink, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::catalogue::{AttrType, values};

/// A node named by an attribute.
struct Reference<'p> {
    site: &'p AttributeSite<'p>,
    id: &'p str,
    /// The id in the file.
    range: TextRange,
    /// The node it may mean.
    near: Option<&'p str>,
}

/// Reports every reference of type `ty` that names no node.
pub(crate) fn check(
    ty: AttrType,
    lint: &Lint,
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
) {
    let mut near_nodes = NearNodes::of(ctx.pipeline);
    let wanted = discriminant(&ty);
    for site in &ctx.attributes().references {
        let row = site.attribute.row();
        if row.is_none_or(|row| discriminant(&row.ty) != wanted)
            || matches!(site.target, AttributeTarget::Edge(_))
        {
            continue;
        }
        for (id, at) in values::list(site.attribute.value()) {
            if ctx.pipeline.by_id(id).is_some() {
                continue;
            }
            if let Some(range) = site.attribute.range_of(ctx.text, at..at + id.len()) {
                let near = near_nodes.nearest(id);
                let reference = Reference {
                    site,
                    id,
                    range,
                    near,
                };
                sink.push(report(lint, ctx, sink, &reference));
            }
        }
    }
}

fn report(
    lint: &Lint,
    ctx: &LintContext<'_>,
    sink: &DiagnosticSink<'_>,
    reference: &Reference<'_>,
) -> attractor_model::Diagnostic {
    let near = reference.near;
    let message = [
        "`",
        reference.site.attribute.written(),
        "`: unknown node `",
        reference.id,
        "`",
        &did_you_mean(near),
    ]
    .concat();
    let mut diagnostic = sink.diagnostic(lint, reference.range, message);
    if let Some(near) = near {
        let whole = reference.site.attribute.value_range() == Some(reference.range);
        let edit = if whole {
            ctx.edits().replace_value(reference.range, near)
        } else {
            attractor_dot::Edit::replace(
                reference.range,
                attractor_dot::strings::escape_into_quoted(near),
            )
        };
        diagnostic = diagnostic.fix(fix(format!("Replace with `{near}`"), edit).preferred());
    }
    reference.site.target.annotate(ctx.pipeline, diagnostic)
}
