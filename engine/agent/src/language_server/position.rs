//! Positions: lines and columns from 1 for the model, in characters; from 0 in UTF-16 units for the protocol.

use serde_json::{Value, json};

/// Where in a file a question is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column, from 1, in characters.
    pub(crate) column: Option<usize>,
    /// A text of the line; its first occurrence is meant.
    pub(crate) symbol: Option<String>,
}

impl Place {
    /// The position in the protocol.
    ///
    /// # Errors
    /// It is not in the text; with the reason.
    pub(super) fn in_text(&self, text: &str) -> Result<Value, String> {
        let count = text.lines().count();
        let index = self.line.checked_sub(1);
        let line = index.and_then(|index| text.lines().nth(index));
        let line =
            line.ok_or_else(|| format!("there is no line {}: the file has {count}", self.line))?;
        let before = match (&self.symbol, self.column) {
            (Some(symbol), _) => {
                let at = find_symbol(line, symbol).ok_or_else(|| {
                    format!(
                        "`{symbol}` is not in line {}, which is `{}`",
                        self.line,
                        line.trim()
                    )
                })?;
                line.get(..at).unwrap_or_default().to_owned()
            }
            (None, Some(column)) => line.chars().take(column.saturating_sub(1)).collect(),
            // Where the text of the line begins.
            (None, None) => line
                .chars()
                .take_while(|letter| letter.is_whitespace())
                .collect(),
        };
        let character = before.encode_utf16().count();
        Ok(json!({"line": self.line - 1, "character": character}))
    }
}

/// The first occurrence that is not part of a longer word, or else the first.
fn find_symbol(line: &str, symbol: &str) -> Option<usize> {
    let is_word =
        |letter: Option<char>| letter.is_some_and(|one| one.is_alphanumeric() || one == '_');
    let is_whole = |at: &usize| {
        let before = line.get(..*at).unwrap_or_default().chars().next_back();
        let after = line
            .get(at + symbol.len()..)
            .unwrap_or_default()
            .chars()
            .next();
        !is_word(before) && !is_word(after)
    };
    let mut places = line.match_indices(symbol).map(|(at, _)| at);
    places.clone().find(is_whole).or_else(|| places.next())
}

/// Line and column, from 1, of a position; the column in characters if the line is known.
pub(super) fn shown(position: &Value, line_text: Option<&str>) -> (u64, u64) {
    let number = |name: &str| position.get(name).and_then(Value::as_u64).unwrap_or(0);
    let units = number("character");
    let column = line_text.map_or(units, |line| {
        let mut left = units;
        let count = line.chars().take_while(|letter| {
            let fits = left > 0;
            left = left.saturating_sub(letter.len_utf16() as u64);
            fits
        });
        count.count() as u64
    });
    (number("line") + 1, column + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(line: usize, column: Option<usize>, symbol: Option<&str>) -> String {
        let place = Place {
            line,
            column,
            symbol: symbol.map(str::to_owned),
        };
        match place.in_text("one\n  😀 ab a\n") {
            Ok(position) => position.to_string(),
            Err(problem) => problem,
        }
    }

    #[test]
    fn positions_are_counted_as_the_protocol_does() {
        assert_eq!(position(2, Some(5), None), r#"{"line":1,"character":5}"#);
        assert_eq!(position(2, None, Some("a")), r#"{"line":1,"character":8}"#);
        assert_eq!(position(2, None, None), r#"{"line":1,"character":2}"#);
        assert_eq!(
            position(9, None, None),
            "there is no line 9: the file has 2"
        );
        assert_eq!(
            position(0, None, None),
            "there is no line 0: the file has 2"
        );
        assert_eq!(
            position(1, None, Some("x")),
            "`x` is not in line 1, which is `one`"
        );
    }

    #[test]
    fn positions_are_shown_from_one_in_characters() {
        let position = json!({"line": 1, "character": 5});
        assert_eq!(shown(&position, Some("  😀 ab a")), (2, 5));
        assert_eq!(shown(&position, None), (2, 6));
    }
}
