//! The values that a context key is known to take where a condition compares it.
//!
//! One domain for completion, lints and fixes: statuses, labels of edges, words that an enumeration lists, that a
//! command prints or that a prompt asks for. A domain is never complete, as commands and models may say more: what is
//! not in it may still occur, so a lint reports only a near miss of it. Linear in the texts of the nodes asked about.

mod spoken;

use attractor_lang::json_schema::{self, Schema};
use attractor_lang::status::STATUS_WORDS;

use crate::attributes::Attribute;
use crate::catalogue::{NodeKind, context_key, values};
use crate::pipeline::{Edge, Node, NodeIx, Pipeline};

/// What a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// How a node ended.
    Status,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// The label of an edge.
    Label,
    /// One of the classes of failures.
    FailureClass,
    /// What a command printed.
    Printed,
    /// What a model answered.
    Answer,
    /// Anything.
    Any,
}

/// Where a value is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueSource {
    /// A list of the language: statuses, booleans, classes of failures, an enumeration of a schema.
    Listed,
    /// The label of an edge.
    Label,
    /// A command prints it.
    Printed,
    /// A prompt or command names it as a value of the key.
    Named,
}

/// A value a key is known to take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownValue {
    /// The value.
    pub text: String,
    /// Where it is known from.
    pub source: ValueSource,
}

/// The words of `failure_class`.
pub const FAILURE_CLASSES: [&str; 14] = [
    "transient_infra",
    "timeout",
    "deterministic",
    "conflict",
    "loop",
    "no_route",
    "budget_exhausted",
    "authentication",
    "configuration",
    "bad_request",
    "permission",
    "canceled",
    "unanswered",
    "internal",
];

/// What a key holds, by its name. `context.` before it means nothing.
pub fn value_type(key: &str) -> ValueType {
    let key = bare(key);
    let last = last_part(key);
    match last {
        "preferred_label" => return ValueType::Label,
        "label" if key.ends_with("gate.label") => return ValueType::Label,
        "failure_class" => return ValueType::FailureClass,
        "last_line" | "stdout" => return ValueType::Printed,
        "last_response" | "last_codergen_output" => return ValueType::Answer,
        _ if key == "tool.output" => return ValueType::Printed,
        _ => {}
    }
    // `node.NODE.KEY` and `BRANCH.KEY` hold what `KEY` does.
    let after_dot = (last.len() < key.len()).then_some(last);
    let row = context_key(key).or_else(|| after_dot.and_then(context_key));
    match row.map(|row| row.ty) {
        Some("status") => ValueType::Status,
        Some("boolean") => ValueType::Boolean,
        Some("integer") => ValueType::Integer,
        _ if last == "status" => ValueType::Status,
        _ => ValueType::Any,
    }
}

/// The values that those who set a key give it.
pub(super) fn values_of(
    pipeline: &Pipeline,
    from: NodeIx,
    key: &str,
    setters: &[NodeIx],
) -> Vec<KnownValue> {
    let key = bare(key);
    let ty = value_type(key);
    let mut domain = Domain::default();
    match ty {
        ValueType::Status => domain.list(STATUS_WORDS.iter().map(|(word, _)| *word)),
        ValueType::Boolean => domain.list(["true", "false"]),
        ValueType::FailureClass => domain.list(FAILURE_CLASSES),
        ValueType::Integer
        | ValueType::Label
        | ValueType::Printed
        | ValueType::Answer
        | ValueType::Any => {}
    }
    for ix in setters.iter().copied() {
        let Some(node) = pipeline.node(ix) else {
            continue;
        };
        if matches!(ty, ValueType::Label) || key == "outcome" {
            domain.labels(pipeline, ix, node);
        }
        domain.schema(node, key);
        let is_output = key.strip_prefix("output.") == Some(&*node.id);
        for text in texts(node) {
            if ty == ValueType::Printed || is_output && node.kind == NodeKind::Tool {
                domain.extend(spoken::printed(text), ValueSource::Printed);
            }
            if ty == ValueType::Answer || is_output && node.kind.calls_model() {
                domain.extend(spoken::quoted(text), ValueSource::Named);
                domain.extend(spoken::capitals(text), ValueSource::Named);
            }
            for marker in markers(key, ty) {
                domain.extend(spoken::after(text, marker), ValueSource::Named);
            }
        }
    }
    if ty == ValueType::Label {
        let edges = pipeline.outgoing(from).iter();
        let edges = edges.filter_map(|edge| pipeline.edge(*edge));
        domain.extend(edges.filter_map(Edge::label), ValueSource::Label);
    }
    domain.values
}

/// A key without `context.`.
pub(super) fn bare(key: &str) -> &str {
    key.strip_prefix("context.").unwrap_or(key)
}

/// What follows the last dot of a key.
fn last_part(key: &str) -> &str {
    let dot = key.bytes().rposition(|byte| byte == b'.');
    dot.and_then(|dot| key.get(dot + 1..)).unwrap_or(key)
}

/// What comes before a value of the key in a text: its own name, and for a status the names models use.
fn markers(key: &str, ty: ValueType) -> impl Iterator<Item = &str> {
    let last = last_part(key);
    let others: &[&str] = match ty {
        ValueType::Status => &["outcome", "status"],
        ValueType::Label => &["preferred_label"],
        _ => &[],
    };
    let others = others.iter().copied().filter(move |other| *other != last);
    std::iter::once(last).chain(others)
}

/// The attributes that say what a node answers or prints.
const TEXTS: [&str; 4] = ["prompt", "command", "system_prompt", "user_instructions"];

/// Whether an attribute of the node may name values of keys.
pub(super) fn has_texts(node: &Node) -> bool {
    let attributes = &node.attributes;
    attributes.has("output_schema") || TEXTS.iter().any(|name| attributes.has(name))
}

/// The texts of a node that say what it answers or prints.
fn texts(node: &Node) -> impl Iterator<Item = &str> {
    TEXTS
        .into_iter()
        .filter_map(|name| node.attributes.get(name))
        .map(Attribute::value)
}

#[derive(Default)]
struct Domain {
    values: Vec<KnownValue>,
}

impl Domain {
    /// More values of one key are not distinguished by a reader.
    const MOST: usize = 40;

    fn add(&mut self, text: &str, source: ValueSource) {
        let text = text.trim();
        let is_new = !self.values.iter().any(|known| known.text == text);
        if is_new && !text.is_empty() && self.values.len() < Self::MOST {
            self.values.push(KnownValue {
                text: text.to_owned(),
                source,
            });
        }
    }

    fn extend<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>, source: ValueSource) {
        for text in texts {
            self.add(text, source);
        }
    }

    fn list<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        self.extend(texts, ValueSource::Listed);
    }

    /// The labels of a node's edges and the options of a gate.
    fn labels(&mut self, pipeline: &Pipeline, ix: NodeIx, node: &Node) {
        let edges = pipeline.outgoing(ix).iter();
        let edges = edges.filter_map(|edge| pipeline.edge(*edge));
        self.extend(edges.filter_map(Edge::label), ValueSource::Label);
        if let Some(options) = node.attributes.get("options") {
            let options = values::list(options.value()).map(|(option, _)| option);
            self.extend(options, ValueSource::Label);
        }
    }

    /// What an `output_schema` lists for the property that the key names.
    fn schema(&mut self, node: &Node, key: &str) {
        let Some(written) = node.attributes.get("output_schema") else {
            return;
        };
        let Schema::Inline(schema) = json_schema::parse(written.value()).0 else {
            return;
        };
        let last = last_part(key);
        for word in json_schema::listed(&schema, last) {
            self.add(word, ValueSource::Listed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::known_values;

    /// The values known for a key on an edge that leaves `t`.
    fn known(statements: &str, key: &str) -> String {
        let text =
            format!("digraph {{ goal=x; start [shape=Mdiamond]; start -> t; {statements} }}");
        let pipeline = Pipeline::from_text(&text).remove(0);
        let values = known_values(&pipeline, pipeline.by_id("t").unwrap(), key);
        let values = values
            .iter()
            .filter(|value| value.source != ValueSource::Listed || key.contains("verdict"))
            .map(|value| value.text.as_str());
        values.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn what_a_command_prints() {
        let tool = r#"t [shape=parallelogram, command="make && echo pass || { echo 'all wrong'; echo $X; echo why >&2; }"]; t -> a"#;
        assert_eq!(known(tool, "context.tool.last_line"), "pass | all wrong");
        assert_eq!(known(tool, "node.t.stdout"), "pass | all wrong");
        assert_eq!(known(tool, "output.t"), "pass | all wrong");
        let routed = r#"u [shape=parallelogram, command="printf 'ok\n'"]; t [shape=diamond]; u -> t; t -> a"#;
        assert_eq!(known(routed, "tool.last_line"), "ok");
    }

    #[test]
    fn labels_and_answers() {
        let gate = "t [shape=hexagon]; t -> a [label=\"[A] Approve\"]; t -> b [label=Reject]";
        assert_eq!(known(gate, "preferred_label"), "[A] Approve | Reject");
        let prompt = r#"t [prompt="End with \"outcome\": \"needs_work\" or outcome=done. The outcome is good."]; t -> a"#;
        assert_eq!(known(prompt, "outcome"), "needs_work | done");
        let answer = r#"t [prompt="Answer \"PASS\" or `FAIL` and nothing else"]; t -> a"#;
        assert_eq!(known(answer, "last_response"), "PASS | FAIL");
        let capitals = r#"t [prompt="Look at the API. Return a JSON list; then respond with exactly PASS or NEEDS_WORK, nothing else. I say"]; t -> a"#;
        assert_eq!(known(capitals, "last_response"), "PASS | NEEDS_WORK");
    }

    #[test]
    fn a_schema_lists_words() {
        let schema = r#"t [prompt=x, parse_json=true, output_key=r, output_schema="{\"type\": \"object\", \"properties\": {\"verdict\": {\"enum\": [\"good\", \"bad\"]}}}"]; t -> a"#;
        assert_eq!(known(schema, "r.verdict"), "good | bad");
    }
}
