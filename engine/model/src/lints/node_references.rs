//! Attributes that name nodes, and what to say when there is no such node. Shared by several lints.

use std::mem::discriminant;

use attractor_dot::TextRange;

use super::edits::fix;
use super::near_nodes::NearNodes;
use super::slips::did_you_mean;
use super::words::joined;
use super::written::{Place, Spot};
use super::{Findings, Lint, Subject};
use crate::catalogue::{AttrType, values};

/// A node named by an attribute.
struct Reference<'p> {
    spot: &'p Spot<'p>,
    id: &'p str,
    /// The id in the file.
    range: TextRange,
    /// The node it may mean.
    near: Option<&'p str>,
}

/// Reports every reference of type `ty` that names no node.
pub(super) fn check(ty: AttrType, lint: &Lint, subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let mut near_nodes = NearNodes::of(subject.pipeline);
    let wanted = discriminant(&ty);
    for spot in &subject.written().references {
        let row = spot.attribute.row();
        if row.is_none_or(|row| discriminant(&row.ty) != wanted)
            || matches!(spot.place, Place::Edge(_))
        {
            continue;
        }
        for (id, at) in values::list(spot.attribute.value()) {
            if subject.pipeline.by_id(id).is_some() {
                continue;
            }
            if let Some(range) = spot.attribute.place(subject.text, at..at + id.len()) {
                let near = near_nodes.nearest(id);
                let reference = Reference {
                    spot,
                    id,
                    range,
                    near,
                };
                findings.push(report(lint, subject, findings, &reference));
            }
        }
    }
}

fn report(
    lint: &Lint,
    subject: &Subject<'_>,
    findings: &Findings<'_>,
    reference: &Reference<'_>,
) -> crate::Diagnostic {
    let near = reference.near;
    let message = joined([
        "`",
        reference.spot.attribute.written(),
        "` names `",
        reference.id,
        "`, but there is no such node",
        &did_you_mean(near),
    ]);
    let mut diagnostic = findings.diagnostic(lint, reference.range, message);
    if let Some(near) = near {
        let whole = reference.spot.attribute.value_range() == Some(reference.range);
        let edit = if whole {
            subject.edits().replace_value(reference.range, near)
        } else {
            attractor_dot::Edit::replace(
                reference.range,
                attractor_dot::strings::escape_into_quoted(near),
            )
        };
        diagnostic = diagnostic.fix(fix(format!("Replace by `{near}`"), edit).preferred());
    }
    reference.spot.place.tell(subject.pipeline, diagnostic)
}
