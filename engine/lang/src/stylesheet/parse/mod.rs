//! Text → stylesheet. Total and linear; after an error it continues with the next declaration or rule.

use std::ops::Range;

use super::{Comment, Rule, Scope, Stylesheet, Weight};
use crate::LangError;

mod declarations;
pub(super) use declarations::bare_value;
mod selectors;

/// Parses a stylesheet; ranges are bytes of `text`.
pub fn parse(text: &str) -> (Stylesheet, Vec<LangError>) {
    let mut parser = Parser {
        text,
        at: 0,
        comments: Vec::new(),
        errors: Vec::new(),
    };
    let mut rules = Vec::new();
    loop {
        parser.spaces();
        match parser.peek() {
            None => break,
            Some('}') => {
                let at = parser.at;
                parser.at += 1;
                parser.report_fix(
                    at..at + 1,
                    "unmatched `}`; remove it",
                    ("Remove `}`", at..at + 1, ""),
                );
            }
            Some(_) => rules.extend(parser.rule()),
        }
    }
    let comments = parser.comments;
    (Stylesheet { rules, comments }, parser.errors)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    comments: Vec<Comment>,
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

    /// Spaces and comments.
    fn spaces(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest().starts_with("/*") {
                return;
            }
            let start = self.at;
            if let Some(end) = self.rest().find("*/") {
                self.at += end + 2;
                let range = start..self.at;
                let text = self.text.get(range.clone()).unwrap_or_default().to_owned();
                // A place may be looked at twice after an error.
                if self
                    .comments
                    .last()
                    .is_none_or(|last| last.range.end <= start)
                {
                    self.comments.push(Comment { text, range });
                }
            } else {
                self.at = self.text.len();
                self.report(start..start + 2, "unclosed comment; add `*/`");
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
            self.spaces();
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
                        "unclosed `{`; add `}`",
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
            scope: Scope::default(),
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
            format!("expected `{{ … }}` after `{written}`; a rule is a selector and its declarations, `.hard {{ model: large; }}`"),
        );
        // A stray character must not stop the parser.
        if self.at == start || self.peek() == Some(';') {
            self.at += self.peek().map_or(0, char::len_utf8);
        }
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
                format!("unclosed {quote}; add the closing {quote}"),
            );
        }
        inner
    }
}
