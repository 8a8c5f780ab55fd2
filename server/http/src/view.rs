//! Runs as the answers show them.

use attractor_run::{
    Evidence, Question, QuestionKind, QuestionOption, RunSnapshot, RunState, RunSummary, Usage,
};
use serde::Serialize;
use serde_json::Value;

/// A run in a list.
#[derive(Serialize)]
pub(crate) struct ListedRun {
    id: String,
    name: String,
    status: &'static str,
    started_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    steps: u64,
    nodes: u32,
    usage: Usage,
}

impl From<RunSummary> for ListedRun {
    fn from(run: RunSummary) -> Self {
        Self {
            id: run.run,
            name: run.pipeline,
            status: status(run.state),
            started_at: run.started_at,
            ended_at: run.ended_at,
            node: run.node,
            steps: run.steps,
            nodes: run.nodes,
            usage: run.usage,
        }
    }
}

/// A run.
#[derive(Serialize)]
pub(crate) struct ShownRun {
    id: String,
    name: String,
    status: &'static str,
    /// The nodes at work.
    current: Vec<String>,
    steps: u64,
    done: u32,
    total: u32,
    usage: Usage,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Value>,
    /// How many questions are open.
    questions: usize,
    simulated: bool,
    /// The status report.
    report: Value,
}

impl From<RunSnapshot> for ShownRun {
    fn from(mut run: RunSnapshot) -> Self {
        use attractor_run::NodeState::{Retrying, Running, Waiting};
        let report = serde_json::to_value(run.take_status_report()).unwrap_or_default();
        let at_work = |state| matches!(state, Running | Waiting | Retrying);
        let nodes = run.nodes.iter();
        let current = match run.state {
            RunState::Running | RunState::Waiting => nodes
                .filter(|(_, node)| at_work(node.state))
                .map(|(id, _)| id.clone())
                .collect(),
            _ => Vec::new(),
        };
        Self {
            id: run.run,
            name: run.pipeline,
            status: status(run.state),
            current,
            steps: run.steps,
            done: run.done,
            total: run.total,
            usage: run.usage,
            failure: run
                .failure
                .and_then(|failure| serde_json::to_value(failure).ok()),
            questions: run.questions.len(),
            simulated: run.simulated,
            report,
        }
    }
}

/// A question.
#[derive(Serialize)]
pub(crate) struct ShownQuestion {
    id: String,
    node: String,
    kind: QuestionKind,
    text: String,
    options: Vec<QuestionOption>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Evidence>,
    /// USD that the run has cost so far.
    cost_so_far: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_at: Option<String>,
}

/// The open questions of a run.
pub(crate) fn questions(run: RunSnapshot) -> Vec<ShownQuestion> {
    let RunSnapshot {
        questions,
        nodes,
        usage,
        ..
    } = run;
    let shown = |question: Question| ShownQuestion {
        asked_at: nodes
            .get(&question.node)
            .and_then(|node| node.started_at.clone()),
        id: question.id,
        node: question.node,
        kind: question.kind,
        text: question.text,
        options: question.options,
        default: question.default,
        deadline: question.deadline,
        evidence: question.evidence,
        cost_so_far: usage.cost,
    };
    questions.into_iter().map(shown).collect()
}

/// The word for a state: of ended runs that of their outcome.
pub(crate) fn status(state: RunState) -> &'static str {
    match state {
        RunState::Succeeded => "success",
        RunState::Failed => "fail",
        state => state.name(),
    }
}
