//! Measures what analysis costs beside parsing alone, by phases, and how it grows, on ordinary pipelines and on
//! graphs made to hurt. One line a graph: milliseconds of each phase, all of them over parsing, and the exponent
//! of growth from the size before (1 is linear). Memory is measured by the example `memory`.
//!
//! ```text
//! cargo run --release -p attractor-model --example speed             everything, up to 100,000 nodes
//! cargo run --release -p attractor-model --example speed -- quick    up to 10,000 nodes
//! ```

mod shapes;

use std::hint::black_box;
use std::time::{Duration, Instant};

use attractor_model::lints::LINTS;
use attractor_model::{Level, NoFiles, Options, analyze};

fn main() {
    let quick = std::env::args().any(|argument| argument == "quick");
    let sizes: &[usize] = if quick {
        &[1_000, 10_000]
    } else {
        &[1_000, 10_000, 100_000]
    };
    println!(
        "{:<20} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>6} {:>8}",
        "graph",
        "nodes",
        "kB",
        "parse",
        "resolve",
        "lower",
        "lints",
        "drop",
        "all ms",
        "ratio",
        "exponent"
    );
    for (name, make) in shapes::SHAPES {
        let mut last: Option<(usize, f64)> = None;
        for size in sizes {
            let text = make(*size);
            let phases = measure(&text);
            let all = phases.all();
            let exponent = last.map_or(String::new(), |(before, time)| {
                let times = f64::from(u32::try_from(size / before).unwrap_or(1));
                format!("{:.2}", (all / time).ln() / times.ln())
            });
            println!(
                "{name:<20} {size:>7} {:>7} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {all:>9.2} {:>6.2} {exponent:>8}",
                text.len() / 1000,
                phases.parse,
                phases.resolve,
                phases.lower,
                phases.lints,
                phases.drop,
                all / phases.parse,
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
        self.parse + self.resolve + self.lower + self.lints + self.drop
    }
}

fn measure(text: &str) -> Phases {
    let loud = Options::default();
    let mut quiet = Options::default();
    for lint in LINTS {
        quiet.levels.set(lint.rule, Level::Allow);
    }
    let tree = attractor_dot::parse(text);
    let parse = best(|| attractor_dot::parse(text)).0;
    let resolve = best(|| {
        let graphs = tree.file.graphs.iter();
        let resolved = graphs.map(|graph| attractor_dot::graph::resolve(graph, text));
        resolved.collect::<Vec<_>>()
    });
    let silent = best(|| analyze(text, &tree, &quiet, &NoFiles));
    let all = best(|| analyze(text, &tree, &loud, &NoFiles));
    Phases {
        parse,
        resolve: resolve.0,
        lower: (silent.0 - resolve.0).max(0.0),
        lints: (all.0 - silent.0).max(0.0),
        drop: all.1,
    }
}

/// The best of several runs, at least three tenths of a second together: milliseconds to make something and to
/// drop it again.
fn best<T>(mut make: impl FnMut() -> T) -> (f64, f64) {
    let (mut fastest, mut dropped) = (Duration::MAX, Duration::MAX);
    let begin = Instant::now();
    let mut runs = 0;
    while runs < 3 || (begin.elapsed() < Duration::from_millis(300) && runs < 50) {
        let start = Instant::now();
        let thing = black_box(make());
        fastest = fastest.min(start.elapsed());
        let start = Instant::now();
        drop(thing);
        dropped = dropped.min(start.elapsed());
        runs += 1;
    }
    (fastest.as_secs_f64() * 1e3, dropped.as_secs_f64() * 1e3)
}
