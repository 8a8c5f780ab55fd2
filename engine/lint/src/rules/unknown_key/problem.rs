//! Problems with the keys that a pipeline reads.

use std::borrow::Cow;
use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use crate::LintContext;
use crate::attribute_index::AttributeTarget;
use crate::known_keys::{given, is_open};
use crate::reach::{Direction, before_first_visit, reach};
use crate::typos::is_typo;
use attractor_model::NodeIx;

/// The maximum number of unknown keys that are compared with the known ones; more are not typos.
const MAX_TYPOS: usize = 100;
/// The maximum number of searches for the setters of a key.
const MAX_SEARCHES: usize = 32;

/// What reads a key. Where nothing sets it, the shell gets a command's placeholder as it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyUse {
    Condition(NodeIx),
    /// A goal, evaluated at the end of the run.
    End,
    Text(AttributeTarget),
    Command,
}

/// What is wrong with a key.
pub(super) enum Problem {
    /// Nothing sets it; possibly a typo of this key.
    Unset(Option<String>),
    /// Only what comes later sets it.
    TooEarly,
    /// Nothing that may run before the first visit of the node sets it; what comes later may.
    UnsetAtFirst,
    /// It is the name of a node.
    Node,
}

/// Checks the keys of one pipeline.
pub(super) struct KeyChecker<'s, 'p> {
    ctx: &'s LintContext<'p>,
    /// Nodes reachable from a node that sets unknown keys.
    after_open: OnceCell<Vec<bool>>,
    /// The keys that are set from the start.
    given: OnceCell<FxHashSet<Cow<'p, str>>>,
    typos_left: usize,
    searches_left: usize,
}

impl<'s, 'p> KeyChecker<'s, 'p> {
    pub(super) fn new(ctx: &'s LintContext<'p>) -> Self {
        Self {
            ctx,
            after_open: OnceCell::new(),
            given: OnceCell::new(),
            typos_left: MAX_TYPOS,
            searches_left: MAX_SEARCHES,
        }
    }

    /// What is wrong with a key that is read at a place.
    pub(super) fn problem(&mut self, key: &str, place: KeyUse) -> Option<Problem> {
        if is_everywhere(key) {
            return None;
        }
        let pipeline = self.ctx.pipeline;
        let known = self.ctx.known_keys();
        if known.has(key) {
            return self.is_too_early(key, place).then_some(Problem::TooEarly);
        }
        if place != KeyUse::Command && pipeline.by_id(key).is_some() {
            return Some(Problem::Node);
        }
        self.typos_left = self.typos_left.checked_sub(1)?;
        let near = known.nearest_of_node(key);
        let near = near.or_else(|| known.nearest(key).map(str::to_owned));
        if near.is_some() || !known.open {
            return Some(Problem::Unset(near));
        }
        self.is_unset_at_first(place)
            .then_some(Problem::UnsetAtFirst)
    }

    /// What is wrong with a key that is known or a variable of a shell: it is a typo of a known one.
    pub(super) fn typo(&mut self, key: &str) -> Option<Problem> {
        if is_everywhere(key) {
            return None;
        }
        let known = self.ctx.known_keys();
        if known.has(key) || self.ctx.pipeline.by_id(key).is_some() {
            return None;
        }
        self.typos_left = self.typos_left.checked_sub(1)?;
        let near = known.nearest_of_node(key);
        let near = near.or_else(|| known.nearest(key).map(str::to_owned));
        let near = near.filter(|near| is_typo(key, near))?;
        Some(Problem::Unset(Some(near)))
    }

    /// Whether a key that some node sets cannot be set yet. Silent where a model may have set it.
    fn is_too_early(&mut self, key: &str, place: KeyUse) -> bool {
        let pipeline = self.ctx.pipeline;
        let at = match place {
            KeyUse::Condition(from) => from,
            KeyUse::Text(AttributeTarget::Node(node)) => node,
            KeyUse::Text(_) | KeyUse::Command | KeyUse::End => return false,
        };
        if !self.ctx.paths().is_reachable(at) || self.is_after_open(at) {
            return false;
        }
        let Some(left) = self.searches_left.checked_sub(1) else {
            return false;
        };
        self.searches_left = left;
        let keys = self.ctx.keys();
        !self.given.get_or_init(|| given(pipeline)).contains(key)
            && !keys.setters(pipeline, key).is_empty()
            && !keys.may_be_set(pipeline, at, key)
    }

    /// Whether a text is read before any node that may set unknown keys has run.
    fn is_unset_at_first(&mut self, place: KeyUse) -> bool {
        let KeyUse::Text(AttributeTarget::Node(node)) = place else {
            return false;
        };
        let Some(left) = self.searches_left.checked_sub(1) else {
            return false;
        };
        self.searches_left = left;
        if !self.ctx.paths().is_reachable(node) {
            return false;
        }
        let before = before_first_visit(self.ctx, node);
        let mut nodes = self.ctx.pipeline.indexed_nodes();
        !nodes.any(|(ix, node)| is_open(node) && before.get(ix.index()) == Some(&true))
    }

    fn is_after_open(&self, node: NodeIx) -> bool {
        let after = self.after_open.get_or_init(|| {
            let pipeline = self.ctx.pipeline;
            let open = pipeline.indexed_nodes().filter(|(_, node)| is_open(node));
            let from: Vec<NodeIx> = open.map(|(ix, _)| ix).collect();
            let mut after = reach(self.ctx, from.clone(), Direction::Forward);
            // What an edge asks of the node it leaves, that node has set.
            for node in from {
                if let Some(slot) = after.get_mut(node.index()) {
                    *slot = true;
                }
            }
            after
        });
        after.get(node.index()).copied().unwrap_or(true)
    }
}

/// A key without the root that may precede any.
pub(super) fn bare(written: &str) -> &str {
    let mut roots = ["context.", "inputs."].iter();
    roots
        .find_map(|root| written.strip_prefix(root))
        .unwrap_or(written)
}

/// Keys that need no search: the engine sets them before or after every node.
pub(super) fn is_everywhere(key: &str) -> bool {
    matches!(key, "status" | "outcome" | "goal" | "preferred_label")
}
