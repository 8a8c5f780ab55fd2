//! Compares the path of a run with an expected one.

use crate::expectation::PathItem;

/// Where a path stops to fit a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Divergence {
    /// How many items of the pattern fit.
    pub(crate) items: usize,
    /// How many nodes of the path fit.
    pub(crate) nodes: usize,
    /// Whether nodes may lie between what fits and the next item.
    pub(crate) after_gap: bool,
}

/// Where `path` leaves `pattern`; `None` when it fits as a whole.
pub(crate) fn divergence(pattern: &[PathItem], path: &[&str]) -> Option<Divergence> {
    let mut farthest = Divergence {
        items: 0,
        nodes: 0,
        after_gap: false,
    };
    // Places of the path where the rest of the pattern may begin.
    let mut open = vec![0];
    let mut after_gap = false;
    for (items, item) in pattern.iter().enumerate() {
        farthest = Divergence {
            items,
            nodes: if after_gap {
                open.first().copied().unwrap_or_default()
            } else {
                open.last().copied().unwrap_or_default()
            },
            after_gap,
        };
        match item {
            PathItem::Gap => {
                let first = open.first().copied().unwrap_or_default();
                open = (first..=path.len()).collect();
                after_gap = true;
            }
            PathItem::Node(name, _) => {
                open.retain(|at| path.get(*at) == Some(&name.as_str()));
                for at in &mut open {
                    *at += 1;
                }
                after_gap = false;
            }
        }
        if open.is_empty() {
            return Some(farthest);
        }
    }
    if open.last() == Some(&path.len()) {
        return None;
    }
    farthest.items = pattern.len();
    farthest.nodes = open.last().copied().unwrap_or_default();
    farthest.after_gap = false;
    Some(farthest)
}

#[cfg(test)]
mod tests {
    use super::{Divergence, divergence};
    use crate::expectation::PathItem;
    use attractor_dot::TextRange;

    fn check(pattern: &str, path: &str) -> Option<(usize, usize, bool)> {
        let item = |word: &str| match word {
            "…" => PathItem::Gap,
            node => PathItem::Node(node.to_owned(), TextRange::empty(0)),
        };
        let pattern: Vec<PathItem> = pattern.split_whitespace().map(item).collect();
        let path: Vec<&str> = path.split_whitespace().collect();
        let Divergence {
            items,
            nodes,
            after_gap,
        } = divergence(&pattern, &path)?;
        Some((items, nodes, after_gap))
    }

    #[test]
    fn patterns_that_fit() {
        for (pattern, path) in [
            ("a b c", "a b c"),
            ("", ""),
            ("…", "a b"),
            ("a … c", "a c"),
            ("a … c", "a b b c"),
            ("… b … b c", "a b x b c"),
            ("… c", "a c b c"),
            ("a …", "a"),
        ] {
            assert_eq!(check(pattern, path), None, "{pattern} / {path}");
        }
    }

    #[test]
    fn a_divergence_has_its_place() {
        assert_eq!(check("a b c", "a b d"), Some((2, 2, false)));
        assert_eq!(check("a b c", "a b"), Some((2, 2, false)));
        assert_eq!(check("a b", "a b c"), Some((2, 2, false)));
        assert_eq!(check("a … x", "a b c"), Some((2, 1, true)));
        assert_eq!(check("a … b c", "a b d"), Some((3, 2, false)));
    }
}
