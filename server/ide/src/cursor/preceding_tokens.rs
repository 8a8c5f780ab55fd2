//! What precedes the cursor, token by token: the list it is in, what that list belongs to, identifiers.
//!
//! Works on what is typed so far; nothing here needs the statement to be whole.

use attractor_dot::ast::{DefaultsTarget, Id, IdKind};
use attractor_dot::{TextRange, Token, TokenKind};

use super::context::{ListOwner, Siblings};
use crate::document::Document;

/// A place, and the tokens before it.
pub(super) struct CursorAnalyzer<'d> {
    pub(super) doc: &'d Document,
    pub(super) offset: usize,
    pub(super) word: TextRange,
    /// How many stored tokens precede the word.
    pub(super) before: usize,
}

impl<'d> CursorAnalyzer<'d> {
    pub(super) fn new(doc: &'d Document, offset: usize) -> Self {
        let tokens = &doc.parse.tokens;
        let mut before = tokens.index_after(offset);
        let mut word = TextRange::empty(offset);
        let inside = tokens
            .get(before)
            .filter(|token| token.range.start() < offset);
        let touched = inside.or_else(|| {
            let last = tokens.get(before.checked_sub(1)?)?;
            let open = matches!(
                last.kind,
                TokenKind::UnclosedString | TokenKind::UnclosedHtml
            );
            let touches = last.range.end() == offset
                && (is_wordish(last.kind) || open || is_line_comment(last.kind));
            touches.then(|| before -= 1).map(|()| last)
        });
        if let Some(token) = touched {
            word = token.range;
            if is_wordish(token.kind) {
                word = joined(doc, &mut before, word);
            }
        } else if let Some(next) = tokens
            .get(before)
            .filter(|next| next.range.start() == offset && is_wordish(next.kind))
        {
            word = joined(doc, &mut before, next.range);
        }
        Self {
            doc,
            offset,
            word,
            before,
        }
    }

    pub(super) fn get(&self, index: usize) -> Option<Token> {
        self.doc.parse.tokens.get(index)
    }

    /// The nearest token before the `index`th that is not a comment, with its position.
    pub(super) fn previous(&self, index: usize) -> Option<(usize, Token)> {
        (0..index)
            .rev()
            .filter_map(|at| Some((at, self.get(at)?)))
            .find(|(_, token)| !token.kind.is_comment())
    }

    /// The `[` of the list the place is in, if it is in one.
    pub(super) fn list_start(&self, before: usize) -> Option<usize> {
        let mut at = before;
        loop {
            let (index, token) = self.previous(at)?;
            match token.kind {
                TokenKind::LeftBracket => return Some(index),
                TokenKind::RightBracket | TokenKind::LeftBrace | TokenKind::RightBrace => {
                    return None;
                }
                kind if kind.is_edge_operator() => return None,
                _ => at = index,
            }
        }
    }

    /// What precedes a list.
    pub(super) fn head(&self, mut bracket: usize) -> ListOwner {
        // Lists can follow each other: `a [x=1] [y=2]`.
        while let Some((at, token)) = self.previous(bracket) {
            match token.kind {
                TokenKind::RightBracket => match self.opening(at) {
                    Some(open) => bracket = open,
                    None => return ListOwner::Around,
                },
                TokenKind::Graph => return ListOwner::Defaults(DefaultsTarget::Graph),
                TokenKind::Node => return ListOwner::Defaults(DefaultsTarget::Node),
                TokenKind::Edge => return ListOwner::Defaults(DefaultsTarget::Edge),
                _ => break,
            }
        }
        let last = self.id_before(bracket);
        let first = match &last {
            Some((_, first)) => Some(*first),
            None => self.block_before(bracket),
        };
        let operator = first
            .and_then(|first| self.previous(first))
            .filter(|(_, token)| token.kind.is_edge_operator());
        match (operator, last) {
            (Some((at, _)), last) => {
                ListOwner::Edge(self.id_before(at).map(|(id, _)| id), last.map(|(id, _)| id))
            }
            (None, Some((id, _))) => ListOwner::Node(id),
            (None, None) => ListOwner::Around,
        }
    }

    /// The `[` that belongs to the `]` at a position.
    pub(super) fn opening(&self, close: usize) -> Option<usize> {
        (0..close).rev().find(|at| {
            self.get(*at)
                .is_some_and(|token| token.kind == TokenKind::LeftBracket)
        })
    }

    /// The `{` of a block that ends just before a position: `a -> {b c} [$0]`.
    pub(super) fn block_before(&self, before: usize) -> Option<usize> {
        let (mut at, token) = self.previous(before)?;
        if token.kind != TokenKind::RightBrace {
            return None;
        }
        let mut depth = 1_u32;
        while depth > 0 {
            at = at.checked_sub(1)?;
            match self.get(at)?.kind {
                TokenKind::RightBrace => depth += 1,
                TokenKind::LeftBrace => depth -= 1,
                _ => {}
            }
        }
        Some(at)
    }

    /// The identifier that ends just before a position, ports left out, and the position of its first token.
    pub(super) fn id_before(&self, before: usize) -> Option<(String, usize)> {
        let (mut at, token) = self.previous(before)?;
        if !is_wordish(token.kind) && !token.kind.is_id() {
            return None;
        }
        let mut range = token.range;
        while is_wordish(token.kind)
            && let Some(part) = self
                .get(at.checked_sub(1)?)
                .filter(|part| is_wordish(part.kind) && part.range.end() == range.start())
        {
            range = part.range.cover(range);
            at -= 1;
        }
        if let Some((colon, sign)) = self.previous(at)
            && sign.kind == TokenKind::Colon
            && let Some(node) = self.id_before(colon)
        {
            return Some(node);
        }
        let id = Id {
            range,
            kind: id_kind(token, range),
        };
        Some((id.text(&self.doc.text).into_owned(), at))
    }

    /// The last attribute before the word in the list that begins at a position.
    pub(super) fn name_before(&self, bracket: usize) -> Option<String> {
        let is_equals = |at: &usize| {
            self.get(*at)
                .is_some_and(|token| token.kind == TokenKind::Equals)
        };
        let equals = (bracket + 1..self.before).rev().find(is_equals)?;
        self.id_before(equals).map(|(name, _)| name)
    }

    /// The attributes in the list that begins at a position.
    pub(super) fn siblings(&self, bracket: usize) -> Siblings {
        let mut found = Siblings::new();
        for at in bracket + 1..self.doc.parse.tokens.len() {
            let Some(token) = self.get(at) else { break };
            match token.kind {
                TokenKind::RightBracket | TokenKind::LeftBrace | TokenKind::RightBrace => break,
                kind if kind.is_edge_operator() => break,
                TokenKind::Equals => {
                    if let Some((name, first)) = self.id_before(at)
                        && self
                            .get(first)
                            .is_some_and(|token| !self.word.contains_range(token.range))
                    {
                        let value = self.get(at + 1).filter(|value| value.kind.is_id());
                        let value = value.map(|value| Id {
                            range: value.range,
                            kind: id_kind(value, value.range),
                        });
                        found.push((
                            name,
                            value.map_or(String::new(), |id| id.text(&self.doc.text).into_owned()),
                        ));
                    }
                }
                _ => {}
            }
        }
        found
    }
}

/// Whether a token can be part of a word that is written without quotes.
pub(super) fn is_wordish(kind: TokenKind) -> bool {
    kind.is_keyword()
        || matches!(
            kind,
            TokenKind::Name
                | TokenKind::Number
                | TokenKind::Dot
                | TokenKind::Dash
                | TokenKind::Slash
        )
}

fn is_line_comment(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::LineComment | TokenKind::HashLine | TokenKind::UnclosedComment
    )
}

pub(super) fn id_kind(token: Token, range: TextRange) -> IdKind {
    match token.kind {
        TokenKind::String | TokenKind::UnclosedString => IdKind::Quoted,
        TokenKind::Html | TokenKind::UnclosedHtml => IdKind::Html,
        TokenKind::Number if token.range == range => IdKind::Numeral,
        TokenKind::Name if token.range == range => IdKind::Bare,
        _ => IdKind::Extended,
    }
}

/// The word around a part of it: what touches it on both sides and could belong to it.
fn joined(doc: &Document, before: &mut usize, part: TextRange) -> TextRange {
    let tokens = &doc.parse.tokens;
    let mut word = part;
    let mut after = *before + 1;
    while let Some(token) = before.checked_sub(1).and_then(|at| tokens.get(at))
        && is_wordish(token.kind)
        && token.range.end() == word.start()
    {
        word = token.range.cover(word);
        *before -= 1;
    }
    while let Some(token) = tokens.get(after)
        && is_wordish(token.kind)
        && token.range.start() == word.end()
    {
        word = word.cover(token.range);
        after += 1;
    }
    word
}
