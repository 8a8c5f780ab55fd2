//! `start_node`: a pipeline begins in exactly one place.

use attractor_dot::TextRange;

use super::edits::fix;
use super::slips::is_slip;
use super::{Check, Findings, Lint, Subject};
use crate::attributes::Attribute;
use crate::lower::{StartMark, start_candidates};
use crate::options::Level;
use crate::pipeline::{Node, Pipeline};

pub(super) const LINT: Lint = Lint {
    rule: "start_node",
    level: Level::Error,
    fixable: true,
    summary: "A pipeline needs exactly one start.",
    doc: "The start is the node with `start=true`; without one, the node of shape `Mdiamond`; without one, \
the node named `start`. None, or two of the same rank, and a run cannot begin.",
    example: "digraph {\n    start [shape=Mdiamond]\n    done [shape=Msquare]\n    start -> done\n}",
    check: Check::Pipeline(check),
};

/// The shape of a start.
const START_SHAPE: &str = "Mdiamond";

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let pipeline = subject.pipeline;
    if pipeline.start.is_some() {
        return;
    }
    let (mark, candidates) = start_candidates(subject.graph, pipeline.dialect);
    let nodes: Vec<_> = candidates
        .iter()
        .filter_map(|index| pipeline.nodes.get(*index))
        .collect();
    let (Some(mark), [first, rest @ ..]) = (mark, nodes.as_slice()) else {
        missing(subject, findings);
        return;
    };
    for node in rest {
        let message = format!(
            "`{}` and `{}` are both a start ({}); a pipeline begins in one place",
            first.id,
            node.id,
            match mark {
                StartMark::Flag => "`start=true`",
                StartMark::Shape => "shape `Mdiamond` or kind `start`",
                StartMark::Name => "both named start",
            }
        );
        let mut diagnostic = findings
            .diagnostic(&LINT, node.range, message)
            .node(&*node.id)
            .related(first.range, format!("`{}` is a start too", first.id));
        if mark != StartMark::Flag {
            let edit = subject
                .edits()
                .add_attribute(first.statement, "start", "true");
            diagnostic = diagnostic.fix(fix(format!("Begin at `{}`", first.id), edit));
        }
        findings.push(diagnostic);
    }
}

/// The place of the shape of a node that is nearly the start's, in a pipeline without a start.
pub(super) fn misspelt_shape(pipeline: &Pipeline) -> Option<(&Node, Attribute<'_>, TextRange)> {
    if pipeline.start.is_some() {
        return None;
    }
    pipeline.nodes.iter().find_map(|node| {
        let shape = node.attributes.get("shape")?;
        let is_typo = is_slip(shape.value().trim(), START_SHAPE);
        let range = shape.value_range().filter(|_| is_typo)?;
        Some((node, shape, range))
    })
}

fn missing(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let pipeline = subject.pipeline;
    if let Some((node, shape, range)) = misspelt_shape(pipeline) {
        let message = format!(
            "this pipeline has no start: unknown shape `{}`; did you mean `{START_SHAPE}`?",
            shape.value().trim()
        );
        let edit = subject.edits().replace_value(range, START_SHAPE);
        let diagnostic = findings.diagnostic(&LINT, range, message).node(&*node.id);
        let fix = fix(format!("Replace by `{START_SHAPE}`"), edit).preferred();
        findings.push(diagnostic.fix(fix));
        return;
    }
    let mut diagnostic = findings.diagnostic(
        &LINT,
        pipeline.name_range,
        "this pipeline has no start: no node has `start=true`, the shape `Mdiamond` or the name `start`",
    );
    let entries: Vec<_> = pipeline
        .indexed_nodes()
        .filter(|(ix, _)| pipeline.incoming(*ix).is_empty() && !pipeline.outgoing(*ix).is_empty())
        .map(|(_, node)| node)
        .collect();
    let edits = subject.edits();
    for node in entries.iter().take(3) {
        let edit = if node.declared {
            edits.add_attribute(node.statement, "start", "true")
        } else {
            edits.add_statement(&format!(
                "{} [start=true]",
                attractor_dot::strings::quote(&node.id)
            ))
        };
        diagnostic = diagnostic.fix(fix(format!("Begin at `{}`", node.id), edit));
    }
    let statement = match entries.as_slice() {
        [only] => format!(
            "start [shape=Mdiamond]; start -> {}",
            attractor_dot::strings::quote(&only.id)
        ),
        _ => "start [shape=Mdiamond]".to_owned(),
    };
    findings.push(diagnostic.fix(fix("Add a node `start`", edits.add_statement(&statement))));
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn missing() {
        check(
            "start_node",
            "digraph P {\n    goal=x\n    a -> done\n    done [shape=Msquare]\n}",
            expect![[r#"
                digraph P {
                        ^ error: this pipeline has no start: no node has `start=true`, the shape `Mdiamond` or the name `start`
                  fix: Begin at `a`
                    + a [start=true]
                  fix: Add a node `start`
                    + start [shape=Mdiamond]; start -> a
            "#]],
        );
    }

    #[test]
    fn a_misspelt_shape() {
        let text = "digraph {\n    begin [shape=Mdimond]\n    a [prompt=x]\n    done [shape=Msquare]\n    begin -> a -> done\n}";
        check(
            "start_node",
            text,
            expect![[r#"
            begin [shape=Mdimond]
                         ^^^^^^^ error: this pipeline has no start: unknown shape `Mdimond`; did you mean `Mdiamond`?
              fix: Replace by `Mdiamond`
                + begin [shape=Mdiamond]
        "#]],
        );
        let (_, findings) = crate::Pipeline::from_text(text);
        assert_eq!(findings.len(), 1, "{findings:?}");
    }

    #[test]
    fn two() {
        check(
            "start_node",
            "digraph {\n    a [shape=Mdiamond]\n    b [shape=Mdiamond, label=B]\n    a -> c; b -> c\n}",
            expect![[r#"
                b [shape=Mdiamond, label=B]
                ^ error: `a` and `b` are both a start (shape `Mdiamond` or kind `start`); a pipeline begins in one place
                a [shape=Mdiamond]
                ^ note: `a` is a start too
                  fix: Begin at `a`
                    + a [start=true, shape=Mdiamond]
            "#]],
        );
    }

    #[test]
    fn the_flag_decides() {
        check(
            "start_node",
            "digraph {\n    a [shape=Mdiamond]\n    b [start=true]\n    start -> c\n}",
            expect![[""]],
        );
    }
}
