//! The ways a dry run can take: each edge is taken by one of them, where the condition solver finds what decides for it.
//!
//! What is given is fixed, and narrows the ways.

use std::collections::BTreeMap;

use attractor_lang::Status;
use attractor_model::Pipeline;
use attractor_run::{
    AnswerPolicy, DryRuns, Launch, Mode, RunState, Script, ScriptedModels, ScriptedOutcome,
    StopPlace,
};
use serde_json::{Map, Value};

use crate::generate::{GeneratedScenario, Plan, give_names, search_with};

/// What decides where a dry run goes: by node in order of its attempts or visits, the last one repeats.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DryRunInputs {
    /// First values of the context.
    pub inputs: BTreeMap<String, Value>,
    /// The outcomes of nodes.
    pub outcomes: BTreeMap<String, Vec<ScriptedOutcome>>,
    /// The answers of gates.
    pub answers: BTreeMap<String, Vec<String>>,
}

/// One way through a pipeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// What decides, in words: `test fails, then succeeds; review: Approve`.
    pub decided_by: String,
    /// The same for a dry run.
    pub given: DryRunInputs,
    /// The nodes it enters, in order.
    pub path: Vec<String>,
    /// How it ends.
    pub state: RunState,
    /// Why it fails, if it does.
    pub reason: Option<String>,
}

impl DryRunInputs {
    /// What a launch decides.
    pub fn of(launch: &Launch) -> Self {
        let outcomes = match &launch.mode {
            Mode::DryRun(script) => script.outcomes.clone(),
            Mode::Run | Mode::Simulate => BTreeMap::new(),
        };
        let answers = match &launch.answers {
            AnswerPolicy::Scripted(answers) => answers.clone(),
            _ => BTreeMap::new(),
        };
        Self {
            inputs: launch.inputs.clone(),
            outcomes,
            answers,
        }
    }
}

impl Way {
    /// The dry run that takes this way. Questions that it does not answer are asked as the launch says.
    #[must_use]
    pub fn launch(&self, mut launch: Launch) -> Launch {
        launch.mode = Mode::DryRun(Script {
            outcomes: self.given.outcomes.clone(),
            models: ScriptedModels::None,
        });
        launch.inputs.extend(self.given.inputs.clone());
        if !self.given.answers.is_empty() {
            launch.answers = AnswerPolicy::Scripted(self.given.answers.clone());
        }
        launch
    }
}

/// What an outcome says, as JSON: `{"status": "success", "set": {"tool.last_line": "pass"}}`.
pub fn outcome_json(outcome: &ScriptedOutcome) -> Value {
    let mut fields = Map::new();
    let words = [
        ("status", outcome.status.as_ref().map(Status::name)),
        ("preferred_label", outcome.preferred_label.as_deref()),
        ("next_node", outcome.next_node.as_deref()),
        ("output", outcome.output.as_deref()),
    ];
    for (name, word) in words {
        fields.extend(word.map(|word| (name.to_owned(), Value::from(word))));
    }
    if !outcome.set.is_empty() {
        let set = outcome.set.clone().into_iter().collect::<Map<_, _>>();
        fields.insert("set".to_owned(), set.into());
    }
    Value::Object(fields)
}

/// The ways of the pipeline of `dry_runs`; none when it cannot run. The first one is what a dry run shows: the plain way,
/// on which everything that is not given succeeds, or else one that reaches an end.
pub async fn ways(dry_runs: &DryRuns, given: DryRunInputs) -> Vec<Way> {
    let plan = Plan {
        inputs: given.inputs,
        outcomes: given.outcomes,
        answers: given.answers,
    };
    let Some(mut found) = search_with(dry_runs, plan.clone()).await else {
        return Vec::new();
    };
    let is_plain = |one: &GeneratedScenario| one.plan == plan.clone().trimmed(&one.trace);
    let pipeline = &dry_runs.launch().pipeline;
    let scenarios = &mut found.scenarios;
    if scenarios.len() > 1 {
        // A condition of it reads what nothing has set: other outcomes lead on.
        scenarios.retain(|one| !is_plain(one) || !stops_between(one, pipeline));
    }
    if !scenarios.first().is_some_and(is_plain) {
        let rank = |state: RunState| match state {
            RunState::Success => 0,
            RunState::Escalated => 1,
            _ => 2,
        };
        scenarios.sort_by_key(|one| rank(one.trace.report.status));
    }
    give_names(scenarios);
    found.scenarios.into_iter().map(Way::from).collect()
}

/// Whether a run stops at a node that has not failed and that edges lead away from.
fn stops_between(found: &GeneratedScenario, pipeline: &Pipeline) -> bool {
    let Some(failure) = &found.trace.report.failure else {
        return false;
    };
    if matches!(failure.stopped, Some(StopPlace::Before(_))) {
        return true;
    }
    let last = failure
        .node
        .as_deref()
        .and_then(|node| pipeline.by_id(node));
    last.is_some_and(|node| {
        let outcomes = found.plan.outcomes.get(pipeline.id(node));
        let last = outcomes.and_then(|outcomes| outcomes.last());
        let failed = last.is_some_and(|one| one.status.as_ref().is_some_and(Status::is_failure));
        !failed && !pipeline.outgoing(node).is_empty()
    })
}

impl From<GeneratedScenario> for Way {
    fn from(found: GeneratedScenario) -> Self {
        let Plan {
            inputs,
            outcomes,
            answers,
        } = found.plan;
        let failure = found.trace.report.failure.as_ref();
        Self {
            decided_by: found.name,
            given: DryRunInputs {
                inputs,
                outcomes,
                answers,
            },
            path: found.trace.path().map(str::to_owned).collect(),
            state: found.trace.report.status,
            reason: failure.map(|failure| failure.reason.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Arc;

    use attractor_model::{NoFiles, Options};
    use attractor_run::Source;
    use expect_test::{Expect, expect};

    use super::*;
    use crate::Subject;

    async fn check(body: &str, outcomes: &[(&str, Status)], expected: Expect) {
        let text = format!("digraph {{ s [shape=Mdiamond]; done [shape=Msquare]; {body} }}");
        let source = Source {
            path: "a.dot".into(),
            text: Arc::from(text.as_str()),
        };
        let pipelines = Pipeline::from_text(&text);
        let subject = Subject::new(&source, &pipelines, &Options::default(), &NoFiles);
        let dry_runs = subject.dry_runs(None).unwrap();
        let given = DryRunInputs {
            outcomes: outcomes
                .iter()
                .map(|(node, status)| ((*node).to_owned(), vec![status.clone().into()]))
                .collect(),
            ..DryRunInputs::default()
        };
        let found = ways(dry_runs, given).await;
        let mut text = String::new();
        for way in &found {
            let path = way.path.join(" → ");
            writeln!(text, "{}: {path} ({})", way.decided_by, way.state.name()).unwrap();
        }
        expected.assert_eq(&text);
    }

    const PRINTED: &str = r#"
        test [type=tool, command="make test"]; fix [type=tool, command="make fix"]
        s -> test
        test -> done [condition="context.tool.last_line=pass"]
        test -> fix [condition="context.tool.last_line=fail"]
        fix -> done
    "#;

    #[tokio::test]
    async fn what_a_command_prints_decides() {
        check(
            PRINTED,
            &[],
            expect![[r#"
                test outputs "pass": s → test → done (success)
                test outputs "fail": s → test → fix → done (success)
            "#]],
        )
        .await;
    }

    #[tokio::test]
    async fn a_loop_ends_with_what_makes_a_run_succeed() {
        let body = r#"
            check [type=tool, command="./check"]; fix [type=tool, command="./fix"]
            s -> check
            check -> done [condition="context.tool.last_line=pass"]
            check -> fix [condition="context.tool.last_line=fail"]
            fix -> check
        "#;
        check(
            body,
            &[],
            expect![[r#"
            check outputs "pass": s → check → done (success)
            check outputs "fail", then outputs "pass": s → check → fix → check → done (success)
        "#]],
        )
        .await;
    }

    #[tokio::test]
    async fn a_given_outcome_narrows_the_ways() {
        let body = r#"
            test [type=tool, command="make test"]; fix [type=tool, command="make fix"]
            s -> test
            test -> done [condition="outcome=success"]
            test -> fix [condition="outcome=fail"]
            fix -> done
        "#;
        check(
            body,
            &[],
            expect![[r#"
                every step succeeds: s → test → done (success)
                test fails: s → test → fix → done (success)
            "#]],
        )
        .await;
        check(
            body,
            &[("test", Status::Fail)],
            expect![[r#"
                test fails: s → test → fix → done (success)
            "#]],
        )
        .await;
    }
}
