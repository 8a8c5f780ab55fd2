//! Measures the memory of one analysis: the most bytes allocated at a time while a text is parsed and analyzed, and
//! the bytes held by the result, each over the bytes of the text, which is not counted.
//!
//! ```text
//! cargo run --release -p attractor-lint --example memory             everything, up to 100,000 nodes
//! cargo run --release -p attractor-lint --example memory -- quick    up to 10,000 nodes
//! ```

mod shapes;

use std::sync::Arc;

use attractor_lint::analyze;
use attractor_model::{NoFiles, Options};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() {
    let quick = std::env::args().any(|argument| argument == "quick");
    let sizes: &[usize] = if quick {
        &[1_000, 10_000]
    } else {
        &[1_000, 10_000, 100_000]
    };
    println!(
        "{:<20} {:>7} {:>7} {:>10} {:>10} {:>10} {:>10}",
        "graph", "nodes", "kB", "tree/byte", "peak kB", "peak/byte", "held/byte"
    );
    for (name, make) in shapes::SHAPES {
        for size in sizes {
            let text = Arc::from(make(*size));
            let before = ALLOCATOR.current_usage();
            let tree = attractor_dot::parse(&text);
            let parsed = ALLOCATOR.current_usage() - before;
            ALLOCATOR.reset_peak_usage();
            let analysis = analyze(&text, &tree, &Options::default(), &NoFiles);
            let peak = ALLOCATOR.peak_usage() - before;
            let held = ALLOCATOR.current_usage() - before - parsed;
            drop(analysis);
            println!(
                "{name:<20} {size:>7} {:>7} {:>10.1} {:>10} {:>10.1} {:>10.1}",
                text.len() / 1000,
                ratio(parsed, text.len()),
                peak / 1000,
                ratio(peak, text.len()),
                ratio(held, text.len()),
            );
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
fn ratio(bytes: usize, text: usize) -> f64 {
    bytes as f64 / text as f64
}
