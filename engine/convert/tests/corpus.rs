//! Pipelines from public repositories in every dialect: each means the same there and after the way back.
//!
//! The files are found through the environment variable `ATTRACTOR_CORPUS`; without it the test is ignored.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

#[path = "../../lint/tests/support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::sync::Arc;

use attractor_convert::dialects;
use attractor_model::{Dialect, Options, Pipeline};

#[test]
#[ignore = "reads the pipelines of ATTRACTOR_CORPUS"]
fn corpus_survives_every_dialect() {
    let corpus = PathBuf::from(std::env::var_os("ATTRACTOR_CORPUS").unwrap());
    let files = support::files(&corpus);
    assert!(!files.is_empty(), "no pipelines under ATTRACTOR_CORPUS");
    let mut found = Vec::new();
    let mut changed = 0;
    for file in &files {
        let name = file.strip_prefix(&corpus).unwrap().display().to_string();
        let (text, _) = support::analysis(file, &name).unwrap();
        for dialect in Dialect::ALL {
            let there = dialects::to(dialect, &text, &options(&name));
            let back = dialects::to(Dialect::Attractor, &there, &options(&name));
            changed += usize::from(*there != *text);
            let problems = differences(&name, &text, &there)
                .into_iter()
                .chain(differences(&name, &text, &back));
            found.extend(problems.map(|what| format!("{name} in {}: {what}", dialect.name())));
            if dialects::to(dialect, &there, &options(&name)) != there {
                found.push(format!("{name} in {} is not settled", dialect.name()));
            }
            if comments(&there) != comments(&text) {
                found.push(format!("{name} in {} lost a comment", dialect.name()));
            }
        }
    }
    eprintln!(
        "{} files, {changed} of {} conversions changed something",
        files.len(),
        files.len() * 5
    );
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn options(name: &str) -> Options {
    Options {
        path: Some(name.to_owned()),
        ..Options::default()
    }
}

fn pipelines(name: &str, text: &str) -> Vec<Arc<Pipeline>> {
    let text = Arc::from(text);
    let parse = attractor_dot::parse(&text);
    let analysis =
        attractor_lint::analyze(&text, &parse, &options(name), &attractor_model::NoFiles);
    let graphs = analysis.graphs.into_iter();
    graphs.filter_map(|graph| graph.pipeline).collect()
}

fn differences(name: &str, before: &str, after: &str) -> Vec<String> {
    let (before, after) = (pipelines(name, before), pipelines(name, after));
    if before.len() != after.len() {
        return vec![format!("{} pipelines became {}", before.len(), after.len())];
    }
    let both = before.iter().zip(&after);
    both.flat_map(|(before, after)| dialects::differences(before, after))
        .collect()
}

/// Comments but those that speak to Attractor.
fn comments(text: &str) -> Vec<&str> {
    let parse = attractor_dot::parse(text);
    let all = parse.tokens.iter().filter(|token| token.kind.is_comment());
    all.map(|token| token.range.text(text))
        .filter(|comment| !comment.contains("attractor:"))
        .collect()
}
