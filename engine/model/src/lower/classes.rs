//! Classes of nodes: written in `class`, and given by the labels and classes of the subgraphs around them.

use std::sync::Arc;

use attractor_dot::Substr;
use attractor_dot::graph::Graph;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::catalogue::values;

/// Classes, kept once for all nodes that have the same.
pub(super) struct Classes {
    /// Those that subgraphs give, by node; empty if none gives any.
    given: Vec<Vec<SmolStr>>,
    none: Arc<[SmolStr]>,
    /// Those of nodes that are given none, by what they write.
    written: FxHashMap<Substr, Arc<[SmolStr]>>,
}

impl Classes {
    pub(super) fn of(graph: &Graph) -> Self {
        Self {
            given: from_subgraphs(graph),
            none: Arc::default(),
            written: FxHashMap::default(),
        }
    }

    /// The classes of the node at that position: those its subgraphs give and, behind them, those `written` in it.
    pub(super) fn of_node(&mut self, at: usize, written: Option<&Substr>) -> Arc<[SmolStr]> {
        match (
            self.given.get(at).filter(|given| !given.is_empty()),
            written,
        ) {
            (None, None) => Arc::clone(&self.none),
            (None, Some(written)) => {
                let known = self.written.entry(written.clone());
                let classes = known.or_insert_with(|| with_own(Vec::new(), written));
                Arc::clone(classes)
            }
            (Some(given), written) => {
                with_own(given.clone(), written.map_or("", |written| written))
            }
        }
    }
}

fn with_own(mut classes: Vec<SmolStr>, written: &str) -> Arc<[SmolStr]> {
    let named = values::names(written).map(|(name, _)| name.trim_start_matches('.'));
    add(&mut classes, named);
    classes.into()
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
