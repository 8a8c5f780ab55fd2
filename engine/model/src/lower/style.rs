//! Stylesheets: the attributes that rules set on nodes.
//!
//! The graph's own stylesheet comes first, one from outside after it; a node's attributes and the
//! `node [...]` defaults in scope take precedence over both. Errors in the graph's own are reported by the lint
//! `stylesheet_syntax`, those in one from outside by the reader of that file.

use std::sync::Arc;

use attractor_dot::TextRange;

use super::attributes;
use crate::attributes::{Attribute, Attributes, InheritedAttribute, InheritedFrom, StyleRule};
use crate::catalogue::{self, Owner};
use crate::options::Options;
use crate::pipeline::Node;
use attractor_lang::stylesheet::{
    self, Declaration, Match, PartKind, Rule, Scope, Selector, Stylesheet, Target,
};

/// The rules for the nodes of one graph.
pub(super) struct ResolvedStylesheet {
    sheet: Stylesheet,
    /// The range of each rule in the file.
    places: Vec<Option<TextRange>>,
    /// Whether the graph sets a model for all its nodes.
    graph_has_model: bool,
}

impl ResolvedStylesheet {
    /// The graph's stylesheet and the one from outside. `text` is the file.
    pub(super) fn of(graph: &Attributes, options: &Options, text: &str) -> Self {
        let own = graph.get("model_stylesheet");
        let mut sheet = own
            .map(|own| stylesheet::parse(own.value()).0)
            .unwrap_or_default();
        let inside = sheet.rules.len();
        sheet.rules.extend_from_slice(&options.stylesheet.rules);
        let place = |at: usize, rule: &Rule| {
            own.filter(|_| at < inside)?
                .range_of(text, rule.range.clone())
        };
        let rules = sheet.rules.iter().enumerate();
        let places = rules.map(|(at, rule)| place(at, rule)).collect();
        Self {
            sheet,
            places,
            graph_has_model: graph.has("model"),
        }
    }

    /// Whether it has no rule.
    pub(super) fn is_empty(&self) -> bool {
        self.sheet.rules.is_empty()
    }

    /// Whether a rule distinguishes nodes of the same kind, shape and classes: by name, or by what they have themselves.
    pub(super) fn distinguishes_nodes(&self) -> bool {
        let mut scopes = self.sheet.rules.iter().map(|rule| rule.scope);
        self.selectors().any(names_one_node) || scopes.any(|scope| scope != Scope::All)
    }

    /// Whether a rule selects by a shape or a kind.
    pub(super) fn selects_by_name(&self) -> bool {
        let mut parts = self.selectors().flat_map(|selector| &selector.parts);
        parts.any(|part| matches!(part.kind, PartKind::Name(_)))
    }

    fn selectors(&self) -> impl Iterator<Item = &Selector> {
        self.sheet.rules.iter().flat_map(|rule| &rule.selectors)
    }

    /// The attributes the rules set on a node, the most specific first, so that the first of each name is used.
    pub(super) fn of_node(&self, node: &Node) -> Vec<InheritedAttribute> {
        if self.is_empty() {
            return Vec::new();
        }
        declarations_for(node, self)
    }
}

fn names_one_node(selector: &Selector) -> bool {
    selector
        .parts
        .iter()
        .any(|part| matches!(part.kind, PartKind::Id(_) | PartKind::Attribute { .. }))
}

fn declarations_for(node: &Node, resolved: &ResolvedStylesheet) -> Vec<InheritedAttribute> {
    let ResolvedStylesheet { sheet, places, .. } = resolved;
    let shape = node.attributes.get("shape").map_or("box", Attribute::value);
    let row = node.kind.row();
    let names: Vec<&str> = node
        .custom_handler
        .as_deref()
        .into_iter()
        .chain([shape, node.kind.name()])
        .chain(row.into_iter().flat_map(|row| row.aliases.iter().copied()))
        .collect();
    let attribute = |name: &str| {
        node.attributes
            .get(attributes::name(Owner::Node(node.kind), name))
            .map(|attribute| attribute.value().to_owned())
    };
    let target = Target {
        id: &node.id,
        names: &names,
        classes: node.classes(),
        attribute: &attribute,
    };
    let matches = sheet.cascade(&target);
    let strongest_first: Vec<&Match<'_>> = matches.iter().rev().collect();
    let applies = |at: usize, found: &Match<'_>| {
        found.rule.scope == Scope::All || is_without_model(node, at, &strongest_first, resolved)
    };
    strongest_first
        .iter()
        .enumerate()
        .filter(|(at, found)| applies(*at, found))
        .map(|(_, found)| *found)
        .flat_map(|found| {
            found
                .rule
                .declarations
                .iter()
                .rev()
                .map(move |declaration| (found, declaration))
        })
        .map(|(found, declaration)| {
            styled(node, found, declaration, place(sheet, found.rule, places))
        })
        .collect()
}

/// Whether a rule with a model, a provider or both, at a place in the order of strength, is for a node.
fn is_without_model(
    node: &Node,
    at: usize,
    strongest_first: &[&Match<'_>],
    resolved: &ResolvedStylesheet,
) -> bool {
    let value = |found: &Match<'_>, name: &str| {
        let mut declared = found.rule.declarations.iter();
        let row = |property: &str| catalogue::attribute(Owner::Node(node.kind), property);
        let is_it = |one: &&Declaration| {
            one.property == name || row(&one.property).is_some_and(|row| row.name == name)
        };
        declared.find(is_it).map(|one| one.value.clone())
    };
    let (stronger, rest) = strongest_first.split_at(at.min(strongest_first.len()));
    let Some((rule, weaker)) = rest.split_first() else {
        return false;
    };
    let before = |name: &str| {
        let own = node.attributes.get(name).map(|own| own.value().to_owned());
        own.or_else(|| stronger.iter().find_map(|found| value(found, name)))
    };
    if before("model").is_some() {
        return false;
    }
    let provider = value(rule, "provider");
    let has_other_provider = before("provider").is_some_and(|before| Some(before) != provider);
    if value(rule, "model").is_some() {
        return !has_other_provider;
    }
    !resolved.graph_has_model && weaker.iter().all(|found| value(found, "model").is_none())
}

fn place(sheet: &Stylesheet, rule: &Rule, places: &[Option<TextRange>]) -> Option<TextRange> {
    let at = sheet
        .rules
        .iter()
        .position(|other| std::ptr::eq(other, rule))?;
    places.get(at).copied().flatten()
}

fn styled(
    node: &Node,
    found: &Match<'_>,
    declaration: &Declaration,
    range: Option<TextRange>,
) -> InheritedAttribute {
    InheritedAttribute {
        written: declaration.property.as_str().into(),
        value: declaration.value.as_str().into(),
        from: InheritedFrom::Stylesheet(Arc::new(StyleRule {
            selector: found.selector.to_string(),
            range,
        })),
        row: catalogue::attribute(Owner::Node(node.kind), &declaration.property),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::attributes::Source;
    use crate::graphs::pipelines;
    use crate::options::Options;
    use attractor_lang::stylesheet::parse_file;

    /// `value from selector` of an attribute of a node.
    fn resolved(text: &str, outside: Option<&str>, node: &str, name: &str) -> String {
        let options = Options {
            stylesheet: outside
                .map(|text| parse_file("outside", text, &crate::catalogue::StyleProperties).0)
                .unwrap_or_default(),
            ..Options::default()
        };
        let text = Arc::from(text);
        let pipelines = pipelines(&text, &attractor_dot::parse(&text), &options);
        let pipeline = pipelines.first();
        let node = pipeline.and_then(|pipeline| pipeline.node_by_id(node));
        let found = node.and_then(|node| node.attributes.get(name));
        match found.map(|attribute| (attribute.value(), attribute.source())) {
            Some((value, Source::Stylesheet(from))) => {
                let rule = from.range.map_or("", |range| range.text(&text));
                format!("{value} from {} {rule}", from.selector)
                    .trim_end()
                    .to_owned()
            }
            Some((value, _)) => value.to_string(),
            None => "nothing".to_owned(),
        }
    }

    const TEXT: &str = "digraph {\n    model_stylesheet=\"* { llm_model: small; } .hard { model: large; reasoning_effort: high } #pinned { timeout: 2m }\"\n    model=base\n    start [shape=Mdiamond]\n    start -> easy -> hard -> pinned\n    hard [class=hard, prompt=x]\n    pinned [class=hard, model=own, prompt=x]\n    subgraph cluster_a { label=\"Loop A\"; looped [prompt=x] }\n}";

    #[test]
    fn own_values_win_over_rules_and_rules_over_the_graph() {
        assert_eq!(
            resolved(TEXT, None, "easy", "model"),
            "small from * * { llm_model: small; }"
        );
        assert_eq!(
            resolved(TEXT, None, "hard", "model"),
            "large from .hard .hard { model: large; reasoning_effort: high }"
        );
        assert_eq!(resolved(TEXT, None, "pinned", "model"), "own");
        assert_eq!(
            resolved(TEXT, None, "pinned", "timeout"),
            "2m from #pinned #pinned { timeout: 2m }"
        );
        assert_eq!(resolved(TEXT, None, "easy", "reasoning_effort"), "nothing");
    }

    #[test]
    fn a_sheet_from_outside_comes_after() {
        let outside = Some(".loop-a { model: looped } * { model: outer }");
        assert_eq!(resolved(TEXT, outside, "easy", "model"), "outer from *");
        assert_eq!(
            resolved(TEXT, outside, "looped", "model"),
            "looped from .loop-a"
        );
        let list = Some(r#"{"rules": [{"handler_type": "agent", "model": "list"}]}"#);
        assert_eq!(
            resolved("digraph { goal=x; a [prompt=x] }", list, "a", "model"),
            "list from agent"
        );
    }
}
