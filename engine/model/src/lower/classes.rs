//! Classes of nodes: written in `class`, and given by the labels and classes of the subgraphs around them.

use std::sync::Arc;

use attractor_dot::graph::Graph;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::catalogue::values;

/// Classes, kept once for all nodes that have the same.
pub(super) struct Classes {
    /// Those that subgraphs give, by node; empty if none gives any.
    given: Vec<Vec<SmolStr>>,
    /// Those of nodes that are given none, by what they write.
    written: FxHashMap<String, Arc<[SmolStr]>>,
    known: FxHashSet<Arc<[SmolStr]>>,
    none: Arc<[SmolStr]>,
}

impl Classes {
    pub(super) fn of(graph: &Graph) -> Self {
        Self {
            given: from_subgraphs(graph),
            written: FxHashMap::default(),
            known: FxHashSet::default(),
            none: Arc::default(),
        }
    }

    /// The classes of the node at that position: those its subgraphs give and, behind them, those `written` in it.
    /// Equal ones are the same list.
    pub(super) fn of_node(&mut self, at: usize, written: &str) -> Arc<[SmolStr]> {
        let given = self.given.get(at).filter(|given| !given.is_empty());
        if let Some(given) = given {
            let mut classes = given.clone();
            add_written(&mut classes, written);
            return self.shared(classes);
        }
        if written.is_empty() {
            return Arc::clone(&self.none);
        }
        if let Some(classes) = self.written.get(written) {
            return Arc::clone(classes);
        }
        let mut classes = Vec::new();
        add_written(&mut classes, written);
        let classes = self.shared(classes);
        self.written
            .insert(written.to_owned(), Arc::clone(&classes));
        classes
    }

    fn shared(&mut self, classes: Vec<SmolStr>) -> Arc<[SmolStr]> {
        if classes.is_empty() {
            return Arc::clone(&self.none);
        }
        if let Some(known) = self.known.get(&*classes) {
            return Arc::clone(known);
        }
        let classes: Arc<[SmolStr]> = classes.into();
        self.known.insert(Arc::clone(&classes));
        classes
    }
}

fn add_written(classes: &mut Vec<SmolStr>, written: &str) {
    let named = values::names(written).map(|(name, _)| name.trim_start_matches('.'));
    add(classes, named);
}

fn from_subgraphs(graph: &Graph) -> Vec<Vec<SmolStr>> {
    let mut classes: Vec<Vec<SmolStr>> = Vec::new();
    for subgraph in &graph.subgraphs {
        let own = |name: &str| {
            graph
                .find(subgraph.attributes, name)
                .filter(|attribute| !attribute.inherited)
                .map(|attribute| graph.value_of(attribute))
        };
        let mut given: Vec<SmolStr> = own("label").map(slug).into_iter().collect();
        for name in ["class", "classes"] {
            given.extend(
                own(name)
                    .into_iter()
                    .flat_map(values::names)
                    .map(|(name, _)| name.into()),
            );
        }
        given.retain(|class| !class.is_empty());
        if given.is_empty() {
            continue;
        }
        classes.resize(graph.nodes.len(), Vec::new());
        for node in &subgraph.nodes {
            if let Some(classes) = classes.get_mut(*node) {
                add(classes, given.iter().map(SmolStr::as_str));
            }
        }
    }
    classes
}

fn add<'c>(classes: &mut Vec<SmolStr>, given: impl Iterator<Item = &'c str>) {
    for class in given.filter(|class| !class.is_empty()) {
        if !classes.iter().any(|known| known == class) {
            classes.push(SmolStr::new(class));
        }
    }
}

/// `"Loop A"` is the class `loop-a`.
pub(crate) fn slug(label: &str) -> SmolStr {
    let mut slug = String::with_capacity(label.len());
    for letter in label.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            slug.push(letter);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').into()
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn labels_become_classes() {
        assert_eq!(&*slug("Loop A"), "loop-a");
        assert_eq!(&*slug("  Phase 2: Build! "), "phase-2-build");
    }
}
