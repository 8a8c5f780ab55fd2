//! How fast the language server is, measured over its pipes: start to the response to `initialize`, and
//! keystroke to the diagnostics of the text after it, on pipelines of 10, 1,000 and 10,000 nodes: ordinary
//! ones, and ones with an error at nearly every node. Then a burst: a hundred keystrokes at once, to the
//! diagnostics of the last. Then semantic tokens: all of them, and the delta of a keystroke, requested when its
//! diagnostics have arrived. Then completion of an edge target, from the keystroke to the list. Last a person who
//! types 30 keys a second in a pipeline of 5,000 nodes and wants a list after each. All to the last byte of the
//! response.
//!
//! ```text
//! cargo build --release
//! ATTRACTOR_BIN=$PWD/target/release/attractor cargo run --release -p attractor-tests --example editor_speed
//! ```
//!
//! Prints the median and the worst of each, and the server's peak memory where the system reports it (Linux).
//! The time the client takes to read a message is part of the figures.
#![expect(clippy::print_stdout, reason = "a program for people")]

use std::fmt::Write as _;
use std::thread::sleep;
use std::time::{Duration, Instant};

use attractor_tests::{Editor, Project};
use serde_json::json;

const STARTS: usize = 20;
const KEYSTROKES: i32 = 50;
const BURST: i32 = 100;
const TOKENS: i32 = 20;
const COMPLETIONS: i32 = 40;
const TYPED_KEYS: i32 = 90;
const KEYS_PER_SECOND: f64 = 30.0;
/// An edge that is being typed, and the line of both pipelines where a statement may begin.
const EDGE: &str = "  start -> s\n";
const EDGE_LINE: u32 = 3;
const URI: &str = "untitled:pipeline";

fn main() {
    let mut starts: Vec<_> = (0..STARTS).map(|_| start()).collect();
    println!("start to initialize reply      {}", figures(&mut starts));
    for (kind, write) in [
        ("ordinary", ordinary as fn(usize) -> String),
        ("findings", careless),
    ] {
        for nodes in [10, 1_000, 10_000] {
            let text = write(nodes);
            let mut typed = type_in(&text);
            println!(
                "{kind}, {nodes:>6} nodes ({:>4} kB, {:>3} findings)  keystroke {}  burst of {BURST} {:>8.2} ms  {}",
                text.len() / 1000,
                typed.findings,
                figures(&mut typed.keystrokes),
                typed.burst.as_secs_f64() * 1e3,
                typed.memory,
            );
            println!(
                "{kind}, {nodes:>6} nodes  semantic tokens, all {}  after a keystroke {}",
                figures(&mut typed.tokens),
                figures(&mut typed.deltas),
            );
            println!(
                "{kind}, {nodes:>6} nodes  completion {}",
                figures(&mut typed.completions)
            );
        }
    }
    let (answered, mut latencies) = steady_typing(&ordinary(5_000));
    println!(
        "{KEYS_PER_SECOND} keys/s in 5,000 nodes: {answered} of {TYPED_KEYS} completions answered with items  {}",
        figures(&mut latencies)
    );
}

/// From starting the process to its answer.
fn start() -> Duration {
    let project = Project::new();
    let begin = Instant::now();
    let mut editor = Editor::start(&project);
    let answer = editor.request("initialize", json!({ "capabilities": {} }));
    let time = begin.elapsed();
    assert!(answer.is_ok(), "{answer:?}");
    time
}

/// What typing in a text took.
struct Typed {
    /// From each keystroke to the diagnostics of its version.
    keystrokes: Vec<Duration>,
    /// From the first of a hundred keystrokes at once to the diagnostics of the last.
    burst: Duration,
    /// From asking for all semantic tokens to their last byte.
    tokens: Vec<Duration>,
    /// From asking for what a keystroke changed of them to its last byte.
    deltas: Vec<Duration>,
    /// From each keystroke in an edge target to the last byte of its completion list.
    completions: Vec<Duration>,
    /// Diagnostics sent each time.
    findings: usize,
    /// The server's peak memory.
    memory: String,
}

fn type_in(text: &str) -> Typed {
    let project = Project::new();
    let mut editor = Editor::open(&project, &json!({}));
    let uri = URI;
    editor.did_open(uri, text);
    let findings = editor.diagnostics(uri, 1).len();
    let last = 1 + KEYSTROKES;
    let times = (2..=last).map(|version| {
        let begin = Instant::now();
        editor.types(uri, version, 1, 8, "x");
        editor.diagnostics(uri, version);
        begin.elapsed()
    });
    let keystrokes = times.collect();
    let begin = Instant::now();
    for version in last + 1..=last + BURST {
        editor.types(uri, version, 1, 8, "x");
    }
    editor.diagnostics(uri, last + BURST);
    let burst = begin.elapsed();
    let (tokens, deltas) = semantic_tokens(&mut editor, uri, last + BURST);
    let completions = completions(&mut editor, last + BURST + TOKENS);
    Typed {
        keystrokes,
        burst,
        tokens,
        deltas,
        completions,
        findings,
        memory: memory(editor.id()),
    }
}

/// All tokens, then what each keystroke after `version` changes of them.
fn semantic_tokens(editor: &mut Editor, uri: &str, version: i32) -> (Vec<Duration>, Vec<Duration>) {
    let document = json!({ "uri": uri });
    let mut name = json!(null);
    let ask = |editor: &mut Editor, method: &str, params: serde_json::Value| {
        let begin = Instant::now();
        let answer = editor.request(method, params);
        let time = editor.arrived().duration_since(begin);
        assert!(answer.is_ok(), "{answer:?}");
        let answer = answer.unwrap_or_default();
        (answer.get("resultId").cloned().unwrap_or_default(), time)
    };
    let mut all = Vec::new();
    for _ in 0..TOKENS {
        let params = json!({ "textDocument": document });
        let (id, time) = ask(editor, "textDocument/semanticTokens/full", params);
        name = id;
        all.push(time);
    }
    let mut deltas = Vec::new();
    for version in version + 1..=version + TOKENS {
        editor.types(uri, version, 1, 8, "x");
        editor.diagnostics(uri, version);
        let params = json!({ "textDocument": document, "previousResultId": name });
        let (id, time) = ask(editor, "textDocument/semanticTokens/full/delta", params);
        name = id;
        deltas.push(time);
    }
    (all, deltas)
}

/// How long the list for each of the new edges after `version` takes.
fn completions(editor: &mut Editor, version: i32) -> Vec<Duration> {
    (version + 1..=version + COMPLETIONS)
        .map(|version| {
            let begin = Instant::now();
            let id = type_edge(editor, version);
            let list = editor.response("completion", id);
            assert!(has_items(&list), "{list:?}");
            editor.arrived().duration_since(begin)
        })
        .collect()
}

/// Types keys at an even pace without waiting for anything. How many requests for a list got one, and when.
fn steady_typing(text: &str) -> (usize, Vec<Duration>) {
    let project = Project::new();
    let mut editor = Editor::open(&project, &json!({}));
    editor.did_open(URI, text);
    editor.diagnostics(URI, 1);
    let begin = Instant::now();
    let requests: Vec<_> = (0..TYPED_KEYS)
        .map(|key| {
            let due = Duration::from_secs_f64(f64::from(key) / KEYS_PER_SECOND);
            sleep(due.saturating_sub(begin.elapsed()));
            (Instant::now(), type_edge(&mut editor, 2 + key))
        })
        .collect();
    let mut latencies = Vec::new();
    let mut answered = 0;
    for (sent, id) in requests {
        answered += usize::from(has_items(&editor.response("completion", id)));
        latencies.push(editor.arrived().duration_since(sent));
    }
    (answered, latencies)
}

/// Adds an edge whose target has one letter, and requests the list for it.
fn type_edge(editor: &mut Editor, version: i32) -> i64 {
    editor.types(URI, version, EDGE_LINE, 0, EDGE);
    let position = json!({ "line": EDGE_LINE, "character": EDGE.len() - 1 });
    let params = json!({ "textDocument": { "uri": URI }, "position": position });
    editor.send_request("textDocument/completion", params)
}

fn has_items(list: &Result<serde_json::Value, serde_json::Value>) -> bool {
    let Ok(list) = list else { return false };
    let items = list.get("items").unwrap_or(list);
    items.as_array().is_some_and(|items| !items.is_empty())
}

/// A pipeline as people write them: agents and commands, each with a way on and a way to a person.
fn ordinary(nodes: usize) -> String {
    let mut text = String::from(
        "digraph speed {\n  goal=\"Measure\"\n  start [shape=Mdiamond]\n  done [shape=Msquare]\n  help [type=human_gate, prompt=\"What now?\"]\n  start -> step0\n",
    );
    for node in 0..nodes {
        let body = match node % 2 {
            0 => format!("prompt=\"Do part {node} of the work\""),
            _ => format!("type=tool, command=\"cargo test -p part{node}\", timeout=\"5m\""),
        };
        let next = next(node, nodes);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "  step{node} [{body}]\n  step{node} -> {next} [condition=\"outcome=success\"]\n  step{node} -> help [condition=\"outcome=fail\"]"
        );
    }
    text.push_str(
        "  help -> done [label=\"[G] Give up\"]\n  help -> step0 [label=\"[T] Try again\"]\n}\n",
    );
    text
}

fn next(node: usize, nodes: usize) -> String {
    if node + 1 < nodes {
        format!("step{}", node + 1)
    } else {
        "done".to_owned()
    }
}

/// A pipeline with an error at every node: a misspelled attribute, an unknown key, an unknown status.
fn careless(nodes: usize) -> String {
    let mut text = String::from("digraph speed {\n  goal=\"Measure\"\n  start [shape=Mdiamond]\n");
    for node in 0..nodes {
        let body = match node % 3 {
            0 => "type=tool, command=\"cargo test -p part\", timeot=\"5m\"",
            1 => "prompt=\"Repair what failed: {last_respons}\", max_retries=2",
            _ => "type=conditional, label=\"good enough?\"",
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  step{node} [{body}]");
    }
    text.push_str("  done [shape=Msquare]\n  start -> step0\n");
    for node in 0..nodes {
        let next = next(node, nodes);
        let _ = match node % 3 {
            2 => writeln!(
                text,
                "  step{node} -> {next} [condition=\"outcome=succes\"]\n  step{node} -> step{} [condition=\"outcome=fail\"]",
                node - 1
            ),
            _ => writeln!(text, "  step{node} -> {next}"),
        };
    }
    text.push_str("}\n");
    text
}

fn figures(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let worst = times.last().copied().unwrap_or_default();
    format!(
        "median {:>8.2} ms  worst {:>8.2} ms",
        median.as_secs_f64() * 1e3,
        worst.as_secs_f64() * 1e3
    )
}

fn memory(process: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or_else(String::new, |peak| format!("peak memory {}", peak.trim()))
}
