//! Finding rows by the names people write: aliases, families (`var.NAME`), near misses.

use std::collections::HashMap;
use std::sync::LazyLock;

use rustc_hash::FxBuildHasher;

use super::attribute::{AttributeRow, NodeScope, Owner};
use super::attributes::ATTRIBUTES;
use super::graphviz::{GRAPHVIZ_ATTRIBUTES, GraphvizRow};
use super::node_kinds::NodeKind;
use attractor_lang::stylesheet::Properties;

type Index<T> = HashMap<&'static str, T, FxBuildHasher>;

/// Every name and alias, with the rows that bear it. Rows for particular kinds stand first.
static BY_NAME: LazyLock<Index<Vec<&'static AttributeRow>>> = LazyLock::new(|| {
    let mut index: Index<Vec<&'static AttributeRow>> = HashMap::default();
    for row in ATTRIBUTES.iter() {
        for name in std::iter::once(&row.name).chain(row.aliases) {
            let rows = index.entry(name).or_default();
            let particular = matches!(row.applies.nodes, NodeScope::Kinds(_));
            if particular {
                let place = rows
                    .iter()
                    .take_while(|other| matches!(other.applies.nodes, NodeScope::Kinds(_)))
                    .count();
                rows.insert(place, row);
            } else {
                rows.push(row);
            }
        }
    }
    index
});

static FAMILIES: LazyLock<Vec<(&'static str, &'static AttributeRow)>> = LazyLock::new(|| {
    ATTRIBUTES
        .iter()
        .filter_map(|row| Some((row.prefix()?, *row)))
        .collect()
});

static GRAPHVIZ: LazyLock<Index<&'static GraphvizRow>> = LazyLock::new(|| {
    GRAPHVIZ_ATTRIBUTES
        .iter()
        .map(|row| (row.name, row))
        .collect()
});

/// The row of a name or alias on that owner. Names of a family (`var.branch`) find its row (`var.*`).
pub fn attribute(owner: Owner, written: &str) -> Option<&'static AttributeRow> {
    match BY_NAME.get(written) {
        Some(rows) => rows.iter().copied().find(|row| row.applies.covers(owner)),
        None => family(written).find(|row| row.applies.covers(owner)),
    }
}

/// The canonical name of what is written, where the catalogue says `row` of it; names that have no other, and those of
/// a family, stay as written.
#[inline]
pub fn canonical<'w>(row: Option<&'static AttributeRow>, written: &'w str) -> &'w str {
    match row {
        Some(row) if !row.family => row.name,
        _ => written,
    }
}

/// The row of a name or alias wherever it applies. Rows for nodes first when `owner` is a node.
pub fn attribute_elsewhere(owner: Owner, written: &str) -> Option<&'static AttributeRow> {
    let first = named(written).next()?;
    let node = matches!(owner, Owner::Node(_));
    named(written)
        .find(|row| row.applies.any_node() == node)
        .or(Some(first))
}

fn named(written: &str) -> impl Iterator<Item = &'static AttributeRow> {
    let rows = BY_NAME.get(written).map(Vec::as_slice).unwrap_or_default();
    let family = rows.is_empty().then(|| family(written));
    rows.iter().copied().chain(family.into_iter().flatten())
}

/// The rows of the families a name belongs to.
fn family(written: &str) -> impl Iterator<Item = &'static AttributeRow> {
    let families = if written.contains('.') {
        FAMILIES.as_slice()
    } else {
        &[]
    };
    families
        .iter()
        .filter(move |(prefix, _)| written.len() > prefix.len() && written.starts_with(prefix))
        .map(|(_, row)| *row)
}

/// The row of a property of a stylesheet: rules are for nodes, most of them for agents.
pub fn style_property(written: &str) -> Option<&'static AttributeRow> {
    let owner = Owner::Node(NodeKind::Codergen);
    attribute(owner, written)
        .or_else(|| attribute_elsewhere(owner, written).filter(|row| row.applies.any_node()))
}

/// The attributes that a stylesheet may set.
#[derive(Clone, Copy, Debug)]
pub struct StyleProperties;

impl Properties for StyleProperties {
    fn is_known(&self, name: &str) -> bool {
        style_property(name).is_some()
    }

    fn nearest(&self, name: &str, others: &[&'static str]) -> Option<&'static str> {
        let rows = ATTRIBUTES.iter().filter(|row| row.applies.any_node());
        let names =
            rows.flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()));
        nearest(name, others.iter().copied().chain(names))
    }
}

/// Every row that applies to an owner, in reading order, one per canonical name.
pub fn attributes_for(owner: Owner) -> impl Iterator<Item = &'static AttributeRow> {
    ATTRIBUTES.iter().copied().filter(move |row| {
        row.applies.covers(owner)
            && attribute(owner, row.name).is_some_and(|winner| std::ptr::eq(winner, *row))
    })
}

/// The catalogue's default for a canonical name on that owner.
pub fn default_value(owner: Owner, name: &str) -> Option<&'static str> {
    attribute(owner, name)?.default
}

/// The Graphviz attribute of that name.
pub fn graphviz_attribute(name: &str) -> Option<&'static GraphvizRow> {
    GRAPHVIZ.get(name).copied()
}

/// Names of pipelines that any graph could use for its own purposes, so that they prove nothing.
const COMMON_WORDS: &[&str] = &[
    "class",
    "classes",
    "comment",
    "complexity",
    "description",
    "domains",
    "duration",
    "inputs",
    "label",
    "language",
    "merge",
    "mode",
    "model",
    "name",
    "node_type",
    "operation",
    "options",
    "outputs",
    "params",
    "path",
    "persona",
    "pipeline",
    "priority",
    "project_root",
    "provider",
    "question",
    "rankdir",
    "reads",
    "reason",
    "requires",
    "selection",
    "shape",
    "shell",
    "speed",
    "stdin",
    "stylesheet",
    "thread",
    "timeout",
    "triggers",
    "type",
    "vars",
    "writes",
];

/// Whether a name on a graph or node shows that the graph is a pipeline: it means something here, nothing to
/// Graphviz, and is not a plausible word.
pub fn gives_pipeline_away(owner: Owner, written: &str) -> bool {
    if written == "handler" {
        return true;
    }
    let graphviz = match (owner, graphviz_attribute(written)) {
        (Owner::Graph, Some(row)) => row.on.contains('G'),
        (_, Some(row)) => row.on.contains('N'),
        (_, None) => false,
    };
    !graphviz
        && !COMMON_WORDS.contains(&written)
        && match owner {
            Owner::Node(_) => {
                named(written).any(|row| row.applies.any_node() && row.prefix().is_none())
            }
            _ => attribute(owner, written).is_some(),
        }
}

/// The candidate nearest to what was written, if it is near enough to be a typo: one change for short names,
/// two from five letters on, three from ten on. Changes of case and of `-`, `_`, `.` are always near.
pub fn nearest<'c>(
    written: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let limit = match written.chars().count() {
        0 => return None,
        1 | 2 => 0,
        3 | 4 => 1,
        5..=9 => 2,
        _ => 3,
    };
    nearest_within(limit, written, candidates)
}

/// The candidate that the fewest changes of a letter lead to, and no more than `limit`.
pub fn nearest_within<'c>(
    limit: usize,
    written: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let mut best: Option<(usize, &'c str)> = None;
    let letters = Letters::of(written);
    for candidate in candidates {
        if candidate == written
            || candidate.len().abs_diff(written.len()) > limit + 2
            || letters.least_distance(Letters::of(candidate)) > limit
        {
            continue;
        }
        let distance = if same_letters(candidate, written) {
            0
        } else {
            strsim::osa_distance(written, candidate)
        };
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The set of letters, digits and signs of a name, ignoring case and separators: a cheap test that two names are
/// far apart.
#[derive(Clone, Copy)]
struct Letters(u128);

impl Letters {
    /// Only ASCII is counted.
    fn of(name: &str) -> Self {
        let counted = name
            .bytes()
            .filter(|byte| byte.is_ascii() && !matches!(byte, b'-' | b'_' | b'.' | b' '));
        Self(counted.fold(0, |set, byte| set | 1 << byte.to_ascii_lowercase()))
    }

    /// No fewer changes than this lead from one name to the other: each adds and removes one letter at most.
    fn least_distance(self, other: Self) -> usize {
        let lacking = |one: u128, two: u128| (one & !two).count_ones() as usize;
        lacking(self.0, other.0).max(lacking(other.0, self.0))
    }
}

/// Whether two names differ only in case and in `-`, `_`, `.` and spaces.
fn same_letters(left: &str, right: &str) -> bool {
    fn folded(name: &str) -> impl Iterator<Item = char> {
        name.chars()
            .filter(|letter| !matches!(letter, '-' | '_' | '.' | ' '))
            .flat_map(char::to_lowercase)
    }
    folded(left).eq(folded(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::NodeKind;

    fn name(owner: Owner, written: &str) -> Option<&'static str> {
        attribute(owner, written).map(|row| row.name)
    }

    #[test]
    fn aliases_depend_on_what_they_stand_on() {
        let tool = Owner::Node(NodeKind::Tool);
        let gate = Owner::Node(NodeKind::HumanGate);
        assert_eq!(name(tool, "script"), Some("command"));
        assert_eq!(name(gate, "question"), Some("prompt"));
        assert_eq!(name(gate, "script"), None);
        assert_eq!(name(tool, "var.branch"), Some("var.*"));
        assert_eq!(name(tool, "inputs"), Some("reads"));
        assert_eq!(name(Owner::Graph, "inputs"), Some("vars"));
        assert_eq!(
            name(Owner::Node(NodeKind::Supervisor), "inputs"),
            Some("inputs")
        );
        assert_eq!(default_value(tool, "timeout"), Some("300s"));
        assert_eq!(default_value(gate, "timeout"), None);
    }

    #[test]
    fn every_row_is_the_first_of_its_name_somewhere() {
        for row in ATTRIBUTES.iter() {
            let owners = [Owner::Graph, Owner::Edge, Owner::Subgraph]
                .into_iter()
                .chain(
                    super::super::NODE_KINDS
                        .iter()
                        .map(|kind| Owner::Node(kind.kind)),
                );
            let wins = owners.into_iter().any(|owner| {
                attribute(owner, row.name).is_some_and(|other| std::ptr::eq(other, *row))
            });
            assert!(wins, "{} is hidden by other rows", row.name);
        }
    }

    #[test]
    fn near_misses() {
        let words = ["prompt", "command", "max_retries", "goal"];
        assert_eq!(nearest("promt", words), Some("prompt"));
        assert_eq!(nearest("maxRetries", words), Some("max_retries"));
        assert_eq!(nearest("gaol", words), Some("goal"));
        assert_eq!(nearest("colour", words), None);
        assert_eq!(nearest("Cömmand", words), Some("command"));
        assert_eq!(nearest("comandd", words), Some("command"));
    }
}
