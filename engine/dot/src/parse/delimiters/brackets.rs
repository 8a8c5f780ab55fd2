//! Brackets that were never closed, or never opened.

mod lookahead;

use crate::error::{self, ErrorSink};
use crate::{TextRange, Token, TokenKind};

/// The tokens with every `[` matched by a `]`.
pub(super) fn close_lists(text: &str, tokens: &[Token], errors: &mut ErrorSink<'_>) -> Vec<Token> {
    let count = |kind| tokens.iter().filter(|token| token.kind == kind).count();
    let (opened, closed) = (
        count(TokenKind::LeftBracket),
        count(TokenKind::RightBracket),
    );
    let mut lists = BracketMatcher {
        text,
        tokens,
        errors,
        out: Vec::with_capacity(tokens.len()),
        open: None,
        depth: 0,
        surplus: closed.saturating_sub(opened),
        braces: count(TokenKind::LeftBrace)
            .cast_signed()
            .saturating_sub(count(TokenKind::RightBrace).cast_signed()),
        crossed: None,
    };
    for (at, &token) in tokens.iter().enumerate() {
        lists.next(at, token);
    }
    if lists.open.is_some() {
        lists.close_before(lists.out.len());
    }
    lists.out
}

/// So many tokens before a `]` are looked at for the beginning of its list.
const MAX_LOOK_BACK: usize = 1024;

/// So long a line is looked at for the end of a list.
const LONGEST_LINE: usize = 4096;

struct BracketMatcher<'a, 't> {
    text: &'a str,
    tokens: &'a [Token],
    errors: &'a mut ErrorSink<'t>,
    out: Vec<Token>,
    /// The `[` of the list that is open, by its place in `out`.
    open: Option<usize>,
    /// How many braces are open.
    depth: usize,
    /// How many `]` are too many.
    surplus: usize,
    /// How many `}` are missing; less than none if there are too many.
    braces: isize,
    /// A `]` that was reported already.
    crossed: Option<TextRange>,
}

/// What became of a token.
#[derive(Clone, Copy, PartialEq)]
enum BracketDecision {
    Keep,
    Drop,
    /// Kept as something that fits nowhere.
    Misplaced,
}

impl BracketMatcher<'_, '_> {
    fn next(&mut self, at: usize, token: Token) {
        let decision = match self.open {
            Some(open) => self.in_list(at, token, open),
            None => self.outside(at, token),
        };
        if decision == BracketDecision::Drop {
            return;
        }
        match token.kind {
            _ if decision == BracketDecision::Misplaced => {
                return self.out.push(Token {
                    kind: TokenKind::Unknown,
                    range: token.range,
                });
            }
            TokenKind::LeftBrace => self.depth += 1,
            TokenKind::RightBrace => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.out.push(token);
    }

    fn outside(&mut self, at: usize, token: Token) -> BracketDecision {
        match token.kind {
            TokenKind::LeftBracket if self.is_in_header(at) => return BracketDecision::Misplaced,
            TokenKind::LeftBracket => self.open = Some(self.out.len()),
            TokenKind::RightBracket => {
                self.unmatched_closer(token);
                return BracketDecision::Drop;
            }
            _ => {}
        }
        BracketDecision::Keep
    }

    fn in_list(&mut self, at: usize, token: Token, open: usize) -> BracketDecision {
        match token.kind {
            TokenKind::RightBracket if self.surplus > 0 && self.precedes_value(at) => {
                self.surplus -= 1;
                self.errors.push_garbage(token.range, error::stray_closer);
                return BracketDecision::Drop;
            }
            TokenKind::RightBracket => self.open = None,
            TokenKind::LeftBracket => return self.list_in_list(at, token, open),
            TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::Arrow | TokenKind::Line => {
                return self.not_in_list(at, token, open);
            }
            _ => {}
        }
        BracketDecision::Keep
    }

    /// A `[` in the list that is open: one of the two is too many, or the first was never closed.
    fn list_in_list(&mut self, at: usize, token: Token, open: usize) -> BracketDecision {
        let begin = self.statement_before();
        let before_equals = self
            .tokens
            .get(at + 1)
            .is_some_and(|next| next.kind == TokenKind::Equals);
        if begin == self.out.len() || before_equals {
            let outer = self.out.get(open).map_or(token.range, |open| open.range);
            self.errors
                .push(|_| error::bracket_in_list(token.range, outer));
            return BracketDecision::Drop;
        }
        self.end_list(open, begin);
        self.open = Some(self.out.len());
        BracketDecision::Keep
    }

    /// A brace or an operator in the list that is open.
    fn not_in_list(&mut self, at: usize, token: Token, open: usize) -> BracketDecision {
        let crossed = self.is_crossed(at);
        if !crossed && self.list_continues(at) {
            // It is no brace and no operator there; recovery says so.
            return BracketDecision::Misplaced;
        }
        match token.kind {
            TokenKind::LeftBrace => self.close_before(self.header_before()),
            TokenKind::RightBrace if crossed => self.close_crossed(at, token),
            TokenKind::RightBrace => self.close_before(self.out.len()),
            _ => self.end_list(open, self.statement_before()),
        }
        BracketDecision::Keep
    }

    /// Ends the open list before the statement that begins at `out[begin]`. If nothing else is in
    /// it, it was no list.
    fn end_list(&mut self, open: usize, begin: usize) {
        let alone = begin == open + 1 && (begin == self.out.len() || !self.begins_line(begin));
        if !alone {
            return self.close_before(begin);
        }
        self.open = None;
        if open < self.out.len() {
            let range = self.out.remove(open).range;
            self.errors.push(|text| error::stray_opener(text, range));
        }
    }

    /// Closes the open list before the `}` at `tokens[at]`, although its `]` comes just after.
    fn close_crossed(&mut self, at: usize, brace: Token) {
        let Some(bracket) = self.tokens.get(at + 1).map(|next| next.range) else {
            return;
        };
        self.crossed = Some(bracket);
        self.open = None;
        self.out.push(Token {
            kind: TokenKind::RightBracket,
            range: TextRange::empty(brace.range.start()),
        });
        self.errors
            .push(|text| error::crossed_closers(text, brace.range, bracket));
    }

    /// Closes the open list before `out[at]`, at the end of the token before.
    fn close_before(&mut self, at: usize) {
        let Some(open) = self.open.take() else { return };
        let end = at
            .checked_sub(1)
            .and_then(|before| self.out.get(before))
            .map_or(0, |before| before.range.end());
        self.out.insert(
            at,
            Token {
                kind: TokenKind::RightBracket,
                range: TextRange::empty(end),
            },
        );
        let range = self
            .out
            .get(open)
            .map_or(TextRange::empty(end), |open| open.range);
        self.errors.push(|_| error::unclosed_bracket(range, end));
    }

    /// A `]` without a `[`: if what is before it reads like the inside of a list, that is where one begins.
    fn unmatched_closer(&mut self, close: Token) {
        if self.crossed == Some(close.range) {
            return;
        }
        let kind = |at: usize| self.out.get(at).map(|token| token.kind);
        let mut begin = self.out.len();
        let near = begin.saturating_sub(MAX_LOOK_BACK);
        while begin > near {
            let separated = matches!(
                begin.checked_sub(1).and_then(kind),
                Some(TokenKind::Comma | TokenKind::Semicolon)
            );
            let end = begin - usize::from(separated);
            let Some(pair) = self.pair_begin(end) else {
                break;
            };
            begin = pair;
        }
        if let Some(early) = self.closed_too_early() {
            let range = self.out.remove(early).range;
            self.errors.push_garbage(range, error::stray_closer);
            return self.out.push(close);
        }
        let owner = begin.checked_sub(1).and_then(kind);
        let belongs = owner.is_some_and(|owner| {
            owner.is_id() || owner.is_keyword() || owner == TokenKind::RightBracket
        });
        if begin == self.out.len() || !belongs {
            self.errors.push_garbage(close.range, error::stray_closer);
            return;
        }
        let at = self.out.get(begin).map_or(0, |first| first.range.start());
        self.out.insert(
            begin,
            Token {
                kind: TokenKind::LeftBracket,
                range: TextRange::empty(at),
            },
        );
        self.out.push(close);
        self.errors
            .push(|_| error::missing_open_bracket(close.range, at));
    }
}
