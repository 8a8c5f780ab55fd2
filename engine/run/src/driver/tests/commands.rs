//! Commands: limits, signals, what they leave behind, and values that would like to be code.

use attractor_machine::context::large_values::LargeValues;
use std::fs;
use std::time::{Duration, Instant};

use attractor_machine::event::Stream;
use attractor_machine::outcome::FailureClass;

use super::*;

fn one(command: &str, attributes: &str) -> String {
    let command = command.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        "digraph {{ s [shape=Mdiamond]; e [shape=Msquare]; a [command=\"{command}\" {attributes}]; s -> a -> e }}"
    )
}

/// Whether a process is there and no zombie.
fn alive(pid: &str) -> bool {
    let pid = pid.trim();
    assert!(!pid.is_empty(), "the command has written its id");
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        !stat
            .rsplit_once(')')
            .unwrap()
            .1
            .trim_start()
            .starts_with('Z')
    })
}

fn there(pid: &str) -> bool {
    Path::new(&format!("/proc/{}", pid.trim())).exists()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_never_ends_is_stopped_with_all_it_started() {
    let bench = Harness::new();
    let begun = Instant::now();
    let dot = one(
        "echo $$ > leader; sleep 1000 & echo $! > child; wait",
        ", timeout=\"200ms\"",
    );
    let report = run(bench.launch(&dot)).await;
    let failure = report.failure.clone().unwrap();
    assert_eq!(failure.class, FailureClass::Timeout);
    assert_eq!(failure.reason, "timed out after 200ms (`timeout`)");
    assert_eq!(value(&report, "exit_code"), -1);
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(!alive(&bench.file("leader")) && !alive(&bench.file("child")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_child_that_ignores_term_is_killed() {
    let bench = Harness::new();
    let dot = one(
        "trap '' TERM; echo $$ > leader; while :; do sleep 0.05; done",
        ", timeout=\"100ms\"",
    );
    let begun = Instant::now();
    let report = run(bench.launch(&dot)).await;
    assert_eq!(report.failure.clone().unwrap().class, FailureClass::Timeout);
    assert!(
        begun.elapsed() >= Duration::from_secs(2),
        "it had its time after TERM"
    );
    assert!(!alive(&bench.file("leader")));
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn what_leaves_its_group_or_drops_its_marks_does_not_outlive_the_run() {
    let bench = Harness::new();
    let dot = one(
        "setsid sh -c 'echo $$ > away; exec sleep 1000' & \
         env -i setsid sh -c '(echo $$ > bare; exec /bin/sleep 1000) & exit' & \
         sleep 1000 & echo $! > near; \
         while ! [ -s away ] || ! [ -s bare ]; do sleep 0.02; done",
        "",
    );
    let (report, _) = finish(bench.launch(&dot)).await;
    assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
    for name in ["away", "near"] {
        assert!(!there(&bench.file(name)), "{name} is gone, and no zombie");
    }
    assert!(!bench.file("bare").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_stops_commands_and_says_so() {
    use futures::StreamExt;
    let bench = Harness::new();
    let dot = one("echo $$ > leader; echo ready; sleep 1000", "");
    let handle = start(bench.launch(&dot)).await.unwrap();
    let mut events = std::pin::pin!(handle.subscribe(0));
    while let Some(event) = events.next().await {
        if matches!(event.kind, EventKind::StageOutput { .. }) {
            break;
        }
    }
    handle.cancel("ada");
    let report = handle.wait().await;
    assert_eq!(report.status, RunState::Cancelled);
    assert_eq!(report.failure.clone().unwrap().reason, "cancelled by ada");
    assert!(!there(&bench.file("leader")), "gone, and waited for");
    assert!(kinds(&handle).contains(&"pipeline_cancelled".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn output_is_bounded_and_a_pipe_left_open_holds_nothing_up() {
    let bench = Harness::new();
    let dot = one(
        "head -c 10000000 /dev/zero | tr '\\0' x; echo end; sleep 1000 &",
        "",
    );
    let begun = Instant::now();
    let (report, handle) = finish(bench.launch(&dot)).await;
    assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
    assert!(begun.elapsed() < Duration::from_secs(20));
    let artifacts = Artifacts::new(handle.directory().join("artifacts"));
    let kept = artifacts.whole(value(&report, "stdout")).unwrap();
    let kept = kept.as_str().unwrap();
    assert!(kept.len() < 9_000_000 && kept.contains("bytes left out") && kept.ends_with("end\n"));
    let shown: usize = handle
        .events(0)
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::StageOutput { text, .. } => Some(text.len()),
            _ => None,
        })
        .sum();
    assert!(shown < 300_000, "{shown}");
    let log = handle.directory().join("a/1-1/stdout.log");
    assert_eq!(std::fs::metadata(log).unwrap().len(), 10_000_004);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_runs_in_the_background_may_write_until_the_run_ends() {
    let bench = Harness::new();
    let dot = r#"digraph { s [shape=Mdiamond]; e [shape=Msquare]
        serve [command="(while ! [ -e go ]; do sleep 0.02; done; echo late; echo served > served; exec sleep 1000) &"]
        use [command="touch go; n=0; while ! [ -e served ] && [ $n -lt 500 ]; do sleep 0.02; n=$((n+1)); done; cat served"]
        s -> serve -> use -> e }"#;
    let report = run(bench.launch(dot)).await;
    assert_eq!(value(&report, "stdout"), "served\n", "{:?}", report.failure);
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_values_stay_values() {
    let hostile = [
        "$(touch pwned)",
        "`touch pwned`",
        "'; touch pwned; '",
        "\"; touch pwned; \"",
        "a\nb; touch pwned",
        "-rf / --",
        "\\",
        "é\u{202e}",
        "",
    ];
    for value in hostile {
        let bench = Harness::new();
        let mut launch = bench.launch(&one(
            "printf %s {x} > plain; printf %s \"{x}\" > quoted",
            "",
        ));
        launch.inputs.insert("x".to_owned(), Value::from(value));
        let report = run(launch).await;
        assert_eq!(
            report.status,
            RunState::Success,
            "{value:?} {:?}",
            report.failure
        );
        assert_eq!(bench.file("plain"), value);
        assert_eq!(bench.file("quoted"), value);
        assert!(!bench.path().join("pwned").exists(), "{value:?}");
    }
    let bench = Harness::new();
    let mut launch = bench.launch(&one("echo {x}", ""));
    launch.inputs.insert("x".to_owned(), Value::from("a\0b"));
    let failure = run(launch).await.failure.clone().unwrap();
    assert_eq!(failure.class, FailureClass::Configuration);
    assert!(failure.reason.contains("NUL"), "{}", failure.reason);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_working_directory_outside_of_the_project_is_refused() {
    let bench = Harness::new();
    for folder in ["../..", "/", "out"] {
        let launch = bench.launch(&one("true", &format!(", working_dir=\"{folder}\"")));
        let out = launch.workdir.join("out");
        if !out.exists() {
            std::os::unix::fs::symlink("/usr", &out).unwrap();
        }
        let failure = run(launch).await.failure.clone().unwrap();
        assert_eq!(failure.class, FailureClass::Configuration);
        assert!(
            failure.reason.contains("is outside of the project root"),
            "{}",
            failure.reason
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_run_is_said() {
    let bench = Harness::new();
    let reason = |report: &RunReport| report.failure.clone().unwrap().reason;
    let nowhere = run(bench.launch(&one("true", ", working_dir=\"nowhere\""))).await;
    assert!(
        reason(&nowhere).starts_with("cannot run `sh` in "),
        "{}",
        reason(&nowhere)
    );
    let no_shell = run(bench.launch(&one("true", ", shell=\"no-such-shell\""))).await;
    assert!(reason(&no_shell).contains("cannot run `no-such-shell`"));
    let killed = run(bench.launch(&one("kill -9 $$", ""))).await;
    assert_eq!(reason(&killed), "exit code 137");
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_read_input_see_their_variables_and_give_json() {
    let bench = Harness::new();
    let dot = r#"digraph {
        s [shape=Mdiamond, context.who="it's me"]; e [shape=Msquare]
        a [command="cat; printf '{\"score\": 7, \"name\": \"%s\"}' \"$NAME\" >&2", stdin="{who}", env.NAME="{who}"]
        b [command="printf %s '{\"score\": 7}'", parse_json=true, output_key=report]
        s -> a -> b; b -> e [condition="report.score > 6"]
    }"#;
    let report = run(bench.launch(dot)).await;
    assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
    assert_eq!(value(&report, "output.a"), "it's me");
    assert_eq!(value(&report, "report.score"), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn promises_about_results_are_checked() {
    let bench = Harness::new();
    for (command, attributes, status) in [
        (
            "echo 2 passed",
            "verify=\"output_contains:passed\"",
            RunState::Success,
        ),
        (
            "echo 1 error",
            "verify=\"output_not_contains:error\"",
            RunState::Fail,
        ),
        (
            "echo boom >&2; exit 1",
            "verify=\"any_output\"",
            RunState::Success,
        ),
        ("exit 1", "verify=\"exit_code:1\"", RunState::Success),
        ("true", "must_write=\"made.txt\"", RunState::Fail),
        (
            "touch made2.txt",
            "must_write=\"made2.txt\"",
            RunState::Success,
        ),
    ] {
        let report = run(bench.launch(&one(command, &format!(", {attributes}")))).await;
        assert_eq!(
            report.status, status,
            "{command} {attributes} {:?}",
            report.failure
        );
    }
    let flaky = one(
        "test -e tried && echo fine || { touch tried; echo error; }",
        ", verify=\"output_not_contains:error\", max_retries=1, retry_delay=\"1ms\"",
    );
    let (report, handle) = finish(bench.launch(&flaky)).await;
    assert_eq!(report.status, RunState::Success);
    let retried = handle.events(0).iter().any(|event| {
        matches!(&event.kind, EventKind::StageFailed { reason, will_retry: true, .. }
            if reason == "check `output_not_contains:error` failed")
    });
    assert!(retried);
}

/// What ends a node or a loop are files of the project, not what a link in it leads to.
#[tokio::test(flavor = "multi_thread")]
async fn checks_look_at_files_of_the_project_only() {
    let outside = tempfile::tempdir().unwrap();
    let file = outside.path().join("there.txt");
    std::fs::write(&file, "stop").unwrap();
    let link = format!(
        "ln -s {} out; mkdir -p in; touch in/x; ln -s in ln",
        file.display()
    );
    let absolute = file.display();
    for (attributes, reason) in [
        (
            "must_write=out".to_owned(),
            Some("out (`must_write`) is outside of the project"),
        ),
        (
            format!("must_write=\"{absolute}\""),
            Some("is outside of the project"),
        ),
        (
            "verify=\"file_exists:out\"".to_owned(),
            Some("check `file_exists:out` failed"),
        ),
        (
            "must_write=\"ln/x\", verify=\"file_exists:ln/x\"".to_owned(),
            None,
        ),
    ] {
        let bench = Harness::new();
        let report = run(bench.launch(&one(&link, &format!(", {attributes}")))).await;
        let found = report
            .failure
            .clone()
            .map(|failure| failure.reason)
            .unwrap_or_default();
        match reason {
            Some(reason) => assert!(found.contains(reason), "{attributes}: {found}"),
            None => assert_eq!(
                (report.status, &*found),
                (RunState::Success, ""),
                "{attributes}"
            ),
        }
    }
    for ends in [
        "loop_until_file=out",
        "loop_until_file_contains=\"out:stop\"",
    ] {
        let bench = Harness::new();
        let dot = format!(
            "digraph p {{ s [shape=Mdiamond]; e [shape=Msquare]; w [shape=parallelogram, command=\"{link}\"]; \
             l [shape=trapezium, loop_id=l, loop_max=3, {ends}]; m [shape=invtrapezium, loop_id=l]; s -> l -> w -> m -> e }}"
        );
        let report = run(bench.launch(&dot)).await;
        let found = report
            .failure
            .clone()
            .map(|failure| failure.reason)
            .unwrap_or_default();
        assert!(
            found.contains("`out`, which ends the loop, is outside"),
            "{ends}: {found}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn escape_sequences_and_keys_do_not_reach_the_readers() {
    let bench = Harness::new();
    let dot = one(
        "printf '\\033]0;title\\007red'; echo; echo sk-$(printf 'a%.0s' $(seq 40))",
        "",
    );
    let (report, handle) = finish(bench.launch(&dot)).await;
    let shown: String = handle
        .events(0)
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::StageOutput {
                text,
                stream: Stream::Stdout,
                ..
            } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(shown, "␛]0;title␇red\n[redacted]\n");
    assert!(
        !value(&report, "stdout")
            .as_str()
            .unwrap()
            .contains("sk-aaa")
    );
    let journal = std::fs::read_to_string(handle.directory().join("journal.jsonl")).unwrap();
    assert!(!journal.contains("sk-aaa"));
}

#[tokio::test(flavor = "multi_thread")]
async fn models_are_simulated_and_say_so() {
    let bench = Harness::new();
    let dot = r#"digraph { goal="a parser"; s [shape=Mdiamond]; e [shape=Msquare]
        plan [prompt="Plan $goal for {who:-you}"]; s -> plan -> e }"#;
    let (report, handle) = finish(bench.launch(dot)).await;
    assert!(report.simulated);
    assert_eq!(
        value(&report, "last_response"),
        "[simulated] plan: Plan a parser for you"
    );
    // All models are simulated: every event says so, and that of the node why.
    let events = handle.events(0);
    assert!(events.iter().all(|event| event.simulated), "{events:?}");
    let mut completed = events.iter().filter_map(|event| match &event.kind {
        EventKind::StageCompleted { at, model, .. } => Some((at, model.as_ref()?)),
        _ => None,
    });
    let (at, model) = completed.next().expect("a model");
    assert_eq!(at.node, "plan");
    assert_eq!(model.backend, "simulate");
    assert_eq!(
        model.simulated.as_deref(),
        Some("no backend for models is configured")
    );
    let prompt = std::fs::read_to_string(handle.directory().join("plan/1-1/prompt.md")).unwrap();
    assert_eq!(prompt, "Plan a parser for you");
}

#[tokio::test(start_paused = true)]
async fn time_limits_end_a_run_without_anyone_waiting_for_real() {
    let bench = Harness::new();
    let dot = |graph: &str| {
        format!(
            "digraph {{ {graph} s [shape=Mdiamond]; e [shape=Msquare]; w [shape=insulator, duration=\"2h\"]; s -> w -> e }}"
        )
    };
    let reason = |report: &RunReport| report.failure.clone().map(|failure| failure.reason);
    let whole = run(bench.launch(&dot("max_pipeline_duration=\"1h\";"))).await;
    assert_eq!(
        reason(&whole).as_deref(),
        Some("time limit of the run reached: 1h (`max_pipeline_duration`)")
    );
    let stalled = run(bench.launch(&dot("stall_timeout=\"30m\";"))).await;
    assert_eq!(
        reason(&stalled).as_deref(),
        Some("stalled: no activity for 30m (`stall_timeout`)")
    );
    let waited = run(bench.launch(&dot(""))).await;
    assert_eq!(
        (waited.status, waited.duration_ms >= 7_200_000),
        (RunState::Success, true)
    );
}

/// Five megabytes of output: the context and the journal hold a reference, commands and conditions see it all.
#[tokio::test(flavor = "multi_thread")]
async fn a_large_output_is_kept_next_to_the_journal() {
    let bench = Harness::new();
    let (report, handle) = finish(bench.launch(
        r#"digraph { s [shape=Mdiamond]; e [shape=Msquare]
            write [command="head -c 5000000 /dev/zero | tr '\\0' x; echo; echo THE-END"]
            count [command="wc -c; false", stdin="{output.write}", on_failure=continue]
            quote [command="echo {output.write}", on_failure=continue]
            s -> write; write -> count [condition="stdout contains 'THE-END'"]
            count -> quote -> e }"#,
    ))
    .await;
    assert_eq!(
        path(&report),
        "s write count quote e",
        "{:?}",
        report.failure
    );
    assert_eq!(
        value(&report, "output.count").as_str().unwrap().trim(),
        "5000009"
    );
    assert_eq!(value(&report, "output.write")["bytes"], 5_000_009);
    let said = value(&report, "_last_error").as_str().unwrap();
    assert!(
        said.contains("has 5000009 bytes, more than the limit"),
        "{said}"
    );
    let size = |name: &str| fs::metadata(handle.directory().join(name)).unwrap().len();
    // What is shown of an attempt's output is in the journal, and bounded.
    assert!(size("journal.jsonl") < 600_000, "{}", size("journal.jsonl"));
    assert!(
        size("checkpoint.json") < 50_000,
        "{}",
        size("checkpoint.json")
    );
    let artifacts = fs::read_dir(handle.directory().join("artifacts")).unwrap();
    assert_eq!(artifacts.count(), 1);
}
