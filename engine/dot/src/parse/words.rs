//! Words: what the statement grammar is written over.
//!
//! A word is a token, or several that are one thing to the grammar: `"a" + "b"` is one identifier,
//! so is the glued run `gpt-5.4` behind a `=`, and a whole `{ … }` is one word too, because blocks
//! are parsed from the inside out. So the grammar needs no recursion and never looks ahead.

mod known;
mod word;

use known::{Known, Step, is_id_like};
pub(super) use word::{Word, WordKind};

use crate::ast::IdKind;
use crate::{TextRange, Token, TokenKind, Tokens};

/// Where a word stands decides which glued runs are one identifier.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// Inside brackets, behind a `=`.
    ListValue,
    /// At the level of statements, behind a `=`.
    StatementValue,
    /// Anywhere else.
    Other,
}

/// Why a reader stopped.
pub(super) enum Stop {
    /// At a `{`, which is read.
    Open(TextRange),
    /// At a `}`, which is read.
    Close(TextRange),
    /// Enough words were read, and the next is sure to begin a statement.
    Full,
    /// At the end of the tokens.
    End,
}

/// Reads words off the tokens, one after the other.
pub(super) struct Words<'t> {
    tokens: &'t Tokens,
    at: usize,
    in_list: bool,
}

impl<'t> Words<'t> {
    /// So many words are put together before the statements they are sure to make up are parsed.
    const BATCH: usize = 512;

    /// Begins at the token with the index `at`.
    pub(super) fn new(tokens: &'t Tokens, at: usize) -> Self {
        Self {
            tokens,
            at,
            in_list: false,
        }
    }

    /// The index of the next token.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Adds words to `words` up to the next brace, or until they are enough.
    pub(super) fn read(&mut self, words: &mut Vec<Word>) -> Stop {
        let (mut at, mut in_list) = (self.at, self.in_list);
        let (kinds, ranges) = (self.tokens.kinds(), self.tokens.ranges());
        let stop = loop {
            let (Some(&kind), Some(&range)) = (kinds.get(at), ranges.get(at)) else {
                break Stop::End;
            };
            let (next, known) = (at + 1, Known::of(kind));
            match known.step {
                Step::Id => {
                    if words.len() >= Self::BATCH && !in_list && is_ended(words) {
                        break Stop::Full;
                    }
                    if let (Some(&behind), Some(&follows)) = (ranges.get(next), kinds.get(next))
                        && may_join(kind, follows, range.end() == behind.start())
                        && let Some((word, end)) = joined(self.tokens, at, place(words, in_list))
                    {
                        words.push(word);
                        at = end;
                        continue;
                    }
                }
                Step::Bracket => in_list = kind == TokenKind::LeftBracket,
                Step::Brace => {
                    (at, in_list) = (next, false);
                    break if kind == TokenKind::LeftBrace {
                        Stop::Open(range)
                    } else {
                        Stop::Close(range)
                    };
                }
                Step::Look if !(Token { kind, range }).is_seen() => {
                    at = next;
                    continue;
                }
                Step::Look | Step::Push => {}
            }
            words.push(Word::new(known.word, range));
            at = next;
        };
        (self.at, self.in_list) = (at, in_list);
        stop
    }
}

/// Where the next word behind `words` stands.
fn place(words: &[Word], in_list: bool) -> Place {
    match words.last() {
        Some(last) if last.is(TokenKind::Equals) && in_list => Place::ListValue,
        Some(last) if last.is(TokenKind::Equals) => Place::StatementValue,
        _ => Place::Other,
    }
}

/// Whether an identifier behind `words` is sure to begin a statement.
fn is_ended(words: &[Word]) -> bool {
    let ends = |last: &Word| last.is(TokenKind::Semicolon) || last.is(TokenKind::RightBracket);
    words.last().is_some_and(ends)
}

/// The word that begins with the token at index `at`, and the index after its last token.
pub(super) fn word_at(tokens: &Tokens, at: usize, place: Place) -> Option<(Word, usize)> {
    let token = tokens.get(at)?;
    let single = || (Word::new(WordKind::of(token.kind), token.range), at + 1);
    Some(joined(tokens, at, place).unwrap_or_else(single))
}

/// Whether the tokens of these kinds, where nothing stands between `glued` ones, may be one word.
fn may_join(kind: TokenKind, next: TokenKind, glued: bool) -> bool {
    if matches!(kind, TokenKind::String | TokenKind::Html) {
        next == TokenKind::Plus || next == TokenKind::UnclosedString || next.is_trivia()
    } else {
        glued && glues(next)
    }
}

/// The word of several tokens that begins with the one at index `at`, if there is one; and the
/// index after its last token.
#[inline(never)]
fn joined(tokens: &Tokens, at: usize, place: Place) -> Option<(Word, usize)> {
    let token = tokens.get(at)?;
    match token.kind {
        TokenKind::String | TokenKind::Html => Some(concatenation(tokens, at, token)),
        kind if is_id_like(kind) => glued_run(tokens, at, token, place),
        _ => None,
    }
}

/// `"a" + "b" + "c"`
fn concatenation(tokens: &Tokens, at: usize, first: Token) -> (Word, usize) {
    let mut kind = match first.kind {
        TokenKind::Html => IdKind::Html,
        _ => IdKind::Quoted,
    };
    let mut range = first.range;
    let mut end = at + 1;
    while let Some((plus, _)) = tokens
        .seen(end)
        .filter(|(_, plus)| plus.kind == TokenKind::Plus)
        && let Some((piece, token)) = tokens
            .seen(plus + 1)
            .filter(|(_, piece)| matches!(piece.kind, TokenKind::String | TokenKind::Html))
    {
        kind = IdKind::Concatenated;
        range = range.cover(token.range);
        end = piece + 1;
    }
    (Word::new(WordKind::Id(kind), range), end)
}

/// So many glued tokens recovery looks at.
pub(super) const LONGEST_RUN: usize = 32;

/// Whether a token without a blank before it may continue an unquoted identifier of a pipeline.
pub(super) fn glues(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Name
            | TokenKind::Number
            | TokenKind::Dot
            | TokenKind::Dash
            | TokenKind::Slash
            | TokenKind::Colon
    ) || kind.is_keyword()
}

/// A run of tokens without blanks between them that is one identifier: `timeout=900s`, `human.default_choice`.
///
/// Where Graphviz reads the same run as several valid words, Graphviz wins: `a.5 -> b`, `1a`, `a:b`.
fn glued_run(tokens: &Tokens, at: usize, first: Token, place: Place) -> Option<(Word, usize)> {
    let value = place != Place::Other;
    if !value && first.kind != TokenKind::Name {
        return None;
    }
    let mut range = first.range;
    let mut end = at + 1;
    // Colons at the end of the run are no part of it.
    let mut sure = (range, end);
    let mut dotted = 0;
    let mut dashed = 0;
    while let Some(token) = tokens.get(end) {
        if token.range.start() != range.end() || !glues(token.kind) {
            break;
        }
        match token.kind {
            TokenKind::Dot => dotted += 1,
            TokenKind::Dash | TokenKind::Slash => dashed += 1,
            TokenKind::Colon if value => dashed += 1,
            TokenKind::Colon => break,
            // Outside values Graphviz' own reading of `a.5` and `a-5` stands.
            TokenKind::Number if !value && dotted + dashed == 0 => return None,
            kind if kind.is_keyword() && dotted + dashed == 0 => break,
            _ => {}
        }
        range = range.cover(token.range);
        end += 1;
        if token.kind != TokenKind::Colon {
            sure = (range, end);
        }
    }
    let (range, end) = sure;
    if end == at + 1 {
        return None;
    }
    let plain = dotted + dashed == 0 && !matches!(first.kind, TokenKind::Dot | TokenKind::Slash);
    let next = || tokens.seen(end).map(|(_, next)| next.kind);
    if plain && (!value || continues_plainly(next(), place)) {
        return None;
    }
    let kind = match (value, dashed) {
        (true, _) => WordKind::Id(IdKind::Extended),
        (false, 0) => WordKind::Key,
        (false, _) => WordKind::Odd,
    };
    Some((Word::new(kind, range), end))
}

/// Whether what follows `timeout=900s` shows that Graphviz' reading, `900` and then `s`, is meant.
fn continues_plainly(next: Option<TokenKind>, place: Place) -> bool {
    match next {
        Some(TokenKind::Equals) => true,
        Some(
            TokenKind::Arrow
            | TokenKind::Line
            | TokenKind::LeftBracket
            | TokenKind::Colon
            | TokenKind::Comma,
        ) => place == Place::StatementValue,
        _ => false,
    }
}
