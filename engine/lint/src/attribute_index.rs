//! Every attribute in the file, grouped once by the type of its value, so that each lint only reads its own.
//!
//! One walk over graph, nodes and edges, linear in their attributes. What the stylesheet, the graph's defaults or
//! the command line give a node was written elsewhere and is not listed; a default in scope is listed once for each
//! meaning it has.

use memchr::memchr2;
use rustc_hash::FxHashSet;

use crate::value_forms::is_fine;
use attractor_model::Diagnostic;
use attractor_model::catalogue::{self, AttrType, NodeKind, Owner};
use attractor_model::{Attribute, Attributes, Source};
use attractor_model::{CustomHandler, CustomType};
use attractor_model::{EdgeIx, NodeIx, Pipeline};

/// The element an attribute is set on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttributeTarget {
    Graph,
    Node(NodeIx),
    Edge(EdgeIx),
}

/// An attribute and the element it is set on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeSite<'p> {
    pub(crate) target: AttributeTarget,
    pub(crate) attribute: Attribute<'p>,
}

/// The attributes of a pipeline by the kind of their value, each list in the order graph, nodes, edges.
#[derive(Debug, Default)]
pub(crate) struct AttributeIndex<'p> {
    /// Nodes by name.
    pub(crate) references: Vec<AttributeSite<'p>>,
    /// Conditions, and what may be one.
    pub(crate) conditions: Vec<AttributeSite<'p>>,
    /// Templates and commands that may have placeholders; none of edges.
    pub(crate) templates: Vec<AttributeSite<'p>>,
    /// What may name a file; none of edges.
    pub(crate) files: Vec<AttributeSite<'p>>,
    /// Stylesheets; none of edges.
    pub(crate) stylesheets: Vec<AttributeSite<'p>>,
    /// Names of models.
    pub(crate) models: Vec<AttributeSite<'p>>,
    /// What has to be of a form and is not at the first look: numbers, durations, words of a list; every check.
    pub(crate) values: Vec<AttributeSite<'p>>,
    /// Attributes unknown to the element they are on, and to Graphviz.
    pub(crate) unknown: Vec<AttributeSite<'p>>,
    /// What the handler of its node declares; a built-in attribute of the same name does not count there.
    pub(crate) declared: Vec<(AttributeSite<'p>, CustomType)>,
}

impl<'p> AttributeIndex<'p> {
    pub(crate) fn of(pipeline: &'p Pipeline, handlers: &[CustomHandler]) -> Self {
        let mut written = Self::default();
        let mut defaults = FxHashSet::default();
        let mut visit = |target: AttributeTarget, attributes: &'p Attributes| {
            let handler = target.handler(pipeline, handlers);
            for attribute in attributes.iter() {
                let new = match attribute.source() {
                    Source::Own => true,
                    Source::Default { range } => {
                        defaults.insert((range, attribute.row().map(std::ptr::from_ref)))
                    }
                    _ => false,
                };
                if !new {
                    continue;
                }
                let site = AttributeSite { target, attribute };
                match handler.and_then(|handler| handler.attribute(attribute.written())) {
                    Some(declared) => written.declared.push((site, declared.ty)),
                    None => written.add(site),
                }
            }
        };
        visit(AttributeTarget::Graph, &pipeline.attributes);
        for (ix, node) in pipeline.indexed_nodes() {
            visit(AttributeTarget::Node(ix), &node.attributes);
        }
        for (ix, edge) in pipeline.indexed_edges() {
            visit(AttributeTarget::Edge(ix), &edge.attributes);
        }
        written
    }

    fn add(&mut self, site: AttributeSite<'p>) {
        let attribute = site.attribute;
        let Some(row) = attribute.row() else {
            let own = attribute.is_own();
            if own && catalogue::graphviz_attribute(attribute.name()).is_none() {
                self.unknown.push(site);
            }
            return;
        };
        let on_edge = matches!(site.target, AttributeTarget::Edge(_));
        match row.ty {
            AttrType::Node | AttrType::NodeList => self.references.push(site),
            AttrType::Condition | AttrType::ConditionList => self.conditions.push(site),
            AttrType::Verify | AttrType::BoolOrCondition => {
                self.conditions.push(site);
                self.values.push(site);
            }
            AttrType::Template | AttrType::Command if !on_edge => {
                let value = attribute.value();
                if memchr2(b'{', b'$', value.as_bytes()).is_some() {
                    self.templates.push(site);
                }
                if value.trim_start().starts_with('@') {
                    self.files.push(site);
                }
            }
            AttrType::Path { must_exist: true } if !on_edge => self.files.push(site),
            AttrType::Stylesheet if !on_edge => {
                self.files.push(site);
                self.stylesheets.push(site);
            }
            AttrType::Model => self.models.push(site),
            AttrType::Schema => {
                self.values.push(site);
                if !on_edge {
                    self.files.push(site);
                }
            }
            AttrType::Bool
            | AttrType::Int { .. }
            | AttrType::Float { .. }
            | AttrType::Money
            | AttrType::Duration
            | AttrType::Enum(..)
            | AttrType::EnumList(_)
            | AttrType::Shape
                if !is_fine(row.ty, attribute.value().trim()) =>
            {
                self.values.push(site);
            }
            _ => {}
        }
    }
}

impl AttributeTarget {
    /// The handler of the configuration that does the work there.
    fn handler<'h>(
        self,
        pipeline: &Pipeline,
        handlers: &'h [CustomHandler],
    ) -> Option<&'h CustomHandler> {
        let Self::Node(ix) = self else { return None };
        let node = pipeline.node(ix)?;
        let name = node.custom_handler.as_deref()?.trim();
        handlers.iter().find(|handler| handler.name == name)
    }

    /// The kind of element that has the attributes.
    pub(crate) fn owner(self, pipeline: &Pipeline) -> Owner {
        match self {
            Self::Graph => Owner::Graph,
            Self::Edge(_) => Owner::Edge,
            Self::Node(ix) => {
                Owner::Node(pipeline.node(ix).map_or(NodeKind::Custom, |node| node.kind))
            }
        }
    }

    /// The attributes of the element.
    pub(crate) fn attributes(self, pipeline: &Pipeline) -> Option<&Attributes> {
        match self {
            Self::Graph => Some(&pipeline.attributes),
            Self::Node(ix) => pipeline.node(ix).map(|node| &node.attributes),
            Self::Edge(ix) => pipeline.edge(ix).map(|edge| &edge.attributes),
        }
    }

    /// Adds the node or edge to a diagnostic.
    pub(crate) fn annotate(self, pipeline: &Pipeline, found: Diagnostic) -> Diagnostic {
        match self {
            Self::Graph => found,
            Self::Node(ix) => found.node(pipeline.id(ix)),
            Self::Edge(ix) => match pipeline.edge(ix) {
                Some(edge) => found.edge(pipeline.id(edge.from), pipeline.id(edge.to)),
                None => found,
            },
        }
    }
}
