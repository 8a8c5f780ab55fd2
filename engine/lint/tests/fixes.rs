//! What every fix promises, over pipelines and their mutations: the finding it belongs to is gone, and no new one came;
//! a fix that is applied unasked leaves nodes, edges and their order as they are.
//!
//! The pipelines are the project's own, and those under `ATTRACTOR_CORPUS` when it is set.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

#[path = "support/mutations.rs"]
mod mutations;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use attractor_dot::{Applicability, apply, parse};
use attractor_lint::{Analysis, analyze};
use attractor_model::{Diagnostic, NoFiles, Options, Pipeline, Severity};

fn read(text: &str) -> Analysis {
    let text: Arc<str> = Arc::from(text);
    let options = Options {
        path: Some("pipeline.dot".to_owned()),
        ..Options::default()
    };
    analyze(&text, &parse(&text), &options, &NoFiles)
}

/// How often each finding is there.
fn counted(findings: &[Diagnostic]) -> BTreeMap<(&'static str, &str), usize> {
    let mut counted = BTreeMap::new();
    for found in findings {
        *counted
            .entry((found.rule, found.message.as_str()))
            .or_default() += 1;
    }
    counted
}

/// Everything that decides where a run goes.
fn route(pipeline: &Pipeline) -> Vec<String> {
    let nodes = pipeline.nodes.iter();
    let nodes = nodes.map(|node| {
        format!(
            "{} {:?} {} {}",
            node.id, node.kind, node.start, node.terminal
        )
    });
    let edges = pipeline.edges.iter().map(|edge| {
        format!(
            "{} -> {} {:?} {:?} {} {} {:?}",
            pipeline.id(edge.from),
            pipeline.id(edge.to),
            edge.condition,
            edge.label(),
            edge.priority,
            edge.weight,
            edge.attributes.text("max_visits"),
        )
    });
    let mut route: Vec<String> = nodes.chain(edges).collect();
    route.sort();
    route.dedup();
    route
}

/// What a fix broke, if anything.
fn broken(text: &str, before: &Analysis, found: &Diagnostic, original: &Analysis) -> Vec<String> {
    let mut broken = Vec::new();
    let had = counted(&before.diagnostics);
    for fix in &found.fixes {
        let fixed = apply(text, &fix.edits);
        let after = read(&fixed);
        let has = counted(&after.diagnostics);
        let key = (found.rule, found.message.as_str());
        let mut say = |what: String| {
            broken.push(format!(
                "{}: {} `{}`: {what}",
                found.rule, found.message, fix.title
            ));
        };
        if has.get(&key).copied().unwrap_or(0) >= had.get(&key).copied().unwrap_or(0) {
            say("is still there".to_owned());
        }
        // An error hides what is found only in a pipeline that runs.
        let is_error = before.has_errors();
        for new in &after.diagnostics {
            let worse =
                new.severity <= Severity::Warning && !(is_error && new.severity != Severity::Error);
            let count = |all: &BTreeMap<_, usize>| {
                all.get(&(new.rule, new.message.as_str()))
                    .copied()
                    .unwrap_or(0)
            };
            // What the file said before it was mutated comes back with the correction.
            let known = before.diagnostics.iter().chain(&original.diagnostics);
            let moved = known.into_iter().any(|old| old.rule == new.rule);
            if worse && !moved && count(&has) > count(&had) {
                say(format!("brought {} {}", new.rule, new.message));
            }
        }
        if fix.applicability == Applicability::Safe && !is_error {
            let routes = |analysis: &Analysis| -> Vec<_> {
                analysis.pipelines().map(|one| route(one)).collect()
            };
            if routes(before) != routes(&after) {
                say("changed the route".to_owned());
            }
        }
    }
    broken
}

#[test]
fn every_fix_fixes_and_breaks_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = mutations::texts(&root.join("templates"));
    texts.extend(mutations::texts(&root.join("examples")));
    if let Some(corpus) = std::env::var_os("ATTRACTOR_CORPUS") {
        texts.extend(mutations::texts(Path::new(&corpus)));
    }
    let (mut seed, mut tried) = (7, 0);
    let mut all = BTreeMap::new();
    for text in texts {
        let original = read(&text);
        let mutated = mutations::of(&text, &mut seed);
        for text in std::iter::once(text).chain(mutated) {
            let before = read(&text);
            for found in &before.diagnostics {
                tried += found.fixes.len();
                for what in broken(&text, &before, found, &original) {
                    let _ = all.entry(what).or_insert_with(|| text.clone());
                }
            }
        }
    }
    assert!(tried > 50, "only {tried} fixes");
    let list: Vec<_> = all.keys().cloned().collect();
    assert!(
        list.is_empty(),
        "{} of {tried} fixes:\n{}",
        list.len(),
        list.join("\n")
    );
}
