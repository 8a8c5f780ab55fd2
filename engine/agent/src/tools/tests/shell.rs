//! `shell`.

use std::time::{Duration, Instant};

use serde_json::json;

use super::Fixture;

async fn shell(command: &str) -> String {
    let one = Fixture::new(&[]);
    one.call("shell", json!({"command": command})).await
}

#[tokio::test]
async fn both_streams_are_returned_with_the_exit_code() {
    assert_eq!(shell("echo out; echo err >&2").await.lines().count(), 2);
    assert_eq!(shell("echo a; exit 3").await, "error: a\n[exit code: 3]");
    assert_eq!(shell("printf a; exit 3").await, "error: a\n[exit code: 3]");
    assert_eq!(shell("true").await, "[the command wrote nothing]");
    assert_eq!(shell("kill -9 $$").await, "error: [exit code: 137]");
}

#[tokio::test]
async fn output_is_live_and_the_command_runs_in_the_folder() {
    let one = Fixture::new(&[("a.txt", "")]);
    let result = one.call("shell", json!({"command": "ls; pwd"})).await;
    assert_eq!(result, "a.txt\nROOT\n");
    assert!(one.live().starts_with("a.txt\n"));
}

#[tokio::test]
async fn a_command_that_takes_too_long_is_ended_with_what_it_started() {
    let one = Fixture::new(&[]);
    let command = "sleep 1000 & echo $! > pid; echo begun; wait";
    let result = one
        .call("shell", json!({"command": command, "timeout_ms": 300}))
        .await;
    assert_eq!(
        result,
        "error: begun\n[timed out after 300 ms: the command and what it started were ended; call again with a longer \
         `timeout_ms` if it needs more time]"
    );
    let gone = json!({"command": "kill -0 $(cat pid) 2>/dev/null && echo alive || echo gone"});
    assert_eq!(one.call("shell", gone).await, "gone\n");
}

#[tokio::test]
async fn the_time_a_call_may_ask_for_is_limited() {
    let mut one = Fixture::new(&[]);
    one.context.commands.max_timeout = Duration::from_millis(200);
    let result = one
        .call(
            "shell",
            json!({"command": "sleep 1000", "timeout_ms": 600_000}),
        )
        .await;
    assert!(result.contains("timed out after 200 ms"), "{result}");
}

#[tokio::test]
async fn a_background_process_does_not_hold_the_call() {
    let one = Fixture::new(&[]);
    let begun = Instant::now();
    let command = "sleep 1000 & echo $! > pid; echo started";
    let result = one.call("shell", json!({"command": command})).await;
    assert_eq!(result, "started\n");
    assert!(begun.elapsed() < Duration::from_secs(9));
    one.call("shell", json!({"command": "kill $(cat pid)"}))
        .await;
}

#[tokio::test]
async fn a_cancel_ends_the_command() {
    let one = Fixture::new(&[]);
    let cancel = one.context.cancel.clone();
    let call = one.call("shell", json!({"command": "echo a; sleep 1000"}));
    let stop = async {
        while !one.live().contains('a') {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
    };
    let (result, ()) = tokio::join!(call, stop);
    assert!(
        result.contains("[stopped: the session was cancelled]"),
        "{result}"
    );
}

#[tokio::test]
async fn endless_output_is_bounded() {
    let one = Fixture::new(&[]);
    let command = "head -c 40000000 /dev/zero | tr '\\0' x";
    let result = one
        .call("shell", json!({"command": command, "timeout_ms": 60000}))
        .await;
    assert!(result.len() < 9_000_000);
    assert!(result.contains("bytes left out"));
}
