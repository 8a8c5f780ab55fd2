//! Codergen nodes against a backend that does what a test says.

use std::sync::Mutex;
use std::time::Duration;

use attractor_machine::outcome::{FailureClass, Usage};
use futures::StreamExt;
use futures::future::BoxFuture;

use super::*;
use crate::backend::{
    BackendError, BackendRegistry, CodergenBackend, CodergenRequest, CodergenResponse, Progress,
};

/// What a backend does with one request.
#[derive(Clone)]
enum Act {
    Say(&'static str),
    Spend(f64),
    Refuse(FailureClass),
    /// Refuses for so many seconds.
    Limit(u64),
    /// Returns the model of the request.
    EchoModel,
    Panic,
    Hang,
    /// Writes this to `status.json`.
    Decide(&'static str),
}

/// Plays its acts in order; the last one repeats.
struct Actor {
    acts: Mutex<Vec<Act>>,
    prompts: Arc<Mutex<Vec<String>>>,
}

impl CodergenBackend for Actor {
    fn name(&self) -> &'static str {
        "actor"
    }

    fn run(
        &self,
        request: CodergenRequest,
        _progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
        self.prompts.lock().unwrap().push(request.prompt);
        let mut acts = self.acts.lock().unwrap();
        let act = if acts.len() > 1 {
            acts.remove(0)
        } else {
            acts[0].clone()
        };
        Box::pin(async move {
            let mut response = CodergenResponse::default();
            match act {
                Act::Say(text) => text.clone_into(&mut response.text),
                Act::Spend(cost) => {
                    response.usage = Usage {
                        input_tokens: 10,
                        output_tokens: 1,
                        cost,
                        ..Usage::default()
                    }
                }
                Act::Refuse(class) => {
                    return Err(BackendError::new(class, "no"));
                }
                Act::Limit(seconds) => {
                    return Err(BackendError {
                        provider: Some("acme".to_owned()),
                        status: Some(429),
                        category: Some("rate_limit".to_owned()),
                        retry_after: Some(Duration::from_secs(seconds)),
                        ..BackendError::new(FailureClass::TransientInfra, "slow down")
                    });
                }
                Act::EchoModel => {
                    let asked = (request.provider, request.model, request.agency);
                    response.text = format!("{asked:?}");
                }
                Act::Panic => panic!("a bug"),
                Act::Hang => std::future::pending().await,
                Act::Decide(text) => {
                    std::fs::write(request.stage_dir.join("status.json"), text).unwrap();
                }
            }
            Ok(response)
        })
    }
}

fn with(bench: &Harness, dot: &str, acts: &[Act]) -> (Launch, Arc<Mutex<Vec<String>>>) {
    let mut launch = bench.launch(dot);
    let prompts = Arc::new(Mutex::new(Vec::new()));
    launch.mode = Mode::Run;
    launch.backends = BackendRegistry::of(Actor {
        acts: Mutex::new(acts.to_vec()),
        prompts: prompts.clone(),
    });
    (launch, prompts)
}

const ASK: &str = r#"digraph { ATTRIBUTES s [shape=Mdiamond]; e [shape=Msquare]; a [prompt=p NODE]; z [prompt=q]
    s -> a; a -> e [label="[D] Done"]; a -> z [label=More]; z -> e }"#;

fn ask(graph: &str, node: &str) -> String {
    ASK.replace("ATTRIBUTES", graph).replace("NODE", node)
}

#[tokio::test]
async fn an_answer_may_decide_the_outcome() {
    for (act, expected) in [
        (Act::Say("fine"), "s a e"),
        (Act::Say("```json\n{\"status\": \"fail\"}\n```"), "s a e"),
        (
            Act::Say("```json\n{\"outcome\": \"success\", \"preferred_label\": \"more\"}\n```"),
            "s a z e",
        ),
        (
            Act::Decide(r#"{"outcome": "success", "suggested_next_ids": ["z"]}"#),
            "s a z e",
        ),
        (
            Act::Decide(r#"{"status": "needs_dod", "context_updates": {"x": 1}}"#),
            "s a e",
        ),
        (
            Act::Say("{\"outcome\": \"fail\", \"failure_reason\": \"cannot\"}"),
            "s a",
        ),
    ] {
        let bench = Harness::new();
        let (launch, _) = with(&bench, &ask("", ""), &[act, Act::Say("ok")]);
        assert_eq!(path(&*run(launch).await), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn only_failures_that_may_pass_are_tried_again() {
    for (act, attempts) in [
        (Act::Refuse(FailureClass::TransientInfra), 3),
        (Act::Refuse(FailureClass::Authentication), 1),
        (Act::Refuse(FailureClass::BadRequest), 1),
        (Act::Panic, 1),
        (Act::Hang, 3),
    ] {
        let bench = Harness::new();
        let dot = ask("", ", max_retries=2, timeout=\"1m\"");
        let (launch, prompts) = with(&bench, &dot, &[act]);
        let report = run(launch).await;
        assert_eq!(report.status, RunState::Fail);
        assert_eq!(
            prompts.lock().unwrap().len(),
            attempts,
            "{:?}",
            report.failure
        );
    }
}

#[tokio::test]
async fn a_budget_warns_and_then_ends_the_run() {
    let bench = Harness::new();
    let dot = r#"digraph { max_cost=1.0; s [shape=Mdiamond]; e [shape=Msquare]
        a [prompt=p]; b [prompt=p]; c [prompt=p]; s -> a -> b -> c -> e }"#;
    let (launch, prompts) = with(
        &bench,
        dot,
        &[Act::Spend(0.5), Act::Spend(0.4), Act::Spend(0.4)],
    );
    let (report, handle) = finish(launch).await;
    let failure = report.failure.clone().unwrap();
    assert_eq!(failure.class, FailureClass::BudgetExhausted);
    assert_eq!(prompts.lock().unwrap().len(), 3);
    assert!(report.usage.cost > 1.0);
    let warnings = kinds(&handle)
        .iter()
        .filter(|kind| *kind == "budget_warning")
        .count();
    assert_eq!(warnings, 1);
}

/// A provider's delay is obeyed where it is longer than the policy's, and what the call was is in the events.
#[tokio::test(start_paused = true)]
async fn a_providers_delay_is_obeyed() {
    let bench = Harness::new();
    let dot = ask("", ", max_retries=1, retry_delay=\"1ms\"");
    let (launch, _) = with(&bench, &dot, &[Act::Limit(7), Act::Say("ok")]);
    let (report, handle) = finish(launch).await;
    assert_eq!(report.status, RunState::Success);
    let events = handle.events(0);
    let delay = events.iter().find_map(|event| match &event.kind {
        EventKind::StageRetrying { delay, .. } => Some(*delay),
        _ => None,
    });
    assert_eq!(delay, Some(7_000));
    let call = events.iter().find_map(|event| match &event.kind {
        EventKind::StageFailed { model, .. } => model.clone(),
        _ => None,
    });
    let call = call.unwrap();
    assert_eq!(
        (
            call.provider.as_deref(),
            call.status,
            call.category.as_deref()
        ),
        (Some("acme"), Some(429), Some("rate_limit"))
    );
    let kept = std::fs::read_to_string(handle.directory().join("a/1-1/model.json")).unwrap();
    assert!(kept.contains("acme"), "{kept}");
}

/// A node may wait for a rate limit to end, without using up its attempts.
#[tokio::test(start_paused = true)]
async fn a_node_waits_for_a_rate_limit() {
    for (word, retries, expected) in [
        ("wait", 0, "success: 7200000 7200000"),
        ("retry", 0, "fail: "),
        ("retry", 2, "success: 7200000 7200000"),
        ("fail", 2, "fail: "),
    ] {
        let bench = Harness::new();
        let node = format!(", on_rate_limit={word}, max_retries={retries}");
        let acts = [Act::Limit(7200), Act::Limit(7200), Act::Say("ok")];
        let (launch, _) = with(&bench, &ask("", &node), &acts);
        let (report, handle) = finish(launch).await;
        let events = handle.events(0);
        let delays = events.iter().filter_map(|event| match &event.kind {
            EventKind::StageRetrying {
                delay,
                until,
                waiting_for,
                ..
            } => {
                assert_eq!(until.is_some(), word == "wait");
                assert_eq!(waiting_for.as_deref(), (word == "wait").then_some("acme"));
                Some(delay.to_string())
            }
            _ => None,
        });
        let delays: Vec<String> = delays.collect();
        let status = if report.status == RunState::Success {
            "success"
        } else {
            "fail"
        };
        assert_eq!(
            format!("{status}: {}", delays.join(" ")),
            expected,
            "{word}"
        );
    }
}

/// A budget is the run's: where it is used up, no branch continues.
#[tokio::test]
async fn a_budget_that_a_branch_uses_up_ends_the_run() {
    let bench = Harness::new();
    for (limit, reason) in [
        ("max_cost=1.0", "budget exceeded: 1 of 1 (`max_cost`)"),
        ("max_cost=\"$1\"", "budget exceeded: 1 of 1 (`max_cost`)"),
        (
            "max_tokens_total=20",
            "budget exceeded: 22 of 20 (`max_tokens_total`)",
        ),
    ] {
        let dot = format!(
            "digraph {{ {limit}; s [shape=Mdiamond]; e [shape=Msquare]; f [shape=component, max_parallel=1]
            a [prompt=p]; b [prompt=p]; c [prompt=p]; j [shape=tripleoctagon]
            s -> f; f -> a -> j; f -> b -> j; f -> c -> j; j -> e }}"
        );
        let (launch, prompts) = with(&bench, &dot, &[Act::Spend(0.5)]);
        let report = run(launch).await;
        assert_eq!(path(&report), "s a b");
        assert_eq!(report.failure.clone().unwrap().reason, reason);
        assert_eq!(prompts.lock().unwrap().len(), 2);
    }
}

/// Each turn of a supervisor has its own folders: what one left behind decides nothing in the next.
#[tokio::test]
async fn a_turn_does_not_read_what_an_earlier_one_decided() {
    let bench = Harness::new();
    let dot = r#"digraph main { s [shape=Mdiamond]; e [shape=Msquare]; v [shape=house, sub_pipeline=child]; s -> v -> e }
        digraph child { goal=x; s [shape=Mdiamond]; w [prompt=x]; s -> w }"#;
    let acts = [Act::Decide(r#"{"outcome": "fail"}"#), Act::Say("ok")];
    let (launch, _) = with(&bench, dot, &acts);
    let (report, handle) = finish(launch).await;
    assert_eq!(path(&report), "s s w s w v e", "{:?}", report.failure);
    let stages = handle.directory().join("+child").join("w");
    assert!(stages.join("1-1/status.json").exists());
    assert!(stages.join("2-1").exists());
}

/// Without a word about how it went, an answer is a success, unless one is asked for.
#[tokio::test]
async fn who_must_say_how_it_went() {
    for (node, expected) in [
        ("", "s a e"),
        (", require_status=true", "s a"),
        (", require_status=true, auto_status=true", "s a e"),
        (", auto_status=true", "s a e"),
    ] {
        let bench = Harness::new();
        let (launch, _) = with(&bench, &ask("", node), &[Act::Say("done")]);
        assert_eq!(path(&*run(launch).await), expected, "{node}");
    }
}

#[tokio::test]
async fn prompts_carry_context_and_feedback() {
    let bench = Harness::new();
    let dot = r#"digraph { goal="a parser"; s [shape=Mdiamond, var.plan="small steps"]; e [shape=Msquare]
        a [prompt="do {plan} for $goal", context_keys=plan]; b [prompt="@ask.md", feedback_from=a]; s -> a -> b -> e }"#;
    let (mut launch, prompts) = with(&bench, dot, &[Act::Say("made it")]);
    launch.files = vec![("ask.md".to_owned(), "look at {plan}".to_owned())];
    let report = run(launch).await;
    assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
    let prompts = prompts.lock().unwrap();
    assert_eq!(
        prompts[0],
        "do small steps for a parser\n\n## plan\nsmall steps"
    );
    assert_eq!(
        prompts[1],
        "look at small steps\n\n## Feedback from a\nmade it"
    );
}

#[tokio::test]
async fn a_late_reader_sees_every_event_in_order() {
    let bench = Harness::new();
    let (launch, _) = with(&bench, &ask("", ""), &[Act::Say("ok")]);
    let handle = start(launch).await.unwrap();
    let early = handle.subscribe(0);
    handle.wait().await;
    let late = handle.subscribe(0);
    let rest = handle.subscribe(3);
    let numbers =
        |events: Vec<Arc<Event>>| events.iter().map(|event| event.seq).collect::<Vec<_>>();
    let (early, late) = (
        numbers(early.collect().await),
        numbers(late.collect().await),
    );
    assert_eq!(early, late);
    assert_eq!(late, (1..=late.len() as u64).collect::<Vec<_>>());
    assert_eq!(numbers(rest.collect().await), late[3..]);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_model_call_ends_at_once() {
    let bench = Harness::new();
    let (launch, _) = with(&bench, &ask("", ""), &[Act::Hang]);
    let handle = start(launch).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    handle.cancel("test");
    assert_eq!(handle.wait().await.status, RunState::Cancelled);
}

#[tokio::test(start_paused = true)]
async fn a_better_model_is_asked_after_failures() {
    let attributes = "max_retries=4, retry_delay=\"1ms\", model=small, agent_mode=one_shot, \
        retries_before_escalation=2, escalation_models=\"big, openai:bigger\"";
    for (failures, expected) in [
        (0, r#"(None, Some("small"), OneAnswer)"#),
        (1, r#"(None, Some("small"), OneAnswer)"#),
        (2, r#"(None, Some("big"), OneAnswer)"#),
        (4, r#"(Some("openai"), Some("bigger"), OneAnswer)"#),
    ] {
        let bench = Harness::new();
        let mut acts = vec![Act::Refuse(FailureClass::TransientInfra); failures];
        acts.push(Act::EchoModel);
        let (launch, _) = with(&bench, &ask("", attributes), &acts);
        let report = run(launch).await;
        assert_eq!(
            value(&report, "response.a"),
            expected,
            "{:?}",
            report.failure
        );
    }
}
