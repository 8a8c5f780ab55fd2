//! Handlers of a program that embeds the engine.

use std::future::pending;
use std::time::Duration;

use attractor_machine::outcome::{FailureClass, Outcome};
use expect_test::expect;

use super::*;
use crate::handlers::{CommandSpec, Execution, NodeHandler, NodeInput};

/// A handler that is a function.
struct Does<F>(F);

impl<F: Fn(NodeInput<'_>) -> Execution + Send + Sync> NodeHandler for Does<F> {
    fn execute(&self, input: NodeInput<'_>) -> Execution {
        (self.0)(input)
    }
}

const MINE: &str = r#"digraph {
    s [shape=Mdiamond]; e [shape=Msquare]
    a [handler=mine, version="v{version}", timeout="1h"]
    s -> a -> e
}"#;

/// A launch of [`MINE`] with this handler.
fn launch_with(
    bench: &Harness,
    handler: impl Fn(NodeInput<'_>) -> Execution + Send + Sync + 'static,
) -> Launch {
    let mut launch = bench.launch(MINE);
    launch.inputs.insert("version".to_owned(), 7.into());
    launch.handlers.register("mine", Does(handler)).unwrap();
    launch
}

/// How the node fails.
async fn failure(
    handler: impl Fn(NodeInput<'_>) -> Execution + Send + Sync + 'static,
) -> (FailureClass, String) {
    let bench = Harness::new();
    let report = run(launch_with(&bench, handler)).await;
    assert_eq!(path(&report), "s a");
    let failure = report.failure.clone().unwrap();
    assert_eq!(failure.node.as_deref(), Some("a"));
    (failure.class, failure.reason)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_reads_its_node_and_sets_keys() {
    let bench = Harness::new();
    let mut launch = launch_with(&bench, |input| {
        let version = input.attribute("version").unwrap();
        let token = input.secret("api_token").unwrap();
        assert_eq!(input.get("api_token"), Some("[redacted]".into()));
        assert!(input.secret("version").is_none());
        assert_eq!((input.id(), input.visit(), input.attempt()), ("a", 1, 1));
        assert_eq!(input.attributes()["version"], "v7");
        assert_eq!(input.context()["version"], 7);
        let folder = input.stage_dir().to_owned();
        Execution::run(move |env| async move {
            env.write(&format!("deploying {version} with {token}\n"));
            assert!(folder.is_dir());
            Outcome::success().with("deployed", version)
        })
    });
    let token = "tok-1234567890abcdef";
    launch.inputs.insert("api_token".to_owned(), token.into());
    let (report, handle) = finish(launch).await;
    assert_eq!(report.status, RunState::Success);
    assert_eq!(value(&report, "deployed"), "v7");
    let output = handle.events(0).iter().find_map(|event| match &event.kind {
        EventKind::StageOutput { text, .. } => Some(text.clone()),
        _ => None,
    });
    assert_eq!(output.as_deref(), Some("deploying v7 with [redacted]\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registered_handler_validates() {
    let bench = Harness::new();
    let mut launch = bench.launch(MINE);
    let error = start(launch.clone()).await.err().unwrap().to_string();
    assert!(error.contains("unknown_handler"), "{error}");
    let done = |_: NodeInput<'_>| Execution::done(Outcome::success());
    launch.handlers.register("mine", Does(done)).unwrap();
    let report = start(launch).await.unwrap().wait().await;
    assert_eq!(report.status, RunState::Success);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_built_in_handler_can_be_replaced() {
    let bench = Harness::new();
    let dot =
        r#"digraph { s [shape=Mdiamond]; e [shape=Msquare]; a [command="exit 1"]; s -> a -> e }"#;
    let mut launch = bench.launch(dot);
    let handler = |input: NodeInput<'_>| {
        Execution::done(Outcome::success().with("would_run", input.attribute("command")))
    };
    launch.handlers.register("tool", Does(handler)).unwrap();
    let report = run(launch).await;
    assert_eq!(value(&report, "would_run"), "exit 1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_panics_fails_its_node() {
    let message = "the handler `mine` panicked; standard error says where".to_owned();
    let at_once = failure(|_| panic!("at once")).await;
    assert_eq!(at_once, (FailureClass::Internal, message.clone()));
    let later = failure(|_| Execution::run(|_| async { panic!("later") })).await;
    assert_eq!(later, (FailureClass::Internal, message));
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_hangs_is_stopped_after_the_timeout() {
    let (class, reason) = failure(|_| Execution::run(|_| pending())).await;
    assert_eq!(class, FailureClass::Timeout);
    expect!["timed out after 1h (`timeout`)"].assert_eq(&reason);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_handler_that_blocks_its_thread_is_left_behind() {
    let bench = Harness::new();
    let (release, blocked) = std::sync::mpsc::channel::<()>();
    let blocked = Arc::new(std::sync::Mutex::new(blocked));
    let mut launch = launch_with(&bench, move |_| {
        let blocked = blocked.clone();
        Execution::run(move |_| async move {
            let _ = blocked.lock().unwrap().recv();
            Outcome::success()
        })
    });
    let quick = MINE.replace("1h", "50ms");
    launch.pipeline = bench.launch(&quick).pipeline;
    let report = run(launch).await;
    drop(release);
    let failure = report.failure.clone().unwrap();
    assert_eq!(failure.class, FailureClass::Timeout);
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_ignores_cancellation_does_not_hold_up_the_end() {
    let bench = Harness::new();
    let started = Arc::new(tokio::sync::Notify::new());
    let begun = started.clone();
    let launch = launch_with(&bench, move |_| {
        let begun = begun.clone();
        Execution::run(move |env| async move {
            begun.notify_one();
            env.cancelled().await;
            assert!(env.is_cancelled());
            pending().await
        })
    });
    let handle = start(launch).await.unwrap();
    started.notified().await;
    handle.cancel("test");
    let report = tokio::time::timeout(Duration::from_secs(5), handle.wait()).await;
    assert_eq!(report.unwrap().status, RunState::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_that_is_too_large_fails_the_node() {
    let large = || "x".repeat(100 * 1024 * 1024);
    let (class, reason) = failure(move |_| {
        Execution::run(move |_| async move { Outcome::success().with("text", large()) })
    })
    .await;
    assert_eq!(class, FailureClass::Deterministic);
    expect!["the handler `mine` returned an outcome of 101 MiB; expected at most 16 MiB: write it to a file and return its path"]
        .assert_eq(&reason);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_next_node_that_does_not_exist_fails_the_run() {
    let (class, reason) = failure(|_| {
        Execution::done(Outcome {
            next_node: Some("nowhere".to_owned()),
            ..Outcome::success()
        })
    })
    .await;
    assert_eq!(class, FailureClass::Configuration);
    expect!["this pipeline has no node `nowhere`"].assert_eq(&reason);
}

/// The output of nodes as events show it; either stream may be read first.
fn shown(handle: &RunHandle) -> String {
    let pieces = handle.events(0).into_iter();
    let pieces = pieces.filter_map(|event| match &event.kind {
        EventKind::StageOutput { stream, text, .. } => Some(format!("{stream:?}: {text}")),
        _ => None,
    });
    let mut pieces: Vec<String> = pieces.collect();
    pieces.sort();
    pieces.concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_runs_commands_as_tool_nodes_do() {
    let bench = Harness::new();
    let mut launch = launch_with(&bench, |input| {
        let token = input.secret("api_token").unwrap();
        Execution::run(move |env| async move {
            let script =
                r#"read line; echo "$line $1 in $(basename "$PWD")"; echo "$TOKEN" >&2; exit 3"#;
            let command = CommandSpec::shell(script)
                .args(["sh", "$(two)"])
                .directory("inside")
                .env("TOKEN", &token)
                .stdin("one");
            let done = env.exec(command).await.unwrap();
            assert!(!done.is_success());
            let quiet = env.exec(CommandSpec::program("true").quiet()).await;
            assert!(quiet.unwrap().is_success());
            let nowhere = env.exec(CommandSpec::program("no-such-program")).await;
            let nul = env.exec(CommandSpec::shell("echo \0")).await;
            let errors = [nowhere, nul].map(|done| done.unwrap_err().kind().to_string());
            let done = format!(
                "{:?} {:?} {:?} {errors:?}",
                done.exit, done.stdout, done.stderr
            );
            Outcome::success().with("done", done)
        })
    });
    std::fs::create_dir(bench.path().join("inside")).unwrap();
    let token = "tok-1234567890abcdef";
    launch.inputs.insert("api_token".to_owned(), token.into());
    let (report, handle) = finish(launch).await;
    expect![[r#"Code(3) "one $(two) in inside\n" "[redacted]\n" ["entity not found", "invalid input parameter"]"#]].assert_eq(value(&report, "done").as_str().unwrap());
    expect![[r#"
        Stderr: [redacted]
        Stdout: one $(two) in inside
    "#]]
    .assert_eq(&shown(&handle));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_of_a_handler_ends_without_the_others() {
    let bench = Harness::new();
    let launch = launch_with(&bench, |_| {
        Execution::run(|env| async move {
            let ends = "trap 'echo ended > ended; exit' TERM; while :; do sleep 0.02; done";
            let ends = CommandSpec::shell(ends).timeout(Duration::from_millis(200));
            let other = "while ! [ -e ended ]; do sleep 0.02; done; echo continued";
            let other = CommandSpec::shell(other);
            let (ends, other) = tokio::join!(env.exec(ends), env.exec(other));
            let (ends, other) = (ends.unwrap(), other.unwrap());
            Outcome::success().with("done", format!("{:?} {}", ends.exit, other.stdout))
        })
    });
    let (report, handle) = finish(launch).await;
    assert_eq!(value(&report, "done"), "TimedOut continued\n");
    let left = attractor_exec::footprints_in(&handle.directory().join("a/1-1"));
    assert!(left.is_empty(), "{left:?}");
}

/// The command of a run that is cancelled gets TERM, and so does one whose handler does not wait for it any more.
#[tokio::test(flavor = "multi_thread")]
async fn the_commands_of_a_handler_end_with_it() {
    for waits in [true, false] {
        let bench = Harness::new();
        let launch = launch_with(&bench, move |_| {
            Execution::run(move |env| async move {
                let command = "trap 'echo ended > ended; exit' TERM; echo ready; while :; do sleep 0.02; done";
                let command = env.exec(CommandSpec::shell(command));
                if waits {
                    return command
                        .await
                        .map_or(Outcome::success(), |_| Outcome::success());
                }
                tokio::select! {
                    done = command => panic!("{done:?}"),
                    _ = env.message() => Outcome::success(),
                }
            })
        });
        let handle = start_on(
            launch,
            attractor_machine::transition::Begin::default(),
            Arc::new(attractor_exec::RealDisk),
            None,
        )
        .unwrap();
        let mut events = Box::pin(handle.subscribe(0));
        while let Some(event) = futures::StreamExt::next(&mut events).await {
            if matches!(event.kind, EventKind::StageOutput { .. }) {
                break;
            }
        }
        if waits {
            handle.cancel("test");
        } else {
            assert!(handle.steer("a", "stop", "ada").await.accepted);
        }
        handle.wait().await;
        assert_eq!(bench.file("ended"), "ended\n", "waits: {waits}");
    }
}
