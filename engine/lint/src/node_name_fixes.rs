//! The fixes of a misspelled node: the wrong name is replaced everywhere.

use attractor_dot::{Edit, Fix, TextRange, strings};
use attractor_lang::stylesheet::{PartKind, parse};
use attractor_model::catalogue::values;
use attractor_model::{EdgeIx, NodeIx, Pipeline};
use rustc_hash::FxHashSet;

use crate::LintContext;
use crate::attribute_index::AttributeTarget;
use crate::node_name_typos::NodeNameTypo;

/// How a name is written in the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Occurrence {
    /// As an id, with the quotes it may have.
    Id,
    /// Between the quotes of a value.
    InQuotes,
}

impl NodeNameTypo {
    /// Whether the typo is in the declaration: no edge names what is declared, and the other name is written more often.
    pub(crate) fn is_in_declaration(self, ctx: &LintContext<'_>) -> bool {
        let graph = ctx.graph;
        let written = |ix: NodeIx| {
            let node = graph.nodes.get(ix.index());
            node.map_or(0, |node| graph.occurrences(node).count())
        };
        is_isolated(ctx.pipeline, self.meant) && written(self.node) > written(self.meant)
    }

    /// Replaces the wrong name everywhere; nothing where that would only repeat an edge. Where no edge
    /// names what is declared, either may be the right name: the one that is written more often comes first.
    pub(crate) fn fixes(self, ctx: &LintContext<'_>) -> Vec<Fix> {
        let Self { node, meant } = self;
        if self.is_in_declaration(ctx) {
            return vec![
                rename(ctx, meant, node).preferred(),
                rename(ctx, node, meant),
            ];
        }
        if self.repeats_an_edge(ctx.pipeline) {
            return Vec::new();
        }
        let other_way = is_isolated(ctx.pipeline, meant).then(|| rename(ctx, meant, node));
        let fixes = [rename(ctx, node, meant).preferred()];
        fixes.into_iter().chain(other_way).collect()
    }

    fn repeats_an_edge(self, pipeline: &Pipeline) -> bool {
        let ends = |ix: &EdgeIx| {
            let edge = pipeline.edge(*ix)?;
            Some((edge.from, edge.to, edge.condition_text(), edge.label()))
        };
        let of = |node: NodeIx| {
            let edges = pipeline
                .outgoing(node)
                .iter()
                .chain(pipeline.incoming(node));
            edges.filter_map(ends)
        };
        let there: FxHashSet<_> = of(self.meant).collect();
        of(self.node).any(|(from, to, condition, label)| {
            let corrected = |end: NodeIx| if end == self.node { self.meant } else { end };
            there.contains(&(corrected(from), corrected(to), condition, label))
        })
    }
}

/// Whether no edge names the node.
fn is_isolated(pipeline: &Pipeline, ix: NodeIx) -> bool {
    pipeline.incoming(ix).is_empty() && pipeline.outgoing(ix).is_empty()
}

/// Replaces the name of `wrong` by that of `right` everywhere.
fn rename(ctx: &LintContext<'_>, wrong: NodeIx, right: NodeIx) -> Fix {
    let name = ctx.pipeline.id(right);
    let edits: Vec<Edit> = places(ctx, wrong)
        .into_iter()
        .map(|(range, place)| match place {
            Occurrence::Id => ctx.edits().replace_value(range, name),
            Occurrence::InQuotes => Edit::replace(range, strings::escape_into_quoted(name)),
        })
        .collect();
    Fix::new(format!("Replace with `{name}`"), edits)
}

/// Every place that names a node: its declarations, edges, attributes that refer to it, and selectors of the stylesheet.
fn places(ctx: &LintContext<'_>, ix: NodeIx) -> Vec<(TextRange, Occurrence)> {
    let graph = ctx.graph;
    let mentions = graph.nodes.get(ix.index()).into_iter();
    let mut places: Vec<(TextRange, Occurrence)> = mentions
        .flat_map(|node| graph.occurrences(node))
        .map(|mention| (mention.range, Occurrence::Id))
        .collect();
    let id = ctx.pipeline.id(ix);
    for site in &ctx.attributes().references {
        if matches!(site.target, AttributeTarget::Edge(_)) {
            continue;
        }
        let attribute = site.attribute;
        let value = attribute.value_range().map(|value| value.text(ctx.text));
        let written = if value.is_some_and(|value| value.starts_with('"')) {
            Occurrence::InQuotes
        } else {
            Occurrence::Id
        };
        let listed = values::list(attribute.value()).filter(|(name, _)| *name == id);
        let ranges = listed.filter_map(|(_, at)| attribute.range_of(ctx.text, at..at + id.len()));
        places.extend(ranges.map(|range| (range, written)));
    }
    let selectors = selectors(ctx, id).into_iter();
    places.extend(selectors.map(|range| (range, Occurrence::InQuotes)));
    places.sort_unstable();
    places.dedup();
    places
}

/// The names in the selectors `#id` of the pipeline's stylesheet.
fn selectors(ctx: &LintContext<'_>, id: &str) -> Vec<TextRange> {
    let Some(written) = ctx.pipeline.attributes.get("model_stylesheet") else {
        return Vec::new();
    };
    let rules = parse(written.value()).0.rules;
    let selectors = rules.iter().flat_map(|rule| &rule.selectors);
    let parts = selectors.flat_map(|selector| &selector.parts);
    let names = parts.filter(|part| matches!(&part.kind, PartKind::Id(name) if *name == id));
    // Without the `#` before it.
    names
        .filter_map(|part| written.range_of(ctx.text, part.range.start + 1..part.range.end))
        .filter(|range| range.text(ctx.text) == id)
        .collect()
}
