//! What a generated scenario gives: the outcomes and answers that differ from plain success.

use std::collections::BTreeMap;

use attractor_lang::Status;
use attractor_run::ScriptedOutcome;
use serde_json::Value;

use crate::located::Located;
use crate::scenario::{Scenario, ScenarioOutcome};
use crate::trace::{Step, Trace};
use attractor_dot::TextRange;

/// The outcomes, answers and inputs of a scenario. Lists are those of a scenario file: in order, the last one repeats.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plan {
    pub(crate) inputs: BTreeMap<String, Value>,
    pub(crate) outcomes: BTreeMap<String, Vec<ScriptedOutcome>>,
    pub(crate) answers: BTreeMap<String, Vec<String>>,
}

/// What is to happen at one visit of a node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Choice {
    /// The node results in this, and context keys of other nodes and inputs have these values.
    Outcome {
        outcome: ScriptedOutcome,
        of_nodes: Vec<(String, String, Value)>,
        inputs: BTreeMap<String, Value>,
    },
    /// The gate is answered so.
    Answer(String),
}

/// What nodes do where nothing else is chosen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usual {
    /// The answers that gates get by themselves.
    pub(crate) answers: BTreeMap<String, String>,
    /// The outcomes with which a run succeeds, where plain success is not enough.
    pub(crate) outcomes: BTreeMap<String, ScriptedOutcome>,
}

impl Usual {
    fn outcome(&self, node: &str) -> ScriptedOutcome {
        let outcome = self.outcomes.get(node).cloned();
        outcome.unwrap_or_else(|| Status::Success.into())
    }
}

/// For how long a choice holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// For so many attempts; then the node does what is usual.
    Times(u32),
    /// From this visit on.
    Always,
}

impl Plan {
    /// Whether this plan decides already what a choice at a node would change.
    pub(crate) fn decides(&self, node: &str, choice: &Choice) -> bool {
        match choice {
            Choice::Answer(_) => self.answers.contains_key(node),
            Choice::Outcome {
                of_nodes, inputs, ..
            } => {
                self.outcomes.contains_key(node)
                    || of_nodes
                        .iter()
                        .any(|(node, _, _)| self.outcomes.contains_key(node))
                    || inputs.keys().any(|key| self.inputs.contains_key(key))
            }
        }
    }

    /// This plan up to a visit, which goes as chosen. `trace` is the run of this plan.
    pub(crate) fn with(
        &self,
        trace: &Trace,
        step: &Step,
        choice: &Choice,
        repeat: Repeat,
        usual: &Usual,
    ) -> Self {
        let mut plan = self.clone();
        match choice {
            Choice::Answer(answer) => {
                let before = trace.steps.iter().filter(|one| {
                    one.node == step.node && one.graph == step.graph && one.visit < step.visit
                });
                let mut answers: Vec<String> =
                    before.filter_map(|one| one.answer.clone()).collect();
                answers.push(answer.clone());
                if let (Repeat::Times(_), Some(default)) = (repeat, usual.answers.get(&step.node))
                    && default != answer
                {
                    answers.push(default.clone());
                }
                plan.answers.insert(step.node.clone(), answers);
            }
            Choice::Outcome {
                outcome,
                of_nodes,
                inputs,
            } => {
                let (times, then) = match repeat {
                    Repeat::Times(times) => (times, Some(usual.outcome(&step.node))),
                    Repeat::Always => (1, None),
                };
                plan.set_outcome(&step.node, step.first_attempt, outcome, times, then);
                plan.inputs.extend(inputs.clone());
                for (node, key, value) in of_nodes {
                    plan.set_value(trace, node, key, value);
                }
            }
        }
        plan
    }

    fn set_outcome(
        &mut self,
        node: &str,
        from: u32,
        outcome: &ScriptedOutcome,
        times: u32,
        then: Option<ScriptedOutcome>,
    ) {
        let before = (0..from).map(|attempt| self.outcome(node, attempt));
        let mut outcomes: Vec<ScriptedOutcome> = before.collect();
        outcomes.extend((0..times).map(|_| outcome.clone()));
        outcomes.extend(then);
        while let [.., before, last] = outcomes.as_slice()
            && before == last
        {
            outcomes.pop();
        }
        if outcomes == [Status::Success.into()] {
            self.outcomes.remove(node);
        } else {
            self.outcomes.insert(node.to_owned(), outcomes);
        }
    }

    /// Lets the last visit of a node set a key.
    fn set_value(&mut self, trace: &Trace, node: &str, key: &str, value: &Value) {
        let mut steps = trace.steps.iter().rev();
        let Some(step) = steps.find(|step| step.node == node) else {
            return;
        };
        let mut outcome = self.outcome(node, step.first_attempt);
        outcome.set.insert(key.to_owned(), value.clone());
        self.set_outcome(node, step.first_attempt, &outcome, 1, None);
    }

    /// What an attempt of a node results in.
    fn outcome(&self, node: &str, attempt: u32) -> ScriptedOutcome {
        let outcomes = self.outcomes.get(node);
        let attempt = usize::try_from(attempt).unwrap_or(usize::MAX);
        outcomes
            .and_then(|outcomes| outcomes.get(attempt).or_else(|| outcomes.last()))
            .cloned()
            .unwrap_or_else(|| Status::Success.into())
    }

    /// The scenario of this plan, without expectations.
    pub(crate) fn scenario(&self, max_steps: u64) -> Scenario {
        fn here<T>(value: T) -> Located<T> {
            Located {
                value,
                range: TextRange::empty(0),
            }
        }
        let outcomes = self.outcomes.iter().map(|(node, outcomes)| {
            let outcomes = outcomes.iter().map(|outcome| ScenarioOutcome {
                outcome: outcome.clone(),
                ..ScenarioOutcome::default()
            });
            (here(node.clone()), outcomes.collect())
        });
        let answers = self.answers.iter().map(|(node, answers)| {
            let answers = answers.iter().cloned().map(here);
            (here(node.clone()), answers.collect())
        });
        Scenario {
            inputs: self.inputs.clone(),
            outcomes: outcomes.collect(),
            answers: answers.collect(),
            max_steps: Some(max_steps),
            ..Scenario::new(here(String::new()))
        }
    }

    /// Without what the run does not use: the entries of a list after the last attempt of its node.
    pub(crate) fn trimmed(mut self, trace: &Trace) -> Self {
        for (node, outcomes) in &mut self.outcomes {
            outcomes.truncate(trace.attempts(node).max(1));
            // The last one repeats.
            while let [.., before, last] = outcomes.as_slice()
                && before == last
            {
                outcomes.pop();
            }
        }
        for (node, answers) in &mut self.answers {
            answers.truncate(trace.visits(node).max(1));
        }
        let success = ScriptedOutcome::from(Status::Success);
        self.outcomes
            .retain(|_, outcomes| outcomes.iter().any(|outcome| *outcome != success));
        self
    }

    /// How much it differs from plain success.
    pub(crate) fn size(&self) -> usize {
        let outcomes: usize = self.outcomes.values().map(Vec::len).sum();
        let answers: usize = self.answers.values().map(Vec::len).sum();
        self.inputs.len() + outcomes + answers
    }
}
