//! Times every feature on one file: `cargo run --release -p attractor-ide --example timings [FILE]`.
//!
//! Without a file, on a pipeline of 10,000 nodes written here. Prints the best of five turns, in milliseconds.
#![expect(
    clippy::print_stdout,
    reason = "a program that prints its measurements"
)]

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use attractor_dot::TextRange;
use attractor_ide::document::Document;
use attractor_ide::references::Declarations;
use attractor_ide::workspace_words::WorkspaceWords;
use attractor_ide::{
    call_hierarchy, code_action, code_lens, completion, diagnostics, document_color, document_link,
    document_symbol, folding_range, hover, inlay_hint, preview, references, rename,
    selection_range, semantic_tokens,
};
use attractor_model::{NoFiles, Options};

fn main() {
    let text = std::env::args()
        .nth(1)
        .and_then(|path| std::fs::read_to_string(path).ok())
        .unwrap_or_else(|| pipeline(10_000));
    let make = || Document::new(&text, 1, Options::default(), &NoFiles);
    println!("{} bytes", text.len());
    time("document", || black_box(make()).version);
    let doc = make();
    let middle = text
        .get(text.len() / 2..)
        .and_then(|rest| rest.find("->"))
        .map_or(0, |at| text.len() / 2 + at);
    let (node, end) = (middle.saturating_sub(2), middle + 3);
    let all = TextRange::new(0, text.len());
    let first = Instant::now();
    black_box(references::references(&doc, node, Declarations::Include));
    println!(
        "{:24} {:8.3}",
        "names (once)",
        first.elapsed().as_secs_f64() * 1e3
    );
    let words = WorkspaceWords::default();
    time("completion, edge end", || {
        completion::complete(&doc, end, &NoFiles, &words)
            .items
            .len()
    });
    time("completion, statement", || {
        completion::complete(&doc, text.len().saturating_sub(3), &NoFiles, &words)
            .items
            .len()
    });
    time("hover, node", || {
        hover::hover(&doc, node, &[]).map_or(0, |hover| hover.markdown.len())
    });
    time("hover, edge", || {
        hover::hover(&doc, middle, &[]).map_or(0, |hover| hover.markdown.len())
    });
    time("references", || {
        references::references(&doc, node, Declarations::Include).len()
    });
    time("rename", || {
        rename::rename(&doc, node, "other_name").map_or(0, |edits| edits.len())
    });
    time("outline", || document_symbol::outline(&doc).len());
    time("folding", || folding_range::folds(&doc).len());
    time("selection", || selection_range::ranges(&doc, node).len());
    time("semantic tokens", || {
        semantic_tokens::tokens(&doc, None).len()
    });
    time("semantic tokens, part", || {
        semantic_tokens::tokens(&doc, Some(TextRange::new(node, node + 4_000))).len()
    });
    time("actions", || {
        code_action::actions(&doc, TextRange::empty(middle), &[], &NoFiles).len()
    });
    time("diagnostics", || diagnostics::diagnostics(&doc, &[]).len());
    time("lenses", || {
        code_lens::lenses(&doc, &[], code_lens::LensOptions::default()).len()
    });
    time("links", || document_link::links(&doc, &NoFiles).len());
    time("colors", || document_color::colors(&doc).len());
    time("inlay hints", || {
        inlay_hint::hints(&doc, all, inlay_hint::InlayOptions::default()).len()
    });
    time("call hierarchy", || {
        call_hierarchy::prepare(&doc, node).map_or(0, |item| {
            call_hierarchy::incoming(&doc, item.graph, &item.id).len()
        })
    });
    time("preview", || {
        preview::graph(&doc, None, None).map_or(0, |preview| preview.dot.len())
    });
}

fn time<T: std::fmt::Display>(what: &str, mut work: impl FnMut() -> T) {
    let mut best = f64::INFINITY;
    let mut result = None;
    for _ in 0..5 {
        let start = Instant::now();
        result = Some(black_box(work()));
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    println!(
        "{what:24} {best:8.3}   {}",
        result.map_or(String::new(), |result| result.to_string())
    );
}

fn pipeline(nodes: usize) -> String {
    let mut text = String::from(
        "digraph big {\n  goal=\"x\"\n  start [shape=Mdiamond]\n  done [shape=Msquare]\n  start -> step_0\n",
    );
    for number in 0..nodes {
        let next = if number + 1 < nodes {
            format!("step_{}", number + 1)
        } else {
            "done".to_owned()
        };
        let _ = writeln!(
            text,
            "  step_{number} [shape=parallelogram, label=\"Step {number}\", command=\"echo {{stdout}}\", timeout=\"5m\"]\n  step_{number} -> {next} [condition=\"outcome=success\"]"
        );
    }
    text.push_str("}\n");
    text
}
