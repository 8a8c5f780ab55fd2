//! Conversions: their laws, asked of pipelines that are drawn and of generated ones.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod drawn;
mod generated;

use std::sync::Arc;

use proptest::prelude::*;

use super::{differences, to};
use attractor_model::Pipeline;
use attractor_model::{Dialect, Options};

fn read(text: &str) -> Vec<Arc<Pipeline>> {
    Pipeline::from_text(text)
}

fn converted(dialect: Dialect, text: &str) -> String {
    to(dialect, text, &Options::default())
}

/// The text in a dialect means the same, is converted already, and comes back to the canonical text.
fn laws(dialect: Dialect, text: &str) -> Result<String, TestCaseError> {
    let there = converted(dialect, text);
    let same = |other: &str| {
        let (before, after) = (read(text), read(other));
        assert_eq!(before.len(), after.len(), "{other}");
        let both = before.iter().zip(&after);
        both.flat_map(|(before, after)| differences(before, after))
            .collect::<Vec<_>>()
    };
    prop_assert_eq!(
        same(&there),
        Vec::<String>::new(),
        "{}\n{}",
        dialect.name(),
        there
    );
    prop_assert_eq!(
        &converted(dialect, &there),
        &there,
        "{} is not settled",
        dialect.name()
    );
    let back = converted(Dialect::Attractor, &there);
    prop_assert_eq!(
        same(&back),
        Vec::<String>::new(),
        "back from {}\n{}",
        dialect.name(),
        back
    );
    prop_assert_eq!(comments(&there), comments(text));
    prop_assert_eq!(
        there.lines().count() - added(&there, text),
        text.lines().count()
    );
    Ok(there)
}

/// Comments but the one that names the dialect.
fn comments(text: &str) -> Vec<&str> {
    let parse = attractor_dot::parse(text);
    let all = parse.tokens.iter().filter(|token| token.kind.is_comment());
    all.map(|token| token.range.text(text))
        .filter(|comment| !comment.contains("attractor:"))
        .collect()
}

fn added(there: &str, text: &str) -> usize {
    there.matches("attractor:").count() - text.matches("attractor:").count()
}
