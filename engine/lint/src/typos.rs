//! Typos: two names one letter apart. Much quicker than an edit distance.

/// Whether two names differ by one letter added, dropped, changed, doubled or swapped with its neighbour, or only in
/// case. A difference in digits is not a typo: `step1` and `step2` are two steps.
pub(crate) fn is_typo(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len().abs_diff(right.len()) > 1 || left.len().max(right.len()) < 4 || left == right {
        return false;
    }
    let head = left.iter().zip(right).take_while(|(l, r)| l == r).count();
    let (left, right) = (
        left.get(head..).unwrap_or_default(),
        right.get(head..).unwrap_or_default(),
    );
    let tail = left
        .iter()
        .rev()
        .zip(right.iter().rev())
        .take_while(|(l, r)| l == r)
        .count();
    let middle = |bytes: &[u8]| bytes.len().saturating_sub(tail);
    let (left, right) = (
        left.get(..middle(left)).unwrap_or_default(),
        right.get(..middle(right)).unwrap_or_default(),
    );
    match (left, right) {
        ([only], []) | ([], [only]) => {
            // At the end these make another word: tasks, approved, reviewer.
            !only.is_ascii_digit() && (tail > 0 || !b"sdry".contains(only))
        }
        ([l], [r]) => !l.is_ascii_digit() && !r.is_ascii_digit() && !l.is_ascii_uppercase(),
        ([a, b], [c, d]) => a == d && b == c && !a.is_ascii_digit() && !b.is_ascii_digit(),
        _ => false,
    }
}

/// Whether two names differ only in a part of one or two letters, as names that are numbered by letters do.
pub(crate) fn are_variants(left: &str, right: &str) -> bool {
    let parts = |name| str::split(name, ['_', '-', '.']);
    let differing: Vec<_> = parts(left)
        .zip(parts(right))
        .filter(|(left, right)| left != right)
        .collect();
    parts(left).count() == parts(right).count()
        && differing
            .iter()
            .all(|(left, right)| left.len() <= 2 && right.len() <= 2)
}

/// The end of a message about an unknown name; empty if no name is near.
pub(crate) fn did_you_mean(near: Option<&str>) -> String {
    near.map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::is_typo;

    #[test]
    fn one_letter() {
        for (left, right) in [
            ("biuld", "build"),
            ("bild", "build"),
            ("buiild", "build"),
            ("bulld", "build"),
        ] {
            assert!(is_typo(left, right), "{left} {right}");
        }
        for (left, right) in [
            ("step1", "step2"),
            ("task", "tasks"),
            ("build", "build"),
            ("plan", "planner"),
        ] {
            assert!(!is_typo(left, right), "{left} {right}");
        }
    }
}
