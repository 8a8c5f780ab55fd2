//! The engine's data in the casing of LSP: messages are camelCase, while everything the engine writes is
//! `snake_case`. An event inside `attractor/event` stays as it is in the journal.

use attractor_run::{AgentProgress, FileChange, NodeSnapshot, NodeState, QuestionKind};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The state of a node in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Its state.
    #[cfg_attr(test, schemars(schema_with = "super::reference::names::<NodeState>"))]
    pub state: NodeState,
    /// How often it has been entered.
    pub visit: u32,
    /// The attempt of that visit.
    pub attempt: u32,
    /// When the attempt began, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// When it ended, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// Tokens spent over all attempts; of an agent that works, those until now.
    pub tokens: u64,
    /// USD spent over all attempts; of an agent that works, those until now.
    pub cost: f64,
    /// A line for people; of an agent that works, its turns, tool calls, tokens, cost, tool and idle time.
    pub summary: String,
    /// Whether the model of its last attempt was simulated.
    #[serde(default)]
    pub simulated: bool,
    /// The tool that its agent called last; missing when it does not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Seconds since its agent did anything, where that is longer than 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_seconds: Option<f64>,
}

/// The nodes of a run, in the order in which they were reached.
pub(crate) fn nodes(of_run: IndexMap<String, NodeSnapshot>) -> IndexMap<String, Node> {
    of_run
        .into_iter()
        .map(|(id, node)| (id, node.into()))
        .collect()
}

impl From<NodeSnapshot> for Node {
    fn from(node: NodeSnapshot) -> Self {
        Self {
            tokens: node.tokens_so_far(),
            cost: node.cost_so_far(),
            idle_seconds: node.agent.as_ref().and_then(AgentProgress::idle),
            state: node.state,
            visit: node.visit,
            attempt: node.attempt,
            started_at: node.started_at,
            ended_at: node.ended_at,
            summary: node.summary,
            simulated: node.simulated,
            tool: node.tool,
        }
    }
}

/// Tokens and money spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Tokens read by models.
    pub input_tokens: u64,
    /// Tokens written by models.
    pub output_tokens: u64,
    /// Price in USD.
    pub cost: f64,
}

impl From<attractor_run::Usage> for Usage {
    fn from(usage: attractor_run::Usage) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cost: usage.cost,
        }
    }
}

/// A question of a human gate.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Unique within the run.
    pub id: String,
    /// The node that asks.
    pub node: String,
    /// What kind of answer is wanted.
    #[serde(with = "kind")]
    #[cfg_attr(test, schemars(schema_with = "kind::schema"))]
    pub kind: QuestionKind,
    /// The question itself.
    pub text: String,
    /// The ways to answer; empty for free text.
    pub options: Vec<QuestionOption>,
    /// The key of the option taken without an answer in time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Milliseconds a user has to answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// When the time to answer ends, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// Who should answer, for display.
    pub reviewers: Vec<String>,
    /// What helps to decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// One way to answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct QuestionOption {
    /// What a user types.
    pub key: String,
    /// What a user reads.
    pub label: String,
    /// The node this answer leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Whether this answer approves.
    pub approves: bool,
    /// Whether choosing it asks for text.
    pub freeform: bool,
}

/// What is shown with a question.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The last output of the run, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The node whose output it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Files named by the gate, then those the run has changed.
    pub files: Vec<EvidenceFile>,
    /// How many files the run has changed beyond those in `files`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more_files: Option<usize>,
}

/// A file shown with a question.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EvidenceFile {
    /// Path relative to the working directory of the run.
    pub path: String,
    /// `added`, `modified` or `deleted` by the run; none of a file that is only attached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(schema_with = "super::reference::names::<FileChange>"))]
    pub change: Option<FileChange>,
    /// Lines added since the run started; none when unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added: Option<u64>,
    /// Lines removed since the run started; none when unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<u64>,
    /// What changed in it, as a unified diff; empty when unknown.
    pub diff: String,
}

impl From<&attractor_run::Question> for Question {
    fn from(question: &attractor_run::Question) -> Self {
        let option = |option: &attractor_run::QuestionOption| QuestionOption {
            key: option.key.clone(),
            label: option.label.clone(),
            to: option.to.clone(),
            approves: option.approves,
            freeform: option.freeform,
        };
        Self {
            id: question.id.clone(),
            node: question.node.clone(),
            kind: question.kind,
            text: question.text.clone(),
            options: question.options.iter().map(option).collect(),
            default: question.default.clone(),
            timeout_ms: question.timeout_ms,
            deadline: question.deadline.clone(),
            reviewers: question.reviewers.clone(),
            evidence: question.evidence.as_ref().map(Evidence::from),
        }
    }
}

impl From<&attractor_run::Evidence> for Evidence {
    fn from(evidence: &attractor_run::Evidence) -> Self {
        let file = |file: &attractor_run::EvidenceFile| EvidenceFile {
            path: file.path.clone(),
            change: file.change,
            added: file.added,
            removed: file.removed,
            diff: file.diff.clone(),
        };
        Self {
            output: evidence.output.clone(),
            node: evidence.source.clone(),
            files: evidence.files.iter().map(file).collect(),
            more_files: (evidence.more_files > 0).then_some(evidence.more_files),
        }
    }
}

/// The kinds of questions, in camelCase.
mod kind {
    use attractor_run::QuestionKind;
    use serde::{Deserialize, Deserializer, Serializer};

    const NAMES: [(QuestionKind, &str); 5] = [
        (QuestionKind::Choice, "choice"),
        (QuestionKind::Confirm, "confirm"),
        (QuestionKind::Freeform, "freeform"),
        (QuestionKind::Multi, "multi"),
        (QuestionKind::ChoiceOrText, "choiceOrText"),
    ];

    #[cfg(test)]
    pub(super) fn schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "enum": NAMES.map(|(_, name)| name) })
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(kind: &QuestionKind, to: S) -> Result<S::Ok, S::Error> {
        let name = NAMES.iter().find(|(known, _)| known == kind);
        to.serialize_str(name.map_or("choice", |(_, name)| name))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<QuestionKind, D::Error> {
        let name = String::deserialize(from)?;
        let kind = NAMES.iter().find(|(_, known)| *known == name);
        Ok(kind.map_or(QuestionKind::Choice, |(kind, _)| *kind))
    }
}
