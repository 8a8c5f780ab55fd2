//! Comparisons of `[[ … ]]`.

/// Operators that evaluate both of their sides as arithmetic.
const ARITHMETIC: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// Whether the word around `at`, which starts at `start`, is a side of an arithmetic comparison.
pub(super) fn is_compared(text: &str, start: usize, at: usize) -> bool {
    let is_operator = |word: &str| ARITHMETIC.contains(&word);
    let before = text.get(..start).unwrap_or_default();
    let rest = text.get(at..).unwrap_or_default();
    let after = rest.split_once([' ', '\t']).map_or("", |(_, after)| after);
    let last = before.split_ascii_whitespace().next_back();
    let next = after.split_ascii_whitespace().next();
    last.is_some_and(is_operator) || next.is_some_and(is_operator)
}
