//! The probable targets and sources of an edge at the cursor.
//!
//! A score for every node of the graph, from what the rest of the graph shows: nodes that nothing leads to yet, the
//! order of declaration, the edges before and after the cursor, and where edges with the same condition or label
//! lead. Linear in nodes and edges.

use attractor_dot::TextRange;
use attractor_dot::graph::{Edge, Graph, Node};

use super::CompletionContext;
use crate::walk;

/// What the scores depend on.
pub(super) struct EdgeScores<'a> {
    ctx: &'a CompletionContext<'a>,
    graph: &'a Graph,
    /// Edges that lead to each node, and that leave it, but those at the cursor.
    incoming: Vec<u32>,
    outgoing: Vec<u32>,
    /// The place of each node in the order of declaration.
    order: Vec<f64>,
    /// The nodes of the edge before the cursor, and the source of the next edge.
    before: Option<(usize, usize, bool)>,
    next: Option<usize>,
}

impl<'a> EdgeScores<'a> {
    /// Analyzes the graph around the cursor.
    pub(super) fn new(ctx: &'a CompletionContext<'a>) -> Option<Self> {
        let graph = &*ctx.doc.graph(ctx.cursor.graph?)?.graph;
        let mut this = Self {
            ctx,
            graph,
            incoming: vec![0; graph.nodes.len()],
            outgoing: vec![0; graph.nodes.len()],
            order: order(graph),
            before: None,
            next: None,
        };
        let offset = ctx.cursor.offset;
        let (mut last, mut first) = (0, usize::MAX);
        for edge in &graph.edges {
            if edge.from_range.start() > offset && edge.from_range.start() < first {
                first = edge.from_range.start();
                this.next = Some(edge.from());
            }
            if this.is_at_cursor(edge) {
                continue;
            }
            add(&mut this.incoming, edge.to());
            add(&mut this.outgoing, edge.from());
            if edge.to_range.end() <= offset && edge.to_range.end() > last {
                last = edge.to_range.end();
                let is_one_of_several = ["condition", "label"]
                    .iter()
                    .any(|name| graph.value(edge.attributes, name).is_some());
                this.before = Some((edge.from(), edge.to(), is_one_of_several));
            }
        }
        Some(this)
    }

    /// How likely an edge from `from` leads to each node.
    pub(super) fn targets(&self, from: Option<&str>) -> Vec<f64> {
        let source = from.and_then(|from| self.graph.node(from));
        let mut scores = self.each(|at, node| {
            let mut score = popularity(self.incoming.get(at));
            if self.is_start(node) {
                score -= 6.0;
            } else if self.incoming.get(at) == Some(&0) {
                score += 3.0;
            }
            if let Some(distance) = source.and_then(|source| self.distance(source, at)) {
                score += if distance > 0.0 {
                    2.5 / distance
                } else {
                    0.5 / (1.0 - distance)
                };
            }
            if source == Some(at) {
                score -= 9.0;
            }
            if let Some(source) = source.and_then(|source| self.graph.nodes.get(source)) {
                score += resemblance(&source.id, &node.id);
            }
            if self.next == Some(at) {
                score += 1.5;
            }
            score
        });
        let own: Vec<(String, String)> = self.attributes_after_cursor();
        for (name, value) in &own {
            let alike = self
                .elsewhere()
                .filter(|edge| self.graph.value(edge.attributes, name) == Some(value));
            let targets: Vec<usize> = alike.map(Edge::to).collect();
            let each = 2.5 / count(targets.len() + 1);
            for target in targets {
                raise(&mut scores, target, each);
            }
        }
        if let Some(source) = source {
            self.raise_by_habit(source, &own, &mut scores);
            let mut taken: Vec<usize> = self
                .elsewhere()
                .filter(|edge| edge.from() == source)
                .map(Edge::to)
                .collect();
            taken.sort_unstable();
            taken.dedup();
            for target in taken {
                raise(&mut scores, target, -3.0);
            }
        }
        scores
    }

    /// Edges alike mostly lead equally far: on to the next node, or back by the same number of nodes. Alike are those
    /// with the same condition or label, else those that are as many-th of their source as this one.
    fn raise_by_habit(&self, source: usize, own: &[(String, String)], scores: &mut [f64]) {
        let number = self.outgoing.get(source).copied().unwrap_or(0);
        let mut seen = vec![0_u32; self.graph.nodes.len()];
        let mut steps: Vec<(i64, f64)> = Vec::new();
        for edge in self.elsewhere() {
            let which = seen.get(edge.from()).copied().unwrap_or(0);
            add(&mut seen, edge.from());
            let is_alike = if own.is_empty() {
                which == number
            } else {
                own.iter()
                    .any(|(name, value)| self.graph.value(edge.attributes, name) == Some(value))
            };
            if !is_alike || edge.from() == source {
                continue;
            }
            let (Some(from), Some(to)) = (self.order.get(edge.from()), self.order.get(edge.to()))
            else {
                continue;
            };
            #[expect(
                clippy::cast_possible_truncation,
                reason = "both are small whole numbers"
            )]
            let step = (to - from) as i64;
            match steps.iter_mut().find(|(known, _)| *known == step) {
                Some((_, times)) => *times += 1.0,
                None => steps.push((step, 1.0)),
            }
        }
        let total: f64 = steps.iter().map(|(_, times)| times).sum();
        let Some(here) = self.order.get(source) else {
            return;
        };
        for (at, place) in self.order.iter().enumerate() {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "both are small whole numbers"
            )]
            let step = (place - here) as i64;
            if let Some((_, times)) = steps.iter().find(|(known, _)| *known == step) {
                raise(scores, at, 3.5 * times / (total + 1.0));
            }
        }
    }

    /// Every edge but those at the cursor.
    fn elsewhere(&self) -> impl Iterator<Item = &'a Edge> {
        self.graph
            .edges
            .iter()
            .filter(|edge| !self.is_at_cursor(edge))
    }

    /// How likely an edge at the cursor comes from each node. `to` is where it leads, when it is typed already.
    pub(super) fn sources(&self, to: Option<&str>) -> Vec<f64> {
        let target = to.and_then(|to| self.graph.node(to));
        let mut scores = self.each(|at, node| {
            let mut score = 0.0;
            if self.is_exit(node) {
                score -= 6.0;
            } else if self.outgoing.get(at) == Some(&0) {
                score += 2.0;
            }
            if let Some((from, to, is_one_of_several)) = self.before {
                if at == from && is_one_of_several {
                    score += 2.5;
                }
                if at == to && self.outgoing.get(at) == Some(&0) {
                    score += 2.0;
                }
                if let Some(distance) = self.distance(from, at).filter(|far| *far > 0.0) {
                    score += 1.5 / distance;
                }
            }
            if self.next == Some(at) {
                score += 1.0;
            }
            if let Some(distance) = target.and_then(|target| self.distance(at, target)) {
                score += if distance > 0.0 { 1.5 / distance } else { 0.0 };
            }
            if target == Some(at) {
                score -= 5.0;
            }
            score
        });
        for edge in &self.graph.edges {
            if target.is_some() && Some(edge.to()) == target && !self.is_at_cursor(edge) {
                raise(&mut scores, edge.from(), -2.0);
            }
        }
        scores
    }

    fn each(&self, score: impl Fn(usize, &Node) -> f64) -> Vec<f64> {
        let nodes = self.graph.nodes.iter().enumerate();
        nodes.map(|(at, node)| score(at, node)).collect()
    }

    /// How far one node is declared after another.
    fn distance(&self, from: usize, to: usize) -> Option<f64> {
        Some(self.order.get(to)? - self.order.get(from)?)
    }

    /// Whether the cursor is at an end of the edge, or between its ends: such an edge may be another statement's.
    fn is_at_cursor(&self, edge: &Edge) -> bool {
        let (word, offset) = (self.ctx.cursor.word, self.ctx.cursor.offset);
        let is_typed = |range: TextRange| !word.is_empty() && word.contains_range(range);
        is_typed(edge.to_range)
            || is_typed(edge.from_range)
            || (edge.from_range.end() <= offset && offset <= edge.to_range.start())
    }

    fn is_start(&self, node: &Node) -> bool {
        let pipeline = self.ctx.pipeline();
        let found = pipeline.and_then(|pipeline| pipeline.node_by_id(&node.id));
        found.is_some_and(|node| node.start)
    }

    fn is_exit(&self, node: &Node) -> bool {
        let pipeline = self.ctx.pipeline();
        let found = pipeline.and_then(|pipeline| pipeline.node_by_id(&node.id));
        found.is_some_and(|node| node.terminal && !node.implicit_terminal)
    }

    /// The condition and label in the list that follows the cursor on its line.
    fn attributes_after_cursor(&self) -> Vec<(String, String)> {
        let doc = self.ctx.doc;
        let end = self.ctx.cursor.word.end().max(self.ctx.cursor.offset);
        let rest = doc.text.get(end..).unwrap_or_default();
        if !rest.trim_start_matches([' ', '\t']).starts_with('[') {
            return Vec::new();
        }
        let start = end + rest.find('[').unwrap_or_default();
        let path = walk::around(&doc.parse.file, start + 1).map(|(_, path)| path);
        let lists = path
            .into_iter()
            .flatten()
            .flat_map(attractor_dot::ast::Stmt::attributes)
            .filter(|list| list.range.start() == start);
        lists
            .flat_map(|list| &list.items)
            .filter_map(|attr| {
                let name = doc.decode(&attr.key);
                let value = attr.value?;
                matches!(&*name, "condition" | "label")
                    .then(|| (name.into_owned(), doc.decode(&value).into_owned()))
            })
            .collect()
    }
}

/// The place of each node in the order of declaration.
fn order(graph: &Graph) -> Vec<f64> {
    let start = |node: &Node| graph.definition(node).map_or(0, |home| home.range.start());
    let mut places: Vec<(usize, usize)> = graph
        .nodes
        .iter()
        .enumerate()
        .map(|(at, node)| (start(node), at))
        .collect();
    places.sort_unstable();
    let mut order = vec![0.0; places.len()];
    for (place, (_, at)) in places.into_iter().enumerate() {
        if let Some(slot) = order.get_mut(at) {
            *slot = count(place);
        }
    }
    order
}

/// Nodes of one piece of work often share a part of their names: `check_parser` and `fix_parser`.
fn resemblance(one: &str, other: &str) -> f64 {
    let tail = |id: &str| id.split_once('_').map(|(_, tail)| tail.to_owned());
    match (tail(one), tail(other)) {
        (Some(a), Some(b)) if a == b => 1.2,
        _ => 0.0,
    }
}

/// Where many edges lead, another may lead; it counts little.
fn popularity(edges: Option<&u32>) -> f64 {
    let edges = f64::from(edges.copied().unwrap_or(0));
    0.5 * edges / (edges + 2.0)
}

fn add(counts: &mut [u32], at: usize) {
    if let Some(count) = counts.get_mut(at) {
        *count += 1;
    }
}

fn raise(scores: &mut [f64], at: usize, by: f64) {
    if let Some(score) = scores.get_mut(at) {
        *score += by;
    }
}

/// A count as a number to reckon with.
fn count(of: usize) -> f64 {
    f64::from(u32::try_from(of).unwrap_or(u32::MAX))
}
