//! Commands in the background.

use serde_json::json;

use super::Fixture;

async fn start(one: &Fixture, command: &str) -> String {
    let arguments = json!({"command": command, "background": true});
    let result = one.result("shell", arguments).await;
    assert!(!result.is_error, "{}", result.output);
    assert!(result.is_open);
    let id = result.output.split('`').nth(1).unwrap();
    id.to_owned()
}

#[tokio::test]
async fn a_command_is_read_answered_and_ended() {
    let one = Fixture::new(&[]);
    let id = start(
        &one,
        "printf 'name? '; read name; echo \"Hello, $name.\" >&2; exec sleep 1000",
    )
    .await;
    let output = json!({"id": id});
    assert_eq!(
        one.call("shell_output", output.clone()).await,
        "name? \n[the command runs]"
    );
    let input = json!({"id": id, "text": "Ada\n"});
    assert_eq!(one.call("shell_input", input).await, "written");
    assert_eq!(
        one.call("shell_output", output.clone()).await,
        "Hello, Ada.\n[the command runs]"
    );
    let now = json!({"id": id, "wait_ms": 0});
    assert_eq!(
        one.call("shell_output", now).await,
        "[nothing new was written]\n[the command runs]"
    );
    let ended = one.call("shell_stop", output.clone()).await;
    assert_eq!(ended, "[nothing new was written]\n[the command was ended]");
    let late = json!({"id": id, "text": "x\n"});
    assert_eq!(
        one.call("shell_input", late).await,
        "error: the command has ended and reads nothing more"
    );
    // A part of a line says nothing about what the command does with it.
    for part in ["r", "tou\\\n"] {
        let part = json!({"id": id, "text": part});
        let refused = one.call("shell_input", part).await;
        assert!(
            refused.starts_with("error: the text is not of whole lines"),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn a_command_that_ends_by_itself_has_an_exit_code() {
    let one = Fixture::new(&[]);
    let id = start(&one, "cat; echo out; echo err >&2; exit 3").await;
    let close = json!({"id": id, "text": "in\n", "close": true});
    one.call("shell_input", close).await;
    let mut all = String::new();
    while !all.contains("[exit code: 3]") {
        all.push_str(&one.call("shell_output", json!({"id": id})).await);
    }
    let all = all.replace("[the command runs]", "");
    let all = all.replace("[nothing new was written]\n", "");
    assert_eq!(all, "in\nout\nerr\n[exit code: 3]");
}

#[tokio::test]
async fn a_flood_keeps_its_beginning_and_its_end() {
    let one = Fixture::new(&[]);
    let id = start(&one, "echo first; yes | head -c 20000000; echo last").await;
    let command = one.context.background.find(&id).unwrap();
    while command.is_running() {
        tokio::task::yield_now().await;
    }
    let output = one.result("shell_output", json!({"id": id})).await.output;
    assert!(output.starts_with("first\ny\n"), "{}", output.len());
    assert!(output.ends_with("last\n[exit code: 0]"));
    assert!(output.contains("bytes left out"));
    assert!(output.len() < 1024 * 1024);
}

#[tokio::test]
async fn commands_are_counted() {
    let one = Fixture::new(&[]);
    for _ in 0..8 {
        start(&one, "exec sleep 1000").await;
    }
    let ninth = json!({"command": "exec sleep 1000", "background": true});
    let refused = one.call("shell", ninth.clone()).await;
    assert!(
        refused.contains("8 commands run in the background"),
        "{refused}"
    );
    assert!(refused.contains("shell_1, shell_2"), "{refused}");
    one.call("shell_stop", json!({"id": "shell_1"})).await;
    let started = one.call("shell", ninth).await;
    assert!(started.starts_with("started as `shell_9`"), "{started}");
    assert_eq!(one.context.background.end_all().await, 8);
    assert_eq!(one.context.background.end_all().await, 0);
    assert_eq!(
        one.call("shell_output", json!({"id": "shell_77"})).await,
        "error: unknown command `shell_77`; known are: shell_1, shell_2, shell_3, shell_4, shell_5, shell_6, shell_7, \
         shell_8, shell_9"
    );
}

#[tokio::test]
async fn secrets_are_masked_also_across_pieces() {
    let mut one = Fixture::new(&[]);
    one.context.redactor = std::sync::Arc::new(attractor_exec::redactor(["hunter2hunter2"]));
    let id = start(&one, "printf hunter2; sleep 0.05; echo hunter2").await;
    let mut all = String::new();
    while !all.contains("[exit code: 0]") {
        all.push_str(&one.call("shell_output", json!({"id": id})).await);
    }
    assert!(
        all.contains("[redacted]") && !all.contains("hunter2"),
        "{all}"
    );
}
