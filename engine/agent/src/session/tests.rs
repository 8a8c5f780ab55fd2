//! Sessions against a model that plays a script.

use std::sync::Mutex;
use std::time::Duration;

use attractor_llm::ErrorKind;
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::*;
use crate::budget::Budget;
use crate::error::ErrorCategory;
use crate::event::{AgentEvent, AgentEventKind};
use crate::person::{PersonAnswer, PersonQuestion};
use crate::policy::{Decision, PermissionRequest, SessionScope, ToolPolicy};
use crate::testing::{Reply, Script, all, calls, cut, drawn, lines, says, setup};
use crate::tool::Access;

/// What came of one input.
struct Played {
    completion: Completion,
    events: Vec<AgentEvent>,
    script: Arc<Script>,
    history: Vec<Message>,
}

async fn play_with(replies: Vec<Reply>, change: impl FnOnce(&mut SessionSetup)) -> Played {
    let folder = tempfile::tempdir().unwrap();
    let script = Script::of(replies);
    let mut setup = setup(&script, &folder);
    change(&mut setup);
    let (session, events) = Session::start(setup);
    let reading = tokio::spawn(all(events));
    let completion = session.submit("go").await.unwrap();
    let history = session.conversation_history();
    session.shutdown().await;
    Played {
        completion,
        events: reading.await.unwrap(),
        script,
        history,
    }
}

async fn play(replies: Vec<Reply>) -> Played {
    play_with(replies, |_| {}).await
}

fn echo(text: &str) -> (&'static str, Value) {
    ("echo", json!({"text": text}))
}

fn check(text: &str, expect: Expect) {
    expect.assert_eq(text);
}

#[tokio::test]
async fn a_session_runs_tools_until_the_model_answers_without_a_call() {
    let played = play(vec![calls(&[echo("hi")]), says("Done.")]).await;
    assert_eq!(played.completion.ending, Ending::Done);
    assert_eq!(played.completion.text, "Done.");
    check(
        &lines(&played.events),
        expect![[r#"
            session_start {"state":"running"}
            user_input {"text":"go"}
            tool_call_start {"tool_name":"echo","tool_call_id":"c1","arguments":{"text":"hi"}}
            tool_call_end {"tool_name":"echo","tool_call_id":"c1","output":"hi","is_error":false,"full_output":"hi"}
            assistant_text_start {}
            assistant_text_delta {"text":"Done."}
            assistant_text_end {"text":"Done."}
            session_end {"state":"idle","ending":"done"}
            session_end {"state":"closed"}"#]],
    );
    check(
        &drawn(&played.history),
        expect![[r#"
            User: "go"
            Assistant: echo({"text":"hi"}) = c1
            Tool: c1: "hi"
            Assistant: "Done.""#]],
    );
    let spent = played.completion.spent;
    assert_eq!(
        (
            spent.turns,
            spent.tool_rounds,
            spent.tool_calls,
            spent.tokens()
        ),
        (2, 1, 1, 220)
    );
    assert!(spent.cost > 0.0);
}

#[tokio::test]
async fn calls_that_cannot_run_are_answered_with_what_is_wrong() {
    let played = play(vec![
        calls(&[
            ("shel", json!({"text": "ls"})),
            ("echo", json!({"texts": 1})),
            ("echo", json!("{\"text\": \"ha")),
            ("boom", json!({"text": "x"})),
            echo("hi"),
        ]),
        says("Done."),
    ])
    .await;
    check(
        &drawn(&played.history[2..3]),
        expect![[r#"
            Tool: c1 error: "error: unknown tool `shel`; available tools: echo, write, shell, boom", c2 error: "error: the arguments of `echo` do not fit its schema: \"text\" is a required property", c3 error: "error: the arguments of `echo` are not valid JSON: EOF while parsing a string at line 1 column 12; send the whole call again", c4 error: "error: `boom` failed by a defect of this program; do not repeat the call as it is", c5: "hi""#]],
    );
    assert_eq!(played.completion.ending, Ending::Done);
}

#[tokio::test]
async fn turns_and_tool_rounds_are_limited() {
    let replies = || vec![calls(&[echo("1")]), calls(&[echo("2")]), says("Done.")];
    let limited = |turns, rounds| {
        play_with(replies(), move |setup| {
            setup.config.max_turns = turns;
            setup.config.max_tool_rounds_per_input = rounds;
        })
    };
    for (turns, rounds, sent) in [(1, 0, 1), (0, 1, 1), (2, 0, 2), (3, 2, 2)] {
        let played = limited(turns, rounds).await;
        assert_eq!(played.script.sent().len(), sent, "{turns} {rounds}");
        assert_eq!(played.completion.ending.as_str(), "limit");
        let events = lines(&played.events);
        assert!(events.contains("turn_limit {"), "{events}");
    }
    assert_eq!(limited(3, 0).await.completion.ending, Ending::Done);
}

#[tokio::test]
async fn tokens_and_cost_are_limited() {
    let limits = [
        Limits {
            tokens: Some(400),
            ..Limits::default()
        },
        Limits {
            cost: Some(0.000_001),
            ..Limits::default()
        },
    ];
    for limits in limits {
        let played = play_with(vec![calls(&[echo("1")])], |setup| {
            setup.budget = Budget::new(limits);
            setup.config.enable_loop_detection = false;
        })
        .await;
        let Ending::Limit(limit) = &played.completion.ending else {
            panic!("{:?}", played.completion.ending);
        };
        assert!(played.script.sent().len() < 4, "{limit:?}");
        let output = played.script.sent().last().and_then(|sent| sent.max_tokens);
        assert!(output.is_none_or(|output| output < 400), "{output:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn time_is_limited_also_within_a_tool() {
    let played = play_with(
        vec![calls(&[("shell", json!({"text": "wait"}))])],
        |setup| {
            setup.budget = Budget::new(Limits {
                time: Some(Duration::from_mins(1)),
                ..Limits::default()
            });
        },
    )
    .await;
    assert_eq!(
        played.completion.ending.reason(),
        Some("the time of 60 s is over (`timeout`)")
    );
}

#[tokio::test(start_paused = true)]
async fn progress_is_reported_while_a_tool_runs() {
    let played = play_with(
        vec![calls(&[("shell", json!({"text": "wait"}))])],
        |setup| {
            setup.budget = Budget::new(Limits {
                time: Some(Duration::from_secs(11)),
                ..Limits::default()
            });
        },
    )
    .await;
    let progress: Vec<Value> = played
        .events
        .iter()
        .filter(|event| matches!(event.kind, AgentEventKind::Progress(_)))
        .map(|event| serde_json::to_value(&event.kind).unwrap()["data"].clone())
        .collect();
    assert_eq!(progress.len(), 2, "{progress:?}");
    assert_eq!(progress[1]["tool"], "shell");
    assert_eq!(progress[1]["turns"], 1);
    assert!(progress[1]["idle_seconds"].as_f64().unwrap() >= 5.0);
}

#[tokio::test]
async fn a_loop_is_warned_about_then_refused_then_ends_the_work() {
    let played = play(vec![calls(&[echo("same")])]).await;
    let Ending::Loop(warning) = &played.completion.ending else {
        panic!("{:?}", played.completion.ending);
    };
    assert_eq!(warning, "the same tool call was made 6 times in a row");
    let events = lines(&played.events);
    let kinds: Vec<&str> = events
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|kind| ["loop_detection", "steering_injected", "tool_call_end"].contains(kind))
        .collect();
    assert_eq!(
        kinds
            .iter()
            .filter(|kind| **kind == "loop_detection")
            .count(),
        4
    );
    assert_eq!(played.completion.spent.tool_calls, 3);
    assert!(events.contains(
        "steering_injected {\"text\":\"the same tool call was made 3 times in a row (`echo`)"
    ));
    let off = play_with(
        vec![calls(&[echo("a")]); 12]
            .into_iter()
            .chain([says("Done.")])
            .collect(),
        |setup| setup.config.enable_loop_detection = false,
    )
    .await;
    assert_eq!(off.completion.ending, Ending::Done);
}

#[tokio::test]
async fn a_call_that_was_cut_off_is_never_run() {
    let played = play(vec![
        cut("", &[echo("whole"), ("write", json!("{\"text\": \"a.rs"))]),
        calls(&[("write", json!({"text": "a.rs"}))]),
        says("Done."),
    ])
    .await;
    check(
        &drawn(&played.history[2..3]),
        expect![[r#"
            Tool: c1: "whole", c2 error: "error: the call was not run: your answer was cut off within it, at the limit of output tokens. Send it again in smaller pieces, for example several edits instead of one large file.""#]],
    );
    let limits: Vec<Option<u64>> = played
        .script
        .sent()
        .iter()
        .map(|sent| sent.max_tokens)
        .collect();
    assert_eq!(limits[0], None);
    assert!(limits[1].is_some_and(|limit| limit > 8_000), "{limits:?}");
    assert_eq!(played.completion.verification.changed, ["a.rs"]);

    let played = play(vec![cut("", &[("write", json!("{\"text\": \"a.rs"))])]).await;
    assert_eq!(played.script.sent().len(), 3);
    let Ending::Failed(error) = &played.completion.ending else {
        panic!("{:?}", played.completion.ending);
    };
    assert_eq!(error.detail("kind"), Some("max_tokens"));
    assert!(played.completion.verification.changed.is_empty());
}

#[tokio::test]
async fn an_empty_answer_is_asked_about_once_and_then_a_failure() {
    let played = play(vec![says(""), says("Done.")]).await;
    assert_eq!(played.completion.ending, Ending::Done);
    let played = play(vec![says("  \n")]).await;
    let Ending::Failed(error) = &played.completion.ending else {
        panic!("{:?}", played.completion.ending);
    };
    assert_eq!(
        (error.category, error.retryable),
        (ErrorCategory::Llm, true)
    );
    assert_eq!(played.script.sent().len(), 2);
}

#[tokio::test]
async fn a_failure_of_the_provider_ends_the_input_and_not_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let script = Script::of(vec![
        Reply::Error(ErrorKind::Authentication),
        says("Hello."),
    ]);
    let (session, events) = Session::start(setup(&script, &folder));
    let reading = tokio::spawn(all(events));
    let failed = session.submit("one").await.unwrap();
    let Ending::Failed(error) = &failed.ending else {
        panic!("{:?}", failed.ending);
    };
    assert_eq!(error.detail("kind"), Some("authentication"));
    assert_eq!(session.state(), SessionState::Idle);
    assert_eq!(session.submit("two").await.unwrap().text, "Hello.");
    let history: Vec<&str> = session
        .state_history()
        .iter()
        .map(|(_, to)| to.as_str())
        .collect();
    assert_eq!(
        history,
        [
            "initializing",
            "running",
            "error",
            "idle",
            "initializing",
            "running",
            "completing",
            "idle"
        ]
    );
    session.shutdown().await;
    assert_eq!(session.state(), SessionState::Closed);
    assert!(session.submit("three").await.is_err());
    let events = lines(&reading.await.unwrap());
    assert!(events.contains(r#""phase":"llm_call""#), "{events}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_breaks_off_is_requested_again() {
    let broken = || Reply::Breaks("The Rh".to_owned());
    let played = play(vec![broken(), broken(), says("The Rhine.")]).await;
    assert_eq!(played.completion.text, "The Rhine.");
    // What was shown is not shown again.
    expect![[r#"
        "The Rh"
        attempt 2 of 7: anthropic: the stream broke off (model claude-sonnet-5-5)
        attempt 3 of 7: anthropic: the stream broke off (model claude-sonnet-5-5)
        "ine."
        end "The Rhine."
    "#]]
    .assert_eq(&shown(&played.events));
    let played = play(vec![broken(), says("The Elbe.")]).await;
    expect![[r#"
        "The Rh"
        attempt 2 of 7: anthropic: the stream broke off (model claude-sonnet-5-5)
        end "The Rh"
        "The Elbe."
        end "The Elbe."
    "#]]
    .assert_eq(&shown(&played.events));
    let played = play(vec![broken()]).await;
    assert_eq!(played.completion.ending.as_str(), "failed");
    assert_eq!(played.script.sent().len(), 7);
}

/// An answer that is paid for and arrived is never asked for again, whatever fails later.
#[tokio::test(start_paused = true)]
async fn a_failure_after_many_turns_repeats_only_the_last_call() {
    let round = || calls(&[echo("hi")]);
    let overloaded = || Reply::Error(ErrorKind::Overloaded);
    let played = play(vec![round(), overloaded(), overloaded(), says("Done.")]).await;
    assert_eq!(played.completion.ending, Ending::Done);
    let sizes: Vec<usize> = played
        .script
        .sent()
        .iter()
        .map(|one| one.messages.len())
        .collect();
    assert_eq!(sizes, [1, 3, 3, 3]);
}

#[tokio::test]
async fn a_conversation_that_is_too_long_becomes_shorter_and_continues() {
    let too_long = || Reply::Error(ErrorKind::ContextLength);
    let round = |number: usize| {
        let text = format!("{number}{}", "x".repeat(20_000));
        calls(&[("shell", json!({"text": text}))])
    };
    let mut replies: Vec<Reply> = (0..6).map(round).collect();
    replies.extend([too_long(), too_long(), says("Done.")]);
    let played = play(replies).await;
    assert_eq!(
        played.completion.ending,
        Ending::Done,
        "{:?}",
        played.completion
    );
    let compacted = |event: &&AgentEvent| event.kind.name() == "compacted";
    assert_eq!(played.events.iter().filter(compacted).count(), 2);
    let size = |index: usize| drawn(&played.script.sent()[index].messages).len();
    assert!(size(8) < size(7) && size(7) < size(6));
}

/// A task that is longer than the window has no rounds to leave out: the session is usable all the same.
#[tokio::test]
async fn a_session_survives_an_input_longer_than_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let replies = vec![
        Reply::Error(ErrorKind::ContextLength),
        says("Read."),
        says("Yes."),
    ];
    let script = Script::of(replies);
    let (session, _events) = Session::start(setup(&script, &folder));
    let first = session.submit("x".repeat(300_000)).await.unwrap();
    assert_eq!(first.text, "Read.");
    assert_eq!(session.submit("more").await.unwrap().text, "Yes.");
    let sent = script.sent();
    assert!(
        sent[1].messages[0]
            .text()
            .contains("characters removed to save space")
    );
    session.shutdown().await;
}

#[tokio::test]
async fn an_answer_that_is_cut_off_is_continued() {
    let cut = |text: &str| Reply::Cut(text.to_owned(), Vec::new());
    let played = play(vec![cut("The Rh"), cut("ine and the "), says("Elbe.")]).await;
    assert_eq!(played.completion.ending, Ending::Done);
    assert_eq!(played.completion.text, "The Rhine and the Elbe.");
    let played = play(vec![cut("on and ")]).await;
    let Ending::Limit(limit) = &played.completion.ending else {
        panic!("{:?}", played.completion.ending);
    };
    assert_eq!(limit.limit, "max_tokens");
    assert_eq!(played.completion.text, "on and on and on and ");
}

/// The events that a person sees, as lines.
fn shown(events: &[AgentEvent]) -> String {
    let line = |event: &AgentEvent| match &event.kind {
        AgentEventKind::AssistantTextDelta { text } => Some(format!("{text:?}\n")),
        AgentEventKind::AssistantTextEnd { text } => Some(format!("end {text:?}\n")),
        AgentEventKind::Warning { message } => {
            // How long it waits is different each time.
            let (attempt, rest) = message.split_once(" in ").unwrap_or((message, ""));
            let (_, cause) = rest.split_once(": ").unwrap_or_default();
            Some(format!("{attempt}: {cause}\n"))
        }
        _ => None,
    };
    events.iter().filter_map(line).collect()
}

/// Waits for an event of that name.
async fn until(events: &mut AgentEvents, name: &str) {
    while let Some(event) = events.recv().await {
        if event.kind.name() == name {
            return;
        }
    }
    panic!("no {name}");
}

#[tokio::test]
async fn messages_are_injected_between_tool_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let script = Script::of(vec![
        calls(&[("shell", json!({"text": "wait"}))]),
        says("As you say."),
        says("After that."),
    ]);
    let (session, mut events) = Session::start(setup(&script, &folder));
    let session = Arc::new(session);
    let submitting = tokio::spawn({
        let session = Arc::clone(&session);
        async move { session.submit("go").await }
    });
    until(&mut events, "tool_call_output_delta").await;
    session.follow_up("And then?").unwrap();
    session.steer("Not there.").unwrap();
    session.interrupt("Stop that.").unwrap();
    let reading = tokio::spawn(all(events));
    let completion = submitting.await.unwrap().unwrap();
    assert_eq!(completion.text, "After that.");
    check(
        &drawn(&session.conversation_history()),
        expect![[r#"
            User: "go"
            Assistant: shell({"text":"wait"}) = c1
            Tool: c1 error: "error: cancelled"
            User: "Not there."
            User: "Stop that."
            Assistant: "As you say."
            User: "And then?"
            Assistant: "After that.""#]],
    );
    session.shutdown().await;
    let events = lines(&reading.await.unwrap());
    assert!(
        events.contains(r#"steering_injected {"text":"Stop that."}"#),
        "{events}"
    );
}

#[tokio::test]
async fn a_cancelled_input_leaves_a_complete_conversation() {
    for reply in [
        Reply::Hangs("The Rh".to_owned()),
        calls(&[
            ("shell", json!({"text": "wait"})),
            ("shell", json!({"text": "ls"})),
        ]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let first = if matches!(reply, Reply::Hangs(_)) {
            "assistant_text_delta"
        } else {
            "tool_call_output_delta"
        };
        let script = Script::of(vec![reply, says("Hello.")]);
        let (session, mut events) = Session::start(setup(&script, &folder));
        let session = Arc::new(session);
        let submitting = tokio::spawn({
            let session = Arc::clone(&session);
            async move { session.submit("go").await }
        });
        until(&mut events, first).await;
        session.cancel().unwrap();
        drop(events);
        let completion = submitting.await.unwrap().unwrap();
        assert_eq!(completion.ending, Ending::Cancelled);
        // The script checks that every call has a result.
        assert_eq!(session.submit("again").await.unwrap().text, "Hello.");
    }
}

/// Asks about every command, and refuses every write.
struct Careful;

impl ToolPolicy for Careful {
    fn check(&self, _: &str, access: &Access, _: &Value) -> Decision {
        match access {
            Access::Execute(command) => Decision::Ask(PermissionRequest {
                text: format!("run `{command}`"),
                scope: SessionScope::Call,
            }),
            Access::Write(_) => Decision::Deny("this session only reads".to_owned()),
            _ => Decision::Allow,
        }
    }
}

/// Answers with the next of its answers.
struct Answers(Mutex<Vec<PersonAnswer>>);

#[async_trait::async_trait]
impl Person for Answers {
    async fn ask(&self, question: PersonQuestion) -> PersonAnswer {
        assert_eq!(question.text, "Allow this? run `make`");
        self.0.lock().unwrap().remove(0)
    }
}

#[tokio::test]
async fn calls_run_only_as_the_policy_and_the_person_allow() {
    let make = || ("shell", json!({"text": "make"}));
    let replies = vec![
        calls(&[("write", json!({"text": "a"})), make(), make()]),
        calls(&[echo("x"), make()]),
        says("Done."),
    ];
    let answers = vec![
        PersonAnswer::Text("Allow once".to_owned()),
        PersonAnswer::Text("Deny".to_owned()),
        PersonAnswer::Nobody("nobody can be asked".to_owned()),
    ];
    let folder = tempfile::tempdir().unwrap();
    let script = Script::of(replies);
    let setup = SessionSetup {
        policy: Arc::new(Careful),
        person: Arc::new(Answers(Mutex::new(answers))),
        ..setup(&script, &folder)
    };
    let (session, events) = Session::start(setup);
    drop(events);
    let completion = session.submit("go").await.unwrap();
    check(
        &script.conversation(),
        expect![[r#"
            User: "go"
            Assistant: write({"text":"a"}) = c1, shell({"text":"make"}) = c2, shell({"text":"make"}) = c3
            Tool: c1 error: "error: this session only reads", c2: "ran make", c3 error: "error: a person denied it: run `make`"
            Assistant: echo({"text":"x"}) = c4, shell({"text":"make"}) = c5
            Tool: c4: "x", c5 error: "error: not allowed without a person to ask: run `make`; nobody can be asked""#]],
    );
    assert_eq!(completion.spent.tool_calls, 2);
    let pauses = session.state_history();
    assert_eq!(
        pauses
            .iter()
            .filter(|(_, to)| *to == AgentState::Paused)
            .count(),
        3
    );
}

#[tokio::test]
async fn requests_of_a_session_share_their_prefix() {
    let mut replies: Vec<Reply> = (0..30).map(|n| calls(&[echo(&n.to_string())])).collect();
    replies.push(says("Done."));
    let played = play(replies).await;
    let sent = played.script.sent();
    assert_eq!(sent.len(), 31);
    let bytes = |request: &attractor_llm::Request| {
        let head = serde_json::to_string(&(&request.system_prompt, &request.tools)).unwrap();
        let messages = serde_json::to_string(&request.messages).unwrap();
        format!("{head}{}", messages.trim_end_matches(']'))
    };
    for pair in sent.windows(2) {
        assert!(bytes(&pair[1]).starts_with(&bytes(&pair[0])));
    }
}

#[tokio::test]
async fn what_verified_the_work_is_part_of_the_completion() {
    let write = ("write", json!({"text": "a.rs"}));
    let test = |text: &str| ("shell", json!({"text": text}));
    let played = play(vec![
        calls(&[write, test("false"), test("cargo test")]),
        says("Done."),
    ])
    .await;
    assert_eq!(
        played.completion.verification.summary(),
        "changed `a.rs`, verified by `cargo test`"
    );
}

#[tokio::test]
async fn the_output_of_a_tool_is_truncated_for_the_model_only() {
    let long = "x".repeat(200);
    let played = play_with(vec![calls(&[echo(&long)]), says("Done.")], |setup| {
        let limits = &mut setup.config.truncation_config.char_limits;
        limits.insert("echo".to_owned(), 20);
    })
    .await;
    let end = played.events.iter().find_map(|event| match &event.kind {
        AgentEventKind::ToolCallEnd { call, full_output } => {
            Some((call.output.clone(), full_output.clone()))
        }
        _ => None,
    });
    let (output, full_output) = end.unwrap();
    assert_eq!(full_output, long);
    assert!(output.contains("180 characters removed"), "{output}");
    assert!(
        played
            .script
            .conversation()
            .contains("180 characters removed")
    );
}

#[tokio::test]
async fn what_tools_changed_in_a_turn_can_be_undone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "1\n").unwrap();
    let edit = json!({"path": "a.txt", "old_string": "1", "new_string": "2"});
    let create = json!({"file_path": "b.txt", "content": "x\n"});
    let script = Script::of(vec![
        calls(&[("edit_file", edit), ("write_file", create)]),
        says("Done."),
    ]);
    let mut setup = setup(&script, &folder);
    setup.tools = crate::core_tools();
    let (session, events) = Session::start(setup);
    let reading = tokio::spawn(all(events));
    session.submit("go").await.unwrap();
    assert!(session.changes().pending_diff().contains("+++ b/b.txt"));
    let undone = session.undo(&UndoScope::Turn).unwrap();
    let mut undone: Vec<String> = undone.iter().map(ToString::to_string).collect();
    // The two calls run together, so either change may be the later one.
    undone.sort();
    assert_eq!(undone, ["deleted b.txt", "reverted a.txt"]);
    assert!(session.undo(&UndoScope::Turn).is_err());
    let content = std::fs::read_to_string(folder.path().join("a.txt")).unwrap();
    assert_eq!(content, "1\n");
    session.shutdown().await;
    reading.await.unwrap();
}

/// The script is shared: first the session spawns, then its answers and those of the subagent alternate.
#[tokio::test]
async fn a_subagent_works_within_the_budget_of_its_session() {
    let folder = tempfile::tempdir().unwrap();
    let script = Script::of(vec![
        calls(&[(
            "spawn_agent",
            json!({"task": "Name a river.", "max_turns": 3}),
        )]),
        says("The Rhine."),
    ]);
    let mut setup = setup(&script, &folder);
    setup.config.max_subagent_depth = 1;
    let budget = setup.budget.clone();
    let (session, events) = Session::start(setup);
    drop(events);
    let completion = session.submit("go").await.unwrap();
    assert_eq!(completion.text, "The Rhine.");
    let spawned = drawn(&session.conversation_history()[2..3]);
    assert!(
        spawned.contains("Started the subagent subagent_"),
        "{spawned}"
    );
    let names = |request: &attractor_llm::Request| {
        let names = request.tools.iter().map(|tool| tool.name.clone());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        names(&script.sent()[0]),
        "echo write shell boom spawn_agent send_input wait close_agent"
    );
    session.shutdown().await;
    // Both count towards the account of the session.
    assert_eq!(budget.spent().turns, script.sent().len() as u64);
}

#[tokio::test]
async fn a_subagent_is_waited_for_sent_input_and_closed() {
    let folder = tempfile::tempdir().unwrap();
    let script = Script::of(vec![says("The Rhine.")]);
    let mut setup = setup(&script, &folder);
    setup.config.max_subagent_depth = 1;
    let (emitter, _events) = channel(Arc::clone(&setup.clock));
    let subagents = Subagents::new(start_subagent(), setup.clone(), emitter.clone());
    register(&Arc::new(subagents), &mut setup.tools);
    let person: Arc<dyn Person> = Arc::clone(&setup.person);
    let worker = Worker::new(setup, person, emitter, Arc::new(Controls::new(None)));
    let context = worker.context("wait", "c1", tokio_util::sync::CancellationToken::new());
    let call = |name: &'static str, arguments: Value| {
        let tool = Arc::clone(worker.tools.get(name).unwrap());
        let context = context.clone();
        async move {
            let call = crate::tool::ToolCall {
                id: "c1".to_owned(),
                arguments,
            };
            let result = tool.call(call, &context).await;
            (result.output, result.is_error)
        }
    };
    for (working_dir, problem) in [
        ("..", "outside"),
        ("absent", "absent"),
        (".git", "protected"),
    ] {
        let arguments = json!({"task": "Name a river.", "working_dir": working_dir});
        let (output, is_error) = call("spawn_agent", arguments).await;
        assert!(
            is_error && output.contains("error: `working_dir`: "),
            "{output}"
        );
        assert!(output.contains(problem), "{output}");
    }
    let (output, _) = call("spawn_agent", json!({"task": "Name a river."})).await;
    let mut words = output.split_whitespace();
    let id = words.find(|word| word.starts_with("subagent_")).unwrap();
    let id = id.trim_end_matches('.').to_owned();
    assert_eq!(id.len(), "subagent_".len() + 8);
    assert_eq!(script.sent().len(), 0);
    let done = format!("The Rhine.\n\n[{id} changed nothing]");
    let waited = call("wait", json!({"agent_id": id})).await;
    assert_eq!(waited, (done.clone(), false));
    assert_eq!(script.conversation(), "User: \"Name a river.\"");
    let message = json!({"agent_id": id, "message": "Another one."});
    let sent = call("send_input", message).await;
    assert_eq!(sent, (format!("Sent the message to {id}."), false));
    assert_eq!(call("wait", json!({"agent_id": id})).await, (done, false));
    assert_eq!(script.sent()[1].messages.len(), 3);
    // A subagent starts none itself.
    assert!(
        !script.sent()[1]
            .tools
            .iter()
            .any(|tool| tool.name == "spawn_agent")
    );
    assert!(!call("close_agent", json!({"agent_id": id})).await.1);
    let (output, is_error) = call("wait", json!({"agent_id": id})).await;
    assert!(is_error);
    assert_eq!(
        output,
        format!("error: unknown subagent `{id}`; there is none")
    );
}

#[tokio::test]
async fn a_session_continues_from_its_file_after_its_process_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let open = || {
        let redactor = Arc::new(attractor_exec::Redactor::default());
        crate::SessionJournal::open(&path, redactor).unwrap()
    };
    let script = Script::of(vec![calls(&[("shell", json!({"text": "wait"}))])]);
    let (journal, recorded) = open();
    assert!(recorded.messages.is_empty());
    let setup_with = |script: &Arc<Script>, journal| SessionSetup {
        journal: Some(Arc::new(Mutex::new(journal))),
        ..setup(script, &folder)
    };
    let (session, mut events) = Session::start(setup_with(&script, journal));
    let session = Arc::new(session);
    let submitted = Arc::clone(&session);
    let working = tokio::spawn(async move { submitted.submit("go").await });
    until(&mut events, "tool_call_output_delta").await;
    // What the file has at this moment is what a killed process leaves.
    let (journal, recorded) = open();
    assert_eq!(recorded.messages.len(), 2);
    let next = Script::of(vec![says("Done.")]);
    let setup = SessionSetup {
        update: Some("The date has changed.".to_owned()),
        ..setup_with(&next, journal)
    };
    let (continued, events) = Session::restore(setup, recorded.messages);
    drop(events);
    continued.submit("continue").await.unwrap();
    check(
        &next.conversation(),
        expect![[r#"
            User: "go"
            Assistant: shell({"text":"wait"}) = c1
            Tool: c1 error: "error: the call was interrupted before it ended; what it did until then is not known"
            User: "The date has changed."
            User: "continue""#]],
    );
    working.abort();
}

#[tokio::test]
async fn a_conversation_that_would_not_fit_is_made_shorter() {
    let long = "x".repeat(20_000);
    let mut replies: Vec<Reply> = (0..12)
        .map(|n| calls(&[echo(&format!("{n}{long}"))]))
        .collect();
    replies.push(says("Done."));
    let played = play_with(replies, |setup| {
        // A model that the catalogue does not list.
        setup.config.model_id = "own-model".to_owned();
        setup.config.context_window = 60_000;
    })
    .await;
    assert_eq!(
        played.completion.ending,
        Ending::Done,
        "{:?}",
        played.completion
    );
    let compacted = played
        .events
        .iter()
        .filter(|event| matches!(event.kind, AgentEventKind::Compacted { .. }));
    assert!(compacted.count() > 0);
    // The script checks that every result has its call.
    for request in played.script.sent() {
        assert!(request.estimated_tokens() < 60_000);
        assert_eq!(request.messages[0].text(), "go");
    }
}

#[tokio::test]
async fn a_plan_is_an_event_without_secrets_and_part_of_the_progress() {
    let steps = |status: &str| json!({"steps": [{"step": "Try hunter2hunter2", "status": status}]});
    let played = play_with(
        vec![
            calls(&[("update_plan", steps("in_progress"))]),
            calls(&[("echo", json!({"text": "wait"}))]),
        ],
        |setup| {
            setup.tools.register(Arc::new(crate::tools::UpdatePlan));
            setup.redactor = Arc::new(attractor_exec::redactor(["hunter2hunter2"]));
            setup.config.progress_every = Duration::from_millis(10);
            setup.budget = Budget::new(Limits {
                time: Some(Duration::from_millis(300)),
                ..Limits::default()
            });
        },
    )
    .await;
    let events = lines(&played.events);
    assert!(
        events.contains(
            r#"plan_updated {"steps":[{"step":"Try [redacted]","status":"in_progress"}]}"#
        ),
        "{events}"
    );
    let plan = played
        .events
        .iter()
        .rev()
        .find_map(|event| match &event.kind {
            AgentEventKind::Progress(progress) => progress.plan.clone(),
            _ => None,
        });
    assert_eq!(plan.as_deref(), Some("0 of 1 step · Try [redacted]"));
}

#[tokio::test]
async fn an_image_reaches_the_model_and_counts_as_one() {
    let image = |size: usize| {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x02\x08\x06\0\0\0".to_vec();
        bytes.resize(size, 0);
        bytes
    };
    let folder = tempfile::tempdir().unwrap();
    // As text it would not fit into the window.
    std::fs::write(folder.path().join("a.png"), image(3_000_000)).unwrap();
    let read = calls(&[("read_file", json!({"path": "a.png"}))]);
    let played = play_with(vec![read, says("A river.")], |setup| {
        setup.tools.register(Arc::new(crate::tools::ReadFile));
        setup.workspace = Arc::new(Workspace::open(folder.path()).unwrap());
    })
    .await;
    let sent = played.script.sent();
    let last = sent
        .last()
        .unwrap()
        .messages
        .last()
        .unwrap()
        .content
        .clone();
    let [attractor_llm::ContentPart::ToolResult(result)] = last.as_slice() else {
        panic!("expected a result, found {last:?}");
    };
    assert_eq!(result.content, "[image/png, 2 × 2 pixels, 3000000 bytes]");
    assert_eq!(result.media.len(), 1);
    assert!(sent.last().unwrap().estimated_tokens() < 3_000);
}
