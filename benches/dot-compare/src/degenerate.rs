//! How parse and format grow on texts that are hard in one way: ten times the text, how many times the
//! work? 10 is linear.

use std::time::Instant;

use attractor_dot::format::{Options, format};

use crate::texts;

/// Bytes of the shorter texts.
const SHORT: usize = 100_000;
const TURNS: usize = 3;

/// Prints the table.
pub fn growth() {
    println!("\n### Texts that are hard in one way, 1 MB, and what they cost against 0.1 MB\n");
    println!(
        "| text | parse ns/byte | × for ten times the text | format ns/byte | × for ten times the text |\n|---|---|---|---|---|"
    );
    for ((name, short), (_, long)) in texts::degenerate(SHORT)
        .into_iter()
        .zip(texts::degenerate(10 * SHORT))
    {
        let (parse, parse_growth) = cost(&short, &long, |text| drop(attractor_dot::parse(text)));
        let (layout, layout_growth) = cost(&short, &long, |text| {
            drop(format(text, &Options::default()))
        });
        println!("| {name} | {parse:.0} | {parse_growth:.1} | {layout:.0} | {layout_growth:.1} |");
    }
}

/// Nanoseconds a byte of the long text, and how many times the short one it takes; both in turns.
fn cost(short: &str, long: &str, work: impl Fn(&str)) -> (f64, f64) {
    let time = |text: &str| {
        let from = Instant::now();
        work(text);
        from.elapsed().as_nanos() as f64
    };
    let (mut least_short, mut least_long) = (f64::MAX, f64::MAX);
    for _ in 0..TURNS {
        for _ in 0..3 {
            least_short = least_short.min(time(short));
        }
        least_long = least_long.min(time(long));
        if least_long > 2e9 {
            break;
        }
    }
    (least_long / long.len() as f64, least_long / least_short)
}
