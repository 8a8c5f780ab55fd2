//! `human_gate_choices`: choices a person can distinguish.

use rustc_hash::FxHashMap;

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Attribute;
use attractor_model::Diagnostic;
use attractor_model::Level;
use attractor_model::catalogue::NodeKind;
use attractor_model::{Edge, EdgeIx, Node};

pub(crate) const LINT: Lint = Lint {
    rule: "human_gate_choices",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: false,
    summary: "Ambiguous choices of a human gate.",
    doc: "The labels of a gate's edges are its choices. Reports two choices with the same key or text, a \
gate with a single choice, an edge without a label among labelled ones (it can never be chosen), and a default that \
is not one of the choices.",
    example: "gate -> a [label=\"[A] Accept\"]\ngate -> b [label=\"[A] Abort\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let mut edges: Vec<&Edge> = Vec::new();
    // In the order written, not in that of routing.
    let mut written: Vec<EdgeIx> = Vec::new();
    let mut keys = FxHashMap::default();
    for (ix, node) in ctx.nodes_of([NodeKind::HumanGate]) {
        written.clear();
        written.extend_from_slice(pipeline.outgoing(ix));
        written.sort_unstable();
        edges.clear();
        edges.extend(written.iter().filter_map(|ix| pipeline.edge(*ix)));
        keys.clear();
        keys.reserve(edges.len());
        in_gate(ctx, node, &edges, &mut keys, sink);
    }
}

/// The first edge with each key.
type Keys<'p> = FxHashMap<String, &'p Edge>;

fn in_gate<'p>(
    ctx: &LintContext<'_>,
    node: &Node,
    edges: &[&'p Edge],
    keys: &mut Keys<'p>,
    sink: &mut DiagnosticSink<'_>,
) {
    let pipeline = ctx.pipeline;
    let labelled: Vec<_> = edges
        .iter()
        .filter_map(|edge| Some((*edge, edge.label()?)))
        .collect();
    let about = |edge: &Edge, message: String, sink: &DiagnosticSink<'_>| {
        let range = edge
            .attributes
            .get("label")
            .and_then(Attribute::range)
            .unwrap_or(edge.range());
        sink.diagnostic(&LINT, range, message)
            .node(&*node.id)
            .edge(pipeline.id(edge.from), pipeline.id(edge.to))
    };
    let asks_otherwise = node.attributes.has("mode") || node.attributes.has("options");
    if let ([(edge, label)], [_]) = (labelled.as_slice(), edges)
        && !asks_otherwise
        && !edge.is_conditional()
    {
        let message = format!("`{label}` is the only choice of `{}`", node.id);
        sink.push(about(edge, message, sink));
    }
    for (edge, label) in &labelled {
        let key = accelerator(label).unwrap_or_else(|| label.trim().to_lowercase());
        if let Some(first) = keys.get(&key) {
            if first.to == edge.to || edge.is_conditional() {
                continue;
            }
            let message = format!(
                "`{label}` has the same key as another choice of `{}`",
                node.id
            );
            sink.push(about(edge, message, sink).related(first.range(), "other choice"));
        } else {
            keys.insert(key, edge);
        }
    }
    if labelled.is_empty() {
        return;
    }
    if let Some(found) = wrong_default(ctx, node, &labelled, sink) {
        sink.push(found);
    }
    for edge in edges {
        if edge.label().is_none() && !edge.is_conditional() && !edge.freeform {
            let message = format!(
                "edge without a label cannot be chosen at `{}`; the other edges have labels",
                node.id
            );
            sink.push(about(edge, message, sink));
        }
    }
}

/// A default choice that is not one of the choices: no person would be asked, and no edge taken.
fn wrong_default(
    ctx: &LintContext<'_>,
    node: &Node,
    labelled: &[(&Edge, &str)],
    sink: &DiagnosticSink<'_>,
) -> Option<Diagnostic> {
    let written = node.attributes.get("human.default_choice")?;
    let wanted = written.value().trim().to_lowercase();
    let open = wanted.is_empty() || wanted.contains(['$', '{']);
    if open
        || ["mode", "options"]
            .iter()
            .any(|name| node.attributes.has(name))
    {
        return None;
    }
    let names = |(edge, label): &(&Edge, &str)| {
        let label = label.trim().to_lowercase();
        let key = accelerator(&label).or_else(|| label.chars().next().map(String::from));
        let bare = label.trim_start_matches(|c| c != ']' && c != ')' && c != '-');
        let bare = bare.trim_start_matches([']', ')', '-']).trim().to_owned();
        let to = ctx.pipeline.id(edge.to).to_lowercase();
        [label, bare, to].contains(&wanted) || key.as_ref() == Some(&wanted)
    };
    if labelled.iter().any(names) {
        return None;
    }
    let message = format!(
        "unknown choice `{}` of `{}`; expected the label or key of one of its edges, or the target node",
        written.value(),
        node.id
    );
    let range = written.value_range()?;
    Some(sink.diagnostic(&LINT, range, message).node(&*node.id))
}

/// The key of `[A] Approve`, `A) Approve` or `A - Approve`, lower case.
fn accelerator(label: &str) -> Option<String> {
    let label = label.trim();
    let key = if let Some(rest) = label.strip_prefix('[') {
        rest.split_once(']')?.0
    } else if let Some((key, _)) = label.split_once(')') {
        key
    } else if label.contains('-') {
        label.split_once(" - ")?.0
    } else {
        return None;
    };
    let key = key.trim();
    (key.chars().count() <= 2 && !key.is_empty()).then(|| key.to_lowercase())
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn same_key() {
        check(
            "human_gate_choices",
            r#"digraph {
    goal=x
    start -> gate
    gate [shape=hexagon]
    gate -> a [label="[A] Accept"]
    gate -> b [label="A) Abort"]
    gate -> c
}"#,
            expect![[r#"
                gate -> b [label="A) Abort"]
                           ^^^^^^^^^^^^^^^^ warning: `A) Abort` has the same key as another choice of `gate`
                gate -> a [label="[A] Accept"]
                ^^^^^^^^^ note: other choice
                gate -> c
                ^^^^^^^^^ warning: edge without a label cannot be chosen at `gate`; the other edges have labels
            "#]],
        );
    }

    #[test]
    fn one_choice() {
        check(
            "human_gate_choices",
            "digraph {
    goal=x
    start -> gate
    gate [shape=hexagon]
    gate -> a [label=Accept]
}",
            expect![[r#"
                gate -> a [label=Accept]
                           ^^^^^^^^^^^^ warning: `Accept` is the only choice of `gate`
            "#]],
        );
    }
}
