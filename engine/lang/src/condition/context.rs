//! What may come at an offset of a condition: the question of completion.
//!
//! Only looks at what precedes the offset, so it works while a condition is being typed.

use std::ops::Range;

use super::token::{Spanned, Token, lex};

/// What may come at an offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprContext {
    /// The bytes of `text` a completion replaces: the word the offset is in or after.
    pub replace: Range<usize>,
    /// What fits there.
    pub expected: Expected,
}

/// What fits at an offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// A key, a keyword such as `on_fail`, or `not`.
    Operand,
    /// An operator after this key, or `and`/`or`.
    Operator {
        /// The key to the left.
        key: String,
    },
    /// A value to compare this key with.
    Value {
        /// The key on the left side; `None` when something else is there.
        key: Option<String>,
        /// The operator as written.
        operator: String,
        /// Whether the offset is inside quotes.
        quoted: bool,
    },
    /// `and` or `or`.
    Connective,
}

/// What may come at byte `offset` of `text`; an offset inside a character or past the end is moved back.
pub fn context_at(text: &str, offset: usize) -> ExprContext {
    let offset = (0..=offset.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    let before = text.get(..offset).unwrap_or_default();
    // `tool.` is a key on its way.
    let typed = before.strip_suffix('.').unwrap_or(before);
    let tokens = lex(typed);
    let end = offset + word_length(text.get(offset..).unwrap_or_default());
    let Some((last, earlier)) = tokens.split_last() else {
        return ExprContext {
            replace: offset..end,
            expected: Expected::Operand,
        };
    };
    let word = |spanned: &Spanned| {
        before
            .get(spanned.range.clone())
            .unwrap_or_default()
            .to_owned()
    };
    if last.token == Token::Unknown && word(last).starts_with(['"', '\'']) {
        let expected = after(before, earlier, true);
        return ExprContext {
            replace: last.range.start + 1..end,
            expected,
        };
    }
    if last.token == Token::Bare && last.range.end <= typed.len() {
        // A blank after an unquoted text may begin `and`; the text before stays.
        let replace = if last.range.end == typed.len() {
            last.range.start..end
        } else {
            offset..end
        };
        let expected = if last.range.end == typed.len() {
            after(before, earlier, false)
        } else {
            Expected::Connective
        };
        return ExprContext { replace, expected };
    }
    let typing = last.range.end == typed.len() && is_word(&word(last));
    if typing {
        return ExprContext {
            replace: last.range.start..end,
            expected: after(before, earlier, false),
        };
    }
    ExprContext {
        replace: offset..end,
        expected: after(before, &tokens, false),
    }
}

/// What fits after these tokens.
fn after(text: &str, tokens: &[Spanned], quoted: bool) -> Expected {
    let word = |spanned: &Spanned| {
        text.get(spanned.range.clone())
            .unwrap_or_default()
            .to_owned()
    };
    let key = |spanned: Option<&Spanned>| {
        spanned
            .filter(|spanned| spanned.token == Token::Name)
            .map(word)
    };
    let mut back = tokens.iter().rev();
    let (last, second) = (back.next(), back.next());
    match last {
        Some(last) if last.token.is_operator() => Expected::Value {
            key: key(second),
            operator: word(last),
            quoted,
        },
        Some(last) if last.token.is_operand() => {
            let complete = second.is_some_and(|second| second.token.is_operator());
            match key(Some(last)) {
                Some(key) if !complete => Expected::Operator { key },
                _ => Expected::Connective,
            }
        }
        Some(last) if last.token == Token::Close => Expected::Connective,
        _ => Expected::Operand,
    }
}

fn is_word(text: &str) -> bool {
    text.chars()
        .next_back()
        .is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The context at `$0`, as `expected` over the text to replace.
    fn at(fixture: &str) -> String {
        let offset = fixture.find("$0").unwrap_or_default();
        let text = fixture.replace("$0", "");
        let context = context_at(&text, offset);
        let replaced = text.get(context.replace).unwrap_or("?");
        match context.expected {
            Expected::Operand => format!("operand [{replaced}]"),
            Expected::Operator { key } => format!("operator of {key} [{replaced}]"),
            Expected::Value {
                key,
                operator,
                quoted,
            } => {
                let quoted = if quoted { "quoted " } else { "" };
                format!(
                    "{quoted}value of {} {operator} [{replaced}]",
                    key.unwrap_or_default()
                )
            }
            Expected::Connective => format!("connective [{replaced}]"),
        }
    }

    #[test]
    fn each_place_knows_what_fits() {
        for (fixture, expected) in [
            ("$0", "operand []"),
            ("out$0", "operand [out]"),
            ("ou$0tcome=x", "operand [outcome]"),
            ("outcome $0", "operator of outcome []"),
            ("outcome co$0", "operator of outcome [co]"),
            ("outcome=$0", "value of outcome = []"),
            ("outcome=suc$0", "value of outcome = [suc]"),
            ("outcome == $0", "value of outcome == []"),
            ("outcome == s$0 and x", "value of outcome == [s]"),
            (
                "preferred_label='Fi$0",
                "quoted value of preferred_label = [Fi]",
            ),
            (
                "preferred_label=Fix i$0",
                "value of preferred_label = [Fix i]",
            ),
            ("outcome=success $0", "connective []"),
            ("outcome=success and $0", "operand []"),
            ("outcome=success && con$0", "operand [con]"),
            ("not $0", "operand []"),
            ("(a or $0)", "operand []"),
            ("(a == 1) $0", "connective []"),
            ("a == 1 $0", "connective []"),
            ("tool.$0", "operand [tool.]"),
        ] {
            assert_eq!(at(fixture), expected, "{fixture}");
        }
    }

    #[test]
    fn any_offset_has_a_place() {
        let text = "ä == 'ö' and (x";
        for offset in 0..30 {
            let context = context_at(text, offset);
            assert!(text.get(context.replace).is_some());
        }
    }
}
