//! Measures what analysis costs next to parsing alone, by phases, and how it grows, on ordinary pipelines and on
//! graphs made to hurt. One line a graph: milliseconds of each phase, all of them together, that over parsing alone,
//! and the exponent of growth from the size before (1 is linear). Dropping the tree and the analysis again is
//! apart and in no sum. Memory is measured by the example `memory`.
//!
//! ```text
//! cargo run --release -p attractor-lint --example speed             everything, up to 100,000 nodes
//! cargo run --release -p attractor-lint --example speed -- quick    up to 10,000 nodes
//! cargo run --release -p attractor-lint --example speed -- quick ordinary    one graph
//! ```

mod shapes;

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use attractor_lint::LINTS;
use attractor_lint::analyze;
use attractor_model::{Level, NoFiles, Options};

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let quick = asked.iter().any(|argument| argument == "quick");
    let named = |name: &str| asked.iter().any(|argument| argument == name);
    let all = !shapes::SHAPES.iter().any(|(name, _)| named(name));
    let sizes: &[usize] = if quick {
        &[1_000, 10_000]
    } else {
        &[1_000, 10_000, 100_000]
    };
    println!(
        "Milliseconds to make, the shortest of several times; all = parse + resolve + lower + lints, ratio = all / parse. \
         To drop tree and analysis again is not in it."
    );
    println!(
        "{:<20} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>9} {:>6} {:>8} {:>8}",
        "graph",
        "nodes",
        "kB",
        "parse",
        "resolve",
        "lower",
        "lints",
        "all",
        "ratio",
        "exponent",
        "drop"
    );
    let wanted = shapes::SHAPES.iter().filter(|(name, _)| all || named(name));
    for (name, make) in wanted {
        let mut last: Option<(usize, f64)> = None;
        for size in sizes {
            let text = Arc::from(make(*size));
            let phases = measure(&text);
            let all = phases.all();
            let exponent = last.map_or(String::new(), |(before, time)| {
                let times = f64::from(u32::try_from(size / before).unwrap_or(1));
                format!("{:.2}", (all / time).ln() / times.ln())
            });
            println!(
                "{name:<20} {size:>7} {:>7} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {all:>9.2} {:>6.2} {exponent:>8} {:>8.2}",
                text.len() / 1000,
                phases.parse,
                phases.resolve,
                phases.lower,
                phases.lints,
                all / phases.parse,
                phases.drop,
            );
            last = Some((*size, all));
        }
    }
}

/// Milliseconds.
struct Phases {
    parse: f64,
    resolve: f64,
    lower: f64,
    lints: f64,
    drop: f64,
}

impl Phases {
    fn all(&self) -> f64 {
        self.parse + self.resolve + self.lower + self.lints
    }
}

fn measure(text: &Arc<str>) -> Phases {
    let loud = Options::default();
    let mut quiet = Options::default();
    for lint in LINTS {
        quiet.levels.set(lint.rule, Level::Allow);
    }
    let tree = attractor_dot::parse(text);
    let mut parse = Best::default();
    let mut resolve = Best::default();
    let mut silent = Best::default();
    let mut all = Best::default();
    // By turns, so that each finds the memory as the others leave it.
    let begin = Instant::now();
    for round in 0..50 {
        parse.run(|| attractor_dot::parse(text));
        resolve.run(|| {
            let graphs = tree.file.graphs.iter();
            let resolved = graphs.map(|graph| attractor_dot::graph::resolve(graph, text));
            resolved.collect::<Vec<_>>()
        });
        silent.run(|| analyze(text, &tree, &quiet, &NoFiles));
        all.run(|| analyze(text, &tree, &loud, &NoFiles));
        if round >= 14 && begin.elapsed() > Duration::from_secs(1) {
            break;
        }
    }
    Phases {
        parse: milliseconds(parse.made),
        resolve: milliseconds(resolve.made),
        lower: milliseconds(silent.made.saturating_sub(resolve.made)),
        lints: milliseconds(all.made.saturating_sub(silent.made)),
        drop: milliseconds(parse.dropped + all.dropped),
    }
}

/// The shortest times of several runs: to make something and to drop it again.
struct Best {
    made: Duration,
    dropped: Duration,
}

impl Default for Best {
    fn default() -> Self {
        Self {
            made: Duration::MAX,
            dropped: Duration::MAX,
        }
    }
}

impl Best {
    fn run<T>(&mut self, make: impl FnOnce() -> T) {
        let start = Instant::now();
        let thing = black_box(make());
        self.made = self.made.min(start.elapsed());
        let start = Instant::now();
        drop(thing);
        self.dropped = self.dropped.min(start.elapsed());
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
