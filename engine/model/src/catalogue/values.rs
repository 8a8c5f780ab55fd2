//! How plain values are read: booleans, numbers, lists. Languages of their own live in [`attractor_lang`].

use super::{AttrType, NodeKind};
use attractor_lang::duration;
use attractor_lang::lists::{self, Separator};

/// `true`, `yes`, `1` and `false`, `no`, `0`, any case; nothing else.
pub fn boolean(text: &str) -> Option<bool> {
    let text = text.trim();
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    if is("true") || is("yes") || text == "1" {
        Some(true)
    } else if is("false") || is("no") || text == "0" {
        Some(false)
    } else {
        None
    }
}

/// A whole number; `3.0` is one too.
pub fn integer(text: &str) -> Option<i64> {
    let plain = |text: &str| text.parse().ok();
    plain(text).or_else(|| plain(text.trim())).or_else(|| {
        let (whole, fraction) = text.trim().split_once('.')?;
        if fraction.bytes().all(|byte| byte == b'0') {
            whole.parse().ok()
        } else {
            None
        }
    })
}

/// A finite number.
pub fn float(text: &str) -> Option<f64> {
    text.trim()
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
}

/// An amount of US dollars, with or without its `$`; never less than nothing.
pub fn money(text: &str) -> Option<f64> {
    let text = text.trim();
    float(text.strip_prefix('$').unwrap_or(text)).filter(|amount| *amount >= 0.0)
}

/// Comma-separated items, trimmed, empty ones left out; each with its offset in `text`.
pub fn list(text: &str) -> impl Iterator<Item = (&str, usize)> {
    items(text, Separator::Comma)
}

/// Names by comma or blank, each with its offset in `text`.
pub fn names(text: &str) -> impl Iterator<Item = (&str, usize)> {
    items(text, Separator::CommaOrBlank)
}

/// Whether two values of a type say the same, however they are written. Values that are none count as written.
pub fn same(ty: AttrType, one: &str, other: &str) -> bool {
    fn by<T: PartialEq>(read: impl Fn(&str) -> Option<T>, one: &str, other: &str) -> bool {
        matches!((read(one), read(other)), (Some(one), Some(other)) if one == other)
    }
    let read_alike = match ty {
        AttrType::Bool | AttrType::BoolOrCondition => by(boolean, one, other),
        AttrType::Int { .. } => by(integer, one, other),
        AttrType::Float { .. } => by(float, one, other),
        AttrType::Money => by(money, one, other),
        AttrType::Duration => by(duration::parse, one, other),
        AttrType::Handler => by(NodeKind::from_name, one, other),
        _ => false,
    };
    read_alike || one.trim() == other.trim()
}

fn items(text: &str, separator: Separator) -> impl Iterator<Item = (&str, usize)> {
    lists::items(text, separator)
        .into_iter()
        .map(|item| (item.text, item.range.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_know_where_their_items_stand() {
        let text = " a, b c ,,d";
        let found: Vec<_> = list(text).collect();
        assert_eq!(found, [("a", 1), ("b c", 4), ("d", 10)]);
        let found: Vec<_> = names(text).collect();
        assert_eq!(found, [("a", 1), ("b", 4), ("c", 6), ("d", 10)]);
    }

    #[test]
    fn numbers_and_truth() {
        assert_eq!(integer(" 3.00 "), Some(3));
        assert_eq!(integer("3.5"), None);
        assert_eq!(float("inf"), None);
        assert_eq!(money(" $2.50"), Some(2.5));
        assert_eq!(money("2"), Some(2.0));
        for no_money in ["$$2", "-1", "two", ""] {
            assert_eq!(money(no_money), None);
        }
        assert_eq!(boolean("YES"), Some(true));
        assert_eq!(boolean("on"), None);
    }

    #[test]
    fn the_same_in_other_words() {
        let int = AttrType::Int { min: 0 };
        for (ty, one, other) in [
            (AttrType::Duration, "15m", "900"),
            (AttrType::Handler, "agent", "codergen"),
            (int, "2", "2.0"),
            (AttrType::Bool, "yes", "TRUE"),
            (AttrType::Text, " x", "x"),
            (int, "many", "many"),
        ] {
            assert!(same(ty, one, other), "{one} {other}");
        }
        for (ty, one, other) in [
            (AttrType::Text, "yes", "true"),
            (AttrType::Duration, "15m", "15s"),
            (int, "few", "many"),
        ] {
            assert!(!same(ty, one, other), "{one} {other}");
        }
    }
}
