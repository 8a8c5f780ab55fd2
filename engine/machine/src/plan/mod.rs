//! What is walked: the pipeline that was started and the others it may call, with the questions the
//! machine asks of them. Immutable for the length of a run.

pub mod node_order;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use attractor_model::{Edge, Node, NodeIx, NodeKind, NodeWork, Pipeline};

use crate::context::large_values::{LargeValues, NoLargeValues};

/// Pipelines by name.
#[derive(Debug, Clone)]
pub struct Plan {
    root: Arc<Pipeline>,
    library: Vec<Arc<Pipeline>>,
    /// Large values of the context: what one of them holds never changes.
    large: Arc<dyn LargeValues>,
}

/// A node in its pipeline.
#[derive(Clone, Copy)]
pub struct NodeRef<'p> {
    /// The pipeline.
    pub pipeline: &'p Pipeline,
    /// The index of the node.
    pub ix: NodeIx,
    /// The node.
    pub node: &'p Node,
}

impl Plan {
    /// `root` is what runs; `library` holds what it may call.
    pub fn new(root: Arc<Pipeline>, library: Vec<Arc<Pipeline>>) -> Self {
        Self {
            root,
            library,
            large: Arc::new(NoLargeValues),
        }
    }

    /// The same with the large values of a run.
    #[must_use]
    pub fn knowing(self, large: Arc<dyn LargeValues>) -> Self {
        Self { large, ..self }
    }

    /// Where large values are.
    pub fn large_values(&self) -> &dyn LargeValues {
        self.large.as_ref()
    }

    /// The pipeline that was started.
    pub fn root(&self) -> &Pipeline {
        &self.root
    }

    /// A pipeline by the name frames use; none is the one that was started.
    pub(crate) fn graph(&self, name: Option<&str>) -> Option<&Pipeline> {
        match name {
            None => Some(&self.root),
            Some(name) => self
                .library
                .iter()
                .chain([&self.root])
                .find(|pipeline| pipeline.name == name)
                .map(Arc::as_ref),
        }
    }

    /// A pipeline by what a node writes: a name, or a file whose name without its ending is one.
    pub fn called(&self, written: &str) -> Option<&Pipeline> {
        self.graph(Some(written)).or_else(|| {
            let name = written.rsplit(['/', '\\']).next().unwrap_or(written);
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            self.graph(Some(stem))
        })
    }

    /// A node of a pipeline.
    pub fn node_ref(&self, graph: Option<&str>, id: &str) -> Option<NodeRef<'_>> {
        let pipeline = self.graph(graph)?;
        let ix = pipeline.by_id(id)?;
        let node = pipeline.node(ix)?;
        Some(NodeRef { pipeline, ix, node })
    }
}

impl<'p> NodeRef<'p> {
    /// What the node does itself: what its kind does, or what its attributes ask for.
    pub fn work(self) -> NodeWork {
        match self.node.kind.work() {
            NodeWork::Optional if self.written("command").is_some() => NodeWork::Commands,
            NodeWork::Optional if self.written("prompt").is_some() => NodeWork::Model,
            work => work,
        }
    }

    /// Another node of the same pipeline.
    pub fn at(self, id: &str) -> Option<Self> {
        let ix = self.pipeline.by_id(id)?;
        let node = self.pipeline.node(ix)?;
        Some(Self { ix, node, ..self })
    }

    /// Edges that leave, in routing order.
    pub(crate) fn outgoing(self) -> impl Iterator<Item = &'p Edge> {
        self.pipeline
            .outgoing(self.ix)
            .iter()
            .filter_map(move |ix| self.pipeline.edge(*ix))
    }

    /// Edges that leave, as the author wrote them, unless priority or weight says otherwise.
    pub(crate) fn outgoing_as_written(self) -> Vec<&'p Edge> {
        let mut edges: Vec<_> = self.outgoing().collect();
        edges.sort_by_key(|edge| {
            let range = edge.range();
            let order = (edge.priority, Reverse(edge.weight));
            (order, range.start(), range.end())
        });
        edges
    }

    /// The text of an attribute that is set for the node.
    pub fn written(self, name: &str) -> Option<&'p str> {
        self.node
            .attributes
            .get(name)
            .map(attractor_model::Attribute::value)
            .filter(|text| !text.trim().is_empty())
    }

    /// A word of an attribute that is set for the node, normalized for comparison: trimmed, in lower case.
    pub fn word(self, name: &str) -> Option<String> {
        self.written(name)
            .map(|word| word.trim().to_ascii_lowercase())
    }

    /// The same, and else what the graph says for all nodes.
    pub fn inherited(self, name: &str) -> Option<&'p str> {
        self.written(name).or_else(|| {
            self.pipeline
                .attributes
                .get(name)
                .map(attractor_model::Attribute::value)
                .filter(|text| !text.trim().is_empty())
        })
    }

    /// A truth value of the node; false when absent.
    pub fn flag(self, name: &str) -> bool {
        self.node.attributes.bool(name).unwrap_or(false)
    }

    /// A duration of the node in milliseconds.
    pub(crate) fn millis(self, name: &str) -> Option<u64> {
        self.node.attributes.duration(name).map(to_millis)
    }

    /// What the node itself says about its time, in milliseconds; `0` is not a limit.
    pub(crate) fn own_timeout(self) -> Option<u64> {
        let written = self.node.attributes.get("timeout")?;
        let limit = self.millis("timeout").filter(|limit| *limit > 0);
        limit.filter(|_| written.is_own())
    }

    /// A count of the node.
    pub(crate) fn count(self, name: &str) -> Option<u32> {
        let value = self.node.attributes.int(name)?;
        u32::try_from(value).ok()
    }

    /// What a supervisor or pipeline node calls, as written; `None` when it starts nothing.
    pub fn called(self) -> Option<&'p str> {
        let calls = matches!(self.node.kind, NodeKind::Supervisor | NodeKind::Pipeline);
        let watches = self.node.kind == NodeKind::Supervisor
            && self.node.attributes.bool("stack.child_autostart") == Some(false);
        let written = self
            .written("sub_pipeline")
            .or_else(|| self.inherited("stack.child_dotfile"));
        written.map(str::trim).filter(|_| calls && !watches)
    }
}

/// Milliseconds, saturating.
pub fn to_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Every node that can be reached from `from`, `from` included, without leaving `wall`.
pub(crate) fn reachable(
    pipeline: &Pipeline,
    from: NodeIx,
    wall: Option<NodeIx>,
) -> BTreeSet<NodeIx> {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if Some(at) == wall {
            continue;
        }
        for next in pipeline.successors(at) {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}

/// The nodes of a branch: what can be reached from `start` short of `stops`.
pub(crate) fn branch_nodes<'p>(
    pipeline: &'p Pipeline,
    start: &str,
    stops: &BTreeSet<String>,
) -> BTreeSet<&'p str> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<NodeIx> = pipeline.by_id(start).into_iter().collect();
    while let Some(at) = open.pop() {
        let id = pipeline.id(at);
        if !stops.contains(id) && seen.insert(id) {
            open.extend(pipeline.successors(at));
        }
    }
    seen
}

/// Where branches that begin at `starts` meet: nodes all of them can reach, and the first fan-in on
/// each way that no inner parallel node claims.
pub(crate) fn meeting_points(
    pipeline: &Pipeline,
    split: NodeIx,
    starts: &[NodeIx],
) -> BTreeSet<NodeIx> {
    let mut distinct: Vec<NodeIx> = starts.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut stops = BTreeSet::new();
    if let [first, rest @ ..] = distinct.as_slice()
        && !rest.is_empty()
    {
        stops = reachable(pipeline, *first, Some(split));
        for start in rest {
            let own = reachable(pipeline, *start, Some(split));
            stops.retain(|node| own.contains(node));
        }
        // A branch that leads into another one does not make that one's beginning a place to meet.
        stops.retain(|node| !distinct.contains(node));
    }
    for start in &distinct {
        first_fan_ins(pipeline, *start, &mut stops);
    }
    stops.insert(split);
    stops
}

fn first_fan_ins(pipeline: &Pipeline, start: NodeIx, stops: &mut BTreeSet<NodeIx>) {
    let mut seen = BTreeSet::from([(start, 0_u32)]);
    let mut open = vec![(start, 0_u32)];
    while let Some((at, depth)) = open.pop() {
        let depth = match pipeline.node(at).map(|node| node.kind) {
            Some(NodeKind::FanIn) if depth == 0 => {
                stops.insert(at);
                continue;
            }
            Some(NodeKind::FanIn) => depth - 1,
            // Deeper nesting than this walks the same nodes again and finds nothing new.
            Some(NodeKind::Parallel) => (depth + 1).min(8),
            _ => depth,
        };
        for next in pipeline.successors(at) {
            if seen.insert((next, depth)) {
                open.push((next, depth));
            }
        }
    }
}
