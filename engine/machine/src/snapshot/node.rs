//! What a node of a run looks like now.

use attractor_model::NodeState;
use serde::{Deserialize, Serialize};

use crate::event::{AgentPlan, AgentProgress};
use crate::outcome::{ModelCall, Usage};
use crate::snapshot::elapsed_ms;

/// What is known of a node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct NodeSnapshot {
    /// Its state.
    pub state: NodeState,
    /// How often it has been entered.
    pub visit: u32,
    /// The attempt of that visit.
    pub attempt: u32,
    /// Attempts over all visits.
    #[serde(default)]
    pub attempts: u32,
    /// When the attempt began, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// When it ended, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// Tokens spent over all attempts.
    #[serde(default)]
    pub tokens: u64,
    /// USD spent over all attempts.
    #[serde(default)]
    pub cost: f64,
    /// Milliseconds that the attempts took that have ended.
    #[serde(default)]
    pub duration_ms: u64,
    /// The model that answered last, as the provider names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// A line for people: the summary, or the reason of the failure.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Whether the model of its last attempt was simulated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simulated: bool,
    /// The tool that its agent called last; none when it does not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// How far its agent is, while that works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentProgress>,
    /// The plan of its agent, as it was last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<AgentPlan>,
    /// Whether it has been done before.
    #[serde(skip)]
    pub(crate) counted: bool,
}

impl NodeSnapshot {
    /// Tokens over all attempts, those of an agent that works until now.
    pub fn tokens_so_far(&self) -> u64 {
        let working = self.agent.as_ref().map_or(0, |agent| agent.tokens);
        self.tokens.saturating_add(working)
    }

    /// USD over all attempts, those of an agent that works until now.
    pub fn cost_so_far(&self) -> f64 {
        self.cost + self.agent.as_ref().map_or(0.0, |agent| agent.cost)
    }

    /// How long the attempt that is under way has taken at a time.
    pub(crate) fn running_ms(&self, time: &str) -> u64 {
        let since = self.started_at.as_deref();
        since.map_or(0, |since| elapsed_ms(since, time))
    }

    /// It asks. A run that ended at this question and was resumed asks again, without another start of the node.
    pub(crate) fn wait(&mut self, time: &str) {
        self.state = NodeState::Waiting;
        if self.ended_at.take().is_some() {
            self.started_at = Some(time.to_owned());
        }
    }

    /// An attempt has ended, after these milliseconds.
    pub(crate) fn spend(&mut self, usage: &Usage, duration_ms: u64, call: Option<&ModelCall>) {
        self.tokens = self.tokens.saturating_add(usage.tokens());
        self.cost += usage.cost;
        self.duration_ms = self.duration_ms.saturating_add(duration_ms);
        if let Some(model) = call.and_then(|call| call.model.as_ref()) {
            self.model = Some(model.clone());
        }
    }
}
