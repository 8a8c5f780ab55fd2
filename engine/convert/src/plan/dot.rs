//! Plans → the text of digraphs, and where each part of it comes from.

use std::borrow::Cow;
use std::fmt::Write;

use attractor_dot::TextRange;
use attractor_dot::strings::quote;

use super::places::member;
use super::types::{Edge, Node, Plan};
use super::words::{ALWAYS, field_of};

/// The DOT text of plans.
#[derive(Debug, Default)]
pub(super) struct DotText {
    pub(super) text: String,
    /// What parts of it come from. A part inside another one follows it.
    pub(super) origins: Vec<Origin>,
}

/// What a part of the text comes from.
#[derive(Debug)]
pub(super) struct Origin {
    pub(super) range: TextRange,
    /// JSON Pointers of it; the first one that exists counts.
    pub(super) pointers: Vec<String>,
    /// Whether it is a value, written as it is in the plan.
    pub(super) is_value: bool,
}

/// The plans, one digraph for each.
pub(super) fn graphs(plans: &[Plan]) -> DotText {
    let mut out = DotText::default();
    for plan in plans {
        if !out.text.is_empty() {
            out.text.push('\n');
        }
        out.part(vec![plan.pointer.clone()], |out| out.graph(plan));
    }
    out
}

impl DotText {
    fn graph(&mut self, plan: &Plan) {
        let _ = writeln!(self.text, "digraph {} {{", quote(&plan.id));
        for pair in &plan.attributes {
            self.text.push_str("    ");
            self.pair(&plan.pointer, pair);
            self.text.push('\n');
        }
        self.text.push('\n');
        for node in &plan.nodes {
            self.text.push_str("    ");
            self.part(vec![node.pointer.clone()], |out| out.node(node));
            self.text.push('\n');
        }
        self.text.push('\n');
        for edge in &plan.edges {
            self.text.push_str("    ");
            self.part(vec![edge.pointer.clone()], |out| out.edge(plan, edge));
            self.text.push('\n');
        }
        self.text.push_str("}\n");
    }

    fn node(&mut self, node: &Node) {
        self.text.push_str(&quote(&node.id));
        let (open, between, close) = match node.attributes.as_slice() {
            [] => return,
            [_] => (" [", "", "]"),
            _ => (" [\n        ", ",\n        ", "\n    ]"),
        };
        self.text.push_str(open);
        for (index, pair) in node.attributes.iter().enumerate() {
            if index > 0 {
                self.text.push_str(between);
            }
            self.pair(&node.pointer, pair);
        }
        self.text.push_str(close);
    }

    /// `always` among other conditions is the default: an edge without a condition.
    fn edge(&mut self, plan: &Plan, edge: &Edge) {
        let is_always = |edge: &Edge| edge.condition.as_deref().is_none_or(|word| word == ALWAYS);
        let mut siblings = plan.edges.iter().filter(|other| other.from == edge.from);
        let rest = is_always(edge) && siblings.any(|other| !is_always(other));
        let condition = edge.condition.as_ref().filter(|_| !rest);
        let condition = condition.map(|text| ("condition".to_owned(), text.clone()));
        let _ = write!(self.text, "{} -> {}", quote(&edge.from), quote(&edge.to));
        let pairs = condition.iter().chain(&edge.attributes);
        for (index, pair) in pairs.enumerate() {
            self.text.push_str(if index == 0 { " [" } else { ", " });
            self.pair(&edge.pointer, pair);
        }
        if condition.is_some() || !edge.attributes.is_empty() {
            self.text.push(']');
        }
        if let Some(rule) = edge.allowed {
            let _ = write!(self.text, " // attractor: allow({rule})");
        }
    }

    fn pair(&mut self, owner: &str, (name, value): &(String, String)) {
        let pointers = fields(name).map(|field| member(owner, field));
        let pointers: Vec<String> = pointers.chain([owner.to_owned()]).collect();
        self.part(pointers.clone(), |out| {
            let _ = write!(out.text, "{}=", quote(name));
            let start = out.text.len();
            out.text.push_str(&quoted(value));
            out.origins.push(Origin {
                range: TextRange::new(start, out.text.len()),
                pointers,
                is_value: true,
            });
        });
    }

    /// Writes a part of the text that comes from one place.
    fn part(&mut self, pointers: Vec<String>, write: impl FnOnce(&mut Self)) {
        let start = self.text.len();
        let index = self.origins.len();
        write(self);
        let range = TextRange::new(start, self.text.len());
        let origin = Origin {
            range,
            pointers,
            is_value: false,
        };
        self.origins.insert(index, origin);
    }
}

/// The fields of a plan that an attribute may come from.
fn fields(attribute: &str) -> impl Iterator<Item = &str> {
    let own = match attribute {
        "label" => Some("name"),
        "shape" | "handler" => Some("type"),
        _ => field_of(attribute),
    };
    own.into_iter().chain([attribute])
}

/// A text as a value in DOT: in pipelines a backslash is an escape.
fn quoted(text: &str) -> Cow<'_, str> {
    let plain = quote(text);
    if matches!(plain, Cow::Borrowed(_)) {
        return plain;
    }
    Cow::Owned(quote(&text.replace('\\', "\\\\")).into_owned())
}
