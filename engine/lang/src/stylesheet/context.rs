//! What may come at an offset of a stylesheet: the question of completion.

use std::ops::Range;

use super::syntax::is_name_character;

/// What fits at an offset, and the bytes a completion replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StylesheetContext {
    /// A selector; `mark` is the `.` or `#` before the word, if any.
    Selector {
        /// `.`, `#` or nothing.
        mark: Option<char>,
        /// The word, without its mark.
        replace: Range<usize>,
    },
    /// A property.
    Property {
        /// The word.
        replace: Range<usize>,
    },
    /// The value of a property.
    Value {
        /// The property.
        property: String,
        /// What is there already.
        replace: Range<usize>,
    },
}

/// What may come at byte `offset` of `text`. Only looks at what precedes it.
pub fn context_at(text: &str, offset: usize) -> StylesheetContext {
    let offset = (0..=offset.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    let before = text.get(..offset).unwrap_or_default();
    let after = text.get(offset..).unwrap_or_default();
    let word = before.len() - before.trim_end_matches(is_name_character).len();
    let rest = after.find(|c| !is_name_character(c)).unwrap_or(after.len());
    let replace = offset - word..offset + rest;
    let block = before
        .rfind(['{', '}'])
        .filter(|at| before.get(*at..).is_some_and(|rest| rest.starts_with('{')));
    let Some(block) = block else {
        let mark = before
            .get(..replace.start)
            .and_then(|text| text.chars().next_back());
        return StylesheetContext::Selector {
            mark: mark.filter(|mark| matches!(mark, '.' | '#')),
            replace,
        };
    };
    let statement = before.rfind([';', '{']).unwrap_or(block) + 1;
    match before
        .get(statement..)
        .and_then(|text| text.split_once(':'))
    {
        Some((property, value)) => {
            let spaces = value.len() - value.trim_start().len();
            let start = offset - value.len() + spaces;
            let end = offset
                + after.find([';', '}', '\n']).map_or(rest, |end| {
                    after.get(..end).map_or(rest, |text| text.trim_end().len())
                });
            StylesheetContext::Value {
                property: property.trim().to_owned(),
                replace: start..end,
            }
        }
        None => StylesheetContext::Property { replace },
    }
}
