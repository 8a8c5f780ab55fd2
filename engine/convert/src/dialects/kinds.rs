//! Nodes the dialect would take for something else: their shape is changed, or what they are is written out.

use std::collections::HashMap;

use attractor_dot::{Edit, TextRange, strings};

use super::names::Words;
use super::spelling;
use super::step::Step;
use attractor_dot::graph_edits::Edits;
use attractor_lang::stylesheet::{self, PartKind};
use attractor_model::Dialect;
use attractor_model::catalogue::NodeKind;
use attractor_model::lower::{kind_of_shape, shape_of};
use attractor_model::{Node, Pipeline};

/// What decides what a node does.
fn decided(node: &Node) -> (NodeKind, Option<&str>, bool, bool) {
    let custom = node.custom_handler.as_deref();
    (node.kind, custom, node.start, node.terminal)
}

/// Whether every node is the same in both.
pub(super) fn agree(meant: &Pipeline, read: &Pipeline) -> bool {
    let mut both = meant.nodes.iter().zip(&read.nodes);
    both.all(|(meant, read)| decided(meant) == decided(read))
}

/// Other shapes. A stylesheet that selects by the old or the new shape keeps the old one.
pub(super) fn shapes(step: &Step<'_>) -> Vec<Edit> {
    if agree(step.meant, step.read) {
        return Vec::new();
    }
    let selected = selected(step.read);
    let mut shapes = Words::default();
    let both = step.meant.nodes.iter().zip(&step.read.nodes);
    for ((meant, read), node) in both.zip(&step.graph.nodes) {
        let shape = step.graph.find(node.attributes, "shape");
        let Some(shape) = shape.filter(|shape| !shape.inherited) else {
            continue;
        };
        let written = step.graph.value_of(shape);
        let kind = match (meant.start && !read.start, meant.terminal && !read.terminal) {
            (true, _) => NodeKind::Start,
            (false, true) => NodeKind::Exit,
            (false, false) => meant.kind,
        };
        let wanted = shape_of(step.dialect, kind)
            .filter(|_| decided(meant) != decided(read) || misleads(step.dialect, written, meant))
            .filter(|new| ![written, *new].into_iter().any(&selected))
            .unwrap_or(written);
        shapes.ask(shape.value_id.range, written, wanted);
    }
    let changes = shapes.changes();
    changes
        .map(|(place, shape)| Edit::replace(place, strings::quote(shape)))
        .collect()
}

/// Whether a dialect takes the shape for a mark of the start or an exit that the node is not.
fn misleads(dialect: Dialect, shape: &str, meant: &Node) -> bool {
    match kind_of_shape(dialect, shape) {
        Some(NodeKind::Start) => !meant.start,
        Some(NodeKind::Exit) => !meant.terminal,
        _ => false,
    }
}

/// Whether a stylesheet asks for a shape.
fn selected(pipeline: &Pipeline) -> impl Fn(&str) -> bool + use<> {
    let text = pipeline.attributes.get("model_stylesheet");
    let sheet = text.map(|text| stylesheet::parse(text.value()).0);
    let selectors = sheet.into_iter().flat_map(|sheet| sheet.rules);
    let parts = selectors
        .flat_map(|rule| rule.selectors)
        .flat_map(|selector| selector.parts);
    let asked: Vec<String> = parts
        .filter_map(|part| match part.kind {
            PartKind::Name(name) => Some(name),
            PartKind::Attribute { name, value } if name == "shape" => Some(value),
            _ => None,
        })
        .collect();
    move |shape| asked.iter().any(|name| name == shape)
}

/// The handler, where no shape says it.
pub(super) fn handlers(step: &Step<'_>) -> Vec<Edit> {
    let name = match step.dialect {
        Dialect::Attractor => "handler",
        _ => "type",
    };
    added(step, |meant, read| {
        let same = meant.kind == read.kind && meant.custom_handler == read.custom_handler;
        let word = match &meant.custom_handler {
            Some(custom) => custom,
            None => spelling::kind(step.dialect, meant.kind),
        };
        (!same).then_some((name, word)).into_iter().collect()
    })
}

/// Where a run begins and ends, where no shape or handler says it.
pub(super) fn ends(step: &Step<'_>) -> Vec<Edit> {
    added(step, |meant, read| {
        let start = (meant.start && !read.start).then_some(("start", "true"));
        let terminal = (meant.terminal && !read.terminal).then_some(("terminal", "true"));
        start.into_iter().chain(terminal).collect()
    })
}

/// Adds attributes to statements whose nodes all want the same.
fn added<'s>(
    step: &Step<'s>,
    wanted: impl Fn(&'s Node, &'s Node) -> Vec<(&'static str, &'s str)>,
) -> Vec<Edit> {
    let mut statements: HashMap<TextRange, Option<Vec<(&str, &str)>>> = HashMap::new();
    let both = step.meant.nodes.iter().zip(&step.read.nodes);
    for (meant, read) in both.filter(|(_, read)| read.declared) {
        let pairs = wanted(meant, read);
        let all = statements
            .entry(read.statement)
            .or_insert_with(|| Some(pairs.clone()));
        if all.as_ref() != Some(&pairs) {
            *all = None;
        }
    }
    let edits = Edits::new(step.text, step.tree);
    let agreed = statements.into_iter().flat_map(|(statement, pairs)| {
        pairs
            .into_iter()
            .flatten()
            .map(move |pair| (statement, pair))
    });
    agreed
        .map(|(statement, (name, value))| edits.add_attribute(statement, name, value))
        .collect()
}
