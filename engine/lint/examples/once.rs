//! Analyzes one graph once, for profilers: `valgrind --tool=callgrind`, `perf stat -e instructions,page-faults`.
//!
//! ```text
//! cargo run --release -p attractor-lint --example once -- ordinary 10000          parse and analyze
//! cargo run --release -p attractor-lint --example once -- ordinary 10000 parse    parse alone
//! cargo run --release -p attractor-lint --example once -- ordinary 10000 text     make the text alone
//! ```

mod shapes;

use std::hint::black_box;
use std::sync::Arc;

use attractor_lint::analyze;
use attractor_model::{NoFiles, Options};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let size = arguments.next().and_then(|size| size.parse().ok());
    let what = arguments.next().unwrap_or_default();
    let Some((_, make)) = shapes::SHAPES.iter().find(|(shape, _)| *shape == name) else {
        eprintln!("usage: once GRAPH NODES [parse|text]; graphs:");
        for (shape, _) in shapes::SHAPES {
            eprintln!("    {shape}");
        }
        return;
    };
    let text = Arc::from(make(size.unwrap_or(1_000)));
    if what == "text" {
        black_box(&text);
        return;
    }
    let tree = black_box(attractor_dot::parse(&text));
    if what != "parse" {
        black_box(analyze(&text, &tree, &Options::default(), &NoFiles));
    }
}
