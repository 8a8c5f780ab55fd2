//! What the editor shows of runs, as the plain data of [`attractor_ide::runs`].

use std::path::Path;

use attractor_ide::model::Pipeline;
use attractor_ide::runs::{
    NodeState, NodeView, OptionView, QuestionKind, QuestionView, RunState, RunView,
};
use attractor_run::{Question, bare_label};
use lsp_types::Range;
use rustc_hash::FxHashMap;

use super::Live;
use super::live::Now;
use crate::session::{Session, View};
use crate::workspace;

/// The runs of a document, newest first.
pub(crate) fn of(view: &View) -> Vec<RunView> {
    let Some(file) = workspace::path_of(&view.uri) else {
        return Vec::new();
    };
    let known = view.session.runs.all();
    let mine = known.iter().rev().filter(|live| live.file == file);
    let mut views: Vec<_> = mine
        .map(|live| run(view, &live.id, &live.graph, &live.statements, &live.now()))
        .collect();
    for past in view.session.runs.past.of(&file) {
        if !views.iter().any(|view| view.run == past.id) {
            views.push(run(
                view,
                &past.id,
                &past.graph,
                &past.statements,
                &past.now,
            ));
        }
    }
    views
}

/// One run as it is shown in this document: what it said of nodes that were edited since is left out.
fn run(
    view: &View,
    id: &str,
    graph: &str,
    statements: &FxHashMap<String, String>,
    now: &Now,
) -> RunView {
    let snapshot = &now.snapshot;
    let state = state(snapshot.state);
    let nodes = snapshot
        .nodes
        .iter()
        .filter(|(node, _)| state.is_live() || !is_edited(view, graph, statements, node));
    RunView {
        run: id.to_owned(),
        graph: graph.to_owned(),
        state,
        simulated: snapshot.simulated,
        current: snapshot.current.clone(),
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

/// Whether a node is written differently from when the run began.
fn is_edited(view: &View, graph: &str, statements: &FxHashMap<String, String>, node: &str) -> bool {
    let Some(before) = statements.get(node) else {
        return false;
    };
    let mut pipelines = view.document.pipelines();
    let now = pipelines.find(|(_, pipeline)| pipeline.name == graph);
    let now = now.and_then(|(_, pipeline)| pipeline.node_by_id(node));
    let written = now.map(|node| node.statement.text(&view.document.text));
    written != Some(before)
}

/// How each node of a pipeline is written, by id.
pub(crate) fn statements(pipeline: &Pipeline, text: &str) -> FxHashMap<String, String> {
    let nodes = pipeline.nodes.iter();
    nodes
        .map(|node| (node.id.to_string(), node.statement.text(text).to_owned()))
        .collect()
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
