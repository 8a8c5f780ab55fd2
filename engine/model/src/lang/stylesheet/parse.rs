//! Text → stylesheet. Total and linear; after a mistake it goes on with the next declaration or rule.

use std::ops::Range;

use super::{Declaration, Part, PartKind, Rule, Selector, Stylesheet, Weight, is_name_character};
use crate::lang::LangError;

/// Parses a stylesheet; ranges are bytes of `text`.
pub fn parse(text: &str) -> (Stylesheet, Vec<LangError>) {
    let mut parser = Parser {
        text,
        at: 0,
        errors: Vec::new(),
    };
    let mut rules = Vec::new();
    loop {
        parser.blanks();
        match parser.peek() {
            None => break,
            Some('}') => {
                let at = parser.at;
                parser.at += 1;
                parser.report_fix(
                    at..at + 1,
                    "this `}` closes nothing; remove it",
                    ("Remove `}`", at..at + 1, ""),
                );
            }
            Some(_) => rules.extend(parser.rule()),
        }
    }
    (Stylesheet { rules }, parser.errors)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    errors: Vec<LangError>,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// Blanks and comments.
    fn blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest().starts_with("/*") {
                return;
            }
            let start = self.at;
            if let Some(end) = self.rest().find("*/") {
                self.at += end + 2;
            } else {
                self.at = self.text.len();
                self.report(start..start + 2, "this comment is never closed; add `*/`");
            }
        }
    }

    fn report(&mut self, range: Range<usize>, message: impl Into<String>) {
        self.errors.push(LangError::new(range, message));
    }

    fn report_fix(&mut self, range: Range<usize>, message: &str, fix: (&str, Range<usize>, &str)) {
        self.errors
            .push(LangError::new(range, message).with_fix(fix.0, fix.1, fix.2));
    }

    fn rule(&mut self) -> Option<Rule> {
        let start = self.at;
        let selectors = self.selectors();
        if self.peek() != Some('{') {
            self.missing_block(start);
            return None;
        }
        let open = self.at;
        self.at += 1;
        let mut declarations = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                Some('}') => {
                    self.at += 1;
                    break;
                }
                Some(';') => self.at += 1,
                Some(_) if !self.rule_begins() => declarations.extend(self.declaration()),
                _ => {
                    let end = self
                        .text
                        .get(..self.at)
                        .unwrap_or_default()
                        .trim_end()
                        .len();
                    self.report_fix(
                        open..open + 1,
                        "this `{` is never closed; add `}`",
                        ("Close the rule", end..end, " }"),
                    );
                    break;
                }
            }
        }
        Some(Rule {
            selectors,
            declarations,
            range: start..self.at,
            weight: Weight::BySelector,
        })
    }

    /// Whether the next thing is a whole rule: its `{` comes before anything of a declaration.
    fn rule_begins(&self) -> bool {
        let rest = self.rest();
        rest.find(['{', ':', ';', '}'])
            .and_then(|at| rest.get(at..))
            .is_some_and(|rest| rest.starts_with('{'))
    }

    fn missing_block(&mut self, start: usize) {
        self.take_while(|c| !matches!(c, '{' | '}' | ';' | '\n'));
        let written = self.text.get(start..self.at).unwrap_or_default().trim_end();
        let end = start + written.len();
        self.report(
            start..end,
            format!("`{written}` is followed by no `{{ … }}`; a rule is a selector and what it sets: `.hard {{ model: large; }}`"),
        );
        // A stray character must not stop the parser.
        if self.at == start || self.peek() == Some(';') {
            self.at += self.peek().map_or(0, char::len_utf8);
        }
    }

    fn selectors(&mut self) -> Vec<Selector> {
        let mut selectors: Vec<Selector> = Vec::new();
        let mut apart: Option<LangError> = None;
        loop {
            self.blanks();
            let before = self.at;
            let known = self.errors.len();
            match self.selector() {
                Some(selector) => selectors.push(selector),
                None if self.errors.len() == known && matches!(self.peek(), Some('{' | ',')) => {
                    let end = self.at + 1;
                    self.report(
                        before..end,
                        "a selector is missing here: `*`, a shape or kind, `.class` or `#id`",
                    );
                }
                None => {}
            }
            let end = self.at;
            self.blanks();
            match self.peek() {
                Some(',') => self.at += 1,
                Some(c) if end > before && is_selector_start(c) => {
                    let message = "a blank between two selectors has no meaning here; write a comma, or join them";
                    let gap = end..self.at;
                    apart = Some(LangError::new(gap.clone(), message).with_fix(
                        "Add a comma",
                        gap,
                        ", ",
                    ));
                }
                // Without a rule the missing rule is the mistake, not the blank.
                Some('{') => {
                    self.errors.extend(apart);
                    return selectors;
                }
                _ => return selectors,
            }
        }
    }

    fn selector(&mut self) -> Option<Selector> {
        let start = self.at;
        let mut parts = Vec::new();
        while let Some(part) = self.part() {
            parts.push(part);
        }
        let range = start..self.at;
        (!parts.is_empty()).then_some(Selector { parts, range })
    }

    fn part(&mut self) -> Option<Part> {
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
    fn marked_name(&mut self, what: &str) -> Option<String> {
        let start = self.at;
        self.at += 1;
        let name = match self.peek() {
            Some(quote @ ('"' | '\'')) if what == "node ID" => self.quoted(quote),
            _ => self.take_while(is_name_character).to_owned(),
        };
        if name.is_empty() {
            self.report(
                start..self.at,
                format!("the name of a {what} is missing here"),
            );
            return None;
        }
        Some(name)
    }

    fn attribute(&mut self) -> Option<PartKind> {
        let start = self.at;
        self.at += 1;
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

    fn pattern(&mut self) -> String {
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

    /// A quoted text; without its second quote it ends with the line.
    fn quoted(&mut self, quote: char) -> String {
        let start = self.at;
        self.at += 1;
        let mut inner = self.take_while(|c| c != quote && c != '\n').to_owned();
        if self.peek() == Some(quote) {
            self.at += 1;
        } else {
            inner.truncate(inner.find([';', '{', '}', ']']).unwrap_or(inner.len()));
            inner.truncate(inner.trim_end().len());
            self.at = start + 1 + inner.len();
            self.report(
                start..self.at,
                format!("this {quote} opens a text that is never closed; add the second {quote}"),
            );
        }
        inner
    }

    fn declaration(&mut self) -> Option<Declaration> {
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
                format!("`{property}` has no value; write `{property}: value;`"),
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

    /// A value up to `;`, `}` or the end of its line, without blanks at its end.
    fn bare_value(&mut self) -> String {
        let rest = self.rest();
        let line = rest
            .get(..rest.find([';', '{', '}', '\n']).unwrap_or(rest.len()))
            .unwrap_or_default();
        let value = line
            .get(..line.find("/*").unwrap_or(line.len()))
            .unwrap_or_default()
            .trim_end();
        self.at += value.len();
        value.to_owned()
    }

    /// After a value must come `;` or `}`.
    fn after_value(&mut self) {
        let end = self.at;
        self.blanks();
        match self.peek() {
            Some(';') => self.at += 1,
            Some(_) if self.rule_begins() => {}
            Some('}') | None => {}
            Some(_) => {
                self.report_fix(
                    end..end,
                    "a `;` is missing after this value",
                    ("Add `;`", end..end, ";"),
                );
            }
        }
    }

    fn no_colon(&mut self, start: usize, property: &str) {
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
            format!("`{written}` is no declaration; write `property: value;`"),
        );
        let error = match after.strip_prefix('=') {
            Some(value) if !property.is_empty() => {
                let equals = start + written.len() - value.len() - 1;
                error.with_fix("Write `:` for `=`", equals..equals + 1, ":")
            }
            _ => error,
        };
        self.errors.push(error);
    }
}

fn is_selector_start(c: char) -> bool {
    is_name_character(c) || matches!(c, '*' | '.' | '#' | '[')
}
