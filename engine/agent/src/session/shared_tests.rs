//! Sessions that share what failed.

use std::sync::Arc;

use expect_test::expect;
use serde_json::json;

use super::{Completion, Ending, Session};
use crate::shared::{JsonFilePersistenceAdapter, SharedState, SharedWorker};
use crate::testing::{Reply, Script, calls, says, setup};

fn failing() -> Reply {
    calls(&[("shell", json!({"text": "false"}))])
}

fn echo() -> Reply {
    calls(&[("echo", json!({"text": "x"}))])
}

/// A session of a worker, and its model.
fn start(
    id: &str,
    state: &Arc<SharedState>,
    folder: &tempfile::TempDir,
    replies: Vec<Reply>,
) -> (Session, Arc<Script>) {
    let script = Script::of(replies);
    let mut setup = setup(&script, folder);
    setup.shared = SharedWorker::new(id, Arc::clone(state), None);
    setup.system_prompt = setup.shared.system_prompt(&setup.system_prompt, None);
    let (session, events) = Session::start(setup);
    drop(events);
    (session, script)
}

async fn play(
    id: &str,
    state: &Arc<SharedState>,
    folder: &tempfile::TempDir,
    replies: Vec<Reply>,
) -> (Completion, Arc<Script>) {
    let (session, script) = start(id, state, folder, replies);
    let completion = session.submit("go").await.unwrap();
    session.shutdown().await;
    (completion, script)
}

#[tokio::test]
async fn a_failure_reaches_the_other_workers() {
    let folder = tempfile::tempdir().unwrap();
    let state = Arc::<SharedState>::default();
    let (working, script) = start("two", &state, &folder, vec![says("Ready."), says("Done.")]);
    working.submit("go").await.unwrap();
    play("one", &state, &folder, vec![failing(), says("Done.")]).await;
    working.submit("continue").await.unwrap();
    expect![[r#"
        User: "go"
        Assistant: "Ready."
        User: "continue"
        User: "For information, from other workers of this run: checks and calls that failed.\n\n- shell {\"text\":\"false\"}: exit code 1 (at one)\n""#]]
    .assert_eq(&script.conversation());
    // The instructions of a session stay the same to the byte.
    let sent = script.sent();
    assert_eq!(sent[0].system_prompt, sent[1].system_prompt);
    // One that starts later has it in its instructions, after what all have in common.
    let (_, script) = play("three", &state, &folder, vec![says("Done.")]).await;
    expect![[r#"
        You are tested.
        # State of the work

        Calls of others that failed, with the files as they are now:

        - shell {"text":"false"}: exit code 1 (at one)
    "#]]
    .assert_eq(&script.sent()[0].system_prompt);
}

#[tokio::test]
async fn a_call_that_fails_for_all_workers_ends_them() {
    let folder = tempfile::tempdir().unwrap();
    let store = || {
        let store = JsonFilePersistenceAdapter::new(folder.path().join("shared"));
        Arc::new(SharedState::open(Box::new(store)).unwrap())
    };
    let state = store();
    for worker in 0..5 {
        let replies = vec![failing(), echo(), failing(), says("Done.")];
        let (completion, _) = play(&format!("w{worker}"), &state, &folder, replies).await;
        assert_eq!(completion.ending, Ending::Done);
    }
    // Another process continues the run.
    let (completion, script) = play("w5", &store(), &folder, vec![failing()]).await;
    let problem = "the same call of `shell` failed 10 times in 5 workers of this run";
    assert_eq!(completion.ending, Ending::Loop(problem.to_owned()));
    let conversation = script.conversation();
    assert!(
        conversation
            .contains("error: the call was not run: the same call of `shell` failed 10 times"),
        "{conversation}"
    );
    assert_eq!(script.sent().len(), 2);
}

/// A change of a file may change the result: tests that fail until they are fixed are no loop.
#[tokio::test]
async fn a_changed_file_gives_a_call_another_chance() {
    let folder = tempfile::tempdir().unwrap();
    let state = Arc::<SharedState>::default();
    let write = || calls(&[("write", json!({"text": "a"}))]);
    for worker in 0..12 {
        let replies = vec![failing(), write(), failing(), says("Done.")];
        let (completion, _) = play(&format!("w{worker}"), &state, &folder, replies).await;
        assert_eq!(completion.ending, Ending::Done, "{worker}");
    }
}

#[tokio::test]
async fn a_subagent_has_the_prefix_of_its_session_and_limits_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let session = SharedWorker::new("fix/1-1", Arc::<SharedState>::default(), None);
    let script = Script::of(vec![echo()]);
    let mut setup = setup(&script, &folder);
    setup.config.enable_loop_detection = false;
    setup.shared = session.subworker("subagent_1");
    let task = Some("Count the files.".to_owned());
    setup.system_prompt = setup.shared.system_prompt("You are tested.\n", task);
    let (session, events) = Session::start(setup);
    drop(events);
    let completion = session.submit("go").await.unwrap();
    session.shutdown().await;
    let Ending::Limit(limit) = completion.ending else {
        unreachable!("it has called the model too often: {:?}", completion.ending);
    };
    assert_eq!(limit.limit, "worker_iterations");
    let sent = script.sent();
    assert_eq!(sent.len(), 50);
    expect![[r#"
        You are tested.

        # Your task

        Count the files.

        - worker: fix/1-1/subagent_1
    "#]]
    .assert_eq(&sent[0].system_prompt);
}
