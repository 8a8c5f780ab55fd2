//! How parsing grows with texts that are one thing over and over, most of them garbage.
//!
//! ```text
//! cargo run --release -p attractor-dot --example growth [BYTES [CASE [format]]]
//! ```
//! For each case a text of `BYTES` (200,000), one 5 and one 25 times as long are parsed, or with the
//! third word formatted. Printed are
//! the milliseconds of the best of three runs, and how many times longer the longest took than its
//! length asks for: 1 is linear, 25 quadratic; caches make 2 or 3 of what fits them only while short.

#[path = "../tests/it/degenerate.rs"]
mod degenerate;

use std::time::Instant;

use attractor_dot::format::{Options, format};
use attractor_dot::parse;

fn milliseconds(text: &str, work: fn(&str)) -> f64 {
    let run = || {
        let from = Instant::now();
        work(std::hint::black_box(text));
        from.elapsed().as_secs_f64() * 1e3
    };
    (0..3).map(|_| run()).fold(f64::MAX, f64::min)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let bytes = arguments
        .next()
        .and_then(|bytes| bytes.parse().ok())
        .unwrap_or(200_000);
    let only = arguments.next();
    let work: fn(&str) = match arguments.next().as_deref() {
        Some("format") => |text| drop(format(text, &Options::default())),
        _ => |text| drop(parse(text)),
    };
    println!(
        "{:28} {:>9} {:>9} {:>9} {:>7} {:>9}",
        "", "1x ms", "5x ms", "25x ms", "growth", "messages"
    );
    for (name, make) in degenerate::CASES {
        if only.as_deref().is_some_and(|only| only != *name) {
            continue;
        }
        let texts = [1, 5, 25].map(|times| make(bytes * times));
        let [one, five, long] = texts.each_ref().map(|text| milliseconds(text, work));
        let messages = parse(&texts[2]).errors.len();
        println!(
            "{name:28} {one:9.2} {five:9.2} {long:9.2} {:7.2} {messages:9}",
            long / one / 25.0
        );
    }
}
