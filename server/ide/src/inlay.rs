//! Inlay hints: what is in force and not written.
//!
//! Each kind can be switched off, and each stays away where it would say what the reader sees anyway: a model
//! written on the node, a single edge, an outcome that is routed.

use attractor_dot::TextRange;
use attractor_model::flow::stops_on_failure;
use attractor_model::{Node, NodeIx, NodeKind, Pipeline, Source};

use crate::document::Document;

/// A few words in the text that are not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Where they stand.
    pub offset: usize,
    /// The words.
    pub label: String,
    /// A sentence for whoever wonders.
    pub tooltip: String,
}

/// Which hints are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlayOptions {
    /// The model a node gets from a stylesheet, the graph or defaults.
    pub models: bool,
    /// The number of each edge in routing order, where a node has several that could be taken.
    pub routing: bool,
    /// Nodes whose failure stops the run.
    pub failures: bool,
}

impl Default for InlayOptions {
    fn default() -> Self {
        Self {
            models: true,
            routing: true,
            failures: false,
        }
    }
}

/// The hints in a range, in the order of the text.
pub fn hints(doc: &Document, range: TextRange, options: InlayOptions) -> Vec<Hint> {
    let mut hints = Vec::new();
    for (_, pipeline) in doc
        .pipelines()
        .filter(|(_, pipeline)| pipeline.range.intersects(range))
    {
        for (ix, node) in pipeline
            .indexed_nodes()
            .filter(|(_, node)| range.contains_inclusive(node.range.end()))
        {
            if options.models {
                hints.extend(model(pipeline, ix));
            }
            if options.failures && ends_run(pipeline, ix) {
                hints.push(Hint {
                    offset: node.range.end(),
                    label: " stops on failure".to_owned(),
                    tooltip:
                        "No way out of this node is for a failure, so a failure ends the run here."
                            .to_owned(),
                });
            }
        }
        if options.routing {
            hints.extend(routing(pipeline, range));
        }
    }
    hints.sort_by_key(|hint| hint.offset);
    hints
}

fn model(pipeline: &Pipeline, ix: NodeIx) -> Option<Hint> {
    let node = pipeline
        .node(ix)
        .filter(|node| node.declared && node.kind.calls_model())?;
    let model = node.attributes.get("model")?;
    let from = match model.source() {
        Source::Own => return None,
        Source::Default { .. } => "from `node [...]`".to_owned(),
        Source::Graph { .. } => "from the graph".to_owned(),
        Source::Stylesheet(rule) => format!("from the stylesheet rule `{}`", rule.selector),
    };
    Some(Hint {
        offset: node.range.end(),
        label: format!(" {}", model.value()),
        tooltip: format!("Model {from}."),
    })
}

/// A model call or command that can fail, and a run ends when it does.
fn ends_run(pipeline: &Pipeline, ix: NodeIx) -> bool {
    let can_fail = |node: &Node| {
        let works = matches!(
            node.kind,
            NodeKind::Codergen | NodeKind::Prompt | NodeKind::Tool | NodeKind::Custom
        );
        node.declared && works
    };
    pipeline.node(ix).is_some_and(can_fail) && stops_on_failure(pipeline, ix)
}

/// Numbers at the targets of nodes that priority, weight or conditions put in another order than written.
fn routing(pipeline: &Pipeline, range: TextRange) -> Vec<Hint> {
    let mut hints = Vec::new();
    for (ix, _) in pipeline.indexed_nodes() {
        let order: Vec<_> = pipeline
            .outgoing(ix)
            .iter()
            .filter_map(|edge| pipeline.edge(*edge))
            .collect();
        let as_written = order.is_sorted_by_key(|edge| edge.to_range.start());
        let is_weighed = order
            .iter()
            .any(|edge| edge.priority != 0 || edge.weight != 0);
        if order.len() < 2
            || as_written && !is_weighed
            || order.iter().any(|edge| edge.label().is_some())
        {
            continue;
        }
        for (number, edge) in order
            .iter()
            .enumerate()
            .filter(|(_, edge)| range.contains_inclusive(edge.to_range.end()))
        {
            hints.push(Hint {
                offset: edge.to_range.end(),
                label: format!(" {}/{}", number + 1, order.len()),
                tooltip: "Place in routing order: priority, then weight, then the target's name."
                    .to_owned(),
            });
        }
    }
    hints
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::fixture::{doc, draw};

    const ALL: InlayOptions = InlayOptions {
        models: true,
        routing: true,
        failures: true,
    };

    #[test]
    fn what_is_in_force_and_not_written() {
        let doc = doc(
            "digraph {\n  model_stylesheet=\"* { model: small } .slow { model: large }\"\n  s [shape=Mdiamond]\n  a [prompt=x]\n  b [prompt=x, class=slow]\n  c [prompt=x, model=own]\n  t [shape=parallelogram, command=make]\n  s -> a -> b -> c -> t\n  t -> a [condition=\"outcome=fail\"]\n  c -> x [weight=5]\n}",
        );
        let all = TextRange::new(0, doc.text.len());
        let shown = hints(&doc, all, ALL).into_iter().map(|hint| {
            (
                TextRange::empty(hint.offset),
                format!("{}  — {}", hint.label, hint.tooltip),
            )
        });
        expect![[r#"
            4 |   a [prompt=x]
              |    ^  small  — Model from the stylesheet rule `*`.
              |    ^  stops on failure  — No way out of this node is for a failure, so a failure ends the run here.
            5 |   b [prompt=x, class=slow]
              |    ^  large  — Model from the stylesheet rule `.slow`.
              |    ^  stops on failure  — No way out of this node is for a failure, so a failure ends the run here.
            6 |   c [prompt=x, model=own]
              |    ^  stops on failure  — No way out of this node is for a failure, so a failure ends the run here.
            8 |   s -> a -> b -> c -> t
              |                        ^  2/2  — Place in routing order: priority, then weight, then the target's name.
            10 |   c -> x [weight=5]
               |         ^  1/2  — Place in routing order: priority, then weight, then the target's name.
        "#]].assert_eq(&draw(&doc, shown));
        let none = InlayOptions {
            models: false,
            routing: false,
            failures: false,
        };
        assert_eq!(hints(&doc, all, none), []);
    }
}
