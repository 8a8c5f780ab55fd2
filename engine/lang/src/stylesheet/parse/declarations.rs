//! Declarations: `property: value;`.

use super::Parser;
use crate::LangError;
use crate::stylesheet::syntax::{Declaration, is_name_character};

impl Parser<'_> {
    pub(super) fn declaration(&mut self) -> Option<Declaration> {
        let start = self.at;
        let property = self
            .take_while(|c| is_name_character(c) || c == '.')
            .to_owned();
        let property_range = start..self.at;
        self.take_while(char::is_whitespace);
        if property.is_empty() || self.peek() != Some(':') {
            self.no_colon(start, &property);
            return None;
        }
        self.at += 1;
        self.take_while(|c| c.is_whitespace() && c != '\n');
        let value_start = self.at;
        let value = match self.peek() {
            Some(quote @ ('"' | '\'')) => self.quoted(quote),
            _ => self.bare_value(),
        };
        let value_range = value_start..self.at;
        if value.is_empty() && value_range.is_empty() {
            self.report(
                property_range.clone(),
                format!("`{property}` has no value; expected `{property}: value;`"),
            );
            return None;
        }
        self.after_value();
        Some(Declaration {
            property,
            property_range,
            value,
            value_range,
        })
    }

    /// A value up to `;`, `}` or the end of its line, without spaces at its end.
    pub(super) fn bare_value(&mut self) -> String {
        let value = bare_value(self.rest());
        self.at += value.len();
        value.to_owned()
    }

    /// After a value must come `;` or `}`.
    pub(super) fn after_value(&mut self) {
        let end = self.at;
        self.spaces();
        match self.peek() {
            Some(';') => self.at += 1,
            Some(_) if self.rule_begins() => {}
            Some('}') | None => {}
            Some(_) => {
                self.report_fix(
                    end..end,
                    "expected `;` after the value",
                    ("Add `;`", end..end, ";"),
                );
            }
        }
    }

    pub(super) fn no_colon(&mut self, start: usize, property: &str) {
        self.take_while(|c| !matches!(c, ';' | '}' | '{' | '\n'));
        if self.at == start {
            self.at += self.peek().map_or(0, char::len_utf8);
        }
        let written = self.text.get(start..self.at).unwrap_or_default().trim_end();
        let range = start..start + written.len();
        if self.peek() == Some(';') {
            self.at += 1;
        }
        let after = written
            .get(property.len()..)
            .unwrap_or_default()
            .trim_start();
        let error = LangError::new(
            range,
            format!("expected a declaration `property: value;`, found `{written}`"),
        );
        let error = match after.strip_prefix('=') {
            Some(value) if !property.is_empty() => {
                let equals = start + written.len() - value.len() - 1;
                error.with_fix("Replace `=` with `:`", equals..equals + 1, ":")
            }
            _ => error,
        };
        self.errors.push(error);
    }
}

/// The value without quotes at the beginning of `text`: up to `;`, a brace, a comment or the end of the line.
pub(in crate::stylesheet) fn bare_value(text: &str) -> &str {
    let end = text.find([';', '{', '}', '\n']).unwrap_or(text.len());
    let line = text.get(..end).unwrap_or_default();
    let value = line.find("/*").and_then(|comment| line.get(..comment));
    before_declaration(value.unwrap_or(line).trim_end())
}

/// A value up to what is a declaration of its own: in `small provider: other` a `;` is missing.
fn before_declaration(value: &str) -> &str {
    let spaces = value.match_indices([' ', '\t']);
    let next = spaces.map(|(at, _)| at).find(|at| {
        let rest = value.get(*at..).unwrap_or_default().trim_start();
        let name = rest
            .find(|c| !(is_name_character(c) || c == '.'))
            .unwrap_or(rest.len());
        let after = rest.get(name..).unwrap_or_default();
        name > 0 && (after.starts_with(": ") || after.starts_with(":\t"))
    });
    let end = next.unwrap_or(value.len());
    value.get(..end).unwrap_or(value).trim_end()
}
