//! Changes of nodes. Equal changes of several nodes are one change.

use std::borrow::Cow;

use attractor_model::{Node, NodeIx, NodeKind, Pipeline};
use rustc_hash::FxHashMap;

use crate::attributes::{AttributeChange, Defaults, Origin, Setting, compare, settings};
use crate::difference::{Change, ChangeKind, Subject};
use crate::graph_attributes::NodeDefaults;
use crate::topic::Topic;
use crate::versions::Versions;

/// The changes of nodes.
pub(crate) fn compare_nodes(
    Versions {
        old,
        new,
        matching,
        rename,
    }: Versions<'_>,
    defaults: &mut NodeDefaults,
) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut groups = Groups::default();
    for (ix, node) in new.indexed_nodes() {
        match matching.to_old(ix).and_then(|ix| Some((ix, old.node(ix)?))) {
            None => changes.extend(added(node)),
            Some((old_ix, before)) => {
                if before.id != node.id {
                    let mut change =
                        Change::new(Topic::Nodes, ChangeKind::Renamed, Subject::node(&node.id));
                    change.old = Some(before.id.to_string());
                    change.new = Some(node.id.to_string());
                    changes.push(change);
                }
                let ends = (ends_run(old, old_ix, before), ends_run(new, ix, node));
                for change in changed((before, node), ends, defaults, rename) {
                    groups.add(change, &node.id);
                }
            }
        }
    }
    for (ix, node) in old.indexed_nodes() {
        if matching.to_new(ix).is_none() {
            let mut change =
                Change::new(Topic::Nodes, ChangeKind::Removed, Subject::node(&node.id));
            change.old = Some(node.handler().to_owned());
            changes.push(change);
        }
    }
    changes.extend(groups.changes());
    changes
}

/// Whether a run ends at a node although edges leave it.
fn ends_run(pipeline: &Pipeline, ix: NodeIx, node: &Node) -> bool {
    node.terminal && node.kind != NodeKind::Exit && !pipeline.outgoing(ix).is_empty()
}

/// What has changed of a node.
fn changed<'p>(
    (old, new): (&'p Node, &'p Node),
    (ended, ends): (bool, bool),
    defaults: &mut NodeDefaults,
    rename: &dyn Fn(&str) -> Option<&'p str>,
) -> Vec<AttributeChange<'p>> {
    let is_same_kind = old.kind == new.kind && old.handler() == new.handler();
    let mode = if is_same_kind {
        Defaults::Apply
    } else {
        Defaults::Ignore
    };
    let plain = |name, old, new| AttributeChange {
        name,
        row: None,
        old,
        new,
        from_graph: false,
    };
    let mut changes = Vec::new();
    if !is_same_kind {
        let [old, new] = [old, new].map(|node| Some(Cow::Borrowed(node.handler())));
        changes.push(plain("handler", old, new));
    }
    if ended != ends {
        let [old, new] = [ended, ends].map(|flag| Some(Cow::Borrowed(flag_word(flag))));
        changes.push(plain("terminal", old, new));
    }
    let compared = compare(settings_of(old), settings_of(new), mode, rename);
    // What a node inherits is a change of the graph, or of its kind.
    let own = compared
        .into_iter()
        .filter(|change| !change.from_graph || !defaults.explains(change.name) && is_same_kind);
    changes.extend(own);
    changes
}

const fn flag_word(flag: bool) -> &'static str {
    if flag { "true" } else { "false" }
}

/// The attributes of a node that have a meaning for it.
fn settings_of(node: &Node) -> Vec<Setting<'_>> {
    let mut settings = settings(&node.attributes);
    let retries = settings.iter().any(|one| one.name == "retry_policy");
    settings.retain(|one| match one.name {
        // Its id is its label unless it has another one.
        "label" => *one.value != *"\\N" && *one.value != *node.id,
        // No retries are the default, unless a policy has some.
        "max_retries" => *one.value != *"0" || retries,
        name => {
            let is_model = Topic::of(name, one.row, Topic::Nodes) == Topic::Models;
            one.origin == Origin::Written || !is_model || asks_model(node)
        }
    });
    settings
}

/// Whether a node may call a model, so that one that is set for all nodes is its own.
fn asks_model(node: &Node) -> bool {
    match node.kind {
        NodeKind::Start | NodeKind::Exit | NodeKind::HumanGate => false,
        NodeKind::Conditional | NodeKind::FanIn => node.attributes.has("prompt"),
        _ => true,
    }
}

/// A new node; what it may do is a change of its own.
fn added(node: &Node) -> Vec<Change> {
    let mut change = Change::new(Topic::Nodes, ChangeKind::Added, Subject::node(&node.id));
    change.new = Some(node.handler().to_owned());
    let mut changes = Vec::new();
    for setting in settings_of(node) {
        let topic = Topic::of(setting.name, setting.row, Topic::Nodes);
        let is_effect = matches!(topic, Topic::Commands | Topic::Permissions);
        if is_effect && setting.origin != Origin::Graph {
            let set = AttributeChange::added(setting);
            changes.push(set.into_change(topic, Subject::node(&node.id)));
        } else if setting.origin != Origin::Graph || matches!(setting.name, "model" | "provider") {
            let value = setting.value.into_owned();
            change.settings.push((setting.name.to_owned(), value));
        }
    }
    changes.push(change);
    changes
}

type Key<'p> = (&'p str, Option<Cow<'p, str>>, Option<Cow<'p, str>>);

/// Equal changes, in the order of the first node of each.
#[derive(Default)]
struct Groups<'p> {
    groups: Vec<(AttributeChange<'p>, Vec<String>)>,
    by_change: FxHashMap<Key<'p>, usize>,
}

impl<'p> Groups<'p> {
    fn add(&mut self, change: AttributeChange<'p>, id: &str) {
        let key = (change.name, change.old.clone(), change.new.clone());
        let at = *self.by_change.entry(key).or_insert(self.groups.len());
        match self.groups.get_mut(at) {
            Some((_, nodes)) => nodes.push(id.to_owned()),
            None => self.groups.push((change, vec![id.to_owned()])),
        }
    }

    fn changes(self) -> impl Iterator<Item = Change> {
        self.groups.into_iter().map(|(change, nodes)| {
            let topic = Topic::of(change.name, change.row, Topic::Nodes);
            change.into_change(topic, Subject::Nodes { nodes })
        })
    }
}
