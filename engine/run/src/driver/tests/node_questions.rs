//! Questions of handlers and backends, and messages to backends, while they work.

use std::fs;
use std::time::{Duration, SystemTime};

use attractor_exec::RealDisk;
use attractor_machine::outcome::Outcome;
use attractor_machine::question::{Answer, Question};
use expect_test::expect;
use futures::StreamExt as _;
use futures::future::BoxFuture;

use super::*;
use crate::backend::{
    BackendError, BackendRegistry, CodergenBackend, CodergenRequest, CodergenResponse, Progress,
};
use crate::clock::TestClock;
use crate::driver::resume::resume_run;
use crate::handlers::{Execution, NodeHandler, NodeInput};
use crate::launch::Resume;
use crate::questions::answer_policy::AnswerPolicy;
use crate::questions::interviewer::Queue;

/// Asks whether to continue, and sets what comes of it.
struct Asks(Question);

impl NodeHandler for Asks {
    fn execute(&self, _: NodeInput<'_>) -> Execution {
        let question = self.0.clone();
        Execution::run(move |env| async move {
            let replied = match env.ask(question).await {
                Ok(reply) => format!(
                    "{:?} {:?} {} ({})",
                    reply.keys, reply.text, reply.approved, reply.by
                ),
                Err(error) => error.to_string(),
            };
            Outcome::success().with("replied", replied)
        })
    }
}

const ASKS: &str = r#"digraph {
    s [shape=Mdiamond]; e [shape=Msquare]; a [handler=asks]
    s -> a -> e
}"#;

fn permission() -> Question {
    Question::choice("Run `make`?", ["Allow", "[A] Always allow", "Deny"])
}

fn asks(bench: &Harness, question: Question, answers: AnswerPolicy) -> Launch {
    let mut launch = bench.launch(ASKS);
    launch.handlers.register("asks", Asks(question)).unwrap();
    launch.answers = answers;
    launch
}

/// The reply to a question, and the events about it.
async fn replied(question: Question, answers: AnswerPolicy) -> String {
    let bench = Harness::new();
    let mut launch = asks(&bench, question, answers);
    launch.clock = Arc::new(TestClock::new(SystemTime::UNIX_EPOCH));
    let (report, handle) = finish(launch).await;
    assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
    let about = kinds(&handle)
        .into_iter()
        .filter(|kind| kind.starts_with("interview"));
    let about: Vec<String> = about.collect();
    let text = value(&report, "replied").as_str().unwrap();
    format!("{text}: {}\n", about.join(", "))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answers_to_a_handler_come_from_whom_gates_ask() {
    let queue = AnswerPolicy::Interviewer(Arc::new(Queue::new(["a"])));
    let prepared = AnswerPolicy::Scripted([("a".to_owned(), vec!["deny".to_owned()])].into());
    let soon = || Question::freeform("Which branch?").with_timeout(Duration::from_mins(1));
    let mut all = String::new();
    for (question, answers) in [
        (permission(), queue),
        (permission(), prepared),
        (permission(), AnswerPolicy::AutoApprove),
        (permission().with_default("deny"), AnswerPolicy::Unattended),
        (permission(), AnswerPolicy::Unattended),
        (soon().with_default("main"), AnswerPolicy::Ask),
        (soon(), AnswerPolicy::Ask),
        (
            Question::choice("Which?", [""; 0]),
            AnswerPolicy::AutoApprove,
        ),
    ] {
        all += &replied(question, answers).await;
    }
    expect![[r#"
        ["A"] None true (queue): interview_started, interview_completed
        ["D"] None false (prepared answers): interview_started, interview_completed
        ["L"] None true (auto-approve): interview_started, interview_completed
        ["D"] None false (default choice): interview_started, interview_completed
        `a` asks “Run `make`?”, and there is nobody to ask: answer it in an editor or a terminal, prepare an answer, or set `human.default_choice` on it: interview_started, interview_withdrawn
        [] Some("main") true (default choice): interview_started, interview_timeout
        the question was not answered in time: interview_started, interview_timeout
        the question “Which?” has no options; expected at least one: 
    "#]].assert_eq(&all);
}

/// The first question that is open from now on.
async fn question(handle: &RunHandle, after: u64) -> Question {
    let mut events = Box::pin(handle.subscribe(after));
    while let Some(event) = events.next().await {
        if let EventKind::InterviewStarted { question, .. } = &event.kind {
            return question.clone();
        }
    }
    panic!("nothing is asked");
}

fn by_ada(choice: &str) -> Answer {
    Answer {
        choice: choice.to_owned(),
        text: None,
        by: "ada".to_owned(),
    }
}

/// A process that dies after the question was asked, or after it was answered.
#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_that_is_run_again_asks_only_what_was_not_answered() {
    let bench = Harness::new();
    let launch = asks(&bench, permission(), AnswerPolicy::Ask);
    let handle = start(launch.clone()).await.unwrap();
    let asked = question(&handle, 0).await;
    assert_eq!((asked.id.as_str(), asked.node.as_str()), ("a.1.q1", "a"));
    assert!(
        handle
            .answer(&asked.id, by_ada("always allow"))
            .await
            .accepted
    );
    let report = handle.wait().await;
    assert_eq!(value(&report, "replied"), r#"["A"] None true (ada)"#);
    let journal = fs::read_to_string(handle.directory().join("journal.jsonl")).unwrap();
    for (last, ids) in [
        ("interview_started", vec!["a.1.q1", "a.1.q2"]),
        ("interview_completed", vec!["a.1.q1"]),
    ] {
        let directory = bench.path().join(last);
        fs::create_dir(&directory).unwrap();
        for name in ["manifest.json", "pipeline.dot"] {
            fs::copy(handle.directory().join(name), directory.join(name)).unwrap();
        }
        let lines: Vec<&str> = journal.lines().collect();
        let cut = lines.iter().position(|line| line.contains(last)).unwrap();
        let kept = lines[..=cut].join("\n") + "\n";
        fs::write(directory.join("journal.jsonl"), kept).unwrap();
        let plan = Plan::new(launch.pipeline.clone(), launch.library.clone());
        let resume = Resume::new(launch.clone());
        let before = cut as u64 + 1;
        let again = resume_run(&directory, resume, Arc::new(RealDisk)).unwrap();
        if ids.len() > 1 {
            let asked = question(&again, before).await;
            let open: Vec<String> = again.questions().into_iter().map(|one| one.id).collect();
            assert_eq!(open, [asked.id.as_str()]);
            assert!(again.answer(&asked.id, by_ada("a")).await.accepted);
        }
        let report = again.wait().await;
        assert_eq!(value(&report, "replied"), r#"["A"] None true (ada)"#);
        check_journal(&plan, &again);
        let asked: Vec<String> = again
            .events(0)
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::InterviewStarted { question, .. } => Some(question.id.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(asked, ids, "after {last}");
    }
}

/// Asks, gives up, and waits for a message; or ends with an open question.
struct GivesUp;

impl NodeHandler for GivesUp {
    fn execute(&self, _: NodeInput<'_>) -> Execution {
        Execution::run(|env| async move {
            tokio::select! {
                reply = env.ask(Question::confirm("Now?")) => panic!("{reply:?}"),
                message = env.message() => drop(message),
            }
            let other = env.clone();
            tokio::spawn(async move { other.ask(Question::confirm("And now?")).await });
            env.message().await;
            Outcome::success()
        })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_nobody_waits_for_is_withdrawn() {
    let bench = Harness::new();
    let mut launch = bench.launch(ASKS);
    launch.handlers.register("asks", GivesUp).unwrap();
    launch.answers = AnswerPolicy::Ask;
    let plan = Plan::new(launch.pipeline.clone(), launch.library.clone());
    let handle = start(launch).await.unwrap();
    let mut after = 0;
    for _ in 0..2 {
        let asked = question(&handle, after).await;
        after = handle.snapshot().last;
        assert!(handle.questions().contains(&asked));
        // Accepted once the node reads messages.
        while !handle.steer("a", "never mind", "ada").await.accepted {
            tokio::task::yield_now().await;
        }
    }
    handle.wait().await;
    check_journal(&plan, &handle);
    let closed: Vec<String> = handle
        .events(0)
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::InterviewWithdrawn {
                question, reason, ..
            } => Some(format!("{question}: {reason}")),
            _ => None,
        })
        .collect();
    assert_eq!(
        closed,
        [
            "a.1.q1: the answer is not needed any more",
            "a.1.q2: the work that asked has ended"
        ]
    );
}

/// An agent that asks for permission and takes messages.
struct Agent;

impl CodergenBackend for Agent {
    fn name(&self) -> &'static str {
        "agent"
    }

    fn reads_messages(&self) -> bool {
        true
    }

    fn run(
        &self,
        _: CodergenRequest,
        progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
        Box::pin(async move {
            let reply = progress.ask(permission()).await.unwrap();
            // Sent while the question was open.
            let early = progress.messages();
            progress.text("allowed\n");
            let late = progress.message().await;
            Ok(CodergenResponse {
                text: format!("{} {early:?} {late:?}", reply.is("a")),
                ..CodergenResponse::default()
            })
        })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backend_asks_and_takes_messages_while_it_runs() {
    let bench = Harness::new();
    let dot = r#"digraph {
        s [shape=Mdiamond]; e [shape=Msquare]; a [prompt="Build it"]
        s -> a -> e
    }"#;
    let mut launch = bench.launch(dot);
    launch.backends = BackendRegistry::of(Agent);
    launch.answers = AnswerPolicy::Ask;
    let plan = Plan::new(launch.pipeline.clone(), launch.library.clone());
    let handle = start(launch).await.unwrap();
    let asked = question(&handle, 0).await;
    assert!(handle.steer("a", "use ninja", "ada").await.accepted);
    assert!(handle.answer(&asked.id, by_ada("a")).await.accepted);
    assert!(handle.steer("a", "and stop", "bob").await.accepted);
    let report = handle.wait().await;
    check_journal(&plan, &handle);
    expect![[r#"true [SteeringMessage { text: "use ninja", by: "ada" }] SteeringMessage { text: "and stop", by: "bob" }"#]].assert_eq(value(&report, "last_response").as_str().unwrap());
    let injected = handle.events(0).into_iter().filter_map(|event| {
        let value = serde_json::to_value(&event.kind).unwrap();
        (value["type"] == "steering_injected").then(|| format!("{value}\n"))
    });
    expect![[r#"
        {"type":"steering_injected","to":"a","message":"use ninja","by":"ada","at":{"node":"a","visit":1,"attempt":1}}
        {"type":"steering_injected","to":"a","message":"and stop","by":"bob","at":{"node":"a","visit":1,"attempt":1}}
    "#]].assert_eq(&injected.collect::<String>());
}
