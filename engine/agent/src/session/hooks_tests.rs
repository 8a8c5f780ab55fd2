//! Hooks of sessions: real commands around the calls of a scripted model.

use std::time::Duration;

use expect_test::expect;
use serde_json::json;

use super::*;
use crate::event::{AgentEvent, AgentEventKind};
use crate::hooks::{HookedCalls, ToolHook, ToolHooks};
use crate::testing::{Script, all, calls, drawn, lines, says, setup};
use attractor_agent_events::HookTime;

fn hook(name: &str, when: HookTime, tool: Option<&str>, script: &str) -> ToolHook {
    ToolHook {
        name: name.to_owned(),
        when,
        calls: tool.map_or_else(HookedCalls::default, |rule| {
            HookedCalls::matching(rule).unwrap()
        }),
        argv: ["sh", "-c", script].map(str::to_owned).to_vec(),
        environment: vec![("EXTRA".to_owned(), "value".to_owned())],
        directory: None,
        timeout: Duration::from_mins(1),
    }
}

/// What came of one input whose answer calls `shell`.
struct Played {
    events: Vec<AgentEvent>,
    history: Vec<Message>,
    folder: tempfile::TempDir,
}

async fn play(hooks: Vec<ToolHook>, command: &str) -> Played {
    let folder = tempfile::tempdir().unwrap();
    let script = Script::of(vec![
        calls(&[("shell", json!({"text": command}))]),
        says("Done."),
    ]);
    let mut setup = setup(&script, &folder);
    setup.hooks = Arc::new(ToolHooks {
        node: "fix".to_owned(),
        hooks,
        ..ToolHooks::default()
    });
    setup.redactor = Arc::new(attractor_exec::redactor(["hunter2hunter2"]));
    let (session, events) = Session::start(setup);
    let reading = tokio::spawn(all(events));
    session.submit("go").await.unwrap();
    let history = session.conversation_history();
    session.shutdown().await;
    Played {
        events: reading.await.unwrap(),
        history,
        folder,
    }
}

/// The events of calls and hooks, without times.
fn of_calls(played: &Played) -> String {
    let mut events = played.events.clone();
    for event in &mut events {
        if let AgentEventKind::ToolHook(report) = &mut event.kind {
            report.duration_ms = 0;
        }
    }
    let all = lines(&events);
    let lines = all.lines().filter(|line| line.starts_with("tool_"));
    lines.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_hook_before_a_call_refuses_it_and_its_output_is_what_the_model_gets() {
    let hooks = vec![
        hook("audit", HookTime::Before, None, "exit 0"),
        hook("reads", HookTime::Before, Some("read"), "exit 1"),
        hook(
            "no-push",
            HookTime::Before,
            Some("shell(git push*)"),
            "echo 'pushes are for people'; echo hunter2hunter2; exit 3",
        ),
        hook("later", HookTime::Before, None, "touch later"),
        hook("after", HookTime::After, None, "touch after"),
    ];
    let played = play(hooks, "git push").await;
    expect![[r#"
        tool_call_start {"tool_name":"shell","tool_call_id":"c1","arguments":{"text":"git push"}}
        tool_hook {"hook":"audit","when":"before","tool_name":"shell","tool_call_id":"c1","outcome":"passed","exit_code":0,"duration_ms":0}
        tool_hook {"hook":"no-push","when":"before","tool_name":"shell","tool_call_id":"c1","outcome":"refused","exit_code":3,"duration_ms":0,"output":"pushes are for people\n[redacted]"}
        tool_call_end {"tool_name":"shell","tool_call_id":"c1","output":"error: the call was not run: the hook `no-push` refused it with exit code 3:\npushes are for people\n[redacted]","is_error":true,"full_output":"error: the call was not run: the hook `no-push` refused it with exit code 3:\npushes are for people\n[redacted]"}"#]].assert_eq(&of_calls(&played));
    expect![[r#"Tool: c1 error: "error: the call was not run: the hook `no-push` refused it with exit code 3:\npushes are for people\n[redacted]""#]].assert_eq(&drawn(&played.history[2..3]));
    for marker in ["later", "after"] {
        assert!(!played.folder.path().join(marker).exists(), "{marker}");
    }
}

#[tokio::test]
async fn hooks_get_the_call_and_after_it_its_result() {
    let hooks = vec![
        hook(
            "before",
            HookTime::Before,
            None,
            "cat > before.json; echo $ATTRACTOR_HOOK $ATTRACTOR_RUN $ATTRACTOR_NODE $ATTRACTOR_TOOL $ATTRACTOR_TOOL_CALL_ID $EXTRA",
        ),
        hook("after", HookTime::After, None, "cat > after.json; exit 2"),
    ];
    let played = play(hooks, "echo hunter2hunter2").await;
    expect![[r#"
        tool_call_start {"tool_name":"shell","tool_call_id":"c1","arguments":{"text":"echo hunter2hunter2"}}
        tool_hook {"hook":"before","when":"before","tool_name":"shell","tool_call_id":"c1","outcome":"passed","exit_code":0,"duration_ms":0,"output":"before_tool_call test fix shell c1 value"}
        tool_call_end {"tool_name":"shell","tool_call_id":"c1","output":"ran echo [redacted]","is_error":false,"full_output":"ran echo [redacted]"}
        tool_hook {"hook":"after","when":"after","tool_name":"shell","tool_call_id":"c1","outcome":"failed","exit_code":2,"duration_ms":0}"#]].assert_eq(&of_calls(&played));
    // A failed hook after the call changes nothing.
    expect![[r#"Tool: c1: "ran echo [redacted]""#]].assert_eq(&drawn(&played.history[2..3]));
    let folder = played.folder.path();
    let input = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let mut input: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            input["working_dir"].as_str(),
            folder.canonicalize().unwrap().to_str()
        );
        input["working_dir"] = json!("FOLDER");
        if input["duration_ms"].is_u64() {
            input["duration_ms"] = json!("MS");
        }
        input.to_string()
    };
    expect![[r#"{"event":"before_tool_call","run":"test","node":"fix","session":"1","tool_name":"shell","tool_call_id":"c1","arguments":{"text":"echo [redacted]"},"working_dir":"FOLDER"}"#]].assert_eq(&input("before.json"));
    expect![[r#"{"event":"after_tool_call","run":"test","node":"fix","session":"1","tool_name":"shell","tool_call_id":"c1","arguments":{"text":"echo [redacted]"},"working_dir":"FOLDER","result":"ran echo [redacted]","is_error":false,"duration_ms":"MS"}"#]].assert_eq(&input("after.json"));
}

#[tokio::test]
async fn a_hook_that_does_not_end_by_itself_lets_no_call_run() {
    let slow = ToolHook {
        timeout: Duration::from_millis(50),
        ..hook("slow", HookTime::Before, None, "sleep 60")
    };
    let missing = ToolHook {
        argv: vec!["./is-not-there".to_owned()],
        ..hook("missing", HookTime::Before, None, "")
    };
    for (hook, expected) in [
        (
            slow,
            expect![[
                r#"Tool: c1 error: "error: the call was not run: the hook `slow` failed, and so does not let it run:\nit took longer than 50ms""#
            ]],
        ),
        (
            missing,
            expect![[
                r#"Tool: c1 error: "error: the call was not run: the hook `missing` failed, and so does not let it run:\n`./is-not-there` cannot be started: No such file or directory (os error 2)""#
            ]],
        ),
    ] {
        let played = play(vec![hook], "ls").await;
        expected.assert_eq(&drawn(&played.history[2..3]));
    }
}

#[tokio::test]
async fn the_output_of_a_hook_is_bounded() {
    let hooks = vec![hook(
        "long",
        HookTime::Before,
        None,
        "head -c 9000 /dev/zero | tr '\\0' x; exit 1",
    )];
    let played = play(hooks, "ls").await;
    let shown = drawn(&played.history[2..3]);
    assert!(shown.contains("5000 characters removed"), "{shown}");
    assert!(shown.len() < 4_400, "{}", shown.len());
}
