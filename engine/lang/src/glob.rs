//! File-name patterns over names: `*`, `?`, `[abc]`, `[!a-z]`, as Python's `fnmatch` reads them.
//!
//! ```
//! use attractor_lang::glob;
//! assert!(glob::matches("test_*", "test_unit"));
//! assert!(!glob::matches("test_?", "test_unit"));
//! ```

/// Whether `name` matches `pattern` as a whole. Linear in practice, at worst their product.
pub fn matches(pattern: &str, name: &str) -> bool {
    let (mut pattern, mut name) = (pattern, name);
    // After the last `*` seen, and where in the name it was last tried.
    let mut retry: Option<(&str, &str)> = None;
    loop {
        if let Some(rest) = pattern.strip_prefix('*') {
            retry = Some((rest, name));
            pattern = rest;
            continue;
        }
        if let Some((after_pattern, after_name)) = one(pattern, name) {
            (pattern, name) = (after_pattern, after_name);
            continue;
        }
        if pattern.is_empty() && name.is_empty() {
            return true;
        }
        let Some((rest, tried)) = retry else {
            return false;
        };
        let mut longer = tried.chars();
        if longer.next().is_none() {
            return false;
        }
        retry = Some((rest, longer.as_str()));
        (pattern, name) = (rest, longer.as_str());
    }
}

/// Matches one character of `name` with one item of `pattern`; gives what is left of both.
fn one<'p, 'n>(pattern: &'p str, name: &'n str) -> Option<(&'p str, &'n str)> {
    let mut items = pattern.chars();
    let mut characters = name.chars();
    let (item, character) = (items.next()?, characters.next()?);
    let fits = match item {
        '?' => true,
        '[' => match set(items.as_str(), character) {
            Some((fits, rest)) => return fits.then_some((rest, characters.as_str())),
            None => character == '[',
        },
        item => item == character,
    };
    fits.then_some((items.as_str(), characters.as_str()))
}

/// Whether `character` is in the set that `text` begins with, and what follows its `]`.
fn set(text: &str, character: char) -> Option<(bool, &str)> {
    let (text, wanted) = text
        .strip_prefix('!')
        .map_or((text, true), |rest| (rest, false));
    // A `]` right at the beginning is a member.
    let first = text.chars().next()?.len_utf8();
    let end = text.get(first..)?.find(']')? + first;
    let members: Vec<char> = text.get(..end)?.chars().collect();
    let mut rest = members.as_slice();
    let mut found = false;
    while let Some((low, tail)) = rest.split_first() {
        if let ['-', high, after @ ..] = tail {
            found |= (*low..=*high).contains(&character);
            rest = after;
        } else {
            found |= *low == character;
            rest = tail;
        }
    }
    Some((found == wanted, text.get(end + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("*", "anything", true),
            ("test_*", "test_", true),
            ("test_*", "a_test_x", false),
            ("*_test", "unit_test", true),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1b2b3", false),
            ("?", "ä", true),
            ("?", "", false),
            ("step[0-9]", "step7", true),
            ("step[!0-9]", "step7", false),
            ("[]x]", "]", true),
            ("[abc", "[abc", true),
            ("", "", true),
            ("", "x", false),
            ("Case", "case", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn many_stars_do_not_hurt() {
        assert!(!matches(&"*a".repeat(200), &"a".repeat(199)));
        assert!(matches(&"*a".repeat(200), &"ba".repeat(200)));
    }
}
