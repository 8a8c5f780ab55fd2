//! The ways a dry run can take: each edge is taken by one of them, where the condition solver finds what decides for it.
//!
//! What is given is fixed, and narrows the ways. A loop that only a limit of the whole run ends is a way, too.

use std::collections::BTreeMap;

use attractor_lang::Status;
use attractor_model::Pipeline;
use attractor_run::{
    AnswerPolicy, DEFAULT_MAX_STEPS, DryRuns, Launch, Mode, RunState, Script, ScriptedModels,
    ScriptedOutcome, StopPlace,
};
use serde_json::{Map, Value};

use crate::generate::{GeneratedScenario, Plan, endless, give_names, round, search_with};

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
    /// The nodes it enters, in order; where it goes round without an end, up to the end of the first round.
    pub path: Vec<String>,
    /// The nodes that it repeats until a limit of the whole run ends it; empty where it has an end.
    pub repeats: Vec<String>,
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
    let loops = endless(dry_runs, scenarios, &plan).await;
    scenarios.extend(loops);
    give_names(scenarios);
    let limits = limits(dry_runs.launch());
    let found = found.scenarios.into_iter();
    found.map(|one| Way::of(one, &limits)).collect()
}

/// The limits of a whole run, as they are written: `max_steps=1000 or max_cost=5`.
fn limits(launch: &Launch) -> String {
    let attributes = &launch.pipeline.attributes;
    let written = |name: &str| attributes.text(name).map(str::to_owned);
    let steps = launch.limits.max_steps.map(|most| most.to_string());
    let steps = steps.or_else(|| written("max_steps"));
    let cost = launch.limits.max_cost.map(|most| most.to_string());
    let others = [
        ("max_cost", cost.or_else(|| written("max_cost"))),
        ("max_tokens_total", written("max_tokens_total")),
        ("max_pipeline_duration", written("max_pipeline_duration")),
    ];
    let steps = steps.unwrap_or_else(|| DEFAULT_MAX_STEPS.to_string());
    let mut limits = vec![format!("max_steps={steps}")];
    limits.extend(
        others
            .into_iter()
            .filter_map(|(name, most)| Some(format!("{name}={}", most?))),
    );
    limits.join(" or ")
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

impl Way {
    /// A way that was found; `limits` end it where it goes round.
    fn of(found: GeneratedScenario, limits: &str) -> Self {
        let mut path: Vec<String> = found.trace.path().map(str::to_owned).collect();
        let endless = found.max_steps.and_then(|_| round(&path));
        let repeats = endless.map_or_else(Vec::new, |round| {
            path.truncate(round.start + round.nodes.len());
            round.nodes
        });
        let Plan {
            inputs,
            outcomes,
            answers,
        } = found.plan;
        let failure = found.trace.report.failure.as_ref();
        let reason = match repeats.as_slice() {
            [] => failure.map(|failure| failure.reason.clone()),
            nodes => {
                let round = nodes.join(" → ");
                Some(format!("goes round {round} until {limits} ends the run"))
            }
        };
        Self {
            decided_by: found.name,
            given: DryRunInputs {
                inputs,
                outcomes,
                answers,
            },
            path,
            repeats,
            state: found.trace.report.status,
            reason,
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
            let state = way.state.name();
            write!(text, "{}: {path} ({state})", way.decided_by).unwrap();
            if !way.repeats.is_empty() {
                write!(text, " {}", way.reason.as_deref().unwrap_or_default()).unwrap();
            }
            text.push('\n');
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
                check outputs "fail", without an end: s → check → fix (fail) goes round check → fix until max_steps=1000 ends the run
            "#]],
        )
        .await;
    }

    const TESTED: &str = r#"
        test [type=tool, command="make test"]; fix [prompt="fix it"]
        s -> test
        test -> done [condition="outcome=success"]
        test -> fix [condition="outcome=fail"]
        fix -> test
    "#;

    #[tokio::test]
    async fn a_loop_without_a_limit_is_a_way() {
        check(TESTED, &[], expect![[r#"
            every step succeeds: s → test → done (success)
            test fails, then succeeds: s → test → fix → test → done (success)
            test keeps failing, without an end: s → test → fix (fail) goes round test → fix until max_steps=1000 ends the run
        "#]]).await;
        let budget = format!("max_cost=5; max_steps=200; {TESTED}");
        check(&budget, &[], expect![[r#"
            every step succeeds: s → test → done (success)
            test fails, then succeeds: s → test → fix → test → done (success)
            test keeps failing, without an end: s → test → fix (fail) goes round test → fix until max_steps=200 or max_cost=5 ends the run
        "#]]).await;
        // What is given has no other way out.
        check(TESTED, &[("test", Status::Fail)], expect![[r#"
            fix fails; test fails: s → test → fix (fail)
            fix succeeds, then fails; test keeps failing: s → test → fix → test → fix (fail)
            test keeps failing, without an end: s → test → fix (fail) goes round test → fix until max_steps=1000 ends the run
        "#]]).await;
    }

    #[tokio::test]
    async fn a_loop_with_a_limit_is_not_a_way_of_its_own() {
        let limited = TESTED.replace("prompt=", "max_visits=2, prompt=");
        check(
            &limited,
            &[],
            expect![[r#"
            every step succeeds: s → test → done (success)
            test fails, then succeeds: s → test → fix → test → done (success)
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
