//! What the text of a value names, by the value's type.

use std::ops::Range;

use attractor_lang::condition::{self, Class};
use attractor_lang::stylesheet::{self, PartKind};
use attractor_lang::template;
use attractor_model::catalogue::{AttrType, values};

use super::NameForm;

/// What a part of a value names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReferenceKind {
    /// A node, if there is one of that id.
    Node(NameForm),
    /// A class.
    Class,
    /// A class that a rule of the stylesheet is about.
    Rule,
    /// A context key.
    Key,
    /// Another graph of the file.
    Graph,
}

/// Whether values of the type can name anything.
pub(crate) fn can_name(ty: AttrType) -> bool {
    !matches!(
        ty,
        AttrType::Text
            | AttrType::Bool
            | AttrType::Int { .. }
            | AttrType::Float { .. }
            | AttrType::Duration
    )
}

/// Whether the attribute sets the context keys it names.
pub(super) fn sets(key: &str) -> bool {
    matches!(
        key,
        "output_key" | "writes" | "outputs" | "vars" | "params" | "item_key"
    )
}

/// Every name in a decoded value, with its bytes.
pub(super) fn mentions(ty: AttrType, key: &str, text: &str) -> Vec<(Range<usize>, ReferenceKind)> {
    match ty {
        AttrType::Node | AttrType::Choice => {
            whole(text, ReferenceKind::Node(NameForm::Free)).collect()
        }
        AttrType::NodeList => {
            each(values::list(text), ReferenceKind::Node(NameForm::ListItem)).collect()
        }
        AttrType::Classes => each(values::names(text), ReferenceKind::Class).collect(),
        AttrType::Key => whole(text, ReferenceKind::Key).collect(),
        AttrType::Keys => each(values::list(text), ReferenceKind::Key).collect(),
        AttrType::List if sets(key) => declared(text).collect(),
        AttrType::SubPipeline => whole(text, ReferenceKind::Graph).collect(),
        AttrType::Condition => in_condition(text, 0).collect(),
        AttrType::BoolOrCondition if values::boolean(text).is_none() => {
            in_condition(text, 0).collect()
        }
        AttrType::ConditionList => in_conditions(text),
        AttrType::Template | AttrType::Command => in_template(text),
        AttrType::Stylesheet => in_stylesheet(text),
        _ => Vec::new(),
    }
}

fn whole(
    text: &str,
    mention: ReferenceKind,
) -> impl Iterator<Item = (Range<usize>, ReferenceKind)> {
    let start = text.len() - text.trim_start().len();
    let range = start..start + text.trim().len();
    (!range.is_empty()).then_some((range, mention)).into_iter()
}

fn each<'t>(
    items: impl Iterator<Item = (&'t str, usize)>,
    mention: ReferenceKind,
) -> impl Iterator<Item = (Range<usize>, ReferenceKind)> {
    items.map(move |(item, start)| (start..start + item.len(), mention))
}

/// `ticket, branch=main`: names with defaults.
fn declared(text: &str) -> impl Iterator<Item = (Range<usize>, ReferenceKind)> {
    values::list(text).map(|(item, start)| {
        let name = item.split('=').next().unwrap_or(item).trim_end();
        (start..start + name.len(), ReferenceKind::Key)
    })
}

/// Read from the tokens: the tree would say the same, and a graph can hold ten thousand conditions.
fn in_condition(text: &str, shift: usize) -> impl Iterator<Item = (Range<usize>, ReferenceKind)> {
    let keys = condition::classify(text)
        .into_iter()
        .filter(|(_, class)| *class == Class::Key);
    keys.map(move |(range, _)| (range.start + shift..range.end + shift, ReferenceKind::Key))
}

fn in_conditions(text: &str) -> Vec<(Range<usize>, ReferenceKind)> {
    let mut start = 0;
    let mut all = Vec::new();
    for part in text.split(';') {
        all.extend(in_condition(part, start));
        start += part.len() + 1;
    }
    all
}

fn in_template(text: &str) -> Vec<(Range<usize>, ReferenceKind)> {
    if !text.contains(['{', '$']) {
        return Vec::new();
    }
    let (template, _) = template::parse(text);
    template
        .keys()
        .map(|(_, range)| (range.clone(), ReferenceKind::Key))
        .collect()
}

fn in_stylesheet(text: &str) -> Vec<(Range<usize>, ReferenceKind)> {
    let (sheet, _) = stylesheet::parse(text);
    let parts = sheet
        .rules
        .iter()
        .flat_map(|rule| &rule.selectors)
        .flat_map(|selector| &selector.parts);
    parts
        .filter_map(|part| {
            let mention = match part.kind {
                PartKind::Class(_) => ReferenceKind::Rule,
                PartKind::Id(_) => ReferenceKind::Node(NameForm::DashedWord),
                PartKind::Any | PartKind::Name(_) | PartKind::Attribute { .. } => return None,
            };
            Some((part.range.start + 1..part.range.end, mention))
        })
        .collect()
}

/// The part of a dotted key that names a node: `output.NODE`, `response.NODE`, `node.NODE.KEY`,
/// `internal.retry_count.NODE`, and `NODE.KEY` as branches of a parallel node leave it.
pub(crate) fn node_in_key(key: &str, is_node: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    const BEFORE: [&str; 4] = ["output.", "response.", "node.", "internal.retry_count."];
    let context = "context.";
    let skipped = if key.starts_with(context) {
        context.len()
    } else {
        0
    };
    let rest = key.get(skipped..)?;
    let before = BEFORE.into_iter().find(|before| rest.starts_with(before));
    let start = skipped + before.map_or(0, str::len);
    let tail = key.get(start..)?;
    let length = tail.find('.').unwrap_or(tail.len());
    let is_whole_key = before.is_none() && length == tail.len();
    (!is_whole_key && is_node(tail.get(..length)?)).then_some(start..start + length)
}

/// A key without the `context.` or `inputs.` some dialects put before it.
pub(super) fn plain_key(key: &str) -> &str {
    key.strip_prefix("context.")
        .or_else(|| key.strip_prefix("inputs."))
        .unwrap_or(key)
}
