//! Edges of a pipeline.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::attributes::AttributeCollector;
use crate::attributes::{Attribute, Attributes, Canonical, Meanings};
use crate::catalogue::{Owner, values};
use crate::pipeline::{Edge, NodeIx};
use attractor_lang::condition::{self, Condition};

/// Gathers the attributes of edges.
pub(super) fn collect(collector: &mut AttributeCollector) -> Vec<Canonical> {
    let edges = 0..collector.graph().edges.len();
    let canonical = edges.map(|at| {
        let edge = collector.graph().edges.get(at);
        let list = edge.map_or_else(Default::default, |edge| edge.attributes);
        collector.canonical(Owner::Edge, list)
    });
    canonical.collect()
}

/// The edges, once the attributes of all are gathered.
pub(super) fn build(attributes: &[Canonical], meanings: &Arc<Meanings>) -> Vec<Edge> {
    // Few texts say what most edges ask: each is parsed once and shared.
    let mut conditions: FxHashMap<String, Option<Arc<Condition>>> = FxHashMap::default();
    let edges = meanings.graph().edges.iter().zip(attributes);
    let edges = edges.map(|(edge, attributes)| {
        let attributes = Attributes::new(Owner::Edge, *attributes, Arc::clone(meanings));
        let condition = attributes.get("condition").map_or("", Attribute::value);
        let condition = match conditions.get(condition) {
            _ if condition.trim().is_empty() => None,
            Some(known) => known.clone(),
            None => {
                let parsed = parse_condition(condition);
                conditions.insert(condition.to_owned(), parsed.clone());
                parsed
            }
        };
        Edge {
            from: NodeIx::new(edge.from()),
            to: NodeIx::new(edge.to()),
            condition,
            priority: number(&attributes, "priority"),
            weight: number(&attributes, "weight"),
            freeform: flag(&attributes, "freeform"),
            loop_restart: flag(&attributes, "loop_restart"),
            attributes,
            statement: edge.range,
            to_range: edge.to_range,
            from_range: edge.from_range,
        }
    });
    edges.collect()
}

/// A whole number; zero if it is not set.
#[inline]
fn number(attributes: &Attributes, name: &str) -> i64 {
    let written = attributes.get(name);
    written
        .and_then(|written| values::integer(written.value()))
        .unwrap_or(0)
}

/// A boolean; false if it is not set.
#[inline]
fn flag(attributes: &Attributes, name: &str) -> bool {
    let written = attributes.get(name);
    written.and_then(|written| values::boolean(written.value())) == Some(true)
}

fn parse_condition(text: &str) -> Option<Arc<Condition>> {
    let (condition, errors) = condition::parse(text);
    errors.is_empty().then(|| Arc::new(condition))
}
