//! From any dialect to canonical names, as edits of the text: comments and layout stay.
//!
//! Attributes get their canonical names, handlers theirs, and shapes that another dialect reads differently are
//! written out as `handler=…`. What has no canonical name stays as it is. The result means the same pipeline.
//!
//! ```
//! use attractor_model::{NoFiles, Options, analyze, convert};
//! let text = "digraph { goal=x; t [type=shell, tool_command=ls] }";
//! let parse = attractor_dot::parse(text);
//! let analysis = analyze(text, &parse, &Options::default(), &NoFiles);
//! let edits = convert::canonical(text, &parse, &analysis);
//! assert_eq!(attractor_dot::apply(text, &edits), "digraph { goal=x; t [handler=tool, command=ls] }");
//! ```

use std::collections::HashSet;

use attractor_dot::{Edit, Parse, TextRange, ast, strings};

use crate::analyze::Analysis;
use crate::attributes::{Attribute, Attributes, Source};
use crate::catalogue::NodeKind;
use crate::lints::edits::Edits;
use crate::pipeline::{Node, Pipeline};

/// The edits that write every pipeline of a text with canonical names, by place.
pub fn canonical(text: &str, parse: &Parse, analysis: &Analysis) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (tree, info) in parse.file.graphs.iter().zip(&analysis.graphs) {
        if let Some(pipeline) = &info.pipeline {
            in_pipeline(text, tree, pipeline, &mut edits);
        }
    }
    edits.sort_by_key(|edit| edit.range);
    edits
}

fn in_pipeline(text: &str, tree: &ast::Graph, pipeline: &Pipeline, edits: &mut Vec<Edit>) {
    let mut seen = HashSet::new();
    names(&pipeline.attributes, &mut seen, edits);
    for node in &pipeline.nodes {
        names(&node.attributes, &mut seen, edits);
        handler(node, &mut seen, edits);
        shape(text, tree, node, edits);
    }
    for edge in &pipeline.edges {
        names(&edge.attributes, &mut seen, edits);
    }
}

/// Aliases become canonical names. Defaults and chains of edges are one place in the file, changed once.
fn names(attributes: &Attributes, seen: &mut HashSet<TextRange>, edits: &mut Vec<Edit>) {
    for attribute in attributes.iter().filter(|attribute| is_written(attribute)) {
        let Some(range) = attribute
            .key_range()
            .filter(|_| attribute.written != attribute.name())
        else {
            continue;
        };
        if seen.insert(range) {
            edits.push(Edit::replace(range, strings::quote(attribute.name())));
        }
    }
}

fn is_written(attribute: &Attribute) -> bool {
    matches!(attribute.source, Source::Own | Source::Default { .. })
}

/// Aliases of node kinds become canonical names.
fn handler(node: &Node, seen: &mut HashSet<TextRange>, edits: &mut Vec<Edit>) {
    let Some(attribute) = node
        .attributes
        .get("handler")
        .filter(|attribute| is_written(attribute))
    else {
        return;
    };
    let named = NodeKind::from_name(attribute.value.trim());
    if let (Some(kind), Some(range)) = (named, attribute.value_range())
        && kind.name() != &*attribute.value
        && seen.insert(range)
    {
        edits.push(Edit::replace(range, strings::quote(kind.name())));
    }
}

/// A shape that means another kind elsewhere is written out.
fn shape(text: &str, tree: &ast::Graph, node: &Node, edits: &mut Vec<Edit>) {
    let Some(shape) = node
        .attributes
        .get("shape")
        .filter(|_| !node.attributes.has("handler"))
    else {
        return;
    };
    let canonical = NodeKind::from_shape(&shape.value);
    let chosen = canonical.is_some() && canonical != Some(node.kind);
    let by_dialect = matches!(&*shape.value, "hexagon" | "house" | "tab") && chosen;
    let round = matches!(&*shape.value, "circle" | "doublecircle")
        && matches!(node.kind, NodeKind::Start | NodeKind::Exit);
    if (by_dialect || round) && node.declared && shape.source == Source::Own {
        edits.push(Edits::new(text, tree).add_attribute(
            node.statement,
            "handler",
            node.kind.name(),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;
    use crate::{NoFiles, Options, analyze};

    fn converted(text: &str) -> String {
        let parse = attractor_dot::parse(text);
        let analysis = analyze(text, &parse, &Options::default(), &NoFiles);
        attractor_dot::apply(text, &canonical(text, &parse, &analysis))
    }

    #[test]
    fn names_of_other_engines() {
        let text = "digraph {\n  default_max_retry=2 // kept\n  start [shape=Mdiamond]\n  node [llm_model=x]\n  g [shape=house, label=Review, question=\"Ok?\"]\n  a; b\n  start -> a -> b [when=\"outcome=success\"]\n}";
        let once = converted(text);
        assert_eq!(
            once,
            "digraph {\n  default_max_retries=2 // kept\n  start [shape=Mdiamond]\n  node [model=x]\n  g [handler=human_gate, shape=house, label=Review, prompt=\"Ok?\"]\n  a; b\n  start -> a -> b [condition=\"outcome=success\"]\n}"
        );
        assert_eq!(converted(&once), once);
    }
}
