//! The plan of an agent: the steps that it intends to take, and how far it is with them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The plan of an agent. A later one takes its place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub struct AgentPlan {
    /// Its steps, in order.
    pub steps: Vec<PlanStep>,
}

/// A step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub struct PlanStep {
    /// What is to be done, in a line.
    pub step: String,
    /// How far it is.
    pub status: StepStatus,
}

/// How far a step of a plan is; the words are those of the Agent Client Protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
// Exhaustive: these are the states of the Agent Client Protocol.
pub enum StepStatus {
    /// It has not begun.
    Pending,
    /// It is worked on.
    InProgress,
    /// It is done.
    Completed,
}

impl StepStatus {
    /// All, in the order of a step's life.
    pub const ALL: [Self; 3] = [Self::Pending, Self::InProgress, Self::Completed];

    /// The word in events.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
        }
    }

    /// The sign before a step.
    pub const fn glyph(self) -> char {
        match self {
            Self::Pending => '○',
            Self::InProgress => '◐',
            Self::Completed => '●',
        }
    }
}

impl AgentPlan {
    /// In a line: `1 of 3 steps · Run the tests`.
    pub fn summary(&self) -> String {
        let of = |status: StepStatus| self.steps.iter().filter(move |one| one.status == status);
        let done = of(StepStatus::Completed).count();
        let unit = if self.steps.len() == 1 {
            "step"
        } else {
            "steps"
        };
        let count = format!("{done} of {} {unit}", self.steps.len());
        match of(StepStatus::InProgress).next() {
            Some(current) => format!("{count} · {}", current.step),
            None => count,
        }
    }

    /// Whether no step is left.
    pub fn is_completed(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.all(|one| one.status == StepStatus::Completed)
    }

    /// The same, with each text replaced.
    #[must_use]
    pub fn map(self, replace: impl Fn(&str) -> String) -> Self {
        let steps = self.steps.into_iter().map(|one| PlanStep {
            step: replace(&one.step),
            ..one
        });
        Self {
            steps: steps.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(steps: &[(&str, StepStatus)]) -> AgentPlan {
        let steps = steps.iter().map(|(step, status)| PlanStep {
            step: (*step).to_owned(),
            status: *status,
        });
        AgentPlan {
            steps: steps.collect(),
        }
    }

    #[test]
    fn a_plan_is_a_line() {
        use StepStatus::{Completed, InProgress, Pending};
        let working = plan(&[
            ("Read", Completed),
            ("Change", InProgress),
            ("Test", Pending),
        ]);
        assert_eq!(working.summary(), "1 of 3 steps · Change");
        assert!(!working.is_completed());
        let done = plan(&[("Read", Completed)]);
        assert_eq!(done.summary(), "1 of 1 step");
        assert!(done.is_completed());
    }

    #[test]
    fn words_are_those_of_the_events() {
        for status in StepStatus::ALL {
            let word = serde_json::to_value(status).ok();
            assert_eq!(word, Some(status.name().into()));
        }
    }
}
