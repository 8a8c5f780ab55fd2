//! The clock of the machine is set while a run waits: delays take as long as they are, whatever it says.
//!
//! The clock is that of the library libfaketime, which reads the time from a file. Without it the test is skipped.

use std::cmp::Ordering;
use std::path::PathBuf;

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply, skip};

/// `limited` waits until the provider takes requests again; meanwhile, `jump` sets the clock.
const WAITS: &str = "digraph g {
  start   [shape=Mdiamond]
  both    [shape=component]
  limited [shape=tab, prompt=\"Name a river.\", model=sonnet, on_rate_limit=wait, max_retries=2, timeout=1m]
  jump    [shape=parallelogram, timeout=30s,
    command=\"until grep -qs stage_retrying .attractor/runs/*/journal.jsonl; do sleep 0.02; done; printf -- 'JUMP' > clock\"]
  join    [shape=tripleoctagon]
  pause   [duration=50ms]
  done    [shape=Msquare]
  start -> both -> limited -> join
  both -> jump -> join -> pause -> done
}
";

/// The library, where it is installed.
fn library() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?.flatten();
    let folders = folders.map(|folder| folder.path());
    let mut places = folders
        .chain([PathBuf::from("/usr/lib")])
        .map(|folder| folder.join("faketime").join("libfaketimeMT.so.1"));
    places.find(|path| path.is_file())
}

#[test]
fn a_clock_that_jumps_neither_stretches_nor_ends_a_delay() {
    let Some(library) = library() else {
        skip("a clock that jumps", "libfaketime is not installed");
        return;
    };
    let limit =
        "{\"type\": \"error\", \"error\": {\"type\": \"rate_limit_error\", \"message\": \"slow\"}}";
    for (jump, order) in [("-30d", Ordering::Greater), ("+30d", Ordering::Less)] {
        let project = Project::with("g.dot", WAITS.replace("JUMP", jump));
        project.write("clock", "+0d");
        let provider = MockProvider::start(vec![
            Reply::Answer(
                429,
                vec![("retry-after-ms", "3000")],
                "application/json",
                limit.to_owned(),
            ),
            Reply::Says("The Rhine."),
        ]);
        let mut command = project.command(["run", "g.dot", "--format", "events"]);
        command
            .envs(provider.variables())
            .env("LD_PRELOAD", &library)
            .env("FAKETIME_TIMESTAMP_FILE", project.file("clock"))
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        let output = ProcessOutput::new(&command.output().expect("it starts"));
        assert_eq!(output.code, Some(0), "{jump}: {output}");
        let events = output.json_lines();
        let place = |kind: &str, node: &str| {
            let mut events = events.iter();
            events.position(|event| event["type"] == kind && event["node"] == node)
        };
        let (retrying, jumped) = (
            place("stage_retrying", "limited"),
            place("stage_completed", "jump"),
        );
        let ended = place("stage_completed", "limited");
        assert!(retrying < jumped && jumped < ended, "{jump}: {output}");
        let day =
            |event: &serde_json::Value| event["time"].as_str().map(|time| time[..10].to_owned());
        let last = &events[events.len() - 1];
        assert_eq!(day(&events[0]).cmp(&day(last)), order, "{jump}: {output}");
        // The time of the run is not that of the calendar.
        let took = last["duration_ms"].as_u64().expect("a duration");
        assert!((3000..60_000).contains(&took), "{jump}: {took}");
    }
}
