//! `sub_pipeline_cycle`: no pipeline contains itself.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::sub_pipelines::{callers, is_own_file};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Level;
use attractor_model::Pipeline;
use attractor_model::sub_pipeline::{self, SubPipeline};

pub(crate) const LINT: Lint = Lint {
    rule: "sub_pipeline_cycle",
    level: Level::Error,
    extent: Extent::Statement,
    fixable: false,
    summary: "Recursive sub-pipeline.",
    doc: "The run would start nested pipelines without end. Put a loop into one pipeline, or under a supervisor with `max_iterations`.",
    example: "digraph Outer { goal=x; start -> again; again [shape=folder, sub_pipeline=Outer] }",
    check: Check::Pipeline(check),
};

/// How many other files one check reads.
const FILES: usize = 64;

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let own = ctx.pipeline;
    for (node, called) in callers(own) {
        let Some(path) = way_back(ctx, called.value().trim()) else {
            continue;
        };
        let range = called
            .value_range()
            .filter(|_| called.is_own())
            .unwrap_or(node.range);
        let round: Vec<_> = path.iter().map(|name| format!("`{name}`")).collect();
        let message = format!(
            "recursive sub-pipeline `{}`: {}",
            own.name,
            round.join(" → ")
        );
        sink.push(sink.diagnostic(&LINT, range, message).node(&*node.id));
    }
}

/// The names from this pipeline back to itself when it runs `called`; `None` when it does not come back.
fn way_back(ctx: &LintContext<'_>, called: &str) -> Option<Vec<String>> {
    let own = &ctx.pipeline.name;
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
        let inner = match sub_pipeline::find(name, ctx.siblings, ctx.files) {
            Some(SubPipeline::Sibling(pipeline)) => Some(pipeline),
            Some(SubPipeline::File(file)) => {
                if is_own_file(ctx, &file) {
                    return Some(path);
                }
                loaded
                    .entry(file.clone())
                    .or_insert_with(|| {
                        sub_pipeline::load(&file, ctx.options, ctx.files)
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
        if inner.name == *own && inner.range == ctx.pipeline.range {
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
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn around_two_corners() {
        check(
            "sub_pipeline_cycle",
            "digraph A { start -> x; x [shape=folder, sub_pipeline=B] }
digraph B { start -> y; y [shape=folder, sub_pipeline=A] }
digraph C { start -> z; z [shape=folder, sub_pipeline=A] }",
            expect![[r#"
                digraph A { start -> x; x [shape=folder, sub_pipeline=B] }
                                                                      ^ error: recursive sub-pipeline `A`: `A` → `B` → `A`
                digraph B { start -> y; y [shape=folder, sub_pipeline=A] }
                                                                      ^ error: recursive sub-pipeline `B`: `B` → `A` → `B`
            "#]],
        );
    }
}
