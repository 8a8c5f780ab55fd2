//! Classes of nodes: written in `class`, and given by the labels and classes of the subgraphs around them.

use attractor_dot::graph::Graph;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::catalogue::values;

/// Lists of classes, each once for all nodes that have it.
pub(super) struct Classes {
    /// Those that subgraphs give, by node; empty if none gives any.
    given: Vec<Vec<SmolStr>>,
    /// The lists of nodes that are given none, by what they write.
    written: FxHashMap<String, u32>,
    numbers: FxHashMap<Box<[SmolStr]>, u32>,
    lists: Vec<Box<[SmolStr]>>,
}

impl Classes {
    pub(super) fn of(graph: &Graph) -> Self {
        let none: Box<[SmolStr]> = Box::default();
        Self {
            given: from_subgraphs(graph),
            written: FxHashMap::default(),
            numbers: FxHashMap::from_iter([(none.clone(), 0)]),
            lists: vec![none],
        }
    }

    /// The number of the list for the node at that position: the classes its subgraphs give and, behind them, those
    /// `written` in it. Equal lists have one number.
    pub(super) fn of_node(&mut self, at: usize, written: &str) -> u32 {
        let given = self.given.get(at).filter(|given| !given.is_empty());
        if let Some(given) = given {
            let mut classes = given.clone();
            add_written(&mut classes, written);
            return self.number(classes);
        }
        if written.is_empty() {
            return 0;
        }
        if let Some(number) = self.written.get(written) {
            return *number;
        }
        let mut classes = Vec::new();
        add_written(&mut classes, written);
        let number = self.number(classes);
        self.written.insert(written.to_owned(), number);
        number
    }

    fn number(&mut self, classes: Vec<SmolStr>) -> u32 {
        if let Some(known) = self.numbers.get(&*classes) {
            return *known;
        }
        let next = u32::try_from(self.lists.len()).unwrap_or(0);
        let classes = classes.into_boxed_slice();
        self.lists.push(classes.clone());
        self.numbers.insert(classes, next);
        next
    }

    /// The lists by their numbers.
    pub(super) fn finish(self) -> Vec<Box<[SmolStr]>> {
        self.lists
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
