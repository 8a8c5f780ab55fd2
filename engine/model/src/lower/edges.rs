//! Edges of a pipeline.

use std::sync::Arc;

use attractor_dot::Substr;
use attractor_dot::graph::Graph;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::attributes::Canonical;
use crate::attributes::{Attributes, Gathered, Gathers};
use crate::catalogue::{Owner, values};
use crate::lang::condition::{self, Condition};
use crate::pipeline::{Edge, NodeIx};

/// Gathers the attributes of edges.
pub(super) fn gather(canonical: &mut Canonical<'_>, graph: &Graph) -> Vec<Gathered> {
    let edges = graph.edges.iter();
    edges
        .map(|edge| canonical.gather(Owner::Edge, edge.attributes))
        .collect()
}

/// The edges, once the attributes of all are gathered.
pub(super) fn build(graph: &Graph, attributes: &[Gathered], gathered: &Gathers) -> Vec<Edge> {
    // Few texts say what most edges ask: each is parsed once and shared.
    let mut conditions: FxHashMap<Substr, Option<Arc<Condition>>> = FxHashMap::default();
    let edges = graph.edges.iter().zip(attributes);
    let edges = edges.map(|(edge, attributes)| {
        let attributes = Attributes::new(Owner::Edge, *attributes, gathered);
        let written = attributes
            .get("condition")
            .filter(|written| !written.value.trim().is_empty());
        let condition = written.and_then(|written| {
            conditions
                .entry(written.value.clone())
                .or_insert_with(|| parse_condition(&written.value))
                .clone()
        });
        Edge {
            from: NodeIx::new(edge.from),
            to: NodeIx::new(edge.to),
            label: attributes
                .get("label")
                .filter(|label| !label.value.trim().is_empty())
                .map(|label| SmolStr::new(&label.value)),
            condition,
            condition_text: written.map(|written| written.value.clone()),
            priority: number(&attributes, "priority"),
            weight: number(&attributes, "weight"),
            freeform: flag(&attributes, "freeform"),
            loop_restart: flag(&attributes, "loop_restart"),
            attributes,
            range: edge.from_range.cover(edge.to_range),
            statement: edge.range,
            to_range: edge.to_range,
            from_range: edge.from_range,
        }
    });
    edges.collect()
}

/// A whole number; zero when nobody wrote one.
#[inline]
fn number(attributes: &Attributes, name: &str) -> i64 {
    let written = attributes.get(name);
    written
        .and_then(|written| values::integer(&written.value))
        .unwrap_or(0)
}

/// A truth value; false when nobody wrote one.
#[inline]
fn flag(attributes: &Attributes, name: &str) -> bool {
    let written = attributes.get(name);
    written.and_then(|written| values::boolean(&written.value)) == Some(true)
}

fn parse_condition(text: &str) -> Option<Arc<Condition>> {
    let (condition, errors) = condition::parse(text);
    errors.is_empty().then(|| Arc::new(condition))
}
