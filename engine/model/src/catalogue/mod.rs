//! The catalogue: everything the language knows by name, once.
//!
//! Completion, hover, validation, the reference pages and the editors' word lists read these tables; nothing
//! is written down twice. The doc text is next to each row. Pure data: no table depends on a file or a clock.
//!
//! ```
//! use attractor_model::catalogue::{self, NodeKind, Owner};
//! let row = catalogue::attribute(Owner::Node(NodeKind::Tool), "tool_command").unwrap();
//! assert_eq!(row.name, "command");
//! assert!(catalogue::explain("human_gate").unwrap().contains("person"));
//! ```

pub mod attribute;
mod attributes;
mod conditions;
mod context_keys;
pub mod explain;
mod graphviz;
mod lookup;
mod models;
mod node_kinds;
pub mod reference;
mod templates;
pub mod usage;
pub mod values;

pub use attractor_models::{Date, DeclaredModel, Lifecycle, Model, Provider};
pub use attribute::{Applies, AttrType, AttributeRow, EnumValue, Owner};
pub use attributes::ATTRIBUTES;
pub use conditions::{CONDITION_WORDS, ConditionWord, WordClass};
pub use context_keys::{CONTEXT_KEYS, ContextKeyRow, Setter, context_key};
pub use explain::{explain, owners as explain_owners};
pub use graphviz::{
    ARROWS, COLORS, COMPASS, GRAPHVIZ_ATTRIBUTES, GraphvizRow, GraphvizType, SHAPES, STYLES,
};
pub use lookup::{
    StyleProperties, attribute, attribute_elsewhere, attributes_for, canonical, default_value,
    gives_pipeline_away, graphviz_attribute, nearest, nearest_within, style_property,
};
pub use models::{
    declaration_problem, declared_model, model, model_page, models, provider, providers,
};
pub use node_kinds::{NODE_KINDS, NodeKind, NodeKindRow, NodeWork};
pub use templates::{TEMPLATE_FORMS, TemplateForm};
