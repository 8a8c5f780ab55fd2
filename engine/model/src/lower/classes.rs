//! Classes of nodes: written in `class`, and given by the labels and classes of the subgraphs around them.

use attractor_dot::graph::Graph;
use smol_str::SmolStr;

use crate::attributes::Attributes;
use crate::catalogue::values;

/// The classes subgraphs give, by node.
pub(super) fn from_subgraphs(graph: &Graph) -> Vec<Vec<SmolStr>> {
    let mut classes: Vec<Vec<SmolStr>> = vec![Vec::new(); graph.nodes.len()];
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
        for node in &subgraph.nodes {
            if let Some(classes) = classes.get_mut(*node) {
                add(classes, given.iter().map(SmolStr::as_str));
            }
        }
    }
    classes
}

/// The classes a node names itself, added to those its subgraphs give.
pub(super) fn own(attributes: &Attributes, mut classes: Vec<SmolStr>) -> Vec<SmolStr> {
    if let Some(attribute) = attributes.get("class") {
        let value = attribute.value.trim_start_matches('.');
        if value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        {
            add(
                &mut classes,
                std::iter::once(value).filter(|class| !class.is_empty()),
            );
            return classes;
        }
        let named = values::names(&attribute.value);
        add(
            &mut classes,
            named.map(|(name, _)| name.trim_start_matches('.')),
        );
    }
    classes
}

fn add<'c>(classes: &mut Vec<SmolStr>, given: impl Iterator<Item = &'c str>) {
    for class in given {
        if !classes.iter().any(|known| known == class) {
            // Most nodes have one.
            classes.reserve_exact(1);
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
