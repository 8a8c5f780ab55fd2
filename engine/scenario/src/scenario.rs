//! A scenario: what is given, and what is expected.

use std::collections::BTreeMap;

use attractor_dot::TextRange;
use attractor_run::{Script, ScriptedModels, ScriptedOutcome};
use serde_json::Value;

use crate::expectation::Expectation;
use crate::located::Located;

/// One scenario of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name, unique in the file.
    pub name: Located<String>,
    /// The pipeline it runs; the first of the file without one.
    pub graph: Option<Located<String>>,
    /// Initial values of the context.
    pub inputs: BTreeMap<String, Value>,
    /// What nodes result in, in order of their attempts; the last one repeats.
    pub outcomes: Vec<(Located<String>, Vec<ScenarioOutcome>)>,
    /// How human gates are answered, in order of their visits; the last answer repeats.
    pub answers: Vec<(Located<String>, Vec<Located<String>>)>,
    /// The file with recorded answers of models, relative to the scenario file.
    pub cassette: Option<Located<String>>,
    /// Steps after which the run is stopped.
    pub max_steps: Option<u64>,
    /// What the run is expected to do.
    pub expect: Expectation,
}

/// The result of one attempt of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScenarioOutcome {
    /// The result.
    pub outcome: ScriptedOutcome,
    /// Where the label that it prefers is in the file.
    pub label: Option<TextRange>,
    /// Where the node that it insists on is in the file.
    pub next: Option<TextRange>,
}

impl Scenario {
    /// A scenario of that name which gives nothing and expects success.
    pub fn new(name: Located<String>) -> Self {
        Self {
            name,
            graph: None,
            inputs: BTreeMap::new(),
            outcomes: Vec::new(),
            answers: Vec::new(),
            cassette: None,
            max_steps: None,
            expect: Expectation::default(),
        }
    }

    /// The script of the dry run.
    pub fn script(&self) -> Script {
        let outcomes = self.outcomes.iter().map(|(node, outcomes)| {
            let outcomes = outcomes.iter().map(|outcome| outcome.outcome.clone());
            (node.value.clone(), outcomes.collect())
        });
        Script {
            outcomes: outcomes.collect(),
            models: match self.cassette {
                Some(_) => ScriptedModels::Backends,
                None => ScriptedModels::None,
            },
        }
    }

    /// The prepared answers, by node.
    pub fn prepared_answers(&self) -> BTreeMap<String, Vec<String>> {
        let answers = self.answers.iter().map(|(node, answers)| {
            let answers = answers.iter().map(|answer| answer.value.clone());
            (node.value.clone(), answers.collect())
        });
        answers.collect()
    }
}
