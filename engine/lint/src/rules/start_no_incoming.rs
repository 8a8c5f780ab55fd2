//! `start_no_incoming`: nothing comes before the start.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "start_no_incoming",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: true,
    summary: "Edge to the start node.",
    doc: "The start node only begins a run; a run that returns to it repeats all of its work. Redirect the edge to the first node that does something.",
    example: "start [shape=Mdiamond]\nstart -> build -> start",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let Some((ix, start)) = pipeline.start.and_then(|ix| Some((ix, pipeline.node(ix)?))) else {
        return;
    };
    // A start with work of its own is a node like any other.
    if start.kind != attractor_model::NodeKind::Start {
        return;
    }
    for edge in pipeline
        .incoming(ix)
        .iter()
        .filter_map(|ix| pipeline.edge(*ix))
    {
        let message = format!("edge to the start node `{}`", start.id);
        let mut diagnostic = sink
            .diagnostic(&LINT, edge.range(), message)
            .edge(pipeline.id(edge.from), &*start.id);
        let next: Vec<_> = pipeline.successors(ix).collect();
        // From the node behind the start the edge would be a loop of that node alone.
        if let [only] = next.as_slice()
            && *only != edge.from
        {
            let id = pipeline.id(*only);
            let edit = ctx.edits().replace_value(edge.to_range, id);
            diagnostic = diagnostic.fix(fix(format!("Redirect the edge to `{id}`"), edit));
        }
        sink.push(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn back_to_the_start() {
        check(
            "start_no_incoming",
            "digraph {
    start [shape=Mdiamond]
    start -> build -> start
    build -> exit
}",
            expect![[r#"
                start -> build -> start
                         ^^^^^^^^^^^^^^ warning: edge to the start node `start`
            "#]],
        );
    }
}
