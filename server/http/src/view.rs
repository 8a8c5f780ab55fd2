//! Runs as the answers show them.

use std::sync::Arc;

use attractor_run::{
    Evidence, Failure, Question, QuestionKind, QuestionOption, Reality, RunSnapshot, RunState,
    Usage,
};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// A run that has just been started or continued.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StartedRun {
    pub(crate) id: String,
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::run_state"))]
    pub(crate) status: RunState,
}

impl From<&attractor::Run> for StartedRun {
    fn from(run: &attractor::Run) -> Self {
        Self {
            id: run.id().to_string(),
            status: run.snapshot().state,
        }
    }
}

/// A run in a list.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ListedRun {
    pub(crate) id: String,
    pub(crate) name: String,
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::run_state"))]
    pub(crate) status: RunState,
    pub(crate) started_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ended_at: Option<String>,
    /// The node that was entered last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) node: Option<String>,
    pub(crate) steps: u64,
    pub(crate) done: u32,
    pub(crate) nodes: u32,
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::usage"))]
    pub(crate) usage: Usage,
    /// The ids of its open questions.
    pub(crate) questions: Vec<String>,
    /// How real it is.
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::reality"))]
    pub(crate) reality: Reality,
    /// Whether any of its models is simulated, or the run is dry.
    pub(crate) simulated: bool,
}

impl ListedRun {
    pub(crate) fn of(run: RunSnapshot) -> Self {
        let questions = run.questions.into_iter();
        Self {
            id: run.run,
            name: run.pipeline,
            status: run.state,
            started_at: run.started_at,
            ended_at: run.ended_at,
            node: run.current,
            steps: run.steps,
            done: run.done,
            nodes: run.total,
            usage: run.usage,
            questions: questions.map(|question| question.id).collect(),
            reality: run.reality,
            simulated: run.reality.is_simulated(),
        }
    }
}

/// Rows of a list that are shared with others.
pub(crate) fn each<S: Serializer>(
    rows: &[Arc<ListedRun>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(rows.iter().map(|row| &**row))
}

/// What a reader of the changes of all runs gets.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum RunFrame {
    /// The runs as they are, newest first.
    Snapshot {
        #[serde(serialize_with = "each")]
        #[cfg_attr(test, schemars(with = "Vec<ListedRun>"))]
        pipelines: Vec<Arc<ListedRun>>,
        /// How many runs there are, those included that are not shown.
        total: usize,
    },
    /// A run is new, or its row is another one.
    Changed {
        #[serde(serialize_with = "shared")]
        #[cfg_attr(test, schemars(with = "ListedRun"))]
        pipeline: Arc<ListedRun>,
    },
    /// A run is not stored any more.
    Removed { id: String },
}

/// A row that is shared with others.
fn shared<S: Serializer>(row: &Arc<ListedRun>, serializer: S) -> Result<S::Ok, S::Error> {
    row.serialize(serializer)
}

impl RunFrame {
    /// Its `type`.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Snapshot { .. } => "snapshot",
            Self::Changed { .. } => "changed",
            Self::Removed { .. } => "removed",
        }
    }
}

/// A run.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ShownRun {
    id: String,
    name: String,
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::run_state"))]
    status: RunState,
    /// The nodes at work.
    current: Vec<String>,
    steps: u64,
    done: u32,
    total: u32,
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::usage"))]
    usage: Usage,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(default, schema_with = "crate::openapi::failure"))]
    failure: Option<Failure>,
    /// How many questions are open.
    questions: usize,
    /// How real it is.
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::reality"))]
    reality: Reality,
    /// Whether any of its models is simulated, or the run is dry.
    simulated: bool,
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::status_report"))]
    report: Value,
}

impl From<RunSnapshot> for ShownRun {
    fn from(mut run: RunSnapshot) -> Self {
        let report =
            serde_json::to_value(attractor_run::take_status_report(&mut run)).unwrap_or_default();
        let nodes = run.nodes.iter();
        let current = match run.state {
            state if state.is_live() => nodes
                .filter(|(_, node)| node.state.is_active())
                .map(|(id, _)| id.clone())
                .collect(),
            _ => Vec::new(),
        };
        Self {
            id: run.run,
            name: run.pipeline,
            status: run.state,
            current,
            steps: run.steps,
            done: run.done,
            total: run.total,
            usage: run.usage,
            failure: run.failure,
            questions: run.questions.len(),
            reality: run.reality,
            simulated: run.reality.is_simulated(),
            report,
        }
    }
}

/// A question.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ShownQuestion {
    id: String,
    node: String,
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::question_kind"))]
    kind: QuestionKind,
    text: String,
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::question_options"))]
    options: Vec<QuestionOption>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(default, schema_with = "crate::openapi::evidence"))]
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
