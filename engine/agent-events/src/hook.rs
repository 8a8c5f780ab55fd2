//! Hooks: commands that run before and after tool calls, and what came of one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When a hook runs.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
// Exhaustive: a hook runs before or after a call.
pub enum HookTime {
    /// Before a call, which it can refuse.
    Before,
    /// After a call.
    After,
}

impl HookTime {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Before, Self::After];

    /// The word of the configuration file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }

    /// The time of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|time| time.name() == name)
    }
}

/// A hook that ran before or after a tool call of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub struct HookReport {
    /// Its name in the configuration, or the attribute.
    pub hook: String,
    /// Whether it ran before or after the call.
    pub when: HookTime,
    /// The tool.
    pub tool_name: String,
    /// The call.
    pub tool_call_id: String,
    /// What came of it.
    pub outcome: HookOutcome,
    /// Its exit code; absent where it did not end by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Milliseconds it ran.
    pub duration_ms: u64,
    /// What it wrote, shortened, and why it did not end by itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
}

/// What came of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HookOutcome {
    /// It ended with exit code 0.
    Passed,
    /// It ran before the call, which did not run.
    Refused,
    /// It ran after the call, and failed.
    Failed,
}

impl HookReport {
    /// In a line: ``hook `audit` after shell: failed, exit code 2``.
    pub fn summary(&self) -> String {
        let outcome = match self.outcome {
            HookOutcome::Passed => "passed",
            HookOutcome::Refused => "refused the call",
            HookOutcome::Failed => "failed",
        };
        let code = match self.exit_code {
            Some(code) if code != 0 => format!(", exit code {code}"),
            _ => String::new(),
        };
        let first = self.output.lines().next().unwrap_or_default();
        let end = match (self.outcome, first) {
            (HookOutcome::Passed, _) | (_, "") => String::new(),
            (_, first) => format!(": {first}"),
        };
        let (hook, when, tool) = (&self.hook, self.when.name(), &self.tool_name);
        format!("hook `{hook}` {when} {tool}: {outcome}{code}{end}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_is_a_line() {
        let report = HookReport {
            hook: "no-push".to_owned(),
            when: HookTime::Before,
            tool_name: "shell".to_owned(),
            tool_call_id: "c1".to_owned(),
            outcome: HookOutcome::Refused,
            exit_code: Some(3),
            duration_ms: 12,
            output: "pushes are for people\nask one".to_owned(),
        };
        assert_eq!(
            report.summary(),
            "hook `no-push` before shell: refused the call, exit code 3: pushes are for people"
        );
        let passed = HookReport {
            outcome: HookOutcome::Passed,
            exit_code: Some(0),
            ..report
        };
        assert_eq!(passed.summary(), "hook `no-push` before shell: passed");
    }
}
