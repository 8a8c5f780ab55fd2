//! What the model of a node will see of the run, before there is a run: the text of the node's `fidelity`, with the
//! steps of the shortest way to the node and names in the place of results.

use std::collections::{BTreeMap, VecDeque};

use crate::attributes::{Attribute, Source};
use crate::catalogue::NodeWork;
use crate::fidelity::{DEFAULT_THREAD, Fidelity, History, Step, preamble};
use crate::pipeline::{Edge, Node, NodeIx, Pipeline};

/// What a model will see besides its prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// A sentence about it, in Markdown.
    pub sentence: String,
    /// The text before the prompt; empty of a conversation.
    pub text: String,
}

/// What the model of a node will see; `None` when it is the prompt alone.
pub fn preview(pipeline: &Pipeline, ix: NodeIx) -> Option<Preview> {
    let node = pipeline.node(ix).filter(|node| node.kind.calls_model())?;
    let way = shortest_way(pipeline, ix);
    let edge = way.last().map(|(_, edge)| *edge);
    let word = fidelity(pipeline, node, edge)?;
    let nodes: Vec<&Node> = way.iter().map(|(node, _)| *node).collect();
    match Fidelity::parse(word)? {
        Fidelity::Full => {
            let thread = thread(pipeline, node, edge);
            let incoming = |index: usize| Some(way.get(index.checked_sub(1)?)?.1);
            let turns: Vec<String> = nodes
                .iter()
                .enumerate()
                .filter(|(_, node)| node.kind.calls_model())
                .filter(|(index, node)| {
                    let edge = incoming(*index);
                    fidelity(pipeline, node, edge).and_then(Fidelity::parse) == Some(Fidelity::Full)
                        && self::thread(pipeline, node, edge) == thread
                })
                .map(|(_, node)| format!("`{}`", node.id))
                .collect();
            let sentence = if turns.is_empty() {
                format!("The model begins the conversation of the thread `{thread}`.")
            } else {
                format!(
                    "The model sees the prompts and answers of {} as a conversation (thread `{thread}`).",
                    turns.join(", ")
                )
            };
            let text = String::new();
            Some(Preview { sentence, text })
        }
        Fidelity::Preamble(detail) => {
            let goal = pipeline.attributes.text("goal").unwrap_or_default();
            let history = History {
                goal: goal.to_owned(),
                steps: nodes.into_iter().map(step).collect(),
            };
            let text = preamble(detail, &history);
            (!text.is_empty()).then(|| Preview {
                sentence: format!("With `fidelity={word}` the model sees before the prompt:"),
                text,
            })
        }
    }
}

/// A step that will be done when the node runs.
fn step(node: &Node) -> Step {
    let what = match node.kind.work() {
        NodeWork::Model => Some("answer"),
        NodeWork::Commands => Some("output"),
        NodeWork::Question => Some("choice"),
        _ => None,
    };
    Step {
        node: node.id.to_string(),
        status: "success".to_owned(),
        result: what.map_or_else(String::new, |what| format!("(the {what} of {})", node.id)),
    }
}

/// The `fidelity` of a node that is entered by an edge: that of the edge, of the node, of the graph.
fn fidelity<'p>(pipeline: &'p Pipeline, node: &'p Node, edge: Option<&'p Edge>) -> Option<&'p str> {
    let by_edge = edge.and_then(|edge| value(edge.attributes.get("fidelity")));
    let by_node = || value(node.attributes.get("fidelity"));
    let by_graph = || value(pipeline.attributes.get("fidelity"));
    by_edge.or_else(by_node).or_else(by_graph)
}

/// The thread of a node that is entered by an edge: that of the node, of the edge, of the graph.
fn thread<'p>(pipeline: &'p Pipeline, node: &'p Node, edge: Option<&'p Edge>) -> &'p str {
    let own = node.attributes.get("thread_id");
    let own = own.filter(|own| !matches!(own.source(), Source::Graph { .. }));
    let by_node = value(own);
    let inherited = || value(node.attributes.get("thread_id"));
    let by_edge = || edge.and_then(|edge| value(edge.attributes.get("thread_id")));
    let by_graph = || value(pipeline.attributes.get("thread_id"));
    let named = by_node
        .or_else(by_edge)
        .or_else(inherited)
        .or_else(by_graph);
    named.unwrap_or(DEFAULT_THREAD)
}

fn value(attribute: Option<Attribute<'_>>) -> Option<&str> {
    let text = attribute.map(Attribute::value)?;
    Some(text.trim()).filter(|text| !text.is_empty())
}

/// The nodes before a node on the shortest way to it from the start, each with the edge it is left by.
fn shortest_way(pipeline: &Pipeline, to: NodeIx) -> Vec<(&Node, &Edge)> {
    let Some(start) = pipeline.start else {
        return Vec::new();
    };
    let mut before: BTreeMap<NodeIx, &Edge> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for edge in pipeline
            .outgoing(at)
            .iter()
            .filter_map(|ix| pipeline.edge(*ix))
        {
            if edge.to != start && !before.contains_key(&edge.to) {
                before.insert(edge.to, edge);
                open.push_back(edge.to);
            }
        }
    }
    let mut way = Vec::new();
    let mut at = to;
    while let Some(edge) = before.get(&at) {
        way.extend(pipeline.node(edge.from).map(|node| (node, *edge)));
        at = edge.from;
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(statements: &str, expected: &Expect) {
        let dot = format!(
            "digraph {{ goal=\"ship it\"; s [shape=Mdiamond]; e [shape=Msquare]; {statements} }}"
        );
        let pipelines = Pipeline::from_text(&dot);
        let pipeline = &pipelines[0];
        let preview = preview(pipeline, pipeline.by_id("x").unwrap());
        let preview = preview.map_or("None".to_owned(), |preview| {
            format!("{}\n{}", preview.sentence, preview.text)
        });
        expected.assert_eq(&preview);
    }

    #[test]
    fn the_prompt_alone() {
        check("x [prompt=p]; s -> x -> e", &expect!["None"]);
        check(
            "x [command=ls, fidelity=compact]; s -> x -> e",
            &expect!["None"],
        );
    }

    #[test]
    fn a_preamble_lists_the_steps_of_the_shortest_way() {
        check(
            "default_fidelity=\"summary:low\"; plan [prompt=p]; test [command=t]; gate [shape=hexagon]; x [prompt=p]
             s -> plan -> test -> gate -> x -> e; gate -> plan; x -> plan [label=again]",
            &expect![[r#"
                With `fidelity=summary:low` the model sees before the prompt:
                Goal: ship it
                Steps so far:
                - s: success
                - plan: success
                - test: success
                  (the output of test)
                - gate: success
                  (the choice of gate)
            "#]],
        );
        check(
            "x [prompt=p]; s -> x [fidelity=truncate]; x -> e",
            &expect![[r#"
                With `fidelity=truncate` the model sees before the prompt:
                Goal: ship it
            "#]],
        );
    }

    #[test]
    fn a_conversation_has_the_turns_of_its_thread() {
        check(
            "default_fidelity=full; a [prompt=p]; b [prompt=p, thread_id=own]; c [prompt=p]; x [prompt=p]
             s -> a -> b -> c; c -> x -> e; b [fidelity=full]",
            &expect![[r#"
                The model sees the prompts and answers of `a`, `c` as a conversation (thread `main`).
            "#]],
        );
        check(
            "default_fidelity=full; default_thread_id=t; a [prompt=p]; x [prompt=p]; s -> a [thread_id=own]; a -> x -> e",
            &expect![[r#"
                The model begins the conversation of the thread `t`.
            "#]],
        );
        check(
            "x [prompt=p, fidelity=full]; s -> x -> e",
            &expect![[r#"
            The model begins the conversation of the thread `main`.
        "#]],
        );
    }
}
