//! What a node does: the first of handler, type, start and exit marks, own shape, what it carries, a shape
//! from defaults; else the coding agent.

use attractor_dot::graph::{Graph, Node};

use super::dialect::kind_of_shape;
use super::marks::Ends;
use super::name_roles::{NameRoles, Role};
use crate::catalogue::{NodeKind, values};
use crate::options::{Dialect, Options};

/// A resolved kind.
pub(super) struct Kind {
    pub(super) kind: NodeKind,
    /// The handler's name when the kind is [`NodeKind::Custom`].
    pub(super) custom: Option<Box<str>>,
}

/// The attributes of a node that determine its kind.
#[derive(Clone, Copy, Default)]
pub(super) struct KindHints<'g> {
    /// The name of its handler: its own before that of defaults, `handler` before `type` before `node_type`.
    handler: Option<&'g str>,
    own_shape: Option<&'g str>,
    /// The shape that defaults in scope give it.
    inherited_shape: Option<&'g str>,
    /// Whether it is marked as a start.
    pub(super) start: bool,
    /// Whether it is marked as an end.
    pub(super) terminal: bool,
    /// Whether it names its branches, so that it leads on without edges.
    pub(super) branches: bool,
    /// The kind implied by a prompt of its own: a start or exit with a prompt runs it.
    prompted: Option<NodeKind>,
    /// The kind implied by its other attributes.
    implied: Option<NodeKind>,
}

/// The kinds implied by attributes of a node; the first that applies is used.
const IMPLIED: [(Role, NodeKind); 5] = [
    (Role::Command, NodeKind::Tool),
    (Role::Branches, NodeKind::Parallel),
    (Role::Pipeline, NodeKind::Pipeline),
    (Role::Child, NodeKind::Supervisor),
    (Role::Duration, NodeKind::Wait),
];

impl<'g> KindHints<'g> {
    pub(super) fn new(graph: &'g Graph, roles: &NameRoles, node: &Node) -> Self {
        let mut hints = Self::default();
        let mut handler_rank = (true, u8::MAX);
        let mut implied = IMPLIED.len();
        for attribute in graph.list(node.attributes) {
            let Some((role, rank)) = roles.role(attribute.name) else {
                continue;
            };
            let value = graph.value_of(attribute);
            match role {
                Role::Handler if (attribute.inherited, rank) < handler_rank => {
                    handler_rank = (attribute.inherited, rank);
                    hints.handler = Some(value).filter(|name| !name.trim().is_empty());
                }
                Role::Handler => {}
                Role::Shape if attribute.inherited => hints.inherited_shape = Some(value),
                Role::Shape => hints.own_shape = Some(value),
                Role::Start => hints.start = values::boolean(value) == Some(true),
                Role::Terminal => hints.terminal = values::boolean(value) == Some(true),
                Role::Prompt => {
                    let own = !attribute.inherited && !value.trim().is_empty();
                    hints.prompted = hints.prompted.or(own.then_some(NodeKind::Codergen));
                }
                _ => {
                    hints.branches |= role == Role::Branches;
                    let place = IMPLIED.iter().position(|(implied, _)| *implied == role);
                    if let Some(place) = place.filter(|_| !attribute.inherited && !value.is_empty())
                    {
                        implied = implied.min(place);
                    }
                }
            }
        }
        let implied = IMPLIED.get(implied).map(|(_, kind)| *kind);
        // A prompt with a duration is an agent with a time of its own.
        hints.implied = implied.filter(|kind| *kind != NodeKind::Wait || hints.prompted.is_none());
        hints
    }

    /// The kind of the node.
    pub(super) fn kind(self, ends: Ends, (dialect, options): (Dialect, &Options)) -> Kind {
        let is_end = |kind: &NodeKind| matches!(kind, NodeKind::Start | NodeKind::Exit);
        let by_name = self.handler.and_then(|name| handler(name, options));
        let named_end = match (by_name, self.handler) {
            (Some(Kind { kind, .. }), _) if is_end(&kind) => Some(kind),
            (Some(kind), _) => return kind,
            (None, Some(name)) => return unknown(name),
            (None, None) => None,
        };
        let of_shape = |shape: &str| kind_of_shape(dialect, shape);
        let own_shape = self.own_shape.and_then(of_shape);
        let inherited_shape = self.inherited_shape.and_then(of_shape);
        let shape = own_shape.or(inherited_shape.filter(|_| self.implied.is_none()));
        let end = named_end.or(ends.kind()).or(shape.filter(is_end));
        let kind = match end {
            // A start or exit that has work of its own executes it.
            Some(end) => own_shape
                .filter(|kind| !is_end(kind))
                .or(self.implied)
                .or(self.prompted)
                .unwrap_or(end),
            None => shape.or(self.implied).unwrap_or(NodeKind::Codergen),
        };
        Kind { kind, custom: None }
    }

    /// The kind of its handler, or that of its shape if it has no handler.
    pub(super) fn named(self, dialect: Dialect) -> Option<NodeKind> {
        match self.handler {
            Some(named) => NodeKind::from_name(named.trim()),
            None => kind_of_shape(dialect, self.own_shape.or(self.inherited_shape)?),
        }
    }
}

/// An unknown handler, which the lint `unknown_handler` reports; the run stops there. The node keeps the name.
fn unknown(name: &str) -> Kind {
    Kind {
        kind: NodeKind::Custom,
        custom: Some(name.into()),
    }
}

fn handler(name: &str, options: &Options) -> Option<Kind> {
    let name = name.trim();
    if let Some(kind) = NodeKind::from_name(name) {
        return Some(Kind { kind, custom: None });
    }
    options
        .custom_handlers
        .iter()
        .any(|handler| handler.name == name)
        .then(|| Kind {
            kind: NodeKind::Custom,
            custom: Some(name.into()),
        })
}

#[cfg(test)]
mod tests {
    use crate::pipeline::Pipeline;

    /// Who only looks like a start or exit does the work it has, as the start and the exits themselves do.
    #[test]
    fn work_goes_before_what_a_shape_says() {
        for (statement, kind) in [
            ("n [shape=Mdiamond]", "start"),
            ("n [shape=Mdiamond, prompt=p]", "codergen"),
            ("n [shape=Mdiamond, command=ls]", "tool"),
            ("n [shape=Msquare, prompt=p]", "codergen"),
            ("n [shape=parallelogram, prompt=p]", "tool"),
            ("n [handler=start, prompt=p]", "codergen"),
            ("node [shape=Mdiamond]; n [prompt=p]", "codergen"),
            ("node [shape=hexagon]; n [prompt=p]", "human_gate"),
            ("node [shape=hexagon]; n [command=ls]", "tool"),
            ("node [handler=tool]; n [node_type=wait]", "wait"),
            ("n [node_type=wait, type=tool]", "tool"),
        ] {
            let text = format!("digraph {{ goal=x; s [start=true]; {statement}; s -> n -> s }}");
            let pipelines = Pipeline::from_text(&text);
            let node = pipelines[0].node_by_id("n").unwrap();
            assert_eq!(node.handler(), kind, "{statement}");
            let hints = node.attributes.get("handler");
            let hints = hints.filter(|_| kind != "codergen");
            assert!(
                hints.is_none_or(|hints| hints.value() == kind),
                "{statement}"
            );
        }
    }
}
