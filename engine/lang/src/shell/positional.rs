//! Values that become positional parameters: operands of `set`, and arguments of functions of the same text.

/// Where positional parameters are set.
pub(super) struct Positional {
    /// Which of them the value is: `1` of `$1`.
    pub(super) number: usize,
    /// From where on they are used: functions are defined before they are called.
    pub(super) from: usize,
}

/// The parameter that the word at the end of `before` sets.
pub(super) fn positional(before: &str) -> Option<Positional> {
    let start = before
        .rfind([';', '\n', '&', '|', '(', '{', ')'])
        .map_or(0, |at| at + 1);
    let mut words = before.get(start..)?.split_ascii_whitespace();
    let name = words.next()?;
    let begun = !before.ends_with(|c: char| c.is_ascii_whitespace());
    let is_set = name == "set";
    if !is_set && !is_function(before, name) {
        return None;
    }
    let operands = words.filter(|word| !is_set || !word.starts_with(['-', '+']));
    // The word at the end is the operand itself, not one before it.
    let before_it = operands.count().saturating_sub(usize::from(begun));
    Some(Positional {
        number: before_it + 1,
        from: if is_set { before.len() } else { 0 },
    })
}

/// Whether a text defines a function.
fn is_function(text: &str, name: &str) -> bool {
    let mut found = text.match_indices(name);
    found.any(|(at, _)| {
        let before = text
            .get(..at)
            .unwrap_or_default()
            .trim_end_matches([' ', '\t']);
        let after = text.get(at + name.len()..).unwrap_or_default().trim_start();
        let begins = before.is_empty() || before.ends_with([';', '\n', '&', '}']);
        begins && after.starts_with("()") || before.ends_with("function") && after.starts_with('{')
    })
}
