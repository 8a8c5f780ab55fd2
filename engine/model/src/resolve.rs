//! What a node's attributes are in the end, and where each value came from.
//!
//! One answer for hover, `attractor explain FILE:NODE` and `attractor graph --format json`. It reads what
//! lowering decided; it decides nothing itself.
//!
//! ```
//! use attractor_model::{Pipeline, resolve};
//! let text = "digraph { model=big; start -> a -> exit; a [prompt=hi] }";
//! let pipelines = Pipeline::from_text(text);
//! let pipeline = &pipelines[0];
//! let resolved = resolve(pipeline, pipeline.by_id("a").unwrap());
//! let model = resolved.iter().find(|one| one.name == "model").unwrap();
//! assert_eq!((model.value.as_ref(), model.origin.name()), ("big", "graph"));
//! ```

use std::borrow::Cow;

use attractor_dot::TextRange;

use crate::attributes::{Attribute, Source};
use crate::catalogue::{NODE_KINDS, Owner, attributes_for};
use crate::options::Dialect;
use crate::pipeline::{Node, NodeIx, Pipeline};

/// One attribute of a node, as a run would see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved<'p> {
    /// The canonical name; unknown names stay as written.
    pub name: Cow<'p, str>,
    /// The value, decoded.
    pub value: Cow<'p, str>,
    /// Where it came from.
    pub origin: Origin<'p>,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin<'p> {
    /// The node says it itself.
    Own(Option<TextRange>),
    /// `node [...]` in scope sets it for all.
    Defaults(TextRange),
    /// A rule of a stylesheet.
    Stylesheet {
        /// Its selector.
        selector: &'p str,
        /// The rule, if the stylesheet is part of the file.
        range: Option<TextRange>,
    },
    /// The graph sets it for all its nodes.
    Graph(TextRange),
    /// A word the dialect reads in its own way.
    Dialect(Dialect),
    /// It is not set: the catalogue's default.
    Catalogue,
}

/// The words for origins in JSON, as [`Origin::name`] gives them.
pub(crate) const ORIGINS: [&str; 6] = [
    "own",
    "defaults",
    "stylesheet",
    "graph",
    "dialect",
    "catalogue",
];

impl Origin<'_> {
    /// The word for it in JSON.
    pub fn name(&self) -> &'static str {
        let [own, defaults, stylesheet, graph, dialect, catalogue] = ORIGINS;
        match self {
            Self::Own(_) => own,
            Self::Defaults(_) => defaults,
            Self::Stylesheet { .. } => stylesheet,
            Self::Graph(_) => graph,
            Self::Dialect(_) => dialect,
            Self::Catalogue => catalogue,
        }
    }

    /// Its range in the file.
    pub fn range(&self) -> Option<TextRange> {
        match self {
            Self::Own(range) | Self::Stylesheet { range, .. } => *range,
            Self::Defaults(range) | Self::Graph(range) => Some(*range),
            Self::Dialect(_) | Self::Catalogue => None,
        }
    }

    /// For people: `from node [...]`, `from the rule .fast`.
    pub fn sentence(&self) -> String {
        match self {
            Self::Own(_) => "written on the node".to_owned(),
            Self::Defaults(_) => "from `node [...]`".to_owned(),
            Self::Stylesheet { selector, .. } => format!("from the stylesheet rule `{selector}`"),
            Self::Graph(_) => "from the graph".to_owned(),
            Self::Dialect(dialect) => format!("as {} reads it", dialect.name()),
            Self::Catalogue => "the default".to_owned(),
        }
    }
}

/// Every attribute of a node that has a value: what it does first (`handler`), then the rows of the catalogue that
/// apply to its kind in reading order, then what else is written. Empty for a position of another pipeline.
pub fn resolve(pipeline: &Pipeline, ix: NodeIx) -> Vec<Resolved<'_>> {
    let Some(node) = pipeline.node(ix) else {
        return Vec::new();
    };
    let known = attributes_for(Owner::Node(node.kind)).filter(|row| row.name != "handler");
    let known = known.filter_map(|row| {
        let value = match node.attributes.get(row.name) {
            Some(written) => return Some(written_as(written)),
            None => row.default.filter(|value| !value.is_empty())?,
        };
        Some(Resolved {
            name: Cow::Borrowed(row.name),
            value: Cow::Borrowed(value),
            origin: Origin::Catalogue,
        })
    });
    let mut resolved = vec![handler(pipeline, node)];
    resolved.extend(known);
    let others = node
        .attributes
        .iter()
        .filter(|written| resolved.iter().all(|one| one.name != written.name()));
    let others: Vec<_> = others.map(written_as).collect();
    resolved.extend(others);
    resolved
}

fn written_as(written: Attribute<'_>) -> Resolved<'_> {
    Resolved {
        name: Cow::Borrowed(written.name()),
        value: Cow::Borrowed(written.value()),
        origin: match written.source() {
            Source::Own => Origin::Own(written.range()),
            Source::Default { range } => Origin::Defaults(range),
            Source::Stylesheet(rule) => Origin::Stylesheet {
                selector: &rule.selector,
                range: rule.range,
            },
            Source::Graph { range } => Origin::Graph(range),
        },
    }
}

/// What the node does, and what decided that: `handler`, its shape, the dialect's reading of the shape, what it
/// carries, or nothing.
fn handler<'p>(pipeline: &Pipeline, node: &'p Node) -> Resolved<'p> {
    let written = |name: &str| node.attributes.get(name).map(|own| written_as(own).origin);
    let shape = node.attributes.get("shape").map(Attribute::value);
    let by_shape = |name: &str| {
        let mut rows = NODE_KINDS.iter();
        rows.any(|row| row.name == node.kind.name() && row.shapes.contains(&name))
    };
    let origin = match (written("handler"), shape) {
        (Some(origin), _) => origin,
        (None, Some(shape)) if by_shape(shape) => written("shape").unwrap_or(Origin::Catalogue),
        (None, Some(_)) if pipeline.dialect != Dialect::default() => {
            Origin::Dialect(pipeline.dialect)
        }
        _ if node.start || node.kind != crate::catalogue::NodeKind::Codergen => {
            Origin::Own(Some(node.range))
        }
        _ => Origin::Catalogue,
    };
    Resolved {
        name: Cow::Borrowed("handler"),
        value: Cow::Borrowed(node.handler()),
        origin,
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use expect_test::{Expect, expect};

    use super::{Origin, resolve};
    use crate::pipeline::Pipeline;

    #[expect(clippy::needless_pass_by_value, reason = "callers write `expect![…]`")]
    /// Draws what is set for the node `n`; plain defaults are counted.
    fn check(text: &str, expected: Expect) {
        let pipelines = Pipeline::from_text(text);
        let pipeline = &pipelines[0];
        let resolved = resolve(pipeline, pipeline.by_id("n").unwrap());
        let mut drawn = String::new();
        for one in &resolved {
            if one.origin == Origin::Catalogue {
                continue;
            }
            let place = one.origin.range().map_or("", |range| range.text(text));
            let _ = writeln!(
                drawn,
                "{} = {} ({}) {place}",
                one.name,
                one.value,
                one.origin.sentence()
            );
        }
        let defaults = resolved
            .iter()
            .filter(|one| one.origin == Origin::Catalogue);
        let _ = writeln!(drawn, "and defaults: {}", defaults.count() > 0);
        expected.assert_eq(&drawn);
    }

    #[test]
    fn each_value_knows_where_it_came_from() {
        check(
            "digraph {\n    model=base; default_max_retries=2\n    model_stylesheet=\"box { reasoning_effort: high } #n { temperature: 0.2 }\"\n    node [timeout=5m]\n    start -> n -> exit\n    n [prompt=\"Do it\", llm_provider=anthropic, mine=yes]\n}",
            expect![[r#"
                timeout = 5m (from `node [...]`) timeout=5m
                max_retries = 2 (from the graph) default_max_retries
                prompt = Do it (written on the node) prompt="Do it"
                model = base (from the graph) model
                provider = anthropic (written on the node) llm_provider=anthropic
                reasoning_effort = high (from the stylesheet rule `box`) box { reasoning_effort: high }
                temperature = 0.2 (from the stylesheet rule `#n`) #n { temperature: 0.2 }
                mine = yes (written on the node) mine=yes
                and defaults: true
            "#]],
        );
    }

    #[test]
    fn what_a_node_does_is_decided_too() {
        check(
            "// attractor: dialect=samueljklee\ndigraph {\n    goal=x\n    start -> n -> exit\n    n [shape=house, label=\"Sure?\"]\n}",
            expect![[r#"
                handler = human_gate (as samueljklee reads it) 
                label = Sure? (written on the node) label="Sure?"
                shape = house (written on the node) shape=house
                and defaults: true
            "#]],
        );
        check(
            "digraph {\n    goal=x\n    start -> n -> exit\n    n [shape=hexagon]\n}",
            expect![[r#"
                handler = human_gate (written on the node) shape=hexagon
                shape = hexagon (written on the node) shape=hexagon
                and defaults: true
            "#]],
        );
        check(
            "digraph {\n    goal=x\n    start -> n -> exit\n    n [type=\"wait.human\"]\n}",
            expect![[r#"
                handler = human_gate (written on the node) type="wait.human"
                and defaults: true
            "#]],
        );
    }
}
