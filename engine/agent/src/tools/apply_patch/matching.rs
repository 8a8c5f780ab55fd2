//! Where lines are in a file: exactly, without regard to whitespace at their ends, to whitespace around them, and to
//! variants of punctuation. The first of these that finds a place decides.

/// Which places are preferred.
#[derive(Debug, Clone, Copy)]
pub(super) enum Order {
    /// The first.
    First,
    /// The last.
    Last,
    /// The nearest to this line, from 0.
    Nearest(usize),
}

type Equal = fn(&str, &str) -> bool;

/// What counts as equal, strictest first.
const LADDER: [Equal; 4] = [
    |a, b| a == b,
    |a, b| a.trim_end() == b.trim_end(),
    |a, b| a.trim() == b.trim(),
    |a, b| plain(a) == plain(b),
];

/// The line, from 0, where `wanted` begins in `lines`, not before `from`.
pub(super) fn find<L: AsRef<str>>(
    lines: &[L],
    wanted: &[&str],
    from: usize,
    order: Order,
) -> Option<usize> {
    let last = lines.len().checked_sub(wanted.len())?;
    LADDER.iter().find_map(|equal| {
        let fits = |at: &usize| {
            let window = lines.get(*at..).unwrap_or_default();
            wanted
                .iter()
                .zip(window)
                .all(|(wanted, line)| equal(wanted, line.as_ref()))
        };
        let mut places = (from..=last).filter(fits);
        match order {
            Order::First => places.next(),
            Order::Last => places.next_back(),
            Order::Nearest(line) => places.min_by_key(|at| at.abs_diff(line)),
        }
    })
}

/// A line without whitespace around it, with the plain variant of punctuation.
fn plain(line: &str) -> String {
    line.trim()
        .chars()
        .map(|letter| match letter {
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '\u{2018}'..='\u{201B}' => '\'',
            '\u{201C}'..='\u{201F}' => '"',
            '\u{00A0}' | '\u{2002}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => ' ',
            letter => letter,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strictest_match_wins() {
        let lines = [" a", "a ", "a", "“a” — b"];
        assert_eq!(find(&lines, &["a"], 0, Order::First), Some(2));
        assert_eq!(find(&lines, &["a"], 3, Order::First), None);
        assert_eq!(find(&lines[..2], &["a"], 0, Order::First), Some(1));
        assert_eq!(find(&lines[..1], &["a"], 0, Order::First), Some(0));
        assert_eq!(find(&lines, &["\"a\" - b"], 0, Order::First), Some(3));
        assert_eq!(find(&lines, &["x"; 9], 0, Order::First), None);
    }

    #[test]
    fn equal_places_are_chosen_by_the_order() {
        let lines = ["x", "a", "x", "a", "x"];
        assert_eq!(find(&lines, &["x"], 0, Order::First), Some(0));
        assert_eq!(find(&lines, &["x"], 0, Order::Last), Some(4));
        assert_eq!(find(&lines, &["x", "a"], 0, Order::Last), Some(2));
        assert_eq!(find(&lines, &["a"], 0, Order::Nearest(4)), Some(3));
    }
}
