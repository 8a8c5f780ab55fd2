//! Selectors of a stylesheet that match no node, of one inside of a pipeline and of one that is a file of its own.

use std::ops::Range;

use attractor_dot::{Edit, Fix, TextRange};
use attractor_lang::glob;
use attractor_lang::stylesheet::{Part, PartKind, Stylesheet};
use attractor_model::catalogue::{self, NodeKind};
use attractor_model::{Node, Options, Pipeline};

use crate::spelling::spelling;
use crate::typos::{are_variants, did_you_mean, is_typo};

/// A part of a selector that no node of the pipelines has.
pub(crate) struct UnmatchedPart {
    /// `class`, `id`, …
    what: &'static str,
    /// What it is compared with.
    name: String,
    /// A name that nodes have, if one is near.
    near: Option<String>,
    /// The part, in the stylesheet.
    pub(crate) range: Range<usize>,
}

impl UnmatchedPart {
    /// The problem, in a sentence.
    pub(crate) fn message(&self) -> String {
        let suggestion = did_you_mean(self.near.as_deref());
        format!("no node has {} `{}`{suggestion}", self.what, self.name)
    }

    /// The replacement, where the name is a typo: nodes that are meant go without what the rule says. `place` is that of
    /// the part in `text`.
    pub(crate) fn typo_fix(&self, place: TextRange, text: &str) -> Option<Fix> {
        let near = self.near.as_deref()?;
        if !is_typo(&self.name, near) || are_variants(&self.name, near) {
            return None;
        }
        let better = place.text(text).replace(self.name.as_str(), near);
        Some(spelling(&self.name, near, Edit::replace(place, better)))
    }
}

/// The parts of selectors that no node of any of the pipelines has.
pub(crate) fn unmatched(
    sheet: &Stylesheet,
    pipelines: &[&Pipeline],
    options: &Options,
) -> Vec<UnmatchedPart> {
    let selectors = sheet.rules.iter().flat_map(|rule| &rule.selectors);
    let parts = selectors.flat_map(|selector| &selector.parts);
    parts
        .filter_map(|part| unmatched_part(part, pipelines, options))
        .collect()
}

fn unmatched_part(
    part: &Part,
    pipelines: &[&Pipeline],
    options: &Options,
) -> Option<UnmatchedPart> {
    let nodes = || pipelines.iter().flat_map(|pipeline| &pipeline.nodes);
    let ids = || nodes().map(|node| &*node.id);
    let (what, name, near) = match &part.kind {
        PartKind::Class(class) => {
            let classes = || nodes().flat_map(Node::classes).map(|class| &**class);
            if classes().any(|own| own == class) || is_end_of_kind(class) {
                return None;
            }
            ("class", class, catalogue::nearest(class, classes()))
        }
        PartKind::Id(id) if !ids().any(|own| own == id) => {
            ("id", id, catalogue::nearest(id, ids()))
        }
        PartKind::Name(name) if !is_known(name, nodes(), options) => (
            "shape or kind",
            name,
            catalogue::nearest(name, NodeKind::names()),
        ),
        PartKind::Attribute { name, value } if name == "name" => {
            if ids().any(|id| glob::matches(value, id)) {
                return None;
            }
            ("name", value, catalogue::nearest(value, ids()))
        }
        _ => return None,
    };
    Some(UnmatchedPart {
        what,
        name: name.clone(),
        near: near.map(str::to_owned),
        range: part.range.clone(),
    })
}

/// Whether a class is the end of a kind: `wait.human` reads like a name and a class.
fn is_end_of_kind(class: &str) -> bool {
    NodeKind::names().any(|name| name.ends_with(&format!(".{class}")))
}

/// Whether a name is a shape, or of a kind of nodes (`wait` begins `wait.human`).
fn is_known<'n>(name: &str, mut nodes: impl Iterator<Item = &'n Node>, options: &Options) -> bool {
    let is = |known: &str| known.eq_ignore_ascii_case(name);
    let begins = |known: &str| known.split('.').next().is_some_and(is);
    catalogue::SHAPES.iter().any(|shape| is(shape))
        || NodeKind::names().any(|kind| is(kind) || begins(kind))
        || options
            .custom_handlers
            .iter()
            .any(|handler| is(&handler.name) || begins(&handler.name))
        || nodes.any(|node| node.custom_handler.as_deref().is_some_and(is))
}
