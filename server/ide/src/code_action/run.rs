//! What lenses do, for clients without lenses: run, resume, cancel, answer; and what a node changed in the files.

use attractor_dot::TextRange;

use super::Action;
use crate::code_lens::{self, LensOptions};
use crate::command::Command;
use crate::document::Document;
use crate::runs::RunView;

/// The answers to the questions of the gate that a range touches.
pub(super) fn answers(doc: &Document, range: TextRange, runs: &[RunView]) -> Vec<Action> {
    let mut actions = Vec::new();
    for (number, pipeline) in doc.pipelines() {
        for run in runs
            .iter()
            .filter(|run| run.graph == pipeline.name && run.state.is_live())
        {
            for question in &run.questions {
                if touches_node(doc, number, &question.node, range) {
                    let answers = code_lens::answers(run, question);
                    actions.extend(answers.map(|(title, command)| {
                        Action::command(format!("Answer: {title}"), command)
                    }));
                }
            }
        }
    }
    actions
}

/// What the node that a range touches changed in its last run: to see and to undo.
pub(super) fn changes(doc: &Document, range: TextRange, runs: &[RunView]) -> Vec<Action> {
    let mut actions = Vec::new();
    for (number, pipeline) in doc.pipelines() {
        let Some(run) = code_lens::current(runs, &pipeline.name) else {
            continue;
        };
        let changing = run.nodes.iter().filter(|node| node.changed_files);
        for node in changing.filter(|node| touches_node(doc, number, &node.id, range)) {
            let (run, id) = (run.run.clone(), node.id.clone());
            let show = Command::Diff {
                run: run.clone(),
                node: id.clone(),
            };
            let revert = Command::Revert { run, node: id };
            actions.extend([
                Action::command(format!("Show what `{}` changed", node.id), show),
                Action::command(format!("Revert what `{}` changed", node.id), revert),
            ]);
        }
    }
    actions
}

/// Whether the range is on the lines of the statement that declares the node: after a jump to a line the cursor is in
/// front of it.
fn touches_node(doc: &Document, graph: usize, id: &str, range: TextRange) -> bool {
    let node = doc
        .pipeline(graph)
        .and_then(|pipeline| pipeline.node_by_id(id));
    node.is_some_and(|node| {
        let (before, after) = (
            doc.text.get(..node.statement.start()),
            doc.text.get(node.statement.end()..),
        );
        let first = before
            .and_then(|text| text.rfind('\n'))
            .map_or(0, |end| end + 1);
        let last = after.and_then(|text| text.find('\n'));
        let end = last.map_or(doc.text.len(), |length| node.statement.end() + length);
        first <= range.start() && range.start() <= end
    })
}

/// What can be done with the pipeline around a range.
pub(super) fn runs(doc: &Document, range: TextRange, runs: &[RunView]) -> Vec<Action> {
    let Some(number) = doc.graph_at(range.start()) else {
        return Vec::new();
    };
    let Some(pipeline) = doc.pipeline(number) else {
        return Vec::new();
    };
    let mut actions = Vec::new();
    code_lens::of_graph(
        pipeline,
        runs,
        LensOptions::default(),
        &mut |title, command| {
            actions.push(Action::command(title, command));
        },
    );
    actions
}
