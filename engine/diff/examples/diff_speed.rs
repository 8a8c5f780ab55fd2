//! Measures what a comparison costs: milliseconds to read both versions of a pipeline of 10,000 nodes, and to compare them,
//! the shortest of several times. Each line is a kind of change.
//!
//! ```text
//! cargo run --release -p attractor-diff --example diff_speed
//! ```

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use attractor_diff::diff;
use attractor_model::Pipeline;

const NODES: usize = 10_000;
const TIMES: usize = 7;

fn main() {
    let old = text("step", "Do step", "5m");
    println!(
        "{:<22} {:>8} {:>10} {:>8}",
        "change", "read", "compare", "changes"
    );
    for (name, new) in [
        ("another layout", old.replace(", ", ",  ")),
        ("every timeout", text("step", "Do step", "6m")),
        ("every prompt", text("step", "Do this step", "5m")),
        ("every id", text("stage", "Do step", "5m")),
        ("every id and prompt", text("stage", "Do this step", "5m")),
    ] {
        let (reading, old) = shortest(|| Pipeline::from_text(&old));
        let (_, new) = shortest(|| Pipeline::from_text(&new));
        let both: Vec<&Arc<Pipeline>> = old.iter().chain(&new).collect();
        let [old, new] = both.as_slice() else {
            continue;
        };
        let (comparing, difference) = shortest(|| diff(old, new));
        println!(
            "{name:<22} {:>8.1} {comparing:>10.1} {:>8}",
            2.0 * reading,
            difference.changes.len()
        );
    }
}

/// A pipeline with a condition at every tenth node.
fn text(id: &str, prompt: &str, timeout: &str) -> String {
    let mut text = "digraph g {\ngoal=\"All\"\nmodel=\"claude-sonnet-4-5\"\n".to_owned();
    for at in 0..NODES {
        let _ = writeln!(
            text,
            "{id}{at} [prompt=\"{prompt} {at} of the work\", timeout={timeout}, max_retries=2, class=step]"
        );
        let next = at + 1;
        let _ = if at % 10 == 0 {
            writeln!(
                text,
                "{id}{at} -> {id}{next} [condition=\"outcome=success\"]\n{id}{at} -> {id}0 [condition=\"outcome=fail\", priority=3]"
            )
        } else {
            writeln!(text, "{id}{at} -> {id}{next}")
        };
    }
    text + "}\n"
}

/// The shortest time in milliseconds, and the last result.
fn shortest<T>(work: impl Fn() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut last = black_box(work());
    for _ in 0..TIMES {
        let begun = Instant::now();
        last = black_box(work());
        best = best.min(begun.elapsed().as_secs_f64() * 1000.0);
    }
    (best, last)
}
