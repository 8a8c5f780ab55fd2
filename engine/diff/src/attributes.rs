//! The attributes of a graph, a node or an edge in canonical form, and how two lists of them differ.

use std::borrow::Cow;
use std::cmp::Ordering;

use attractor_model::catalogue::{self, AttrType, AttributeRow, Owner};
use attractor_model::{Attribute, Attributes, Source};

use crate::difference::{Change, ChangeKind, Subject};
use crate::prices::Prices;
use crate::topic::Topic;
use crate::values::canonical;
use crate::words;

/// What other parts of a pipeline say: the kind of a node, and where a run begins and ends.
const SAID_ELSEWHERE: [&str; 4] = ["handler", "shape", "start", "terminal"];
/// What only matters for the picture, or has its effect on nodes.
const NOT_COMPARED: [&str; 2] = ["rankdir", "model_stylesheet"];

/// One attribute.
#[derive(Clone, Debug)]
pub(crate) struct Setting<'p> {
    /// The canonical name.
    pub(crate) name: &'p str,
    /// The canonical value.
    pub(crate) value: Cow<'p, str>,
    /// Its row of the catalogue.
    pub(crate) row: Option<&'static AttributeRow>,
    /// Where it comes from.
    pub(crate) origin: Origin,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Written on the owner, or a default in scope.
    Written,
    /// A stylesheet.
    Stylesheet,
    /// An attribute of the graph.
    Graph,
}

/// One attribute that differs.
#[derive(Clone, Debug)]
pub(crate) struct AttributeChange<'p> {
    pub(crate) name: &'p str,
    pub(crate) row: Option<&'static AttributeRow>,
    pub(crate) old: Option<Cow<'p, str>>,
    pub(crate) new: Option<Cow<'p, str>>,
    /// Whether it follows from an attribute of the graph on both sides.
    pub(crate) from_graph: bool,
}

impl<'p> AttributeChange<'p> {
    /// An attribute of an owner that is new.
    pub(crate) fn added(setting: Setting<'p>) -> Self {
        Self {
            name: setting.name,
            row: setting.row,
            old: None,
            new: Some(setting.value),
            from_graph: setting.origin == Origin::Graph,
        }
    }

    /// The same for readers.
    pub(crate) fn into_change(self, topic: Topic, subject: Subject) -> Change {
        let kind = match (&self.old, &self.new) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        };
        let mut change = Change::new(topic, kind, subject);
        if let (Some(old), Some(new)) = (&self.old, &self.new)
            && (is_text(self.row, old) || is_text(self.row, new))
        {
            change.words = words::diff(old, new);
        }
        if self.name == "model" {
            change.prices = Prices::of(self.old.as_deref(), self.new.as_deref());
        }
        change.attribute = Some(self.name.to_owned());
        change.old = self.old.map(Cow::into_owned);
        change.new = self.new.map(Cow::into_owned);
        change
    }
}

/// Whether a value is read as a text of words.
fn is_text(row: Option<&AttributeRow>, value: &str) -> bool {
    let has_words = value.split_whitespace().nth(2).is_some();
    let ty = row.map_or(AttrType::Text, |row| row.ty);
    has_words && matches!(ty, AttrType::Text | AttrType::Template | AttrType::Command)
}

/// How values that are not set are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defaults {
    /// As the default of the catalogue.
    Apply,
    /// As not set: the owners are of different kinds.
    Ignore,
}

/// The attributes that have a meaning, by name.
pub(crate) fn settings(attributes: &Attributes) -> Vec<Setting<'_>> {
    let mut settings: Vec<Setting<'_>> = attributes
        .iter()
        .filter_map(|attribute| {
            let (name, row) = meaning(attributes.owner(), attribute)?;
            Some(Setting {
                name,
                value: canonical(row, attribute.value())?,
                row,
                origin: match attribute.source() {
                    Source::Own | Source::Default { .. } => Origin::Written,
                    Source::Stylesheet(_) => Origin::Stylesheet,
                    Source::Graph { .. } => Origin::Graph,
                },
            })
        })
        .collect();
    settings.sort_by_key(|setting| setting.name);
    settings.dedup_by_key(|setting| setting.name);
    settings
}

/// The name and the row by which an attribute is compared; none if it has no meaning on its owner.
fn meaning(
    owner: Owner,
    attribute: Attribute<'_>,
) -> Option<(&str, Option<&'static AttributeRow>)> {
    let (name, row) = (attribute.name(), attribute.row());
    if row.is_none() {
        // A handler is passed what the catalogue does not know. What it knows has no effect on another kind of node.
        let is_known = catalogue::graphviz_attribute(name).is_some()
            || catalogue::attribute_elsewhere(owner, name).is_some();
        return (!is_known).then_some((name, None));
    }
    let is_left_out = SAID_ELSEWHERE.contains(&name) || NOT_COMPARED.contains(&name);
    (!is_left_out).then_some((name, row))
}

/// Where two lists differ. `rename` gives the new id of an old node.
pub(crate) fn compare<'p>(
    old: Vec<Setting<'p>>,
    new: Vec<Setting<'p>>,
    defaults: Defaults,
    rename: &dyn Fn(&str) -> Option<&'p str>,
) -> Vec<AttributeChange<'p>> {
    let mut changes = Vec::new();
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return changes,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => old.name.cmp(new.name),
        };
        let before = if order.is_le() { old.next() } else { None };
        let after = if order.is_ge() { new.next() } else { None };
        changes.extend(change(before, after, defaults, rename));
    }
}

fn change<'p>(
    old: Option<Setting<'p>>,
    new: Option<Setting<'p>>,
    defaults: Defaults,
    rename: &dyn Fn(&str) -> Option<&'p str>,
) -> Option<AttributeChange<'p>> {
    let (name, row) = match (&new, &old) {
        (Some(one), _) | (None, Some(one)) => (one.name, one.row),
        (None, None) => return None,
    };
    let is_graphs =
        |one: &Option<Setting<'_>>| one.as_ref().is_none_or(|one| one.origin == Origin::Graph);
    let from_graph = is_graphs(&old) && is_graphs(&new);
    let value = |one: Option<Setting<'p>>| match one {
        Some(one) => Some(one.value),
        None if defaults == Defaults::Apply => {
            row.and_then(|row| canonical(Some(row), row.default?))
        }
        None => None,
    };
    let (old, new) = (value(old), value(new));
    let old = old.map(|old| renamed(row, old, rename));
    (old != new).then_some(AttributeChange {
        name,
        row,
        old,
        new,
        from_graph,
    })
}

/// A value with the new ids of the nodes that it names.
fn renamed<'p>(
    row: Option<&AttributeRow>,
    value: Cow<'p, str>,
    rename: &dyn Fn(&str) -> Option<&'p str>,
) -> Cow<'p, str> {
    match row.map(|row| row.ty) {
        Some(AttrType::Node | AttrType::Choice) => match rename(&value) {
            Some(new) => Cow::Borrowed(new),
            None => value,
        },
        Some(AttrType::NodeList) => {
            let ids = value.split(", ").map(|id| rename(id).unwrap_or(id));
            Cow::Owned(ids.collect::<Vec<_>>().join(", "))
        }
        _ => value,
    }
}
