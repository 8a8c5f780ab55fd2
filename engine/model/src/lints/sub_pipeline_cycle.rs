//! `sub_pipeline_cycle`: no pipeline contains itself.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::sub_pipelines::{callers, is_own_file};
use super::{Check, Findings, Lint, Subject};
use crate::options::Level;
use crate::pipeline::Pipeline;
use crate::sub::{self, SubPipeline};

pub(super) const LINT: Lint = Lint {
    rule: "sub_pipeline_cycle",
    level: Level::Error,
    fixable: false,
    summary: "A pipeline that contains itself.",
    doc: "The run would start inner pipelines without end. A loop belongs into one pipeline, or under a supervisor \
with `max_iterations`.",
    example: "digraph Outer { goal=x; start -> again; again [shape=folder, sub_pipeline=Outer] }",
    check: Check::Pipeline(check),
};

/// How many other files one check reads.
const FILES: usize = 64;

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let own = subject.pipeline;
    for (node, called) in callers(own) {
        let Some(path) = way_back(subject, called.value().trim()) else {
            continue;
        };
        let range = called
            .value_range()
            .filter(|_| called.is_own())
            .unwrap_or(node.range);
        let round: Vec<_> = path.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("`{}` contains itself: {}", own.name, round.join(" → "));
        findings.push(findings.diagnostic(&LINT, range, message).node(&*node.id));
    }
}

/// The names from this pipeline back to itself when it runs `called`; `None` when it does not come back.
fn way_back(subject: &Subject<'_>, called: &str) -> Option<Vec<String>> {
    let own = &subject.pipeline.name;
    let mut loaded: HashMap<String, Option<Arc<Pipeline>>> = HashMap::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut work: Vec<Vec<String>> = vec![vec![own.clone(), called.to_owned()]];
    while let Some(path) = work.pop() {
        let Some(name) = path.last() else {
            continue;
        };
        if !seen.insert(name.clone()) || loaded.len() > FILES {
            continue;
        }
        let inner = match sub::find(name, subject.siblings, subject.files) {
            Some(SubPipeline::Sibling(pipeline)) => Some(pipeline),
            Some(SubPipeline::File(file)) => {
                if is_own_file(subject, &file) {
                    return Some(path);
                }
                loaded
                    .entry(file.clone())
                    .or_insert_with(|| {
                        sub::load(&file, subject.options, subject.files)
                            .into_iter()
                            .next()
                    })
                    .clone()
            }
            None => None,
        };
        let Some(inner) = inner else {
            continue;
        };
        if inner.name == *own && inner.range == subject.pipeline.range {
            return Some(path);
        }
        for (_, called) in callers(&inner) {
            let mut path = path.clone();
            path.push(called.value().trim().to_owned());
            work.push(path);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn around_two_corners() {
        check(
            "sub_pipeline_cycle",
            "digraph A { start -> x; x [shape=folder, sub_pipeline=B] }\ndigraph B { start -> y; y [shape=folder, sub_pipeline=A] }\ndigraph C { start -> z; z [shape=folder, sub_pipeline=A] }",
            expect![[r#"
            digraph A { start -> x; x [shape=folder, sub_pipeline=B] }
                                                                  ^ error: `A` contains itself: `A` → `B` → `A`
            digraph B { start -> y; y [shape=folder, sub_pipeline=A] }
                                                                  ^ error: `B` contains itself: `B` → `A` → `B`
        "#]],
        );
    }
}
