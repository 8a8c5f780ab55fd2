//! What the editor shows of runs, as the plain data of [`attractor_ide::runs`].

use std::path::Path;

use attractor_ide::runs::{
    NodeState, NodeView, OptionView, QuestionKind, QuestionView, RunState, RunView,
};
use attractor_run::{Question, bare_label};
use lsp_types::Range;

use super::Live;
use crate::session::{Session, View};
use crate::workspace;

/// The runs of a document, newest first.
pub(crate) fn of(view: &View) -> Vec<RunView> {
    let Some(file) = workspace::path_of(&view.uri) else {
        return Vec::new();
    };
    let known = view.session.runs.all();
    let mine = known.iter().rev().filter(|live| live.file == file);
    let mut views: Vec<_> = mine.map(|live| run(view, live)).collect();
    for past in view.session.runs.past.of(&file) {
        if !views.iter().any(|view| view.run == past.run) {
            views.push(past);
        }
    }
    views
}

fn run(view: &View, live: &Live) -> RunView {
    let now = live.now();
    let snapshot = now.snapshot;
    let nodes = snapshot
        .nodes
        .iter()
        .filter(|(id, _)| !is_edited(view, live, id));
    RunView {
        run: live.id.clone(),
        graph: live.graph.clone(),
        state: state(snapshot.state),
        current: snapshot.current,
        done: snapshot.done as usize,
        total: snapshot.total as usize,
        nodes: nodes
            .filter_map(|(id, node)| {
                Some(NodeView {
                    id: id.clone(),
                    state: node_state(node.state)?,
                    summary: node.summary.clone(),
                    output: now.outputs.get(id).cloned().unwrap_or_default(),
                })
            })
            .collect(),
        questions: snapshot.questions.iter().map(question).collect(),
    }
}

/// What a run said of a node ends with the next edit of that node.
fn is_edited(view: &View, live: &Live, node: &str) -> bool {
    if live.is_live() {
        return false;
    }
    let now = view
        .document
        .pipelines()
        .find(|(_, pipeline)| pipeline.name == live.graph);
    let now = now.and_then(|(_, pipeline)| pipeline.node_by_id(node));
    let written = now.map(|node| node.statement.text(&view.document.text));
    live.statements
        .get(node)
        .is_some_and(|before| written != Some(before))
}

/// The state of a run in the editor's words.
pub(crate) fn state(state: attractor_run::RunState) -> RunState {
    match state {
        attractor_run::RunState::Running => RunState::Running,
        attractor_run::RunState::Waiting => RunState::Waiting,
        attractor_run::RunState::Succeeded => RunState::Succeeded,
        attractor_run::RunState::Failed => RunState::Failed,
        attractor_run::RunState::Cancelled => RunState::Cancelled,
        attractor_run::RunState::Escalated => RunState::Escalated,
        attractor_run::RunState::Interrupted => RunState::Interrupted,
    }
}

fn node_state(state: attractor_run::NodeState) -> Option<NodeState> {
    match state {
        attractor_run::NodeState::Running => Some(NodeState::Running),
        attractor_run::NodeState::Waiting => Some(NodeState::Waiting),
        attractor_run::NodeState::Retrying => Some(NodeState::Retrying),
        attractor_run::NodeState::Succeeded => Some(NodeState::Succeeded),
        attractor_run::NodeState::Failed => Some(NodeState::Failed),
        // Stopped together with its run; there is nothing to tell about it.
        attractor_run::NodeState::Cancelled => None,
    }
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

/// Where a node of a run is declared in the document as it is now; the beginning when it is gone.
pub(crate) fn range_of_node(session: &std::sync::Arc<Session>, live: &Live, node: &str) -> Range {
    let snapshot = session.documents.get(&live.uri);
    let view = snapshot
        .map(|snapshot| View::new(session, &snapshot))
        .or_else(|| session.view_of_file(&live.file));
    let found = view.and_then(|view| {
        let (_, pipeline) = view
            .document
            .pipelines()
            .find(|(_, pipeline)| pipeline.name == live.graph)?;
        Some(view.range(pipeline.node_by_id(node)?.range))
    });
    found.unwrap_or_default()
}

/// Whether a path is the one a run was started from; runs of the past know it as text.
pub(crate) fn same_file(one: &Path, other: &Path) -> bool {
    one == other
        || std::fs::canonicalize(one)
            .ok()
            .is_some_and(|real| std::fs::canonicalize(other).ok() == Some(real))
}
