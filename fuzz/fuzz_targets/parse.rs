//! Every text has a tree and a graph, soon.
#![no_main]

use std::sync::Arc;

use attractor_dot::{apply, graph, graphviz_compat, parse};
use attractor_fuzz::{frugal, linear};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (text, _) = attractor_dot::text::decode(bytes);
    let read = frugal(text.len(), || parse(&text));
    for error in &read.errors {
        assert!(error.range.end() <= text.len());
        for fix in &error.fixes {
            apply(&text, &fix.edits);
        }
    }
    let shared = Arc::from(&*text);
    for one in &read.file.graphs {
        graph::resolve(one, &shared);
        graphviz_compat::violations(one, &text);
    }
    linear(&text, |text| drop(parse(text)));
});
