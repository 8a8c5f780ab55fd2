//! Braces that were never closed, never opened, or are too many.

use crate::error::{self, AtEnd, ErrorSink};
use crate::parse::lines;
use crate::{TextRange, Token, TokenKind};

/// The tokens with every `{` matched by a `}`, and every graph header followed by a `{`.
pub(super) fn match_braces(text: &str, tokens: &[Token], errors: &mut ErrorSink<'_>) -> Vec<Token> {
    let count = |kind| tokens.iter().filter(|token| token.kind == kind).count();
    let (opened, closed) = (count(TokenKind::LeftBrace), count(TokenKind::RightBrace));
    let mut braces = BraceMatcher {
        text,
        tokens,
        errors,
        out: Vec::with_capacity(tokens.len() + 2),
        stack: Vec::new(),
        line: 0,
        indent: 0,
        unclosed: opened.saturating_sub(closed),
        surplus: closed.saturating_sub(opened),
    };
    for (at, &token) in tokens.iter().enumerate() {
        braces.next(at, token);
    }
    braces.finish()
}

/// A `{` that waits for its `}`.
struct Open {
    range: TextRange,
    /// Which line it is on.
    line: usize,
    /// Indentation of its line.
    indent: usize,
    /// Whether what it holds is indented deeper, so that a lesser indentation shows its end.
    /// `None` until a line inside begins.
    is_indented: Option<bool>,
}

struct BraceMatcher<'a, 't> {
    text: &'a str,
    tokens: &'a [Token],
    errors: &'a mut ErrorSink<'t>,
    out: Vec<Token>,
    stack: Vec<Open>,
    /// How many tokens so far began a line, or hold a line end.
    line: usize,
    /// Indentation of the line one is on.
    indent: usize,
    /// How many `}` are missing.
    unclosed: usize,
    /// How many `}` are too many, or how many `{` are missing.
    surplus: usize,
}

impl BraceMatcher<'_, '_> {
    fn next(&mut self, at: usize, token: Token) {
        let indent = self.indent_if_first(at);
        if let Some(indent) = indent {
            self.line += 1;
            self.indent = indent;
            self.close_by_indentation(token, indent);
        }
        let may_hold_lines = token.kind.is_id() && token.kind != TokenKind::Name;
        if may_hold_lines && lines::ends_between(self.text, token.range.start(), token.range.end())
        {
            self.line += 1;
            self.indent = lines::indentation(self.text, token.range.end());
        }
        match token.kind {
            TokenKind::LeftBrace if self.unclosed > 0 && self.opens_no_block(at) => {
                self.unclosed -= 1;
                self.errors
                    .push(|text| error::stray_opener(text, token.range));
                return;
            }
            TokenKind::LeftBrace => {
                self.stack.push(Open {
                    range: token.range,
                    line: self.line,
                    indent: self.indent,
                    is_indented: None,
                });
            }
            TokenKind::RightBrace => return self.close(at, token),
            TokenKind::Digraph | TokenKind::Graph | TokenKind::Strict
                if indent == Some(0) && self.begins_graph(at) =>
            {
                while !self.stack.is_empty() {
                    self.close_unclosed(token.range);
                }
            }
            _ => {}
        }
        self.out.push(token);
        self.open_missing(at);
    }

    /// Lets the indentation of a line's first token show which block is over.
    fn close_by_indentation(&mut self, token: Token, indent: usize) {
        let depth = self.stack.len();
        let Some(top) = self.stack.last_mut() else {
            return;
        };
        if token.range.start() == top.range.start() {
            return;
        }
        let closes = token.kind == TokenKind::RightBrace;
        match top.is_indented {
            None if !closes => {
                let same_line = self.out.last().is_some_and(|last| last.range != top.range);
                top.is_indented = Some(indent > top.indent || same_line);
                if indent > top.indent || !same_line {
                    return;
                }
            }
            Some(false) => return,
            _ => {}
        }
        let over = if closes {
            indent < top.indent
        } else {
            indent <= top.indent
        };
        if over && self.unclosed > 0 && depth > 1 {
            let deeper_matches = !closes
                || self
                    .stack
                    .iter()
                    .rev()
                    .skip(1)
                    .any(|open| open.indent == indent);
            if deeper_matches {
                self.unclosed -= 1;
                self.close_unclosed(token.range);
                self.close_by_indentation(token, indent);
            }
        }
    }

    fn close(&mut self, at: usize, token: Token) {
        let Some(top) = self.stack.last() else {
            self.errors.push_garbage(token.range, error::stray_closer);
            self.surplus = self.surplus.saturating_sub(1);
            return;
        };
        if self.surplus > 0 {
            let same_line = top.line == self.line;
            let ends_file = self
                .tokens
                .get(at + 1)
                .is_none_or(|next| next.kind != TokenKind::Subgraph && self.begins_graph(at + 1));
            let closes_graph = self.stack.len() == 1;
            if (!same_line && self.indent != top.indent && !ends_file)
                || (closes_graph && !ends_file)
            {
                self.surplus -= 1;
                self.errors.push_garbage(token.range, error::stray_closer);
                return;
            }
        }
        self.stack.pop();
        self.out.push(token);
    }

    /// Closes the innermost block before the token at `before`.
    fn close_unclosed(&mut self, before: TextRange) {
        let Some(open) = self.stack.pop() else { return };
        let end = self
            .out
            .last()
            .map_or(before.start(), |last| last.range.end());
        self.out.push(Token {
            kind: TokenKind::RightBrace,
            range: TextRange::empty(end),
        });
        self.errors
            .push(|_| error::unclosed_brace(open.range, before, AtEnd::OfBlock));
    }

    /// Puts in the `{` a header lacks: a graph's always, a subgraph's if there is a `}` too many.
    fn open_missing(&mut self, at: usize) {
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind);
        let is_id = |kind: Option<TokenKind>| kind.is_some_and(TokenKind::is_id);
        if kind(at + 1) == Some(TokenKind::LeftBrace) {
            return;
        }
        let header = match kind(at) {
            Some(keyword @ (TokenKind::Graph | TokenKind::Digraph | TokenKind::Subgraph)) => {
                let named_next = is_id(kind(at + 1)) && !is_header_like(kind(at + 2));
                (!named_next || kind(at + 2).is_none()).then_some(keyword)
            }
            here if is_id(here) => at.checked_sub(1).and_then(kind).filter(|keyword| {
                matches!(
                    keyword,
                    TokenKind::Graph | TokenKind::Digraph | TokenKind::Subgraph
                )
            }),
            _ => None,
        };
        let brace_near = (2..4).any(|ahead| kind(at + ahead) == Some(TokenKind::LeftBrace));
        let missing = match header {
            Some(TokenKind::Graph | TokenKind::Digraph) => {
                self.stack.is_empty() && !(brace_near && self.unclosed == 0)
            }
            Some(_) => self.surplus > 0,
            None => false,
        };
        let Some(here) = self.tokens.get(at).filter(|_| missing) else {
            return;
        };
        self.surplus = self.surplus.saturating_sub(1);
        let range = TextRange::empty(here.range.end());
        self.out.push(Token {
            kind: TokenKind::LeftBrace,
            range,
        });
        self.errors
            .push(|text| error::missing_open_brace(text, here.range));
        self.stack.push(Open {
            range,
            line: self.line,
            indent: self.indent,
            is_indented: None,
        });
    }

    /// Whether the `{` at `at` is for a value, or what follows it can begin no statement.
    fn opens_no_block(&self, at: usize) -> bool {
        let behind_equals = self
            .out
            .last()
            .is_some_and(|last| last.kind == TokenKind::Equals);
        let before_graph = self
            .out
            .last()
            .is_none_or(|last| last.kind == TokenKind::RightBrace)
            && self.stack.is_empty()
            && self.begins_header(at + 1);
        if behind_equals || before_graph {
            return true;
        }
        !self.stack.is_empty()
            && self.tokens.get(at + 1).is_some_and(|next| {
                matches!(
                    next.kind,
                    TokenKind::LeftBracket
                        | TokenKind::Equals
                        | TokenKind::Comma
                        | TokenKind::Semicolon
                        | TokenKind::Colon
                        | TokenKind::Arrow
                        | TokenKind::Line
                )
            })
    }

    /// Whether a keyword of graphs is at `at`, and more of a header after it.
    fn begins_header(&self, at: usize) -> bool {
        let keyword = self.tokens.get(at).is_some_and(|token| {
            matches!(
                token.kind,
                TokenKind::Strict | TokenKind::Graph | TokenKind::Digraph
            )
        });
        keyword && self.begins_graph(at)
    }

    /// Whether `digraph name {` or the like begins at `at`, and not `graph [..]`.
    fn begins_graph(&self, at: usize) -> bool {
        let kinds = self.tokens.iter().skip(at).take(4).map(|token| token.kind);
        let after = kinds
            .skip_while(|kind| kind.is_keyword())
            .find(|kind| !kind.is_id());
        after == Some(TokenKind::LeftBrace)
    }

    /// The indentation of the line `tokens[at]` begins, if it does begin one.
    fn indent_if_first(&self, at: usize) -> Option<usize> {
        let start = self.tokens.get(at)?.range.start();
        let end = at
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before))
            .map_or(0, |before| before.range.end());
        (at == 0 || lines::ends_between(self.text, end, start))
            .then(|| lines::indentation(self.text, start))
    }

    fn finish(mut self) -> Vec<Token> {
        let end = TextRange::empty(self.text.trim_end().len());
        let after = TextRange::empty(self.out.last().map_or(0, |last| last.range.end()));
        while let Some(open) = self.stack.pop() {
            self.out.push(Token {
                kind: TokenKind::RightBrace,
                range: after,
            });
            if !open.range.is_empty() {
                self.errors
                    .push(|_| error::unclosed_brace(open.range, end, AtEnd::OfText));
            }
        }
        self.out
    }
}

/// Whether what follows `graph name` shows that it is no header: `graph name = [..]`.
fn is_header_like(kind: Option<TokenKind>) -> bool {
    matches!(
        kind,
        Some(TokenKind::Equals | TokenKind::Arrow | TokenKind::Line)
    )
}
