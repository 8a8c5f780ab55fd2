//! Selectors: `*`, names, `.class`, `#id`, `[attribute=pattern]`, joined and listed.

use super::Parser;
use crate::LangError;
use crate::stylesheet::syntax::{Part, PartKind, Selector, is_name_character};

impl Parser<'_> {
    pub(super) fn selectors(&mut self) -> Vec<Selector> {
        let mut selectors: Vec<Selector> = Vec::new();
        let mut apart: Option<LangError> = None;
        loop {
            self.spaces();
            let before = self.at;
            let known = self.errors.len();
            match self.selector() {
                Some(selector) => selectors.push(selector),
                None if self.errors.len() == known && matches!(self.peek(), Some('{' | ',')) => {
                    let end = self.at + 1;
                    self.report(
                        before..end,
                        "expected a selector: `*`, a shape or kind, `.class` or `#id`",
                    );
                }
                None => {}
            }
            let end = self.at;
            self.spaces();
            match self.peek() {
                Some(',') => self.at += 1,
                Some(c) if end > before && is_selector_start(c) => {
                    let message = "unexpected space between selectors; write a comma, or join them";
                    let gap = end..self.at;
                    apart = Some(LangError::new(gap.clone(), message).with_fix(
                        "Add a comma",
                        gap,
                        ", ",
                    ));
                }
                // Without a rule the missing rule is the error, not the blank.
                Some('{') => {
                    self.errors.extend(apart);
                    return selectors;
                }
                _ => return selectors,
            }
        }
    }

    pub(super) fn selector(&mut self) -> Option<Selector> {
        let start = self.at;
        let mut parts = Vec::new();
        while let Some(part) = self.part() {
            parts.push(part);
        }
        let range = start..self.at;
        (!parts.is_empty()).then_some(Selector { parts, range })
    }

    pub(super) fn part(&mut self) -> Option<Part> {
        let start = self.at;
        let kind = match self.peek()? {
            '*' => {
                self.at += 1;
                PartKind::Any
            }
            '.' => PartKind::Class(self.marked_name("class")?),
            '#' => PartKind::Id(self.marked_name("node ID")?),
            '[' => self.attribute()?,
            c if is_name_character(c) => {
                PartKind::Name(self.take_while(is_name_character).to_owned())
            }
            _ => return None,
        };
        Some(Part {
            kind,
            range: start..self.at,
        })
    }

    /// A name after `.` or `#`; an ID may be quoted.
    pub(super) fn marked_name(&mut self, what: &str) -> Option<String> {
        let start = self.at;
        self.at += 1;
        let name = match self.peek() {
            Some(quote @ ('"' | '\'')) if what == "node ID" => self.quoted(quote),
            _ => self.take_while(is_name_character).to_owned(),
        };
        if name.is_empty() {
            self.report(start..self.at, format!("expected the name of a {what}"));
            return None;
        }
        Some(name)
    }

    pub(super) fn attribute(&mut self) -> Option<PartKind> {
        let start = self.at;
        self.at += 1;
        self.take_while(char::is_whitespace);
        let name = self
            .take_while(|c| is_name_character(c) || c == '.')
            .to_owned();
        self.take_while(char::is_whitespace);
        let equals = self.peek() == Some('=');
        if equals {
            self.at += 1;
            self.take_while(char::is_whitespace);
        }
        let value = match self.peek() {
            Some(quote @ ('"' | '\'')) => self.quoted(quote),
            // A pattern may hold a set in brackets; the last `]` before the blank, `{` or `,` closes.
            _ => self.pattern(),
        };
        self.take_while(char::is_whitespace);
        if self.peek() == Some(']') && equals && !name.is_empty() {
            self.at += 1;
            return Some(PartKind::Attribute { name, value });
        }
        self.take_while(|c| !matches!(c, ']' | '{' | '}' | ','));
        if self.peek() == Some(']') {
            self.at += 1;
        }
        self.report(
            start..self.at,
            "write `[name=pattern]` or `[attribute=value]`",
        );
        None
    }

    pub(super) fn pattern(&mut self) -> String {
        let rest = self.rest();
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | ','))
            .unwrap_or(rest.len());
        let stretch = rest.get(..end).unwrap_or_default();
        // `[name=a]` ends at its first `]`, `[name=step[0-9]]` at the one after its set.
        let mut sets = 0_u32;
        let close = stretch.char_indices().find_map(|(at, c)| {
            match c {
                '[' => sets += 1,
                ']' if sets == 0 => return Some(at),
                ']' => sets -= 1,
                _ => {}
            }
            None
        });
        let length = close.or_else(|| stretch.rfind(']')).unwrap_or(end);
        self.at += length;
        rest.get(..length).unwrap_or_default().to_owned()
    }
}

fn is_selector_start(c: char) -> bool {
    is_name_character(c) || matches!(c, '*' | '.' | '#' | '[')
}
