//! The shape of an attribute's row: where it applies, what values it takes.

use super::node_kinds::NodeKind;

/// Whose attributes are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The graph.
    Graph,
    /// A node of this kind.
    Node(NodeKind),
    /// An edge.
    Edge,
    /// A subgraph.
    Subgraph,
}

impl Owner {
    /// So many there are.
    pub(crate) const COUNT: usize = 3 + NodeKind::COUNT;

    /// Its number, below [`Owner::COUNT`].
    #[inline]
    pub(crate) fn index(self) -> usize {
        match self {
            Self::Graph => 0,
            Self::Edge => 1,
            Self::Subgraph => 2,
            Self::Node(kind) => 3 + kind as usize,
        }
    }
}

/// What an attribute can stand on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Applies {
    /// The graph.
    pub graph: bool,
    /// Edges.
    pub edge: bool,
    /// Subgraphs.
    pub subgraph: bool,
    /// Nodes.
    pub nodes: NodeScope,
}

/// Which nodes an attribute can stand on.
#[derive(Clone, Copy, Debug, Default)]
pub enum NodeScope {
    /// None.
    #[default]
    No,
    /// Nodes of every kind.
    Every,
    /// Nodes of these kinds.
    Kinds(&'static [NodeKind]),
}

impl Applies {
    /// Only the graph.
    pub const GRAPH: Self = Self {
        graph: true,
        edge: false,
        subgraph: false,
        nodes: NodeScope::No,
    };
    /// Only edges.
    pub const EDGE: Self = Self {
        graph: false,
        edge: true,
        subgraph: false,
        nodes: NodeScope::No,
    };
    /// Every node.
    pub const NODE: Self = Self {
        graph: false,
        edge: false,
        subgraph: false,
        nodes: NodeScope::Every,
    };

    /// Nodes of these kinds.
    pub const fn kinds(kinds: &'static [NodeKind]) -> Self {
        Self {
            graph: false,
            edge: false,
            subgraph: false,
            nodes: NodeScope::Kinds(kinds),
        }
    }

    /// And the graph.
    #[must_use]
    pub const fn and_graph(mut self) -> Self {
        self.graph = true;
        self
    }

    /// And edges.
    #[must_use]
    pub const fn and_edge(mut self) -> Self {
        self.edge = true;
        self
    }

    /// And subgraphs.
    #[must_use]
    pub const fn and_subgraph(mut self) -> Self {
        self.subgraph = true;
        self
    }

    /// Whether it can stand there. Custom handlers may use everything.
    pub fn covers(self, owner: Owner) -> bool {
        match owner {
            Owner::Graph => self.graph,
            Owner::Edge => self.edge,
            Owner::Subgraph => self.subgraph,
            Owner::Node(kind) => match self.nodes {
                NodeScope::No => false,
                NodeScope::Every => true,
                NodeScope::Kinds(kinds) => kind == NodeKind::Custom || kinds.contains(&kind),
            },
        }
    }

    /// Whether it can stand on some node.
    pub fn any_node(self) -> bool {
        !matches!(self.nodes, NodeScope::No)
    }
}

/// A value of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumValue {
    /// As written; compared without case.
    pub name: &'static str,
    /// One line.
    pub doc: &'static str,
}

/// What values an attribute takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AttrType {
    /// Any text.
    Text,
    /// `true`, `false`, `yes`, `no`, `1`, `0`.
    Bool,
    /// A truth value, or a condition that must hold (some dialects write one).
    BoolOrCondition,
    /// A whole number, at least `min`.
    Int {
        /// Smallest allowed.
        min: i64,
    },
    /// A number between two others.
    Float {
        /// Smallest allowed.
        min: f64,
        /// Largest allowed.
        max: f64,
    },
    /// A duration such as `30s` or `1h30m`; a bare number counts seconds.
    Duration,
    /// One of the listed words; the second list is accepted but not offered.
    Enum(&'static [EnumValue], &'static [&'static str]),
    /// Several of the listed words, by comma.
    EnumList(&'static [EnumValue]),
    /// A node of the same graph.
    Node,
    /// A node of the same graph, or the key or label of one of the node's edges.
    Choice,
    /// Nodes of the same graph, by comma.
    NodeList,
    /// A condition.
    Condition,
    /// Conditions, by semicolon.
    ConditionList,
    /// Text with `{key}`, `$goal` and `@file`.
    Template,
    /// A shell command with `{key}`; what is put in is quoted.
    Command,
    /// A model stylesheet.
    Stylesheet,
    /// A file or folder, relative to the DOT file when it must exist, else to the working folder.
    Path {
        /// The file is read together with the pipeline, so it must exist.
        must_exist: bool,
    },
    /// Paths by comma, in the working folder.
    PathList,
    /// Names by comma or blank.
    Classes,
    /// A key of the context.
    Key,
    /// Keys of the context, by comma.
    Keys,
    /// Names or words by comma.
    List,
    /// What an output must look like (`output_contains:TEXT`, `exit_code:0`, …).
    Verify,
    /// A JSON Schema, `@file` or `routing`.
    Schema,
    /// A model id.
    Model,
    /// A provider's name.
    Provider,
    /// A node kind, or a custom handler.
    Handler,
    /// A node shape.
    Shape,
    /// Another pipeline: a graph of this file, a file next to it, or a path.
    SubPipeline,
    /// An amount in US dollars.
    Money,
}

impl AttrType {
    /// The type's name in reference pages and hover.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Bool => "boolean",
            Self::BoolOrCondition => "boolean or condition",
            Self::Int { .. } => "integer",
            Self::Float { .. } => "number",
            Self::Duration => "duration",
            Self::Enum(..) => "one of",
            Self::EnumList(_) => "list of",
            Self::Node => "node",
            Self::Choice => "node or choice",
            Self::NodeList => "list of nodes",
            Self::Condition => "condition",
            Self::ConditionList => "conditions by `;`",
            Self::Template => "template",
            Self::Command => "shell command (template)",
            Self::Stylesheet => "stylesheet",
            Self::Path { .. } => "path",
            Self::PathList => "list of paths",
            Self::Classes => "classes",
            Self::Key => "context key",
            Self::Keys => "list of context keys",
            Self::List => "list",
            Self::Verify => "verify expression",
            Self::Schema => "JSON Schema",
            Self::Model => "model",
            Self::Provider => "provider",
            Self::Handler => "node kind",
            Self::Shape => "shape",
            Self::SubPipeline => "pipeline",
            Self::Money => "US dollars",
        }
    }

    /// The words to offer for it.
    pub fn values(self) -> &'static [EnumValue] {
        const BOOLEANS: &[EnumValue] = &[
            EnumValue {
                name: "true",
                doc: "Yes.",
            },
            EnumValue {
                name: "false",
                doc: "No.",
            },
        ];
        match self {
            Self::Enum(values, _) | Self::EnumList(values) => values,
            Self::Bool | Self::BoolOrCondition => BOOLEANS,
            _ => &[],
        }
    }
}

/// An attribute in the catalogue.
#[derive(Debug)]
pub struct AttributeRow {
    /// Canonical name. A name that ends with `.*` represents every name with that beginning.
    pub name: &'static str,
    /// Whether the name is such a family's.
    pub family: bool,
    /// Other names that mean the same.
    pub aliases: &'static [&'static str],
    /// What it can stand on.
    pub applies: Applies,
    /// What values it takes.
    pub ty: AttrType,
    /// The default value, if there is one.
    pub default: Option<&'static str>,
    /// Markdown, one or two sentences.
    pub doc: &'static str,
    /// DOT to copy; empty when the type says it all.
    pub example: &'static str,
    /// Dialects it comes from, when it is not of the common language.
    pub dialects: &'static [&'static str],
    /// Nodes of the kinds it applies to are incomplete without it.
    pub required: bool,
    /// Some engines give it a meaning; this one keeps it and passes it on.
    pub kept_only: bool,
}

impl AttributeRow {
    pub(super) const fn new(
        name: &'static str,
        applies: Applies,
        ty: AttrType,
        doc: &'static str,
    ) -> Self {
        Self {
            name,
            family: matches!(name.as_bytes(), [.., b'*']),
            aliases: &[],
            applies,
            ty,
            default: None,
            doc,
            example: "",
            dialects: &[],
            required: false,
            kept_only: false,
        }
    }

    pub(super) const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    pub(super) const fn default(mut self, value: &'static str) -> Self {
        self.default = Some(value);
        self
    }

    pub(super) const fn example(mut self, text: &'static str) -> Self {
        self.example = text;
        self
    }

    pub(super) const fn dialects(mut self, names: &'static [&'static str]) -> Self {
        self.dialects = names;
        self
    }

    pub(super) const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    pub(super) const fn kept_only(mut self) -> Self {
        self.kept_only = true;
        self
    }

    /// The beginning a family of names shares (`var.` for `var.*`).
    pub fn prefix(&self) -> Option<&'static str> {
        self.name.strip_suffix('*')
    }
}
