//! What a run survives: a process that dies at any byte, a disk that fails, a file that changes.

use std::fs;

use attractor_exec::{Disk, RealDisk};
use attractor_machine::outcome::FailureClass;
use attractor_machine::transition::Begin;
use futures::StreamExt as _;

use super::*;
use crate::driver::resume::resume_run;
use crate::driver::start::start_on;
use crate::error::RunError;
use crate::launch::{Changes, Resume};
use crate::questions::answer_policy::AnswerPolicy;
use crate::replay::check::check_replay;
use crate::replay::recover::recover;
use crate::testing::faults::{Fault, FaultyDisk};

const WORK: &str = r#"digraph work {
    s [shape=Mdiamond]; e [shape=Msquare]
    one [command="echo one >> log.txt"]
    fan [shape=component, verify=any_output, timeout="1h"]; a [command="echo a >> log-a.txt"]; b [command="echo b >> log-b.txt"]
    join [shape=tripleoctagon]
    flaky [command="test -e tried || { touch tried; exit 1; }", max_retries=2, retry_delay="1ms"]
    two [command="echo two >> log.txt"]
    s -> one -> fan; fan -> a -> join; fan -> b -> join; join -> flaky -> two -> call -> e
    call [shape=folder, sub_pipeline=deep, verify=any_output, timeout="1h"]
}
digraph deep { goal=deeper; s [shape=Mdiamond]; three [command="echo three >> log-three.txt; echo three"]; s -> three }"#;

fn resume_of(launch: Launch) -> Resume {
    Resume::new(launch)
}

pub(super) async fn resumed(directory: &Path, launch: Launch) -> Result<Arc<RunReport>, RunError> {
    let plan = Plan::new(launch.pipeline.clone(), launch.library.clone());
    let handle = resume_run(directory, resume_of(launch), Arc::new(RealDisk))?;
    let report = handle.wait().await;
    check_journal(&plan, &handle);
    Ok(report)
}

/// A process that dies leaves some prefix of its journal. From every line of it, and from the middle of
/// every second one, the run continues to the same end, and what is recorded as done is not done again.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_continues_from_every_point_it_can_die_at() {
    let bench = Harness::new();
    let (whole, handle) = finish(bench.launch(WORK)).await;
    assert_eq!(whole.status, RunState::Success, "{:?}", whole.failure);
    let journal = fs::read(handle.directory().join("journal.jsonl")).unwrap();
    let ends: Vec<usize> = journal
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(index, _)| index + 1)
        .collect();
    for (line, end) in ends.iter().enumerate().take(ends.len() - 1) {
        let torn = 17 * (line % 2);
        let bench = Harness::new();
        let directory = bench.path().join("run");
        fs::create_dir(&directory).unwrap();
        for name in ["manifest.json", "pipeline.dot"] {
            fs::copy(handle.directory().join(name), directory.join(name)).unwrap();
        }
        fs::write(directory.join("journal.jsonl"), &journal[..end + torn]).unwrap();
        fs::write(bench.path().join("tried"), "").unwrap();
        let report = match resumed(&directory, bench.launch(WORK)).await {
            // All that was lost is the last event; it follows from what is there.
            Err(RunError::AlreadyEnded { .. }) => {
                let events = crate::load_events(&directory).unwrap();
                assert!(events.last().unwrap().kind.is_end(), "line {line}");
                continue;
            }
            resumed => resumed.unwrap(),
        };
        assert_eq!(
            report.status,
            RunState::Success,
            "line {line}: {:?}",
            report.failure
        );
        let (mut before, mut after) = (
            whole.completed_nodes.clone(),
            report.completed_nodes.clone(),
        );
        before.sort();
        after.sort();
        assert_eq!(before, after, "line {line}");
        let done = String::from_utf8_lossy(&journal[..*end])
            .contains(r#""type":"stage_completed","node":"one""#);
        let again = bench.file("log.txt").matches("one").count();
        assert_eq!(again, usize::from(!done), "line {line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_run_is_not_run_again_and_a_failed_one_continues_where_it_failed() {
    let bench = Harness::new();
    let (_, done) = finish(bench.launch(WORK)).await;
    let again = resumed(done.directory(), bench.launch(WORK)).await;
    assert!(matches!(again, Err(RunError::AlreadyEnded { .. })));

    let dot = r#"digraph { s [shape=Mdiamond]; e [shape=Msquare]
        one [command="echo one >> log2.txt"]; two [command="test -e ready"]; s -> one -> two -> e }"#;
    let (report, failed) = finish(bench.launch(dot)).await;
    assert_eq!(report.failure.clone().unwrap().node.as_deref(), Some("two"));
    fs::write(bench.path().join("ready"), "").unwrap();
    let report = resumed(failed.directory(), bench.launch(dot))
        .await
        .unwrap();
    assert_eq!(report.status, RunState::Success);
    assert_eq!(path(&report), "s one two two e");
    assert_eq!(bench.file("log2.txt"), "one\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_attempt_that_must_not_be_repeated_is_asked_about() {
    for harm in ["at_most_once=true", "idempotent=false"] {
        unknown_is_asked_about(harm).await;
    }
}

/// A command about which nothing is declared is repeated, and the journal says so.
#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_attempt_that_is_repeated_is_recorded() {
    for (declared, recorded) in [("", 1), ("idempotent=true", 0), ("at_most_once=false", 0)] {
        let bench = Harness::new();
        let dot = format!(
            r#"digraph {{ s [shape=Mdiamond]; e [shape=Msquare]; build [command="echo built >> log.txt", {declared}]; s -> build -> e }}"#
        );
        let (_, whole) = finish(bench.launch(&dot)).await;
        let journal = whole.directory().join("journal.jsonl");
        let text = fs::read_to_string(&journal).unwrap();
        let until_begun: String = text
            .split_inclusive('\n')
            .take_while(|line| !line.contains(r#""type":"stage_completed","node":"build""#))
            .collect();
        fs::write(&journal, until_begun).unwrap();
        let report = resumed(whole.directory(), bench.launch(&dot))
            .await
            .unwrap();
        assert_eq!(report.status, RunState::Success);
        assert_eq!(bench.file("log.txt"), "built\nbuilt\n");
        let events = crate::load_events(whole.directory()).unwrap();
        let reruns = events.iter().filter(
            |event| matches!(&event.kind, EventKind::StageRerun { at } if at.node == "build"),
        );
        assert_eq!(reruns.count(), recorded, "{declared}");
        let shown = crate::RunSnapshot::of(&events);
        assert_eq!((shown.steps, report.steps), (3, 3));
        let shown_path: Vec<&str> = shown.trail.path.iter().map(String::as_str).collect();
        assert_eq!(shown_path, ["s", "build", "e"]);
    }
}

async fn unknown_is_asked_about(harm: &str) {
    let bench = Harness::new();
    let dot = &format!(
        r#"digraph {{ s [shape=Mdiamond]; e [shape=Msquare]
        pay [command="echo paid >> paid.txt", {harm}]; s -> pay -> e }}"#
    );
    let (_, whole) = finish(bench.launch(dot)).await;
    let text = fs::read_to_string(whole.directory().join("journal.jsonl")).unwrap();
    let until_begun: String = text
        .split_inclusive('\n')
        .take_while(|line| !line.contains(r#""type":"stage_completed","node":"pay""#))
        .collect();
    for (answer, times, status) in [
        ("D", 1, RunState::Success),
        ("R", 2, RunState::Success),
        ("F", 1, RunState::Fail),
    ] {
        fs::write(whole.directory().join("journal.jsonl"), &until_begun).unwrap();
        fs::write(bench.path().join("paid.txt"), "paid\n").unwrap();
        let mut launch = bench.launch(dot);
        launch.answers = AnswerPolicy::Scripted(BTreeMap::from([(
            "pay".to_owned(),
            vec![answer.to_owned()],
        )]));
        let report = resumed(whole.directory(), launch).await.unwrap();
        assert_eq!(
            (bench.file("paid.txt").lines().count(), report.status),
            (times, status)
        );
    }
    fs::write(whole.directory().join("journal.jsonl"), &until_begun).unwrap();
    let headless = resumed(whole.directory(), bench.launch(dot)).await.unwrap();
    assert_eq!(
        headless.failure.clone().unwrap().class,
        FailureClass::Unanswered
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_pipeline_is_shown_and_used_only_on_demand() {
    let bench = Harness::new();
    let dot = r#"digraph { s [shape=Mdiamond]; e [shape=Msquare]; a [command=true]; b [command="test -e ready"]; s -> a -> b -> e }"#;
    let (_, failed) = finish(bench.launch(dot)).await;
    let comment = format!("// only a comment\n{dot}");
    let still = resumed(failed.directory(), bench.launch(&comment))
        .await
        .unwrap();
    assert_eq!(still.status, RunState::Fail);
    let changed = dot.replace("test -e ready", "true");
    let error = resumed(failed.directory(), bench.launch(&changed))
        .await
        .unwrap_err();
    expect_test::expect![[r#"
        the pipeline has changed since the run started:
        - node b (tool) command="test -e ready"
        + node b (tool) command="true""#]]
    .assert_eq(&error.to_string());
    let accept = Resume {
        changes: Changes::Accept,
        ..Resume::new(bench.launch(&changed))
    };
    let handle = resume_run(failed.directory(), accept, Arc::new(RealDisk)).unwrap();
    assert_eq!(handle.wait().await.status, RunState::Success);
}

/// Events before an accepted change follow from the pipeline as it was, those after it from the new one. Another
/// stylesheet changes the pipeline too.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_replayed_begins_at_the_last_change() {
    let bench = Harness::new();
    let dot = r#"digraph { s [shape=Mdiamond]; e [shape=Msquare]; b [command="test -e ready"]; s -> b -> e }"#;
    let (_, failed) = finish(bench.launch(dot)).await;
    let directory = failed.directory();
    let changed = dot.replace("ready\"", "ready\", max_retries=1, retry_delay=\"1ms\"");
    let accept = Resume {
        changes: Changes::Accept,
        ..Resume::new(bench.launch(&changed))
    };
    let handle = resume_run(directory, accept, Arc::new(RealDisk)).unwrap();
    assert_eq!(handle.wait().await.status, RunState::Fail);
    let checked = check_replay(directory).unwrap();
    assert_eq!(checked.difference, None);
    assert_eq!(checked.compared_at, Some(handle.events(0).len() as u64));

    let checkpoint = Layout::new(directory.to_owned()).checkpoint();
    fs::remove_file(&checkpoint).unwrap();
    let styled = || {
        let mut launch = bench.launch(&changed);
        let rules = "[{\"handler_type\": \"tool\", \"timeout\": \"9s\"}]";
        let properties = attractor_model::catalogue::StyleProperties;
        let (sheet, errors) = attractor_lang::stylesheet::parse_file("a.json", rules, &properties);
        assert_eq!(errors, []);
        launch.options.stylesheet = sheet;
        launch
    };
    let again = || async {
        let handle = resume_run(directory, resume_of(styled()), Arc::new(RealDisk)).unwrap();
        handle.wait().await.status
    };
    assert_eq!(again().await, RunState::Fail);
    fs::write(bench.path().join("ready"), "").unwrap();
    fs::remove_file(&checkpoint).unwrap();
    assert_eq!(again().await, RunState::Success);
    assert_eq!(check_replay(directory).unwrap().difference, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_state_that_the_journal_does_not_lead_to_is_found() {
    let bench = Harness::new();
    let (_, handle) = finish(bench.launch(WORK)).await;
    let layout = Layout::new(handle.directory().to_owned());
    let mut stored = Snapshot::load(&layout.checkpoint()).unwrap();
    assert_eq!(check_replay(layout.root()).unwrap().difference, None);
    stored.state.steps += 1;
    stored.save(&layout.checkpoint(), &RealDisk).unwrap();
    let difference = check_replay(layout.root()).unwrap().difference.unwrap();
    assert_eq!(difference.pointer, "/state/steps");
    assert_eq!(difference.stored, stored.state.steps);
    assert_eq!(difference.replayed, stored.state.steps - 1);
}

/// What a run calls and names is compared too, in the same file and in others.
#[tokio::test(flavor = "multi_thread")]
async fn a_changed_surrounding_is_shown_and_used_only_on_demand() {
    let bench = Harness::new();
    let folder = bench.path().to_owned();
    let put = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let dot = r#"digraph main { s [shape=Mdiamond]; e [shape=Msquare]
            near [shape=folder, sub_pipeline=sibling]; far [shape=folder, sub_pipeline=child]
            write [command="@write.sh"]; stop [command="test -e ready"]
            s -> near -> far -> write -> stop -> e }
        digraph sibling { s [shape=Mdiamond]; e [shape=Msquare]; a [command="echo near"]; s -> a -> e }
        digraph unused { s [shape=Mdiamond]; e [shape=Msquare]; s -> e }"#;
    let child = r#"digraph inner { s [shape=Mdiamond]; e [shape=Msquare]; a [command="echo far"]; s -> a -> e }"#;
    put("child.dot", child);
    put("write.sh", "echo written");
    let (report, failed) = finish(bench.launch(dot)).await;
    assert_eq!(
        report.failure.clone().unwrap().node.as_deref(),
        Some("stop")
    );

    put("child.dot", &format!("// only a comment\n{child}"));
    let unused = dot.replace("unused", "another");
    let still = resumed(failed.directory(), bench.launch(&unused)).await;
    assert_eq!(still.unwrap().status, RunState::Fail);

    put("child.dot", &child.replace("echo far", "echo farther"));
    put("write.sh", "echo written; touch ready");
    let changed = dot.replace("echo near", "echo earlier_join");
    let error = resumed(failed.directory(), bench.launch(&changed))
        .await
        .unwrap_err();
    expect_test::expect![[r#"
        the pipeline has changed since the run started:
        - pipeline child: node a (tool) command="echo far"
        + pipeline child: node a (tool) command="echo farther"
        + pipeline sibling: node a (tool) command="echo earlier_join"
        - pipeline sibling: node a (tool) command="echo near"
        ~ file write.sh"#]]
    .assert_eq(&error.to_string());
    put("ready", "");
    let accept = || Resume {
        changes: Changes::Accept,
        ..Resume::new(bench.launch(&changed))
    };
    let handle = resume_run(failed.directory(), accept(), Arc::new(RealDisk)).unwrap();
    assert_eq!(handle.wait().await.status, RunState::Success);
}

/// A checkpoint and the rest of the journal give the same state and the same snapshot as a replay from the
/// beginning: for every position at which a checkpoint can be written and every position at which the journal can
/// end. A checkpoint that does not fit is ignored.
#[tokio::test(flavor = "multi_thread")]
async fn a_checkpoint_and_what_follows_it_are_the_whole_journal() {
    let bench = Harness::new();
    let launch = bench.launch(WORK);
    let plan = Plan::new(launch.pipeline.clone(), launch.library.clone());
    let (_, handle) = finish(launch).await;
    let written = Layout::new(handle.directory().to_owned());
    let journal = fs::read(written.journal()).unwrap();
    let records = load(&written.journal()).unwrap().records;
    let ends: Vec<usize> = (1..=journal.len())
        .filter(|end| journal[end - 1] == b'\n')
        .collect();
    let other = Harness::new();
    let layout = Layout::new(other.path().to_owned());
    let whole = |cut: usize| {
        let _ = fs::remove_file(layout.checkpoint());
        fs::write(layout.journal(), &journal[..cut]).unwrap();
        recover(&plan, &layout).unwrap()
    };
    let bytes = |state: &State| serde_json::to_string(state).unwrap();
    let view = |recovered: &crate::replay::recover::Recovered| {
        let mut view = recovered.view.clone();
        recovered
            .events()
            .iter()
            .for_each(|event| view.apply(event));
        view
    };
    let places = (1..=records.len()).filter(|place| {
        let next = records.get(*place);
        next.is_none_or(|record| record.input.is_some())
    });
    for place in places {
        let then = whole(ends[place - 1]);
        assert!(then.missing.is_empty() && then.base == 0);
        let then_view = view(&then);
        let line = &journal[..ends[place - 1]];
        let position = serde_json::json!({
            "length": line.len(),
            "seal": String::from_utf8_lossy(&line[line.len() - 12..]),
        });
        let snapshot = Snapshot {
            seq: place as u64,
            next: None,
            journal: serde_json::from_value(position).unwrap(),
            counted: then_view.counted(),
            view: then_view,
            state: then.state,
        };
        let checkpoint = serde_json::to_string(&snapshot).unwrap();
        for (line, end) in ends.iter().enumerate() {
            for torn in [0, 9] {
                let cut = (end + torn).min(journal.len());
                let expected = whole(cut);
                fs::write(layout.checkpoint(), &checkpoint).unwrap();
                let found = recover(&plan, &layout).unwrap();
                let used = if line + 1 >= place { place as u64 } else { 0 };
                assert_eq!(found.base, used, "checkpoint {place}, journal {line}");
                assert_eq!(bytes(&found.state), bytes(&expected.state));
                let kinds = |recovered: &crate::replay::recover::Recovered| -> Vec<EventKind> {
                    let missing = recovered.missing.iter();
                    missing.map(|record| record.event.kind.clone()).collect()
                };
                assert_eq!(kinds(&found), kinds(&expected));
                assert_eq!(found.length, expected.length);
                if found.missing.is_empty() {
                    assert_eq!(view(&found), view(&expected));
                }
            }
        }
        for damaged in [
            String::new(),
            checkpoint.replace(r#""seal":""#, r#""seal":"0"#),
            checkpoint.chars().take(checkpoint.len() / 2).collect(),
        ] {
            fs::write(layout.journal(), &journal).unwrap();
            fs::write(layout.checkpoint(), damaged).unwrap();
            assert_eq!(recover(&plan, &layout).unwrap().base, 0);
        }
    }
}

/// A run that continues from a checkpoint shows all its events, also those it did not read.
#[tokio::test(flavor = "multi_thread")]
async fn what_lies_before_a_checkpoint_can_still_be_read() {
    let bench = Harness::new();
    let dot = r#"digraph { s [shape=Mdiamond]; e [shape=Msquare]
        one [command="echo one"]; two [command="test -e ready"]; s -> one -> two -> e }"#;
    let (_, failed) = finish(bench.launch(dot)).await;
    let before = failed.events(0).len();
    fs::write(bench.path().join("ready"), "").unwrap();
    let handle = resume_run(
        failed.directory(),
        resume_of(bench.launch(dot)),
        Arc::new(RealDisk),
    )
    .unwrap();
    let seen: Vec<u64> = handle.subscribe(0).map(|event| event.seq).collect().await;
    assert_eq!(seen, (1..=seen.len() as u64).collect::<Vec<_>>());
    assert!(seen.len() > before);
    assert_eq!(handle.events(3).first().unwrap().seq, 4);
    assert_eq!(handle.snapshot().done, 4);
    assert_eq!(handle.snapshot().total, 4);
}

/// A secret is passed to commands and never stored; a resume must pass it again.
#[tokio::test(flavor = "multi_thread")]
async fn a_secret_input_reaches_commands_and_no_file() {
    let bench = Harness::new();
    let dot = r#"digraph { s [shape=Mdiamond]; e [shape=Msquare]; goal="use {token}"
        say [command="echo {token}; printf %s {token} | wc -c > length; printf '%s' \"$T\" >&2; echo {inputs.token} > used", env.T="x{token}"]
        think [shape=box, prompt="What about {token} and {stdout}?"]
        feed [command="cat > fed; test -e ready", stdin="{token}"]
        s -> say -> think -> feed -> e }"#;
    let secret = "correct-horse-battery";
    let set_secret = |launch: &mut Launch| {
        launch.inputs.insert("token".to_owned(), secret.into());
    };
    let mut launch = bench.launch(dot);
    set_secret(&mut launch);
    let (report, handle) = finish(launch).await;
    assert_eq!(
        report.failure.clone().unwrap().node.as_deref(),
        Some("feed")
    );
    assert_eq!(bench.file("length").trim(), secret.len().to_string());
    assert_eq!(bench.file("used").trim(), secret);
    assert_eq!(bench.file("fed"), secret);
    let assert_not_stored = |handle: &RunHandle, report: &RunReport| {
        assert!(!format!("{:?}", handle.events(0)).contains(secret));
        assert!(!serde_json::to_string(report).unwrap().contains(secret));
        for (path, content) in files_below(handle.directory()) {
            let content = String::from_utf8_lossy(&content);
            assert!(!content.contains(secret), "{}: {content}", path.display());
        }
    };
    assert_not_stored(&handle, &report);

    let missing = resumed(handle.directory(), bench.launch(dot)).await;
    let said = missing.unwrap_err().to_string();
    assert!(said.contains("secret input `token` again"), "{said}");
    let mut other = bench.launch(dot);
    other.inputs.insert("branch".to_owned(), "x".into());
    let said = resumed(handle.directory(), other).await.unwrap_err();
    assert!(
        said.to_string()
            .contains("cannot be changed (got `branch`)"),
        "{said}"
    );

    fs::write(bench.path().join("ready"), "").unwrap();
    fs::remove_file(bench.path().join("fed")).unwrap();
    let mut again = bench.launch(dot);
    set_secret(&mut again);
    let handle = resume_run(handle.directory(), resume_of(again), Arc::new(RealDisk)).unwrap();
    let report = handle.wait().await;
    assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
    assert_eq!(bench.file("fed"), secret);
    assert_not_stored(&handle, &report);
}

fn files_below(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push((path.clone(), fs::read(path).unwrap()));
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn one_process_owns_a_run_and_the_second_is_reported_who() {
    let bench = Harness::new();
    let mut launch = bench.launch(
        "digraph { s [shape=Mdiamond]; g [shape=hexagon]; e [shape=Msquare]; s -> g -> e }",
    );
    launch.answers = AnswerPolicy::Ask;
    let handle = start(launch.clone()).await.unwrap();
    let error = resumed(handle.directory(), launch)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains(&format!("locked by process {}", std::process::id())),
        "{error}"
    );
    handle.cancel("test");
    handle.wait().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_in_the_middle_is_reported_with_what_was_saved() {
    let bench = Harness::new();
    let (_, handle) = finish(bench.launch(WORK)).await;
    let journal = handle.directory().join("journal.jsonl");
    let mut bytes = fs::read(&journal).unwrap();
    let third = bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .nth(2)
        .unwrap()
        .0;
    bytes[third + 20] ^= 1;
    fs::write(&journal, &bytes).unwrap();
    // With its checkpoint, the run does not need what is damaged.
    let known = resumed(handle.directory(), bench.launch(WORK)).await;
    assert!(matches!(known, Err(RunError::AlreadyEnded { .. })));
    fs::remove_file(handle.directory().join("checkpoint.json")).unwrap();
    let error = resumed(handle.directory(), bench.launch(WORK))
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("damaged at line 4") && error.contains("the events up to 3"),
        "{error}"
    );
    let kept = handle.directory().join("journal.saved.jsonl");
    assert_eq!(fs::read(&kept).unwrap(), bytes[..=third]);
    // A link with that name is replaced and not followed: it may have come with the records.
    let other = bench.path().join("other.txt");
    fs::write(&other, "mine").unwrap();
    fs::remove_file(&kept).unwrap();
    std::os::unix::fs::symlink(&other, &kept).unwrap();
    let damaged = crate::load_events(handle.directory()).unwrap_err();
    assert!(matches!(damaged, RunError::Damaged { .. }), "{damaged}");
    assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
    assert!(fs::symlink_metadata(&kept).unwrap().is_file());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_disk_ends_the_run_with_a_message_and_loses_nothing() {
    for fault in [Fault::Full, Fault::Short, Fault::Sync] {
        for after in 1..6 {
            let bench = Harness::new();
            let disk: Arc<dyn Disk> = Arc::new(FaultyDisk::new(fault, after));
            let handle = start_on(bench.launch(WORK), Begin::default(), disk, None).unwrap();
            let report = handle.wait().await;
            let failure = report.failure.clone().unwrap();
            assert_eq!(
                (report.status, failure.class),
                (RunState::Fail, FailureClass::Internal)
            );
            assert!(
                failure.reason.contains("cannot write"),
                "{}",
                failure.reason
            );
            assert!(
                failure.reason.contains("resume the run"),
                "{}",
                failure.reason
            );
            assert!(
                failure.reason.contains("journal.jsonl"),
                "{}",
                failure.reason
            );
            // With free disk space it continues to the end.
            let report = resumed(handle.directory(), bench.launch(WORK))
                .await
                .unwrap();
            assert_eq!(
                report.status,
                RunState::Success,
                "{fault:?} {after} {:?}",
                report.failure
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_start_from_named_checkpoints_and_checkpoint_files() {
    let bench = Harness::new();
    let dot = r#"digraph p { s [shape=Mdiamond]; e [shape=Msquare]
        a [command="echo a; echo a >> log.txt"]; c [shape=cylinder, name=half]; b [command="echo b >> log.txt"]
        s -> a -> c -> b -> e }"#;
    let mut launch = bench.launch(dot);
    launch.checkpoint_dir = Some(bench.path().join("checkpoints"));
    let (_, handle) = finish(launch.clone()).await;
    let from = crate::ResumeFrom::Checkpoint {
        run: handle.directory().to_owned(),
        name: "half".to_owned(),
    };
    let again = crate::resume(from, resume_of(bench.launch(dot)))
        .await
        .unwrap();
    assert_eq!(path(&*again.wait().await), "s a c b e");
    assert_eq!(bench.file("log.txt").matches('b').count(), 2);
    assert_eq!(
        bench
            .file("log.txt")
            .lines()
            .filter(|line| *line == "a")
            .count(),
        1
    );
    let unknown = crate::ResumeFrom::Checkpoint {
        run: handle.directory().to_owned(),
        name: "none".to_owned(),
    };
    let error = crate::resume(unknown, resume_of(bench.launch(dot)))
        .await
        .err()
        .unwrap();
    assert_eq!(
        error.to_string(),
        "unknown checkpoint `none`; this run has `half`"
    );

    let mut files: Vec<_> = fs::read_dir(bench.path().join("checkpoints"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert_eq!(files.len(), 5);
    let second: serde_json::Value = serde_json::from_slice(&fs::read(&files[1]).unwrap()).unwrap();
    assert_eq!(
        (&second["current_node"], &second["next_node"]),
        (&"a".into(), &"c".into())
    );
    let file = crate::ResumeFrom::File(files[1].clone());
    let report = crate::resume(file, resume_of(bench.launch(dot)))
        .await
        .unwrap()
        .wait()
        .await;
    assert_eq!(path(&report), "s a c b e");

    let foreign = bench.path().join("checkpoint_1700000000000.json");
    fs::write(
        &foreign,
        r#"{"pipeline_name":"p","current_node":"b","context":{"output.a":"x"},"completed_nodes":["s","a"],"timestamp":1.7e9}"#,
    )
    .unwrap();
    let file = crate::ResumeFrom::File(foreign);
    let report = crate::resume(file, resume_of(bench.launch(dot)))
        .await
        .unwrap()
        .wait()
        .await;
    assert_eq!(path(&report), "s a b e");
}
