//! What the editor shows of runs, as the plain data of [`attractor_ide::runs`].

use attractor_ide::document::Document;
use attractor_ide::runs::{NodeState, NodeView, OptionView, QuestionKind, QuestionView, RunView};
use attractor_run::{Question, bare_label};

use super::run_record::RunRecord;

/// Runs as they are shown in a document.
pub(crate) fn run_views(document: &Document, runs: &[RunRecord]) -> Vec<RunView> {
    runs.iter().map(|run| run_view(document, run)).collect()
}

/// The same with the status reports of the runs.
pub(crate) fn run_views_with_reports(document: &Document, runs: &[RunRecord]) -> Vec<RunView> {
    let views = runs.iter().map(|run| RunView {
        report: Some(attractor_run::status_report(&run.projection.snapshot).text()),
        ..run_view(document, run)
    });
    views.collect()
}

/// One run. Nodes that were edited since are left out.
fn run_view(document: &Document, run: &RunRecord) -> RunView {
    let snapshot = &run.projection.snapshot;
    let state = snapshot.state;
    let nodes = snapshot
        .nodes
        .iter()
        .filter(|(node, _)| state.is_live() || !is_edited(document, run, node))
        // Stopped together with its run; nothing is shown of it.
        .filter(|(_, node)| node.state != NodeState::Cancelled);
    RunView {
        run: run.id.clone(),
        graph: run.graph.clone(),
        state,
        resumable: snapshot.can_resume(),
        reality: snapshot.reality,
        current: snapshot.current.clone(),
        done: snapshot.done as usize,
        total: snapshot.total as usize,
        nodes: nodes
            .map(|(id, node)| {
                let output = run.projection.outputs.get(id);
                NodeView {
                    id: id.clone(),
                    state: node.state,
                    summary: node.summary.clone(),
                    simulated: node.simulated,
                    output: output.cloned().unwrap_or_default(),
                    changed_files: run.projection.changed.contains(id),
                }
            })
            .collect(),
        questions: snapshot.questions.iter().map(question).collect(),
        report: None,
    }
}

/// Whether the statement of a node has changed since the run started.
fn is_edited(document: &Document, run: &RunRecord, node: &str) -> bool {
    let Some(before) = run.statements.get(node) else {
        return false;
    };
    let mut pipelines = document.pipelines();
    let pipeline = pipelines.find(|(_, pipeline)| pipeline.name == run.graph);
    let now = pipeline.and_then(|(_, pipeline)| pipeline.node_by_id(node));
    let statement = now.map(|node| node.statement.text(&document.text));
    statement != Some(before)
}

fn question(question: &Question) -> QuestionView {
    QuestionView {
        id: question.id.clone(),
        node: question.node.clone(),
        kind: match question.kind {
            attractor_run::QuestionKind::Choice => QuestionKind::Choice,
            attractor_run::QuestionKind::Confirm => QuestionKind::Confirm,
            attractor_run::QuestionKind::Freeform => QuestionKind::Freeform,
            attractor_run::QuestionKind::Multi => QuestionKind::Multi,
            attractor_run::QuestionKind::ChoiceOrText => QuestionKind::ChoiceOrText,
        },
        text: question.text.clone(),
        options: question
            .options
            .iter()
            .map(|option| OptionView {
                key: option.key.clone(),
                label: bare_label(&option.label).to_owned(),
            })
            .collect(),
    }
}
