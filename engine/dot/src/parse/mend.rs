//! A statement the grammar refused, made acceptable word by word.
//!
//! Reads one statement as the grammar would, and where a word does not fit says so and leaves it
//! out, replaces it, or puts a made-up word in. What comes out fits the grammar, so one mistake
//! costs what it touches and no more. Each word is looked at once.

mod edges;
mod lists;

use chumsky::Parser;
use chumsky::inspector::SimpleState;

use super::gather::Gather;
use super::grammar;
use super::lines;
use super::words::{Word, WordKind};
use crate::ast::{IdKind, Stmt};
use crate::error::{self, Mistakes, SyntaxError};
use crate::{TextRange, TokenKind};

/// A mended statement.
pub(super) struct Mended {
    words: Vec<Word>,
    /// How many of the given words it used up; at least one.
    pub(super) taken: usize,
    range: TextRange,
}

impl Mended {
    /// Puts the statement on the stack, or the place of an error if nothing of it could be kept.
    pub(super) fn gather(&self, gather: &mut SimpleState<Gather>) {
        if self.words.is_empty() {
            if !self.range.is_empty() {
                gather.statement(Stmt::Error(self.range));
            }
            return;
        }
        let count = gather.count();
        let parsed = grammar::statement().parse_with_state(self.words.as_slice(), gather);
        if parsed.into_output().is_none() {
            gather.forget(count);
            gather.statement(Stmt::Error(self.range));
        }
    }
}

/// Mends the statement at the beginning of `words`, adding what is wrong with it to `errors`.
pub(super) fn mend(
    text: &str,
    words: &[Word],
    kind: GraphKind,
    errors: &mut Mistakes<'_>,
) -> Mended {
    let mut mender = Mender {
        text,
        words,
        kind,
        at: 0,
        out: Vec::new(),
        errors,
        said: None,
    };
    mender.statement();
    let taken = mender.at.max(1);
    let first = words
        .first()
        .map_or(TextRange::default(), |word| word.range);
    let last = words.get(taken - 1).map_or(first, |word| word.range);
    Mended {
        words: mender.out,
        taken,
        range: first.cover(last),
    }
}

/// Which edge operator is meant where none can be read.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum GraphKind {
    Directed,
    Undirected,
}

struct Mender<'a, 't> {
    text: &'a str,
    words: &'a [Word],
    kind: GraphKind,
    at: usize,
    out: Vec<Word>,
    errors: &'a mut Mistakes<'t>,
    /// Where the last message of this statement was given: what follows closely is its echo.
    said: Option<usize>,
}

/// So many words after a message nothing more is said, as in yacc.
const ECHO: usize = 3;

impl Mender<'_, '_> {
    fn peek(&self, ahead: usize) -> Option<Word> {
        self.words.get(self.at + ahead).copied()
    }

    fn kind(&self, ahead: usize) -> Option<WordKind> {
        self.peek(ahead).map(|word| word.kind)
    }

    fn sees(&self, ahead: usize, kind: TokenKind) -> bool {
        self.kind(ahead) == Some(WordKind::Token(kind))
    }

    fn sees_id(&self, ahead: usize) -> bool {
        matches!(
            self.kind(ahead),
            Some(WordKind::Id(_) | WordKind::Odd | WordKind::Key)
        )
    }

    /// Takes the next word over.
    fn keep(&mut self) {
        if let Some(word) = self.peek(0) {
            self.out.push(word);
            self.at += 1;
        }
    }

    /// Takes the next word over as an identifier.
    fn keep_as_id(&mut self, kind: IdKind) {
        if let Some(word) = self.peek(0) {
            self.out.push(Word::new(WordKind::Id(kind), word.range));
            self.at += 1;
        }
    }

    fn drop_word(&mut self) {
        self.at += 1;
    }

    /// Puts in what is missing, behind what was read so far.
    fn make_up(&mut self, kind: WordKind) {
        let offset = self.here();
        self.out.push(Word::new(kind, TextRange::empty(offset)));
    }

    /// The end of what was read so far.
    fn here(&self) -> usize {
        let before = self
            .at
            .checked_sub(1)
            .and_then(|before| self.words.get(before));
        before.or_else(|| self.words.first()).map_or(0, |word| {
            if self.at == 0 {
                word.range.start()
            } else {
                word.range.end()
            }
        })
    }

    fn say(&mut self, error: SyntaxError) {
        if self.said.is_none_or(|said| self.at > said + ECHO) {
            self.errors.push(error);
        }
        self.said = Some(self.at);
    }

    fn found(&self) -> Option<TextRange> {
        self.peek(0).map(|word| word.range)
    }

    /// Whether the next word stands on a line of its own after the last one.
    fn on_new_line(&self) -> bool {
        let next = self.found().map_or(self.text.len(), TextRange::start);
        lines::ends_between(self.text, self.here(), next)
    }

    fn statement(&mut self) {
        let Some(word) = self.peek(0) else { return };
        match word.kind {
            WordKind::Id(_) | WordKind::Key | WordKind::Odd
                if self.sees(1, TokenKind::Equals) && !self.is_operator_like(2) =>
            {
                self.assign();
                // A list behind it is a statement of its own, and refused as such.
                return self.semicolon();
            }
            WordKind::Operator { .. } => {
                self.say(error::missing_edge_start(word.range));
                self.make_up(WordKind::Missing);
                self.edge_tail();
            }
            WordKind::Token(TokenKind::Graph | TokenKind::Node | TokenKind::Edge) => {
                self.defaults(word);
            }
            WordKind::Token(kind) if !kind.is_keyword() => return self.stray(word),
            _ => {
                self.end();
                self.edge_tail();
            }
        }
        self.lists();
        self.semicolon();
    }

    fn semicolon(&mut self) {
        if self.sees(0, TokenKind::Semicolon) {
            self.keep();
        }
    }

    /// A word no statement begins with.
    fn stray(&mut self, word: Word) {
        match word.kind {
            WordKind::Token(TokenKind::LeftBracket) => {
                self.say(error::list_of_nothing(word.range));
                self.lists();
                self.out.clear();
            }
            WordKind::Token(TokenKind::Equals) => {
                self.say(error::missing_key(word.range));
                self.drop_word();
                if self.sees_id(0) && !self.on_new_line() {
                    self.drop_word();
                }
            }
            WordKind::Token(kind @ (TokenKind::Comma | TokenKind::Semicolon)) => {
                self.say(error::stray_separator(word.range, kind));
                self.drop_word();
            }
            _ => {
                self.say(error::unexpected(self.text, word.range, "a statement"));
                self.drop_word();
            }
        }
        if self.sees(0, TokenKind::Semicolon) {
            self.drop_word();
        }
    }

    fn defaults(&mut self, keyword: Word) {
        if self.sees(1, TokenKind::LeftBracket) {
            return self.keep();
        }
        if self.sees(1, TokenKind::Equals)
            || matches!(self.kind(1), Some(WordKind::Operator { .. }))
            || self.sees(1, TokenKind::Colon)
        {
            self.say(error::keyword_as_id(self.text, keyword.range));
            self.keep_as_id(IdKind::Extended);
            if self.sees(0, TokenKind::Equals) {
                self.keep();
                self.value();
            } else {
                self.port();
                self.edge_tail();
            }
            return;
        }
        if self.sees_id(1)
            && self.sees(2, TokenKind::Equals)
            && self.sees(3, TokenKind::LeftBracket)
        {
            self.keep();
            self.keep();
            return self.keep();
        }
        if self.sees(2, TokenKind::LeftBracket) && !self.sees_id(1) {
            self.keep();
            self.say(error::unexpected(
                self.text,
                self.found().unwrap_or_default(),
                "`[`",
            ));
            return self.drop_word();
        }
        self.say(error::defaults_without_list(self.text, keyword.range));
        self.keep();
        self.make_up(WordKind::Token(TokenKind::LeftBracket));
        self.make_up(WordKind::Token(TokenKind::RightBracket));
    }

    fn sees_keyword(&self, ahead: usize) -> bool {
        matches!(self.kind(ahead), Some(WordKind::Token(kind)) if kind.is_keyword())
    }
}
