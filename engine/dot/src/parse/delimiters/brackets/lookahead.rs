//! What the tokens around a bracket show; looks only, and no further than bounds allow.

use super::{BracketMatcher, LONGEST_LINE, MAX_LOOK_BACK};
use crate::TokenKind;
use crate::parse::lines;
use crate::parse::statement_tokens::{LONGEST_RUN, glues};

impl BracketMatcher<'_, '_> {
    /// Whether the list continues after `tokens[at]`, which has no place in it.
    pub(super) fn list_continues(&self, at: usize) -> bool {
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
        // While the count of braces is right, each is one.
        let too_many = match kind(at) {
            Some(TokenKind::LeftBrace) => self.braces > 0,
            Some(TokenKind::RightBrace) => self.braces < 0,
            _ => true,
        };
        (like_list && too_many && !heads_block && !alone)
            || self.precedes_value(at)
            || self.closed_on_this_line(at)
    }

    /// Whether `tokens[at]` is a `}` that is needed, and the `]` of the list that is open comes after it.
    pub(super) fn is_crossed(&self, at: usize) -> bool {
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind);
        self.braces >= 0
            && self.depth > 0
            && kind(at) == Some(TokenKind::RightBrace)
            && kind(at + 1) == Some(TokenKind::RightBracket)
    }

    /// Where the run of glued tokens that begins with `tokens[at]` ends: `human.default_choice`.
    pub(super) fn run_end(&self, at: usize) -> usize {
        let run = self.tokens.get(at..).unwrap_or_default();
        let glued = run
            .array_windows()
            .take(LONGEST_RUN)
            .take_while(|[before, token]| {
                before.range.end() == token.range.start() && glues(token.kind)
            });
        at + 1 + glued.count()
    }

    /// Where in `out` the run of glued tokens begins that ends before `out[end]`, if it is a name or value.
    pub(super) fn run_begin(&self, end: usize) -> Option<usize> {
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
        is_run.then(|| end - 1 - glued.count())
    }

    /// Where in `out` the `key=value` begins that ends before `out[end]`.
    pub(super) fn pair_begin(&self, end: usize) -> Option<usize> {
        let equals = self.run_begin(end)?.checked_sub(1)?;
        self.out
            .get(equals)
            .filter(|token| token.kind == TokenKind::Equals)?;
        self.run_begin(equals)
    }

    /// Whether `tokens[at]` is between a `=` and its value, after which the list continues.
    pub(super) fn precedes_value(&self, at: usize) -> bool {
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind);
        let behind_equals = self.out.last().map(|token| token.kind) == Some(TokenKind::Equals);
        let behind = self.run_end(at + 1);
        let list_continues = match kind(behind) {
            Some(TokenKind::Comma | TokenKind::Semicolon | TokenKind::RightBracket) => true,
            Some(next) => next.is_id() && kind(self.run_end(behind)) == Some(TokenKind::Equals),
            None => false,
        };
        behind_equals && list_continues && kind(at + 1).is_some_and(TokenKind::is_id)
    }

    /// Whether the `[` at `tokens[at]` is in the header of a graph, `digraph [ name {`, or before it.
    pub(super) fn is_in_header(&self, at: usize) -> bool {
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
        let before_keyword = kind(at + 1).is_some_and(is_header);
        self.depth == 0
            && (before_keyword
                || behind_keyword
                    && kind(at + 1 + usize::from(named)) == Some(TokenKind::LeftBrace))
    }

    /// Whether `tokens[at]` is on a later line than the token before it.
    pub(super) fn breaks_before(&self, at: usize) -> bool {
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
    pub(super) fn closed_on_this_line(&self, at: usize) -> bool {
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
    pub(super) fn statement_before(&self) -> usize {
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
            at -= 1;
            if at > open + 2 && kind(at - 1) == Some(TokenKind::Colon) && is_id(kind(at - 2)) {
                at -= 1;
                continue;
            }
            break;
        }
        // After a `=` it is the value of a pair, unless that value is missing and a line begins.
        if kind(at.saturating_sub(1)) == Some(TokenKind::Equals) && !self.begins_line(at) {
            return self.out.len();
        }
        // Names alone on their lines before it are statements too.
        while at > open + 1
            && self.begins_line(at)
            && self.begins_line(at - 1)
            && is_id(kind(at - 1))
            && kind(at - 2) != Some(TokenKind::Equals)
        {
            at -= 1;
        }
        at
    }

    /// Where in `out` `subgraph name` begins, before a `{` that comes next.
    pub(super) fn header_before(&self) -> usize {
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

    pub(super) fn begins_line(&self, at: usize) -> bool {
        let range = |at: usize| self.out.get(at).map(|token| token.range);
        let (Some(before), Some(here)) = (at.checked_sub(1).and_then(range), range(at)) else {
            return false;
        };
        lines::ends_between(self.text, before.end(), here.start())
    }

    /// The `]` before which the list was closed by error, if what follows it reads like the rest of
    /// the list: `[label] = x, y = z ]`.
    pub(super) fn closed_too_early(&self) -> Option<usize> {
        let like_list = |kind: TokenKind| {
            kind.is_id()
                || glues(kind)
                || matches!(
                    kind,
                    TokenKind::Equals | TokenKind::Comma | TokenKind::Semicolon
                )
        };
        let near = self.out.len().saturating_sub(MAX_LOOK_BACK);
        let rest = self.out.get(near..)?;
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
}
