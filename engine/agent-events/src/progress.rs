//! How far the agent of a node is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Seconds after which an agent is shown as idle.
const IDLE: f64 = 10.0;

/// How far an agent is, its subagents included.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub struct AgentProgress {
    /// Calls of the model.
    pub turns: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Tokens of input and output.
    pub tokens: u64,
    /// USD.
    pub cost: f64,
    /// Seconds since it last did anything.
    pub idle_seconds: f64,
    /// The tool that runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The plan that it follows: `1 of 3 steps · Run the tests`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
}

impl AgentProgress {
    /// Seconds since it last did anything, where that is long ago.
    pub fn idle(&self) -> Option<f64> {
        Some(self.idle_seconds).filter(|seconds| *seconds >= IDLE)
    }

    /// In a line: `1 of 3 steps · Test · 4 turns · 7 tool calls · 12 k tokens · $0.03 · shell`.
    pub fn summary(&self) -> String {
        let counted = |count: u64, unit: &str| match count {
            1 => format!("1 {unit}"),
            count => format!("{count} {unit}s"),
        };
        let mut parts: Vec<String> = self.plan.iter().cloned().collect();
        parts.push(counted(self.turns, "turn"));
        if self.tool_calls > 0 {
            parts.push(counted(self.tool_calls, "tool call"));
        }
        match self.tokens {
            0 => {}
            tokens if tokens < 1000 => parts.push(counted(tokens, "token")),
            tokens => parts.push(format!("{} k tokens", tokens / 1000)),
        }
        if self.cost > 0.0 {
            parts.push(format!("${:.2}", self.cost));
        }
        parts.extend(self.tool.clone());
        if let Some(seconds) = self.idle() {
            parts.push(format!("no event for {seconds:.0} s"));
        }
        parts.join(" · ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_a_line() {
        let progress = AgentProgress {
            turns: 1,
            ..AgentProgress::default()
        };
        assert_eq!(progress.summary(), "1 turn");
        let progress = AgentProgress {
            turns: 4,
            tool_calls: 7,
            tokens: 12_345,
            cost: 0.034,
            idle_seconds: 31.4,
            tool: Some("shell".to_owned()),
            plan: Some("1 of 3 steps · Test".to_owned()),
        };
        assert_eq!(
            progress.summary(),
            "1 of 3 steps · Test · 4 turns · 7 tool calls · 12 k tokens · $0.03 · shell · no event for 31 s"
        );
    }
}
