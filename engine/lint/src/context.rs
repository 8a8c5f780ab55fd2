//! What a lint may look at: one pipeline, its text and tree, and what is around it.

use std::cell::OnceCell;
use std::sync::Arc;

use attractor_dot::ast;
use attractor_dot::graph;
use rustc_hash::FxHashSet;

use crate::attribute_index::{AttributeIndex, AttributeSite, AttributeTarget};
use crate::edge_conditions::EdgeConditions;
use crate::known_keys::KnownKeys;
use crate::located_conditions::conditions;
use crate::node_conditions::NodeCondition;
use crate::node_index::NodeIndex;
use crate::node_name_typos::{self, NodeNameTypo};
use crate::outgoing_conditions::OutgoingConditions;
use crate::stylesheet_declarations::{self, StylesheetDeclaration};
use crate::templates::Templates;
use crate::value_typos::ValueTypo;
use attractor_dot::graph_edits::Edits;
use attractor_model::Files;
use attractor_model::Options;
use attractor_model::analysis::{Dominators, Keys, Loops, Paths};
use attractor_model::catalogue::{NodeKind, Owner};
use attractor_model::directives::Scope;
use attractor_model::{Attribute, Node, NodeIx, Pipeline};

/// One pipeline and everything a check may ask about it.
pub struct LintContext<'a> {
    /// The file's text.
    pub text: &'a str,
    /// The graph's tree.
    pub tree: &'a ast::Graph,
    /// The graph as DOT means it. Its nodes and edges have the positions of the pipeline's.
    pub graph: &'a graph::Graph,
    /// The pipeline.
    pub pipeline: &'a Pipeline,
    /// Every pipeline of the file, this one too.
    pub siblings: &'a [Arc<Pipeline>],
    /// The project's options.
    pub options: &'a Options,
    /// The window to other files.
    pub files: &'a dyn Files,
    /// What comments in the file ask for.
    pub scope: Scope,
    /// Why the pipeline in the text of another file cannot be run.
    pub(crate) check_sub_pipeline: fn(String, &Options) -> Option<SubPipelineError>,
    paths: OnceCell<Paths>,
    loops: OnceCell<Loops>,
    keys: OnceCell<Keys>,
    known_keys: OnceCell<KnownKeys<'a>>,
    dominators: OnceCell<Dominators>,
    attributes: OnceCell<AttributeIndex<'a>>,
    unknown_attributes: OnceCell<Vec<AttributeSite<'a>>>,
    stylesheet_declarations: OnceCell<Vec<StylesheetDeclaration<'a>>>,
    templates: OnceCell<Templates<'a>>,
    edge_conditions: OnceCell<EdgeConditions<'a>>,
    outgoing_conditions: OnceCell<Vec<OutgoingConditions<'a>>>,
    node_conditions: OnceCell<Vec<NodeCondition<'a>>>,
    labels: OnceCell<FxHashSet<(NodeIx, &'a str)>>,
    node_index: OnceCell<NodeIndex>,
    node_name_typos: OnceCell<Vec<NodeNameTypo>>,
    value_typos: OnceCell<Vec<ValueTypo<'a>>>,
    value_typo_nodes: OnceCell<FxHashSet<NodeIx>>,
}

/// The environment of a pipeline: its file, options and comments.
#[derive(Clone, Copy)]
pub struct LintInput<'a> {
    /// Every pipeline of the file.
    pub siblings: &'a [Arc<Pipeline>],
    /// The project's options.
    pub options: &'a Options,
    /// The window to other files.
    pub files: &'a dyn Files,
    /// What comments in the file ask for.
    pub scope: Scope,
    /// Why the pipeline in the text of another file cannot be run.
    pub check_sub_pipeline: fn(String, &Options) -> Option<SubPipelineError>,
}

/// Why another file cannot be run as a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubPipelineError {
    /// It holds none.
    NoPipeline,
    /// The one it holds has an error.
    Error {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

impl<'a> LintContext<'a> {
    /// A pipeline to be checked.
    pub fn new(
        text: &'a str,
        tree: &'a ast::Graph,
        graph: &'a graph::Graph,
        pipeline: &'a Pipeline,
        input: LintInput<'a>,
    ) -> Self {
        Self {
            text,
            tree,
            graph,
            pipeline,
            siblings: input.siblings,
            options: input.options,
            files: input.files,
            scope: input.scope,
            check_sub_pipeline: input.check_sub_pipeline,
            paths: OnceCell::new(),
            loops: OnceCell::new(),
            keys: OnceCell::new(),
            known_keys: OnceCell::new(),
            dominators: OnceCell::new(),
            attributes: OnceCell::new(),
            unknown_attributes: OnceCell::new(),
            stylesheet_declarations: OnceCell::new(),
            templates: OnceCell::new(),
            edge_conditions: OnceCell::new(),
            outgoing_conditions: OnceCell::new(),
            node_conditions: OnceCell::new(),
            labels: OnceCell::new(),
            node_index: OnceCell::new(),
            node_name_typos: OnceCell::new(),
            value_typos: OnceCell::new(),
            value_typo_nodes: OnceCell::new(),
        }
    }

    /// Where a run can go, retry targets and branches included. Computed once.
    pub fn paths(&self) -> &Paths {
        self.paths.get_or_init(|| Paths::of(self.pipeline))
    }

    /// The loops of the pipeline. Computed once.
    pub fn loops(&self) -> &Loops {
        self.loops.get_or_init(|| Loops::of(self.pipeline))
    }

    /// Who sets which context key. Computed once.
    pub fn keys(&self) -> &Keys {
        self.keys
            .get_or_init(|| Keys::of(self.pipeline, self.paths()).with_inputs(&self.options.inputs))
    }

    /// The keys that something is known to set. Collected once.
    pub(crate) fn known_keys(&self) -> &KnownKeys<'a> {
        self.known_keys
            .get_or_init(|| KnownKeys::of(self.pipeline, &self.options.inputs))
    }

    /// Which node every path to another passes last. Computed once.
    pub fn dominators(&self) -> &Dominators {
        self.dominators
            .get_or_init(|| Dominators::of(self.pipeline))
    }

    /// Every attribute in the file, by the type of its value. Computed once.
    pub(crate) fn attributes(&self) -> &AttributeIndex<'a> {
        self.attributes
            .get_or_init(|| AttributeIndex::of(self.pipeline, &self.options.custom_handlers))
    }

    /// Templates and commands with braces. Parsed once.
    pub(crate) fn templates(&self) -> &Templates<'a> {
        self.templates
            .get_or_init(|| Templates::of(self.attributes()))
    }

    /// What stylesheets in the file declare. Parsed once.
    pub(crate) fn stylesheet_declarations(&self) -> &[StylesheetDeclaration<'a>] {
        self.stylesheet_declarations
            .get_or_init(|| stylesheet_declarations::declarations(self.attributes()))
    }

    /// Attributes unknown to the element they are on, each position in the file once. Custom handlers may use any.
    /// Collected once.
    pub(crate) fn unknown_attributes(&self) -> &[AttributeSite<'a>] {
        self.unknown_attributes.get_or_init(|| {
            let is_custom = |target: AttributeTarget| {
                let owner = target.owner(self.pipeline);
                owner == Owner::Node(NodeKind::Custom)
            };
            let mut seen = FxHashSet::default();
            let mut unknown = self.attributes().unknown.clone();
            unknown.retain(|site| {
                let range = site.attribute.key_range();
                !is_custom(site.target) && range.is_some_and(|range| seen.insert(range))
            });
            unknown
        })
    }

    /// Conditions of edges. Collected once.
    pub(crate) fn edge_conditions(&self) -> &EdgeConditions<'a> {
        self.edge_conditions
            .get_or_init(|| EdgeConditions::of(self.pipeline))
    }

    /// Nodes with conditions to reason about. Collected once.
    pub(crate) fn outgoing_conditions(&self) -> &[OutgoingConditions<'a>] {
        self.outgoing_conditions
            .get_or_init(|| OutgoingConditions::all(self.pipeline, &self.edge_conditions().all))
    }

    /// Conditions that are not on edges. Read once.
    pub(crate) fn node_conditions(&self) -> &[NodeCondition<'a>] {
        self.node_conditions
            .get_or_init(|| NodeCondition::all(self.attributes()))
    }

    /// Whether an edge of the node has that label.
    pub(crate) fn is_label(&self, node: NodeIx, word: &str) -> bool {
        let pipeline = self.pipeline;
        let labels = self.labels.get_or_init(|| {
            let labelled = pipeline.edges.iter();
            labelled
                .filter_map(|edge| Some((edge.from, edge.label()?)))
                .collect()
        });
        labels.contains(&(node, word))
    }

    /// The nodes by kind. Computed once.
    fn node_index(&self) -> &NodeIndex {
        self.node_index.get_or_init(|| NodeIndex::of(self.pipeline))
    }

    /// The nodes of some kinds, one kind after the other, each in the order of the pipeline.
    pub(crate) fn nodes_of<const N: usize>(
        &self,
        kinds: [NodeKind; N],
    ) -> impl Iterator<Item = (NodeIx, &'a Node)> {
        let pipeline = self.pipeline;
        let nodes = self.node_index().of_kinds(kinds);
        nodes.filter_map(move |ix| Some((ix, pipeline.node(ix)?)))
    }

    /// The nodes that have one of these attributes, by canonical name.
    pub(crate) fn nodes_with_any<const N: usize>(
        &self,
        names: [&'static str; N],
    ) -> impl Iterator<Item = (NodeIx, &'a Node)> {
        let pipeline = self.pipeline;
        let nodes = self.node_index().with_any(names);
        nodes.filter_map(move |ix| Some((ix, pipeline.node(ix)?)))
    }

    /// The nodes that have an attribute of that canonical name.
    pub(crate) fn nodes_with(
        &self,
        name: &'static str,
    ) -> impl Iterator<Item = (&'a Node, Attribute<'a>)> {
        self.nodes_with_any([name])
            .filter_map(move |(_, node)| Some((node, node.attributes.get(name)?)))
    }

    /// Nodes whose name is a typo. Compared once.
    pub(crate) fn node_name_typos(&self) -> &[NodeNameTypo] {
        self.node_name_typos
            .get_or_init(|| node_name_typos::all(self.pipeline))
    }

    /// What a node is meant to be whose name is a typo.
    pub(crate) fn node_name_typo(&self, node: NodeIx) -> Option<NodeNameTypo> {
        let all = self.node_name_typos();
        let at = all.binary_search_by_key(&node, |typo| typo.node).ok()?;
        all.get(at).copied()
    }

    /// Values in conditions that a key never has. Compared once.
    pub(crate) fn value_typos(&self) -> &[ValueTypo<'a>] {
        self.value_typos.get_or_init(|| {
            let (edges, nodes) = (self.edge_conditions(), self.node_conditions());
            let suspects = conditions(edges, nodes, ValueTypo::may_be_in);
            ValueTypo::all(self.text, self.pipeline, &suspects)
        })
    }

    /// Whether a condition of a node's edges has a value that its key never has: what else there is to say of these
    /// edges follows from it.
    pub(crate) fn has_value_typo(&self, node: NodeIx) -> bool {
        let nodes = self.value_typo_nodes.get_or_init(|| {
            let typos = self.value_typos().iter();
            typos.filter_map(|typo| typo.node).collect()
        });
        nodes.contains(&node)
    }

    /// Builds edits for fixes.
    pub fn edits(&self) -> Edits<'a> {
        Edits::new(self.text, self.tree)
    }
}
