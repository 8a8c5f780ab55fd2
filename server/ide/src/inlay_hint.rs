//! Inlay hints: what is in force, not written, and surprising.
//!
//! A hint is shown at the end of its line, where it moves no column, and only where a reader would guess wrong: a model
//! that differs from that of most nodes, an order of edges that is not the written one. So an ordinary file has none.
//! Each kind can be switched off.

use attractor_dot::TextRange;
use attractor_lang::Status;
use attractor_lang::condition::{Condition, Domain, Literal, Sat, satisfiable};
use attractor_model::analysis::stops_on_failure;
use attractor_model::{Edge, Node, NodeIx, NodeKind, Pipeline, Source};
use rustc_hash::FxHashMap;

use crate::document::Document;

/// A few words in the text that are not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Where they are shown: the end of a line.
    pub offset: usize,
    /// The text.
    pub label: String,
    /// An explanation.
    pub tooltip: String,
}

/// Which hints are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlayOptions {
    /// The model a node gets from a stylesheet or defaults, where most nodes have another.
    pub models: bool,
    /// The number of each edge in routing order, where several could be taken and the order is not the written one.
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

/// Edges beyond this many are not compared; a hub that big is generated.
const MAX_EDGES: usize = 40;

/// The hints in a range, in the order of the text.
pub fn hints(doc: &Document, range: TextRange, options: InlayOptions) -> Vec<Hint> {
    let mut facts = Vec::new();
    for (_, pipeline) in doc
        .pipelines()
        .filter(|(_, pipeline)| pipeline.range.intersects(range))
    {
        if options.models {
            models(pipeline, &mut facts);
        }
        if options.failures {
            failures(pipeline, &mut facts);
        }
        if options.routing {
            routing(pipeline, &mut facts);
        }
    }
    facts.sort_by_key(|fact| fact.about.end());
    let mut hints: Vec<Hint> = facts
        .iter()
        .map(|fact| fact.hint(doc))
        .filter(|hint| range.contains_inclusive(hint.offset))
        .collect();
    hints.dedup();
    hints
}

/// Something to say of a node or an edge.
struct Annotation {
    /// Where it is written.
    about: TextRange,
    /// Its name, for lines that hold more than one thing.
    name: String,
    words: String,
    tooltip: String,
}

impl Annotation {
    fn hint(&self, doc: &Document) -> Hint {
        let before = doc.text.get(..self.about.start()).unwrap_or_default();
        let after = doc.text.get(self.about.end()..).unwrap_or_default();
        let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let end = self.about.end() + after.find(['\n', '\r']).unwrap_or(after.len());
        let line = TextRange::new(start, end).text(&doc.text);
        let label = if is_crowded(line) {
            format!(" {}: {}", self.name, self.words)
        } else {
            format!(" {}", self.words)
        };
        Hint {
            offset: end,
            label,
            tooltip: self.tooltip.clone(),
        }
    }
}

/// Whether a line holds more than one statement or edge, so that a hint has to say what it is about.
fn is_crowded(line: &str) -> bool {
    let statements = line.trim_end().trim_end_matches(';');
    statements.contains(';') || statements.matches("->").nth(1).is_some()
}

/// Nodes whose model is neither written on them nor that of most nodes.
fn models(pipeline: &Pipeline, facts: &mut Vec<Annotation>) {
    let nodes = pipeline.indexed_nodes().map(|(_, node)| node);
    let calling = nodes.filter(|node| node.declared && node.kind.calls_model());
    let with_model: Vec<_> = calling
        .filter_map(|node| Some((node, node.attributes.get("model")?)))
        .collect();
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for (_, model) in &with_model {
        *counts.entry(model.value()).or_default() += 1;
    }
    let most = counts.values().max().copied().unwrap_or_default();
    for (node, model) in with_model {
        let from = match model.source() {
            Source::Own => continue,
            Source::Default { .. } => "from `node [...]`".to_owned(),
            Source::Graph { .. } => "from the graph".to_owned(),
            Source::Stylesheet(rule) => format!("from the stylesheet rule `{}`", rule.selector),
        };
        if counts.get(model.value()) == Some(&most) {
            continue;
        }
        facts.push(Annotation {
            about: node.range,
            name: node.id.to_string(),
            words: model.value().to_owned(),
            tooltip: format!("Model set {from}; most nodes use another one."),
        });
    }
}

fn failures(pipeline: &Pipeline, facts: &mut Vec<Annotation>) {
    for (ix, node) in pipeline.indexed_nodes() {
        if ends_run(pipeline, ix, node) {
            facts.push(Annotation {
                about: node.range,
                name: node.id.to_string(),
                words: "stops on failure".to_owned(),
                tooltip: "No edge handles failure of this node; the run ends here.".to_owned(),
            });
        }
    }
}

/// A model call or command that can fail, and a run ends when it does.
fn ends_run(pipeline: &Pipeline, ix: NodeIx, node: &Node) -> bool {
    node.declared && node.kind.does_work() && stops_on_failure(pipeline, ix)
}

/// Edges of which a later one is tried before an earlier one although both could be taken.
fn routing(pipeline: &Pipeline, facts: &mut Vec<Annotation>) {
    for (ix, node) in pipeline.indexed_nodes() {
        // All edges of a parallel node are taken, and a user chooses among those of a gate.
        if matches!(node.kind, NodeKind::Parallel | NodeKind::HumanGate) {
            continue;
        }
        let edges = pipeline.outgoing(ix).iter();
        let order: Vec<&Edge> = edges.filter_map(|edge| pipeline.edge(*edge)).collect();
        let as_written = order.is_sorted_by_key(|edge| edge.to_range.start());
        if as_written || order.len() > MAX_EDGES {
            continue;
        }
        let surprises = |edge: &&&Edge| {
            order.iter().enumerate().any(|(at, first)| {
                let later = order.get(at + 1..).unwrap_or_default().iter();
                let mut overtaken = later.filter(|later| overtakes(first, later));
                overtaken.any(|later| std::ptr::eq(**edge, *first) || std::ptr::eq(**edge, *later))
            })
        };
        for (number, edge) in order.iter().enumerate().filter(|(_, edge)| surprises(edge)) {
            facts.push(Annotation {
                about: edge.to_range,
                name: format!("{} → {}", node.id, pipeline.id(edge.to)),
                words: format!("tried {} of {}", number + 1, order.len()),
                tooltip: "Edges are tried in the order of priority, weight, target name."
                    .to_owned(),
            });
        }
    }
}

/// Whether `first`, which is tried before `later`, is written after it, and both could be taken.
fn overtakes(first: &Edge, later: &Edge) -> bool {
    let inverted = first.to_range.start() > later.to_range.start();
    inverted
        && first.label().is_none()
        && later.label().is_none()
        && match (&first.condition, &later.condition) {
            (Some(first), Some(later)) => can_hold_together(first, later),
            (None, None) => true,
            // A condition goes before no condition, wherever they are written.
            (Some(_), None) | (None, Some(_)) => false,
        }
}

fn can_hold_together(one: &Condition, other: &Condition) -> bool {
    let outcomes: Vec<Status> = Status::KNOWN
        .into_iter()
        .chain([Status::Custom("another_word".to_owned())])
        .collect();
    let domain = Domain {
        outcomes: &outcomes,
        known: &|_| None,
        labels: &[],
    };
    let both = [one, other].map(|condition| Literal {
        condition,
        holds: true,
    });
    matches!(satisfiable(&both, &domain), Sat::Satisfiable(_))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::fixture::{doc, draw};

    const ALL_BUT_FAILURES: InlayOptions = InlayOptions {
        models: true,
        routing: true,
        failures: false,
    };

    #[track_caller]
    fn check(text: &str, options: InlayOptions, expect: Expect) {
        let doc = doc(text);
        let all = TextRange::new(0, doc.text.len());
        let shown = hints(&doc, all, options).into_iter().map(|hint| {
            (
                TextRange::empty(hint.offset),
                format!("{}  — {}", hint.label, hint.tooltip),
            )
        });
        expect.assert_eq(&draw(&doc, shown));
    }

    #[test]
    fn a_model_that_differs_from_that_of_most_nodes_is_shown() {
        check(
            "digraph {\n  model_stylesheet=\"* { model: small } .slow { model: large }\"\n  a [prompt=x]\n  b [prompt=x, class=slow] // why\n  c [prompt=x, model=own]\n  d [prompt=x]; e [prompt=x, class=slow]\n  f [prompt=x]\n  a -> b -> c -> d -> e -> f\n}",
            ALL_BUT_FAILURES,
            expect![[r#"
                4 |   b [prompt=x, class=slow] // why
                  |                                  ^  large  — Model set from the stylesheet rule `.slow`; most nodes use another one.
                6 |   d [prompt=x]; e [prompt=x, class=slow]
                  |                                         ^  e: large  — Model set from the stylesheet rule `.slow`; most nodes use another one.
            "#]],
        );
    }

    #[test]
    fn an_order_that_is_not_the_written_one_is_shown() {
        check(
            "digraph {\n  goal=x\n  a -> z\n  a -> b\n  c -> x\n  c -> y [weight=5]\n  d -> z -> e; d -> b\n}",
            ALL_BUT_FAILURES,
            expect![[r#"
                3 |   a -> z
                  |         ^  tried 2 of 2  — Edges are tried in the order of priority, weight, target name.
                4 |   a -> b
                  |         ^  tried 1 of 2  — Edges are tried in the order of priority, weight, target name.
                5 |   c -> x
                  |         ^  tried 2 of 2  — Edges are tried in the order of priority, weight, target name.
                6 |   c -> y [weight=5]
                  |                    ^  tried 1 of 2  — Edges are tried in the order of priority, weight, target name.
                7 |   d -> z -> e; d -> b
                  |                      ^  d → b: tried 1 of 2  — Edges are tried in the order of priority, weight, target name.
                  |                      ^  d → z: tried 2 of 2  — Edges are tried in the order of priority, weight, target name.
            "#]],
        );
    }

    #[test]
    fn edges_that_exclude_each_other_have_no_order() {
        check(
            "digraph {\n  goal=x\n  t -> z [condition=\"outcome=success\"]\n  t -> b [condition=\"outcome=fail\"]\n  u -> z [condition=\"score < 3\"]\n  u -> b\n  p [shape=component]\n  p -> z\n  p -> b\n  g [shape=hexagon]\n  g -> z [label=Yes]\n  g -> b [label=No]\n  v -> z [condition=\"score > 3\"]\n  v -> b [condition=\"score > 5\"]\n}",
            ALL_BUT_FAILURES,
            expect![[r#"
                13 |   v -> z [condition="score > 3"]
                   |                                 ^  tried 2 of 2  — Edges are tried in the order of priority, weight, target name.
                14 |   v -> b [condition="score > 5"]
                   |                                 ^  tried 1 of 2  — Edges are tried in the order of priority, weight, target name.
            "#]],
        );
    }

    #[test]
    fn where_a_failure_stops_the_run_is_shown_on_request() {
        let text = "digraph {\n  goal=x\n  t [shape=parallelogram, command=make]\n  u [shape=parallelogram, command=make]\n  t -> u -> e\n  t -> f [condition=\"outcome=fail\"]\n}";
        let failures = InlayOptions {
            models: false,
            routing: false,
            failures: true,
        };
        check(
            text,
            failures,
            expect![[r#"
            4 |   u [shape=parallelogram, command=make]
              |                                        ^  stops on failure  — No edge handles failure of this node; the run ends here.
        "#]],
        );
        check(text, InlayOptions::default(), expect![[r#""#]]);
    }

    #[test]
    #[ignore = "reads the pipelines of ATTRACTOR_CORPUS"]
    fn the_median_corpus_file_has_no_hint() {
        let mut counts: Vec<usize> = crate::fixture::corpus()
            .map(|text| {
                let doc = doc(&text);
                let all = TextRange::new(0, doc.text.len());
                hints(&doc, all, InlayOptions::default()).len()
            })
            .collect();
        counts.sort_unstable();
        assert_eq!(counts.get(counts.len() / 2), Some(&0), "{counts:?}");
    }
}
