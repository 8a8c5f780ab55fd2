//! A run that is killed again and again, at moments chosen by chance, ends as one that was never interrupted.
//!
//! Its pipeline has a node of every kind. `ATTRACTOR_KILLS` is the number of kills, `ATTRACTOR_KILL_SEED` repeats
//! the moments of an earlier test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use attractor_tests::{Project, repository};
use serde_json::Value;

use crate::crash::{journal, nothing_is_repeated, only_run, steady};

const EVERY_KIND: &str = include_str!("kills/every_kind.dot");

const CONFIGURATION: &str = r#"[handlers.stamp]
command = ["sh", "stamp.sh"]
sets = ["stamped"]
"#;

const STAMP: &str = r#"cat > /dev/null
echo stamp >> effects
echo '{"context_updates": {"stamped": "yes"}}'
"#;

const RUN: [&str; 6] = ["run", "all.dot", "--format", "json", "--answer", "gate=Y"];

/// Events until the next kill, at most.
const MOST_EVENTS: u64 = 24;

/// Turns of the loop that waits between an event and its kill, at most.
const MOST_TURNS: u64 = 3000;

fn project() -> Project {
    let project = Project::with("all.dot", EVERY_KIND);
    project.write(".attractor/config.toml", CONFIGURATION);
    project.write("stamp.sh", STAMP);
    project
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Numbers by chance, the same for the same seed (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

fn lines(project: &Project) -> u64 {
    journal(project).map_or(0, |text| text.lines().count() as u64)
}

/// Every effect happened once per attempt that ended, and again only where the journal says that the attempt was
/// run again.
fn effects_match_the_journal(project: &Project, events: &[Value]) {
    let count = |types: &[&str]| {
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        for event in events {
            let kind = event["type"].as_str().unwrap_or_default();
            if let (true, Some(node)) = (types.contains(&kind), event["node"].as_str()) {
                *found.entry(node).or_default() += 1;
            }
        }
        found
    };
    let begun = count(&["stage_started", "stage_rerun"]);
    let ended = count(&["stage_completed", "stage_failed"]);
    let effects = project.read("effects");
    for node in effects.lines().collect::<BTreeSet<_>>() {
        let times = effects.lines().filter(|line| *line == node).count();
        let (least, most) = (ended[node], begun[node]);
        assert!(
            (least..=most).contains(&times),
            "`{node}` had its effect {times} times; {least} attempts ended, {most} began"
        );
    }
}

#[test]
fn killed_run_ends_like_an_uninterrupted_one() {
    let seed = number("ATTRACTOR_KILL_SEED").unwrap_or(20_261_122).max(1);
    let kills = number("ATTRACTOR_KILLS").unwrap_or(15);
    let whole = project();
    let expected = steady(&whole.run(RUN).expect_code(0));
    let mut chance = Chance(seed);
    let (mut killed, mut runs) = (0, 0);
    while killed < kills {
        let project = project();
        let mut running = project.start(RUN);
        runs += 1;
        loop {
            let moment = lines(&project) + 1 + chance.below(MOST_EVENTS);
            let turns = chance.below(MOST_TURNS);
            while running.is_running() && lines(&project) < moment {
                std::thread::yield_now();
            }
            for _ in 0..turns {
                std::thread::yield_now();
            }
            if !running.is_running() {
                break;
            }
            running.signal("KILL");
            drop(running);
            killed += 1;
            let run = only_run(&project);
            running = project.start(["resume", &run, "--format", "json", "--answer", "gate=Y"]);
        }
        let ended = running.end();
        let when = format!("seed {seed}, run {runs}, after {killed} kills");
        let run = only_run(&project);
        if !ended.stderr.contains("has already finished") {
            assert_eq!(ended.code, Some(0), "{when}: {ended}");
            assert_eq!(steady(&ended), expected, "{when}");
        }
        let events = project.run(["runs", "events", &run]).expect_code(0);
        let events = events.json_lines();
        nothing_is_repeated(&events);
        effects_match_the_journal(&project, &events);
    }
    println!("{killed} kills of {runs} runs");
}

/// The pipeline that is killed has a node of every kind that the reference lists.
#[test]
fn killed_pipeline_has_every_kind_of_node() {
    let reference = repository().join("docs/reference/node-kinds.md");
    let reference = fs::read_to_string(reference).expect("the reference");
    let rows = reference
        .lines()
        .filter_map(|line| line.strip_prefix("| [`"));
    let kinds: BTreeSet<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    assert!(kinds.len() >= 15, "{kinds:?}");
    let project = project();
    project.run(RUN).expect_code(0);
    let run = only_run(&project);
    let events = project.run(["runs", "events", &run]).json_lines();
    let entered: BTreeSet<&str> = events
        .iter()
        .filter_map(|event| event["kind"].as_str())
        .collect();
    let missing: Vec<_> = kinds.difference(&entered).collect();
    assert!(missing.is_empty(), "{missing:?} not in {entered:?}");
    assert!(entered.contains("custom"), "{entered:?}");
}
