//! Interviewers of a program that embeds the engine.

use std::future::pending;

use attractor_machine::outcome::FailureClass;
use attractor_machine::question::{Answer, Question};
use expect_test::{Expect, expect};
use futures::FutureExt;
use futures::future::BoxFuture;

use super::*;
use crate::questions::answer_policy::AnswerPolicy;
use crate::questions::interviewer::{
    AutoApprove, Callback, Console, Interviewer, Playback, Queue, Recording,
};

/// Two gates: one for a choice, one for yes or no.
const GATES: &str = r#"digraph {
    s [shape=Mdiamond]; e [shape=Msquare]
    g [shape=hexagon, label="Ship it?"]; fix [shape=box, command="true"]
    sure [shape=hexagon]
    s -> g; g -> sure [label="[S] Ship"]; g -> fix [label="[F] Fix"]; fix -> g; sure -> e
}"#;

/// The path of a run with this interviewer, who answered, and why it failed.
async fn check(interviewer: impl Interviewer + 'static, expected: Expect) {
    let bench = Harness::new();
    let mut launch = bench.launch(GATES);
    launch.answers = AnswerPolicy::Interviewer(Arc::new(interviewer));
    let (report, handle) = finish(launch).await;
    expected.assert_eq(&summary(&report, &handle));
}

fn summary(report: &RunReport, handle: &RunHandle) -> String {
    let mut lines = vec![path(report)];
    for event in handle.events(0) {
        if let EventKind::InterviewCompleted { answer, by, .. } = &event.kind {
            lines.push(format!("{answer} by {by}"));
        }
    }
    lines.extend(report.failure.as_ref().map(|failure| {
        let beginning = failure.reason.split(": answer it").next();
        format!("{:?}: {}", failure.class, beginning.unwrap_or_default())
    }));
    lines.join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_answers_all_questions_in_order() {
    check(
        Queue::new(["fix", "ship", "yes"]),
        expect![[r#"
            s g fix g sure e
            [F] Fix by queue
            [S] Ship by queue
            Yes by queue"#]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_queue_fails_closed() {
    check(
        Queue::new(["ship"]),
        expect![[r#"
            s g
            [S] Ship by queue
            Unanswered: `sure` asks “Approve this step?”, and the interviewer has no answer"#]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_does_not_fit_fails_closed() {
    check(
        Queue::new(["explode"]),
        expect!["s\nUnanswered: the answer to `g` does not fit: `explode` is not a choice; expected S (Ship), F (Fix)"],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn auto_approve_takes_what_approves() {
    check(
        AutoApprove,
        expect![[r#"
            s g sure e
            [S] Ship by auto-approve
            Yes by auto-approve"#]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_callback_sees_the_question() {
    let callback = Callback::new(|question: Question| async move {
        let choice = if question.text == "Ship it?" {
            "S"
        } else {
            "no"
        };
        Some(Answer {
            by: "ada".to_owned(),
            ..Answer::of(choice)
        })
    });
    check(
        callback,
        expect![[r#"
            s g sure
            [S] Ship by ada
            No by ada
            Canceled: refused by ada"#]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interviewer_that_panics_has_no_answer() {
    let callback = Callback::new(|_| async { panic!("no idea") });
    check(
        callback,
        expect!["s\nUnanswered: `g` asks “Ship it?”, and the interviewer has no answer"],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_plays_the_same_run_again() {
    let bench = Harness::new();
    let recording = Recording::of(Queue::new(["fix", "ship", "yes"]));
    let mut launch = bench.launch(GATES);
    launch.answers = AnswerPolicy::Interviewer(Arc::new(recording.clone()));
    let first = run(launch.clone()).await;
    let file = bench.path().join("answers.json");
    recording.save(&file).unwrap();
    for playback in [recording.playback(), Playback::load(&file).unwrap()] {
        launch.answers = AnswerPolicy::Interviewer(Arc::new(playback));
        assert_eq!(path(&*run(launch.clone()).await), path(&first));
    }
    let notes = recording.answers();
    let notes = notes
        .iter()
        .map(|note| format!("{} {} {}", note.question, note.node, note.answer.choice));
    expect!["g.1 g fix; g.2 g ship; sure.1 sure yes"]
        .assert_eq(&notes.collect::<Vec<_>>().join("; "));
}

/// What a terminal shows.
#[derive(Clone, Default)]
struct Screen(Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_console_explains_what_is_not_an_answer() {
    let screen = Screen::default();
    let console = Console::on(&b"what\nshp\ny\ny\n"[..], screen.clone());
    let bench = Harness::new();
    let mut launch = bench.launch(GATES);
    launch.answers = AnswerPolicy::Interviewer(Arc::new(console));
    assert_eq!(path(&*run(launch).await), "s g sure e");
    let shown = String::from_utf8(screen.0.lock().unwrap().clone()).unwrap();
    expect![[r#"
        Ship it?
          [S] Ship
          [F] Fix
        > `what` is not a choice; expected S (Ship), F (Fix)
        > Did you mean Ship? y: yes, n: no
        [y/n] > Approve this step?
          [Y] Yes
          [N] No
        > "#]]
    .assert_eq(&shown);
}

/// Never answers.
struct Silent;

impl Interviewer for Silent {
    fn ask(&self, _: Question) -> BoxFuture<'_, Option<Answer>> {
        pending().boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn silence_ends_with_the_time_of_the_question() {
    let bench = Harness::new();
    let timed = GATES.replace(
        "label=\"Ship it?\"",
        "label=\"Ship it?\", timeout=\"1h\", human.default_choice=S",
    );
    let mut launch = bench.launch(&timed.replace("sure [shape=hexagon]", "sure [shape=diamond]"));
    launch.answers = AnswerPolicy::Interviewer(Arc::new(Silent));
    assert_eq!(path(&*run(launch).await), "s g sure e");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_interviewer_is_dropped_when_another_answers_or_the_run_ends() {
    let bench = Harness::new();
    let mut launch = bench.launch(GATES);
    launch.answers = AnswerPolicy::Interviewer(Arc::new(Silent));
    let handle = start(launch).await.unwrap();
    for (question, choice) in [("g.1", "S"), ("sure.1", "Y")] {
        while handle
            .questions()
            .first()
            .is_none_or(|open| open.id != question)
        {
            tokio::task::yield_now().await;
        }
        if choice == "Y" {
            handle.cancel("test");
        } else {
            assert!(handle.answer(question, Answer::of(choice)).await.accepted);
        }
    }
    assert_eq!(handle.wait().await.status, RunState::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interviewer_is_informed_of_escalations() {
    let bench = Harness::new();
    let queue = Queue::default();
    let dot = r#"digraph { s [shape=Mdiamond]; x [shape=octagon, reason="too hard"]; s -> x }"#;
    let mut launch = bench.launch(dot);
    launch.answers = AnswerPolicy::Interviewer(Arc::new(queue.clone()));
    assert_eq!(run(launch).await.status, RunState::Escalated);
    assert_eq!(queue.messages(), ["`x` escalates (contingent): too hard"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_interviewer_approval_is_a_choice_and_a_warning() {
    let bench = Harness::new();
    let mut launch = bench.launch(GATES);
    assert_eq!(
        run(launch.clone()).await.failure.clone().unwrap().class,
        FailureClass::Unanswered
    );
    launch.answers = AnswerPolicy::ApproveWithWarning;
    let (report, handle) = finish(launch).await;
    expect![[r#"
        s g sure e
        [S] Ship by nobody (approve_with_warning)
        Yes by nobody (approve_with_warning)"#]]
    .assert_eq(&summary(&report, &handle));
    let notes = handle.events(0).iter().filter(|event| {
        matches!(&event.kind, EventKind::StageOutput { text, .. } if text.contains("approved without asking"))
    }).count();
    assert_eq!(notes, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_asks_the_interviewer_and_never_ends_for_want_of_an_answer() {
    let bench = Harness::new();
    let mut launch = bench.launch(GATES);
    launch.mode = dry(&[]);
    launch.answers = AnswerPolicy::Interviewer(Arc::new(Queue::new(["fix"])));
    assert_eq!(path(&*run(launch).await), "s g fix g sure e");
}
