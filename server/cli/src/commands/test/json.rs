//! `test --format json`: a stable contract. Fields are added, never renamed; lists are never null.

use serde_json::{Value, json};

use super::suite::{Suite, Totals, percent};
use crate::render::json::diagnostics;
use crate::render::line_column::Lines;

/// The results of all files.
pub(super) fn report(suites: &[Suite], totals: &Totals) -> Value {
    json!({
        "files": suites.iter().map(file).collect::<Vec<_>>(),
        "summary": {
            "passed": totals.passed,
            "failed": totals.failed,
            "invalid_files": totals.invalid_files + totals.invalid_pipelines,
            "edges": totals.edges,
            "edges_covered": totals.edges_covered,
            "nodes": totals.nodes,
            "nodes_covered": totals.nodes_covered,
            "percent": totals.percent(),
        },
    })
}

fn file(suite: &Suite) -> Value {
    let lines = Lines::new(&suite.file.source.text);
    let scenarios = suite.results.iter().map(|result| {
        let failures = result.failures.iter().map(|failure| {
            json!({
                "message": failure.message,
                "expected": failure.expected,
                "actual": failure.actual,
                "reason": failure.reason,
                "range": lines.span(failure.range),
            })
        });
        let trace = result.trace.as_ref();
        json!({
            "name": result.name.value,
            "graph": result.graph,
            "range": lines.span(result.name.range),
            "status": if result.passed() { "passed" } else { "failed" },
            "end": trace.map(|trace| trace.report.status),
            "path": trace.map_or(Vec::new(), |trace| trace.path().collect()),
            "failures": failures.collect::<Vec<_>>(),
        })
    });
    let problems = [&suite.file, &suite.pipeline]
        .into_iter()
        .flat_map(diagnostics);
    json!({
        "path": suite.file.source.name,
        "pipeline": suite.pipeline.source.name,
        "diagnostics": problems.collect::<Vec<_>>(),
        "scenarios": scenarios.collect::<Vec<_>>(),
        "coverage": suite.coverage.graphs.iter().map(|graph| {
            let lines = Lines::new(&suite.pipeline.source.text);
            let taken = graph.edges.iter().filter(|edge| edge.taken > 0).count();
            json!({
                "graph": graph.name,
                "percent": percent(taken, graph.edges.len()),
                "edges": graph.edges.iter().map(|edge| json!({
                    "from": edge.from,
                    "to": edge.to,
                    "label": edge.label,
                    "condition": edge.condition,
                    "taken": edge.taken,
                    "range": lines.span(edge.range),
                })).collect::<Vec<_>>(),
                "nodes": graph.nodes.iter().map(|node| json!({
                    "id": node.id,
                    "visits": node.visits,
                    "range": lines.span(node.range),
                })).collect::<Vec<_>>(),
            })
        }).collect::<Vec<_>>(),
    })
}
