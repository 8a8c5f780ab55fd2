//! Lists that were never closed, or never opened.

use super::lines::{self, work};
use super::words::{LONGEST_RUN, glues};
use crate::error::{self, Mistakes};
use crate::{TextRange, Token, TokenKind};

/// The tokens with every `[` matched by a `]`.
pub(super) fn close_lists(text: &str, tokens: &[Token], errors: &mut Mistakes<'_>) -> Vec<Token> {
    let mut lists = Lists {
        text,
        tokens,
        errors,
        out: Vec::with_capacity(tokens.len()),
        open: None,
        depth: 0,
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
const LOOK_BACK: usize = 1024;

/// So long a line is looked at for the end of a list.
const LONGEST_LINE: usize = 4096;

struct Lists<'a, 't> {
    text: &'a str,
    tokens: &'a [Token],
    errors: &'a mut Mistakes<'t>,
    out: Vec<Token>,
    /// The `[` of the list that is open, by its place in `out`.
    open: Option<usize>,
    /// How many braces are open.
    depth: usize,
}

impl Lists<'_, '_> {
    fn next(&mut self, at: usize, token: Token) {
        match (token.kind, self.open) {
            (TokenKind::LeftBracket, None) if self.is_in_header(at) => {
                return self.out.push(Token {
                    kind: TokenKind::Unknown,
                    range: token.range,
                });
            }
            (TokenKind::LeftBracket, None) => self.open = Some(self.out.len()),
            (TokenKind::RightBracket, Some(_)) => self.open = None,
            (TokenKind::RightBracket, None) => return self.close_nothing(token),
            (TokenKind::LeftBracket, Some(open)) => {
                let begin = self.statement_before();
                if begin == open + 1 || begin == self.out.len() {
                    let outer = self.out.get(open).map_or(token.range, |open| open.range);
                    self.errors.push(error::bracket_in_list(token.range, outer));
                    return;
                }
                self.close_before(begin);
                self.open = Some(self.out.len());
            }
            (TokenKind::Arrow | TokenKind::Line, Some(_)) if !self.goes_on(at) => {
                self.close_before(self.statement_before());
            }
            (TokenKind::LeftBrace | TokenKind::RightBrace, Some(_)) if !self.goes_on(at) => {
                let begin = if token.kind == TokenKind::LeftBrace {
                    self.header_before()
                } else {
                    self.out.len()
                };
                self.close_before(begin);
            }
            // In a list that goes on they are no braces and operators; mending says so.
            (
                TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::Arrow | TokenKind::Line,
                Some(_),
            ) => {
                self.out.push(Token {
                    kind: TokenKind::Unknown,
                    range: token.range,
                });
                return;
            }
            _ => {}
        }
        match token.kind {
            TokenKind::LeftBrace => self.depth += 1,
            TokenKind::RightBrace => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.out.push(token);
    }

    /// Whether the list goes on behind `tokens[at]`, which has no place in it.
    fn goes_on(&self, at: usize) -> bool {
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind);
        let before = self.out.last().map(|token| token.kind);
        let heads_block = kind(at) == Some(TokenKind::LeftBrace)
            && (before == Some(TokenKind::Subgraph)
                || self
                    .out
                    .len()
                    .checked_sub(2)
                    .and_then(|at| self.out.get(at))
                    .map(|token| token.kind)
                    == Some(TokenKind::Subgraph));
        let alone = kind(at) == Some(TokenKind::RightBrace)
            && self.breaks_before(at)
            && self.breaks_before(at + 1);
        let like_list = match kind(at + 1) {
            Some(TokenKind::Comma | TokenKind::RightBracket | TokenKind::Equals) => true,
            // `name=value`, or the rest of `human.default_choice=value`.
            Some(next) if next.is_id() || next == TokenKind::Dot => {
                kind(self.run_end(at + 1)) == Some(TokenKind::Equals)
            }
            _ => false,
        };
        (like_list && !heads_block && !alone)
            || self.precedes_value(at)
            || self.closed_on_this_line(at)
    }

    /// Where the run of glued tokens that begins with `tokens[at]` ends: `human.default_choice`.
    fn run_end(&self, at: usize) -> usize {
        let run = self.tokens.get(at..).unwrap_or_default();
        let glued = run
            .array_windows()
            .take(LONGEST_RUN)
            .take_while(|[before, token]| {
                before.range.end() == token.range.start() && glues(token.kind)
            });
        let count = glued.count();
        work::count(count);
        at + 1 + count
    }

    /// Where in `out` the run of glued tokens begins that ends before `out[end]`, if it is a name or value.
    fn run_begin(&self, end: usize) -> Option<usize> {
        let run = self.out.get(..end)?;
        let last = run.last()?;
        let is_run = last.kind.is_id() || glues(last.kind);
        let glued = run
            .array_windows()
            .rev()
            .take(LONGEST_RUN)
            .take_while(|[before, token]| {
                before.range.end() == token.range.start()
                    && glues(token.kind)
                    && (before.kind.is_id() || glues(before.kind))
            });
        let count = glued.count();
        work::count(count);
        is_run.then(|| end - 1 - count)
    }

    /// Where in `out` the `key=value` begins that ends before `out[end]`.
    fn pair_begin(&self, end: usize) -> Option<usize> {
        let equals = self.run_begin(end)?.checked_sub(1)?;
        self.out
            .get(equals)
            .filter(|token| token.kind == TokenKind::Equals)?;
        self.run_begin(equals)
    }

    /// Whether `tokens[at]` stands between a `=` and its value, behind which the list goes on.
    fn precedes_value(&self, at: usize) -> bool {
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind);
        let behind_equals = self.out.last().map(|token| token.kind) == Some(TokenKind::Equals);
        let behind = self.run_end(at + 1);
        let goes_on = match kind(behind) {
            Some(TokenKind::Comma | TokenKind::Semicolon | TokenKind::RightBracket) => true,
            Some(next) => next.is_id() && kind(self.run_end(behind)) == Some(TokenKind::Equals),
            None => false,
        };
        behind_equals && goes_on && kind(at + 1).is_some_and(TokenKind::is_id)
    }

    /// Whether the `[` at `tokens[at]` stands in the header of a graph: `digraph [ name {`.
    fn is_in_header(&self, at: usize) -> bool {
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind);
        let is_header = |kind: TokenKind| {
            matches!(
                kind,
                TokenKind::Strict | TokenKind::Graph | TokenKind::Digraph
            )
        };
        let mut before = self.out.iter().rev().map(|token| token.kind);
        let behind_keyword = match before.next() {
            Some(name) if name.is_id() => before.next().is_some_and(is_header),
            other => other.is_some_and(is_header),
        };
        let named = kind(at + 1).is_some_and(TokenKind::is_id);
        self.depth == 0
            && behind_keyword
            && kind(at + 1 + usize::from(named)) == Some(TokenKind::LeftBrace)
    }

    /// Whether `tokens[at]` stands on a later line than the token before it.
    fn breaks_before(&self, at: usize) -> bool {
        let end = at
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before))
            .map_or(0, |before| before.range.end());
        let start = self
            .tokens
            .get(at)
            .map_or(self.text.len(), |token| token.range.start());
        lines::ends_between(self.text, end, start)
    }

    /// Whether the list that is open is closed before its line and the line of `tokens[at]` end.
    fn closed_on_this_line(&self, at: usize) -> bool {
        let mut rest = self.tokens.iter().skip(at).take(64);
        let mut end = self.tokens.get(at).map_or(0, |token| token.range.end());
        let open = self
            .open
            .and_then(|open| self.out.get(open))
            .map_or(0, |open| open.range.end());
        if end - open > LONGEST_LINE || lines::ends_between(self.text, open, end) {
            return false;
        }
        rest.find_map(|token| {
            let on_next_line = lines::ends_between(self.text, end, token.range.start());
            end = token.range.end();
            match token.kind {
                _ if on_next_line => Some(false),
                TokenKind::RightBracket => Some(true),
                TokenKind::LeftBracket => Some(false),
                _ => None,
            }
        })
        .unwrap_or(false)
    }

    /// Where in `out` the statement begins whose `[` or operator comes next: its node and port.
    fn statement_before(&self) -> usize {
        let kind = |at: usize| self.out.get(at).map(|token| token.kind);
        let mut at = self.out.len();
        let open = self.open.unwrap_or(0);
        let is_id =
            |kind: Option<TokenKind>| kind.is_some_and(|kind| kind.is_id() || kind.is_keyword());
        // A node has a name and at most two ports.
        for _ in 0..3 {
            if at <= open + 1 || !is_id(kind(at - 1)) {
                break;
            }
            work::count(1);
            at -= 1;
            if at > open + 2 && kind(at - 1) == Some(TokenKind::Colon) && is_id(kind(at - 2)) {
                at -= 1;
                continue;
            }
            break;
        }
        // Behind a `=` it is the value of a pair, unless that value is missing and a line begins.
        if kind(at.saturating_sub(1)) == Some(TokenKind::Equals) && !self.begins_line(at) {
            return self.out.len();
        }
        at
    }

    /// Where in `out` `subgraph name` begins, before a `{` that comes next.
    fn header_before(&self) -> usize {
        let kind = |at: usize| self.out.get(at).map(|token| token.kind);
        let end = self.out.len();
        match (
            end.checked_sub(2).and_then(kind),
            end.checked_sub(1).and_then(kind),
        ) {
            (Some(TokenKind::Subgraph), _) => end - 2,
            (_, Some(TokenKind::Subgraph)) => end - 1,
            _ => end,
        }
    }

    fn begins_line(&self, at: usize) -> bool {
        let range = |at: usize| self.out.get(at).map(|token| token.range);
        let (Some(before), Some(here)) = (at.checked_sub(1).and_then(range), range(at)) else {
            return false;
        };
        lines::ends_between(self.text, before.end(), here.start())
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
        self.errors.push(error::unclosed_bracket(range, end));
    }

    /// The `]` before which the list was closed by mistake, if what follows it reads like the rest of
    /// the list: `[label] = x, y = z ]`.
    fn closed_too_early(&self) -> Option<usize> {
        let like_list = |kind: TokenKind| {
            kind.is_id()
                || matches!(
                    kind,
                    TokenKind::Equals | TokenKind::Comma | TokenKind::Semicolon
                )
        };
        let near = self.out.len().saturating_sub(LOOK_BACK);
        let rest = self.out.get(near..)?;
        work::count(rest.len());
        let early = near + rest.iter().rposition(|token| !like_list(token.kind))?;
        let close = self
            .out
            .get(early)
            .filter(|token| token.kind == TokenKind::RightBracket && !token.range.is_empty())?;
        let next = self.out.get(early + 1)?;
        let same_line = !lines::ends_between(self.text, close.range.end(), next.range.start());
        let rest = self.out.get(early + 1..)?;
        let holds_pair = rest.iter().any(|token| token.kind == TokenKind::Equals);
        (same_line && holds_pair).then_some(early)
    }

    /// A `]` without a `[`: if what stands before it reads like the inside of a list, that is where one begins.
    fn close_nothing(&mut self, close: Token) {
        let kind = |at: usize| self.out.get(at).map(|token| token.kind);
        let mut begin = self.out.len();
        let near = begin.saturating_sub(LOOK_BACK);
        while begin > near {
            work::count(4);
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
            self.errors.push(error::stray_closer(self.text, range));
            return self.out.push(close);
        }
        let owner = begin.checked_sub(1).and_then(kind);
        let belongs = owner.is_some_and(|owner| {
            owner.is_id() || owner.is_keyword() || owner == TokenKind::RightBracket
        });
        if begin == self.out.len() || !belongs {
            self.errors
                .push(error::stray_closer(self.text, close.range));
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
            .push(error::missing_open_bracket(close.range, at));
    }
}
