//! The words of plans, and what they are in DOT.

use attractor_model::catalogue::NodeKind;

/// The condition that always holds. Among other conditions it is the default.
pub(super) const ALWAYS: &str = "always";

/// The types of plan nodes: the word in JSON, and the shape it gets in DOT (none: an agent's box).
pub(crate) const TYPES: &[(&str, Option<&str>)] = &[
    ("task", None),
    ("start", Some("Mdiamond")),
    ("exit", Some("Msquare")),
    ("decision", Some("diamond")),
    ("escalate", Some("octagon")),
    ("checkpoint", Some("cylinder")),
];

/// Fields of a plan node and the attributes they are.
pub(super) const FIELDS: &[(&str, &str)] = &[
    ("name", "label"),
    ("action", "prompt"),
    ("tool_hint", "user_instructions"),
];

/// The shape of the plan nodes of a type.
pub(super) fn shape_of_type(name: &str) -> Option<&'static str> {
    TYPES.iter().find(|(other, _)| *other == name)?.1
}

/// The type of plan node that does what a kind does; none for what plans do not know.
pub(super) fn type_of_kind(kind: NodeKind) -> Option<&'static str> {
    if kind == NodeKind::Codergen {
        return Some("task");
    }
    let mut types = TYPES.iter();
    let found =
        types.find(|(_, shape)| shape.is_some_and(|one| NodeKind::from_shape(one) == Some(kind)));
    found.map(|(name, _)| *name)
}

/// The attribute that a field of a plan node is, and back.
pub(super) fn attribute_of(field: &str) -> &str {
    let found = FIELDS.iter().find(|(own, _)| *own == field);
    found.map_or(field, |(_, attribute)| attribute)
}

/// See [`attribute_of`].
pub(super) fn field_of(attribute: &str) -> Option<&'static str> {
    let found = FIELDS.iter().find(|(_, own)| *own == attribute);
    found.map(|(field, _)| *field)
}
