//! Questions: who answers, when, and what it means.

use std::time::Duration;

use attractor_machine::outcome::FailureClass;
use attractor_machine::question::{Answer, QuestionKind};

use super::durable::resumed;
use super::*;
use crate::questions::answer_policy::AnswerPolicy;

const GATE: &str = r#"digraph {
    s [shape=Mdiamond]; e [shape=Msquare]
    g [shape=hexagon, label="Ship it?"]
    ship [command="echo shipped"]; fix [command="echo fixed"]
    s -> g; g -> ship [label="[S] Ship"]; g -> fix [label="[R] Reject"]; ship -> e; fix -> g
}"#;

const CONFIRM: &str = r#"digraph {
    s [shape=Mdiamond]; e [shape=Msquare]; g [shape=hexagon]; s -> g -> e
}"#;

fn answer(choice: &str, by: &str) -> Answer {
    Answer {
        choice: choice.to_owned(),
        text: None,
        by: by.to_owned(),
    }
}

/// Waits for the first open question, by its event.
async fn asked(handle: &RunHandle) -> crate::Question {
    use futures::StreamExt;
    let mut events = std::pin::pin!(handle.subscribe(0));
    while let Some(event) = events.next().await {
        if let EventKind::InterviewStarted { question, .. } = &event.kind {
            return question.clone();
        }
    }
    panic!("nobody was asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_answer_wins_and_the_journal_says_whose() {
    let bench = Harness::new();
    let mut launch = bench.launch(GATE);
    launch.answers = AnswerPolicy::Ask;
    let handle = start(launch).await.unwrap();
    let question = asked(&handle).await;
    assert_eq!(question.kind, QuestionKind::Choice);
    assert_eq!(question.text, "Ship it?");
    let options: Vec<String> = question
        .options
        .iter()
        .map(|option| format!("{} {} {}", option.key, option.label, option.approves))
        .collect();
    assert_eq!(options, ["S [S] Ship true", "R [R] Reject false"]);

    let wrong = handle.answer(&question.id, answer("maybe", "ada")).await;
    assert!(!wrong.accepted);
    assert_eq!(
        wrong.reason.unwrap(),
        "`maybe` is not a choice; expected S (Ship), R (Reject)"
    );
    assert!(
        handle
            .answer(&question.id, answer("ship", "ada (terminal)"))
            .await
            .accepted
    );
    let late = handle.answer(&question.id, answer("R", "bob")).await;
    assert_eq!(
        (late.accepted, late.by.as_deref()),
        (false, Some("ada (terminal)"))
    );
    let report = handle.wait().await;
    assert_eq!(path(&report), "s g ship e");
    assert_eq!(value(&report, "human.gate.selected"), "S");
    assert!(handle.questions().is_empty());
    let later = handle.answer(&question.id, answer("R", "bob")).await;
    assert_eq!(later.reason.as_deref(), Some("ada (terminal) was first"));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_anyone_to_ask_a_gate_fails_closed() {
    let bench = Harness::new();
    let report = run(bench.launch(GATE)).await;
    let failure = report.failure.clone().unwrap();
    assert_eq!(failure.class, FailureClass::Unanswered);
    assert_eq!(report.exit_code(), 4);
    assert!(
        failure.reason.contains("there is nobody to ask"),
        "{}",
        failure.reason
    );

    let default = GATE.replace(
        "label=\"Ship it?\"",
        "label=\"Ship it?\", human.default_choice=ship",
    );
    assert_eq!(path(&*run(bench.launch(&default)).await), "s g ship e");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gate_that_nobody_answers_is_over_with_its_run_each_time() {
    let bench = Harness::new();
    let (_, handle) = finish(bench.launch(GATE)).await;
    for _ in 0..2 {
        let events = crate::load_events(handle.directory()).unwrap();
        let gate = &crate::RunSnapshot::of(&events).nodes["g"];
        assert_eq!(gate.state, attractor_model::NodeState::Cancelled);
        let report = resumed(handle.directory(), bench.launch(GATE)).await;
        assert_eq!(report.unwrap().exit_code(), 4);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_is_answered_without_its_final_dots() {
    for dots in ["...", "…"] {
        let bench = Harness::new();
        let mut launch = bench.launch(&GATE.replace("Reject", &format!("Reject{dots}")));
        let answers = ["reject", "S"].map(str::to_owned).to_vec();
        launch.answers = AnswerPolicy::Scripted(BTreeMap::from([("g".to_owned(), answers)]));
        assert_eq!(path(&*run(launch).await), "s g fix g ship e");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn approving_everything_is_said_so() {
    let bench = Harness::new();
    let mut launch = bench.launch(GATE);
    launch.answers = AnswerPolicy::AutoApprove;
    let (report, handle) = finish(launch).await;
    assert_eq!(path(&report), "s g ship e");
    let by = handle.events(0).iter().find_map(|event| match &event.kind {
        EventKind::InterviewCompleted { by, .. } => Some(by.clone()),
        _ => None,
    });
    assert_eq!(by.as_deref(), Some("auto-approve"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_without_a_way_for_it_ends_the_run() {
    let bench = Harness::new();
    for (word, status) in [("yes", RunState::Success), ("no", RunState::Fail)] {
        let mut launch = bench.launch(CONFIRM);
        launch.answers =
            AnswerPolicy::Scripted(BTreeMap::from([("g".to_owned(), vec![word.to_owned()])]));
        let report = run(launch).await;
        assert_eq!(
            (report.status, value(&report, "approved")),
            (status, &(word == "yes").into())
        );
    }
    let routed = CONFIRM.replace(
        "s -> g -> e",
        "fix [command=true]; s -> g; g -> e [condition=\"approved == true\"]; g -> fix [condition=\"approved == false\"]; fix -> e",
    );
    let mut launch = bench.launch(&routed);
    launch.answers =
        AnswerPolicy::Scripted(BTreeMap::from([("g".to_owned(), vec!["no".to_owned()])]));
    assert_eq!(path(&*run(launch).await), "s g fix e");
}

#[tokio::test(start_paused = true)]
async fn silence_takes_the_default_or_asks_again() {
    let bench = Harness::new();
    let timed = GATE.replace(
        "label=\"Ship it?\"",
        "timeout=\"1h\", human.default_choice=S",
    );
    let mut launch = bench.launch(&timed.replace("command=\"echo shipped\"", "shape=diamond"));
    launch.answers = AnswerPolicy::Ask;
    let (report, handle) = finish(launch).await;
    assert_eq!(path(&report), "s g ship e");
    assert!(kinds(&handle).contains(&"interview_timeout".to_owned()));

    let again = CONFIRM.replace(
        "shape=hexagon",
        "shape=hexagon, timeout=\"1h\", max_retries=1",
    );
    let mut launch = bench.launch(&again);
    launch.answers = AnswerPolicy::Ask;
    let (report, handle) = finish(launch).await;
    assert_eq!(report.status, RunState::Fail);
    let asked = kinds(&handle)
        .iter()
        .filter(|kind| *kind == "interview_started")
        .count();
    assert_eq!(asked, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn free_text_reaches_the_context() {
    let bench = Harness::new();
    let mut launch = bench.launch(
        r#"digraph {
            s [shape=Mdiamond]; e [shape=Msquare]
            g [shape=hexagon]; use [command="printf %s {human.gate.text} > said.txt"]
            s -> g; g -> e [label="Stop"]; g -> use [freeform=true]; use -> e
        }"#,
    );
    launch.answers = AnswerPolicy::Scripted(BTreeMap::from([(
        "g".to_owned(),
        vec!["try $(touch pwned) `again`; it's \"fine\"".to_owned()],
    )]));
    let report = run(launch).await;
    assert_eq!(path(&report), "s g use e", "{:?}", report.failure);
    assert_eq!(
        bench.file("said.txt"),
        "try $(touch pwned) `again`; it's \"fine\""
    );
    assert!(!bench.path().join("pwned").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_over_the_socket_answer_and_cancel() {
    let bench = Harness::new();
    let mut launch = bench.launch(GATE);
    launch.answers = AnswerPolicy::Ask;
    let handle = start(launch).await.unwrap();
    let question = asked(&handle).await.id;
    let directory = handle.directory().to_owned();
    let order = crate::ControlRequest::Answer {
        question,
        answer: answer("R", "other terminal"),
    };
    let patience = Duration::from_secs(10);
    let sent = directory.clone();
    let answered = tokio::task::spawn_blocking(move || crate::post(&sent, &order, patience));
    assert!(answered.await.unwrap().unwrap().accepted);
    let sent = directory.clone();
    let cancel = crate::ControlRequest::Cancel {
        by: "other terminal".to_owned(),
    };
    let cancelled = tokio::task::spawn_blocking(move || crate::post(&sent, &cancel, patience));
    assert!(cancelled.await.unwrap().unwrap().accepted);
    let report = handle.wait().await;
    assert_eq!(
        (report.status, report.exit_code()),
        (RunState::Cancelled, 130)
    );
    let nobody = crate::post(
        &directory,
        &crate::ControlRequest::Cancel { by: "x".to_owned() },
        patience,
    );
    assert!(
        nobody
            .unwrap_err()
            .to_string()
            .contains("no process owns it")
    );
}

/// A process that has to end takes its question with it; the next one asks it again.
#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_run_asks_again_when_it_continues() {
    for stop in [RunHandle::interrupt, RunHandle::cancel] {
        let bench = Harness::new();
        let mut launch = bench.launch(GATE);
        launch.answers = AnswerPolicy::Ask;
        let handle = start(launch.clone()).await.unwrap();
        let question = asked(&handle).await;
        stop(&handle, "SIGTERM");
        let report = handle.wait().await;
        assert!(matches!(
            report.status,
            RunState::Interrupted | RunState::Cancelled
        ));
        assert!(handle.questions().is_empty());
        let state = crate::summary(handle.directory()).unwrap().state;
        assert_eq!(
            state == crate::RunState::Interrupted,
            report.status == RunState::Interrupted
        );
        let resume = crate::Resume::new(launch);
        let from = crate::ResumeFrom::Run(handle.directory().to_owned());
        let handle = crate::resume(from, resume).await.unwrap();
        assert_eq!(asked(&handle).await.id, question.id);
        while handle.questions().is_empty() {
            tokio::task::yield_now().await;
        }
        let answered = handle.answer(&question.id, answer("S", "ada")).await;
        assert!(answered.accepted, "{:?}", answered.reason);
        assert_eq!(handle.wait().await.status, RunState::Success);
    }
}

/// A default may be written as the key or the label of a choice, or as the node it leads to.
#[tokio::test(start_paused = true)]
async fn a_default_choice_is_a_key_a_label_or_a_node() {
    let routed = r#"digraph {
        s [shape=Mdiamond]; e [shape=Msquare]; ship [shape=diamond]; fix [shape=diamond]
        g [shape=hexagon, DEFAULT]
        s -> g; g -> ship [condition="approved"]; g -> fix [condition="not approved"]; ship -> e; fix -> e
    }"#;
    let labelled = r#"digraph {
        s [shape=Mdiamond]; e [shape=Msquare]; ship [shape=diamond]; fix [shape=diamond]
        g [shape=hexagon, DEFAULT]
        s -> g; g -> ship [label="[A] Approve"]; g -> fix [label="[R] Revise"]; ship -> e; fix -> e
    }"#;
    for (dot, written, expected) in [
        (labelled, "R", "s g fix e"),
        (labelled, "revise", "s g fix e"),
        (labelled, "fix", "s g fix e"),
        (labelled, "ship", "s g ship e"),
        (routed, "no", "s g fix e"),
        (routed, "fix", "s g fix e"),
        (routed, "ship", "s g ship e"),
    ] {
        for (people, timeout) in [
            (AnswerPolicy::Unattended, ""),
            (AnswerPolicy::Ask, ", timeout=\"1h\""),
        ] {
            let bench = Harness::new();
            let attributes = format!("human.default_choice=\"{written}\"{timeout}");
            let mut launch = bench.launch(&dot.replace("DEFAULT", &attributes));
            launch.answers = people;
            let report = run(launch).await;
            assert_eq!(path(&report), expected, "{attributes}");
        }
    }
}

/// What is shown with the question of the gate `g`, in a pipeline with these statements.
async fn shown(statements: &str) -> Option<String> {
    let bench = Harness::new();
    let mut launch = bench.launch(&format!(
        "digraph {{ s [shape=Mdiamond]; e [shape=Msquare]; g [shape=hexagon]; g -> e; {statements} }}"
    ));
    launch.answers = AnswerPolicy::Ask;
    let handle = start(launch).await.unwrap();
    let mut question = asked(&handle).await;
    while question.node != "g" {
        let yes = answer("yes", "ada");
        assert!(handle.answer(&question.id, yes).await.accepted);
        while handle.questions().iter().all(|open| open.node != "g") {
            tokio::task::yield_now().await;
        }
        question = handle.questions().remove(0);
    }
    handle.cancel("ada");
    handle.wait().await;
    question.evidence.and_then(|evidence| evidence.output)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gate_shows_the_result_of_the_work_that_led_to_it() {
    let cases = [
        // A model's answer, although a command ran before it.
        (
            "c [command=\"echo old\"]; m [prompt=plan]; s -> c -> m -> g",
            "[simulated] m: plan",
        ),
        // A command's output, although a model answered before it.
        (
            "c [command=\"echo new\"]; m [prompt=plan]; s -> m -> c -> g",
            "new\n",
        ),
        // A silent command: not the older output.
        (
            "c [command=\"echo old\"]; d [command=true]; s -> c -> d -> g",
            "",
        ),
        // Both streams of a command that failed.
        (
            "c [command=\"echo out; echo wrong >&2; exit 3\"]; s -> c; c -> g [condition=\"outcome=fail\"]",
            "out\nwrong\n",
        ),
        // A second gate shows the same work as the first.
        (
            "c [command=\"echo work\"]; f [shape=hexagon]; s -> c -> f -> g",
            "work\n",
        ),
        // Branches, each under its name.
        (
            "p [shape=component]; a [command=\"echo one\"]; b [command=\"echo two\"]; s -> p; p -> a -> g; p -> b -> g",
            "a:\none\n\nb:\ntwo",
        ),
    ];
    for (statements, expected) in cases {
        let shown = shown(statements).await.unwrap_or_default();
        assert_eq!(shown, expected, "{statements}");
    }
}
