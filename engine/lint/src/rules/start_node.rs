//! `start_node`: a pipeline begins in exactly one place.

use attractor_dot::TextRange;

use crate::typos::is_typo;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Attribute;
use attractor_model::Level;
use attractor_model::lower::{StartMark, start_candidates};
use attractor_model::{Node, Pipeline};

pub(crate) const LINT: Lint = Lint {
    rule: "start_node",
    level: Level::Error,
    extent: Extent::Graph,
    fixable: true,
    summary: "Missing or ambiguous start node.",
    doc: "The start is the node with `start=true`; without one, the node of shape `Mdiamond`; without \
one, the node named `start`. With none, or with two of the same rank, a run cannot begin.",
    example: "digraph {\n    start [shape=Mdiamond]\n    done [shape=Msquare]\n    start -> done\n}",
    check: Check::Pipeline(check),
};

/// The shape of a start.
const START_SHAPE: &str = "Mdiamond";

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    if pipeline.start.is_some() {
        return;
    }
    let (mark, candidates) = start_candidates(ctx.graph, pipeline.dialect);
    let nodes: Vec<_> = candidates
        .iter()
        .filter_map(|index| pipeline.nodes.get(*index))
        .collect();
    let (Some(mark), [first, rest @ ..]) = (mark, nodes.as_slice()) else {
        missing(ctx, sink);
        return;
    };
    for node in rest {
        let message = format!(
            "multiple start nodes `{}` and `{}` ({}); expected exactly one",
            first.id,
            node.id,
            match mark {
                StartMark::Flag => "`start=true`",
                StartMark::Shape => "shape `Mdiamond` or kind `start`",
                StartMark::Name => "name `start`",
            }
        );
        let mut diagnostic = sink
            .diagnostic(&LINT, node.range, message)
            .node(&*node.id)
            .related(first.range, format!("`{}` is also a start node", first.id));
        if mark != StartMark::Flag {
            let edit = ctx.edits().add_attribute(first.statement, "start", "true");
            diagnostic = diagnostic.fix(fix(format!("Start at `{}`", first.id), edit));
        }
        sink.push(diagnostic);
    }
}

/// The place of the shape of a node that is nearly the start's, in a pipeline without a start.
pub(super) fn misspelled_shape(pipeline: &Pipeline) -> Option<(&Node, Attribute<'_>, TextRange)> {
    if pipeline.start.is_some() {
        return None;
    }
    pipeline.nodes.iter().find_map(|node| {
        let shape = node.attributes.get("shape")?;
        let is_typo = is_typo(shape.value().trim(), START_SHAPE);
        let range = shape.value_range().filter(|_| is_typo)?;
        Some((node, shape, range))
    })
}

fn missing(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    if let Some((node, shape, range)) = misspelled_shape(pipeline) {
        let message = format!(
            "no start node: unknown shape `{}`; did you mean `{START_SHAPE}`?",
            shape.value().trim()
        );
        let edit = ctx.edits().replace_value(range, START_SHAPE);
        let diagnostic = sink.diagnostic(&LINT, range, message).node(&*node.id);
        let fix = fix(format!("Replace with `{START_SHAPE}`"), edit).preferred();
        sink.push(diagnostic.fix(fix));
        return;
    }
    let mut diagnostic = sink.diagnostic(
        &LINT,
        pipeline.name_range,
        "no start node: expected a node with `start=true`, shape `Mdiamond` or the name `start`",
    );
    let entries: Vec<_> = pipeline
        .indexed_nodes()
        .filter(|(ix, _)| pipeline.incoming(*ix).is_empty() && !pipeline.outgoing(*ix).is_empty())
        .map(|(_, node)| node)
        .collect();
    let edits = ctx.edits();
    for node in entries.iter().take(3) {
        let edit = if node.declared {
            edits.add_attribute(node.statement, "start", "true")
        } else {
            edits.add_statement(&format!(
                "{} [start=true]",
                attractor_dot::strings::quote(&node.id)
            ))
        };
        diagnostic = diagnostic.fix(fix(format!("Start at `{}`", node.id), edit));
    }
    let statement = match entries.as_slice() {
        [only] => format!(
            "start [shape=Mdiamond]; start -> {}",
            attractor_dot::strings::quote(&only.id)
        ),
        _ => "start [shape=Mdiamond]".to_owned(),
    };
    sink.push(diagnostic.fix(fix("Add a node `start`", edits.add_statement(&statement))));
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn missing() {
        check(
            "start_node",
            "digraph P {
    goal=x
    a -> done
    done [shape=Msquare]
}",
            expect![[r#"
                digraph P {
                        ^ error: no start node: expected a node with `start=true`, shape `Mdiamond` or the name `start`
                  fix: Start at `a`
                    + a [start=true]
                  fix: Add a node `start`
                    + start [shape=Mdiamond]; start -> a
            "#]],
        );
    }

    #[test]
    fn a_misspelled_shape() {
        let text = "digraph {
    begin [shape=Mdimond]
    a [prompt=x]
    done [shape=Msquare]
    begin -> a -> done
}";
        check(
            "start_node",
            text,
            expect![[r#"
                begin [shape=Mdimond]
                             ^^^^^^^ error: no start node: unknown shape `Mdimond`; did you mean `Mdiamond`?
                  fix: Replace with `Mdiamond`
                    + begin [shape=Mdiamond]
            "#]],
        );
        let found = crate::Analysis::of_text(text).diagnostics;
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn two() {
        check(
            "start_node",
            "digraph {
    a [shape=Mdiamond]
    b [shape=Mdiamond, label=B]
    a -> c; b -> c
}",
            expect![[r#"
                b [shape=Mdiamond, label=B]
                ^ error: multiple start nodes `a` and `b` (shape `Mdiamond` or kind `start`); expected exactly one
                a [shape=Mdiamond]
                ^ note: `a` is also a start node
                  fix: Start at `a`
                    + a [start=true, shape=Mdiamond]
            "#]],
        );
    }

    #[test]
    fn the_flag_decides() {
        check(
            "start_node",
            "digraph {
    a [shape=Mdiamond]
    b [start=true]
    start -> c
}",
            expect![[""]],
        );
    }
}
