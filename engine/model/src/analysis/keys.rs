//! Context keys: which nodes set them, and which are set when a run reaches a node.
//!
//! A key is looked for backwards along edges and jumps, so loops and parallel branches are covered and no path
//! is enumerated. For n nodes, e edges and jumps and k keys: [`Keys::of`] is O(n + e + k), [`Keys::may_be_set`]
//! O(n + e), [`Keys::on_arrival`] O(n + e) for what may be set. What must be set is a worklist over sets of 64 keys,
//! which shrink at most 64 times a node: O(64 e) for each 64 keys, O(k · e) in all. Memory is O(n + e + k).
//! What a branch of a parallel node sets is known as `KEY` inside the branch and as `BRANCH.KEY` after the join.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::branches::Branches;
use super::paths::Paths;
use crate::catalogue::{CONTEXT_KEYS, ContextKeyRow, NodeKind, Setter, values};
use crate::groups::Groups;
use crate::pipeline::{Node, NodeIx, Pipeline};

/// Which nodes set which key in one pipeline.
#[derive(Clone, Debug)]
pub struct Keys {
    named: FxHashMap<String, Vec<NodeIx>>,
    launch: Vec<String>,
    backwards: Groups<NodeIx>,
    branches: Branches,
}

/// A key that may be set when a run reaches a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arriving {
    /// The key, with the branch before it where it comes from one.
    pub key: String,
    /// Whether it is set on every path.
    pub must: bool,
    /// The nodes that may have set it; empty for what is set from the beginning.
    pub setters: Vec<NodeIx>,
}

/// Keys set after every node, failed node or at the end are known everywhere but at the start.
fn is_everywhere(row: &ContextKeyRow) -> bool {
    !matches!(row.setter, Setter::Kinds(_)) && !row.name.contains(char::is_uppercase)
}

impl Keys {
    /// Collects what each node of a pipeline sets.
    pub fn of(pipeline: &Pipeline, paths: &Paths) -> Self {
        let mut named: FxHashMap<String, Vec<NodeIx>> = FxHashMap::default();
        let mut steps = Vec::with_capacity(pipeline.edges.len());
        for (ix, node) in pipeline.indexed_nodes() {
            for key in own_keys(pipeline, node) {
                named.entry(key).or_default().push(ix);
            }
            let jumps = paths.jumps(ix).iter().map(|(target, _)| *target);
            steps.extend(
                pipeline
                    .successors(ix)
                    .chain(jumps)
                    .map(|next| (next.0, ix)),
            );
        }
        let launch = ["vars"]
            .iter()
            .filter_map(|name| pipeline.attributes.get(name))
            .flat_map(|vars| values::list(vars.value()))
            .map(|(item, _)| item.split('=').next().unwrap_or(item).trim().to_owned())
            .collect();
        Self {
            named,
            launch,
            backwards: Groups::new(pipeline.nodes.len(), &steps),
            branches: Branches::of(pipeline, paths),
        }
    }

    /// Knows these keys to be set when a run starts, in addition to those that the pipeline declares.
    #[must_use]
    pub fn with_inputs(mut self, names: &[String]) -> Self {
        self.launch.extend(names.iter().cloned());
        self
    }

    /// Every key some node sets by an attribute (`output_key`, `writes`, `context.KEY`, …), sorted.
    pub fn named(&self) -> impl Iterator<Item = (&str, &[NodeIx])> {
        let sorted: BTreeMap<&str, &[NodeIx]> = self
            .named
            .iter()
            .map(|(key, nodes)| (key.as_str(), nodes.as_slice()))
            .collect();
        sorted.into_iter()
    }

    /// The nodes that may set a key, wherever they stand.
    pub fn setters(&self, pipeline: &Pipeline, key: &str) -> Vec<NodeIx> {
        let mut setters = self.named.get(key).cloned().unwrap_or_default();
        if let Some(node) = node_in_key(pipeline, key) {
            setters.push(node);
        }
        for row in CONTEXT_KEYS.iter().filter(|row| row.name == key) {
            if let Setter::Kinds(kinds) = row.setter {
                let of_kind = pipeline
                    .indexed_nodes()
                    .filter(|(_, node)| kinds.contains(&node.kind));
                setters.extend(of_kind.map(|(ix, _)| ix));
            }
        }
        setters
    }

    /// Whether a key can be set when a run reaches `at`: from the start, by the engine, or by a node on some path to
    /// it. Linear in nodes and edges; constant for keys that no node sets.
    pub fn may_be_set(&self, pipeline: &Pipeline, at: NodeIx, key: &str) -> bool {
        if self.is_always_there(key) {
            return true;
        }
        let setters = self.setters(pipeline, key);
        if setters.is_empty() {
            return false;
        }
        let before = self.before(pipeline, at);
        setters
            .iter()
            .any(|setter| *setter == at || before.get(setter.index()).copied().unwrap_or(false))
    }

    /// The keys that may be set when a run reaches `at`, sorted.
    pub fn on_arrival(&self, pipeline: &Pipeline, at: NodeIx) -> Vec<Arriving> {
        let before = self.before(pipeline, at);
        let mut found: BTreeMap<String, Vec<NodeIx>> = BTreeMap::new();
        for key in &self.launch {
            found.entry(key.clone()).or_default();
        }
        for row in CONTEXT_KEYS.iter().filter(|row| is_everywhere(row)) {
            found.entry(row.name.to_owned()).or_default();
        }
        for (ix, node) in pipeline.indexed_nodes() {
            if !before.get(ix.index()).copied().unwrap_or(false) {
                continue;
            }
            let prefix = self.branches.prefix(pipeline, ix, at);
            let by_kind = kind_rows(node.kind).map(|row| row.name.replace("NODE", &node.id));
            for key in by_kind.chain(own_keys(pipeline, node)) {
                let key = match &prefix {
                    Some(prefix) => format!("{prefix}.{key}"),
                    None => key,
                };
                found.entry(key).or_default().push(ix);
            }
        }
        let keys: Vec<(String, Vec<NodeIx>)> = found.into_iter().collect();
        let must = self.must(pipeline, at, &keys);
        keys.into_iter()
            .zip(must)
            .map(|((key, setters), must)| Arriving { key, must, setters })
            .collect()
    }

    /// The keys a node sets itself; what it may have left unset is not `must`.
    pub fn set_by(&self, pipeline: &Pipeline, at: NodeIx) -> Vec<Arriving> {
        let Some(node) = pipeline.node(at) else {
            return Vec::new();
        };
        let by_kind = kind_rows(node.kind).map(|row| row.name.replace("NODE", &node.id));
        let keys: BTreeSet<String> = by_kind.chain(own_keys(pipeline, node)).collect();
        let arriving = keys.into_iter().map(|key| Arriving {
            must: always_sets(node, &key),
            key,
            setters: vec![at],
        });
        arriving.collect()
    }

    fn is_always_there(&self, key: &str) -> bool {
        key.starts_with("graph.")
            || self.launch.iter().any(|own| own == key)
            || CONTEXT_KEYS
                .iter()
                .any(|row| row.name == key && is_everywhere(row))
    }

    /// The nodes from which a run can reach `at`.
    fn before(&self, pipeline: &Pipeline, at: NodeIx) -> Vec<bool> {
        let mut seen = vec![false; pipeline.nodes.len()];
        let mut work = vec![at];
        while let Some(node) = work.pop() {
            for from in self.backwards.of(node.index()) {
                if let Some(seen) = seen.get_mut(from.index()).filter(|seen| !**seen) {
                    *seen = true;
                    work.push(*from);
                }
            }
        }
        seen
    }

    /// Which of the keys are set on every path to `at`.
    fn must(&self, pipeline: &Pipeline, at: NodeIx, keys: &[(String, Vec<NodeIx>)]) -> Vec<bool> {
        let mut must = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(64) {
            let mut sets = vec![0_u64; pipeline.nodes.len()];
            let mut from_launch = 0_u64;
            for (bit, (key, setters)) in chunk.iter().enumerate() {
                if setters.is_empty() && (self.launch.contains(key) || is_set_at_launch(key)) {
                    from_launch |= 1 << bit;
                }
                for setter in setters {
                    let always = pipeline
                        .node(*setter)
                        .is_some_and(|node| always_sets(node, key));
                    if let Some(sets) = sets.get_mut(setter.index()).filter(|_| always) {
                        *sets |= 1 << bit;
                    }
                }
            }
            let arriving = Self::arrive(pipeline, &sets, from_launch);
            let here = arriving.get(at.index()).copied().unwrap_or(0);
            must.extend((0..chunk.len()).map(|bit| here & (1 << bit) != 0));
        }
        must
    }

    /// The bits set on every path to each node: the meet over its predecessors, from all bits downwards.
    fn arrive(pipeline: &Pipeline, sets: &[u64], from_launch: u64) -> Vec<u64> {
        let mut arriving = vec![u64::MAX; pipeline.nodes.len()];
        let mut work: Vec<NodeIx> = pipeline.start.into_iter().collect();
        for start in &work {
            if let Some(bits) = arriving.get_mut(start.index()) {
                *bits = from_launch;
            }
        }
        while let Some(node) = work.pop() {
            let (Some(arrived), Some(own)) = (arriving.get(node.index()), sets.get(node.index()))
            else {
                continue;
            };
            let leaving = arrived | own;
            for next in pipeline.successors(node) {
                if let Some(bits) = arriving.get_mut(next.index())
                    && *bits & leaving != *bits
                {
                    *bits &= leaving;
                    work.push(next);
                }
            }
        }
        arriving
    }
}

fn is_set_at_launch(key: &str) -> bool {
    CONTEXT_KEYS
        .iter()
        .any(|row| row.name == key && row.setter == Setter::Launch)
}

/// Rows of the catalogue for what a kind sets, those after every node that name the node included.
fn kind_rows(kind: NodeKind) -> impl Iterator<Item = &'static ContextKeyRow> {
    CONTEXT_KEYS.iter().filter(move |row| match row.setter {
        Setter::Kinds(kinds) => kinds.contains(&kind) && !row.name.contains("BRANCH"),
        Setter::EveryNode => row.name == "output.NODE",
        Setter::Launch | Setter::Failure | Setter::End => false,
    })
}

fn always_sets(node: &Node, key: &str) -> bool {
    CONTEXT_KEYS.iter().any(|row| {
        row.always
            && row.name == key
            && matches!(row.setter, Setter::Kinds(kinds) if kinds.contains(&node.kind))
    }) || node
        .attributes
        .get("output_key")
        .is_some_and(|own| own.value() == key)
        || ["context.", "var."]
            .iter()
            .any(|prefix| node.attributes.has(&format!("{prefix}{key}")))
}

/// Keys a node sets because an attribute or the declaration of its handler says so.
fn own_keys(pipeline: &Pipeline, node: &Node) -> impl Iterator<Item = String> {
    let attributes = &node.attributes;
    let one = |name: &str| {
        attributes
            .get(name)
            .map(|attribute| attribute.value().trim().to_owned())
    };
    let item = attributes
        .has("for_each")
        .then(|| attributes.text("item_key").unwrap_or("item").to_owned());
    let listed = attributes.get("writes").map(|writes| {
        values::list(writes.value())
            .map(|(key, _)| key.to_owned())
            .collect::<Vec<_>>()
    });
    let given = ["context.", "var."]
        .iter()
        .flat_map(|prefix| attributes.with_prefix(prefix))
        .map(|(key, _)| key.to_owned())
        .collect::<Vec<_>>();
    let handler = node.custom_handler.as_deref();
    let of_handler = handler.and_then(|name| pipeline.handler_keys.get(name));
    one("output_key")
        .into_iter()
        .chain(of_handler.into_iter().flatten().cloned())
        .chain(item)
        .chain(listed.into_iter().flatten())
        .chain(given)
}

/// The node in `output.NODE`, `response.NODE`, `node.NODE.KEY` or `NODE.KEY`.
fn node_in_key(pipeline: &Pipeline, key: &str) -> Option<NodeIx> {
    for prefix in ["output.", "response.", "internal.retry_count."] {
        if let Some(id) = key.strip_prefix(prefix) {
            return pipeline.by_id(id);
        }
    }
    let rest = key.strip_prefix("node.").unwrap_or(key);
    pipeline.by_id(rest.split_once('.')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arriving(text: &str, at: &str) -> String {
        let pipelines = Pipeline::from_text(text);
        let pipeline = &pipelines[0];
        let paths = Paths::of(pipeline);
        let keys = Keys::of(pipeline, &paths);
        let at = pipeline.by_id(at).unwrap();
        let common: Vec<_> = CONTEXT_KEYS
            .iter()
            .filter(|row| is_everywhere(row))
            .map(|row| row.name)
            .collect();
        keys.on_arrival(pipeline, at)
            .into_iter()
            .filter(|found| !common.contains(&found.key.as_str()))
            .map(|found| format!("{}{}", found.key, if found.must { "!" } else { "" }))
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn one_way_or_all_ways() {
        let text = "digraph { vars=\"ticket\"; start -> a -> c; start -> b -> c; c -> d
            a [prompt=x, output_key=plan]; b [prompt=x, output_key=plan, writes=\"notes\"]
            c [prompt=x] d [shape=parallelogram, command=ls] }";
        let c = arriving(text, "c");
        assert!(
            c.contains("plan!") && c.contains("notes") && !c.contains("notes!"),
            "{c}"
        );
        assert!(
            c.contains("ticket!") && c.contains("last_codergen_output!"),
            "{c}"
        );
        assert!(!c.contains("exit_code"), "{c}");
    }

    #[test]
    fn a_loop_brings_keys_back() {
        let text = "digraph { start -> a -> t; t -> a [condition=\"outcome=fail\"]; t -> done
            a [prompt=x]; t [shape=parallelogram, command=ls] }";
        let a = arriving(text, "a");
        assert!(a.contains("exit_code") && !a.contains("exit_code!"), "{a}");
        assert!(arriving(text, "done").contains("exit_code!"));
    }

    #[test]
    fn branches_are_prefixed_after_the_join() {
        let text = "digraph { start -> fan; fan -> one -> two -> join; fan -> other -> join; join -> done
            fan [shape=component]; join [shape=tripleoctagon]; one [prompt=x, output_key=draft]; other [prompt=x] two [prompt=x]; done [prompt=y] }";
        assert!(arriving(text, "two").contains("draft!"));
        let done = arriving(text, "done");
        assert!(
            done.contains("one.draft") && !done.contains(" draft"),
            "{done}"
        );
    }
}
