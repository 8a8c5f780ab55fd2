//! A statement the grammar refused, made acceptable word by word.
//!
//! Reads one statement as the grammar would, and where a word does not fit says so and leaves it
//! out, replaces it, or puts a made-up word in. What comes out fits the grammar, so one mistake
//! costs what it touches and no more. Each word is looked at once.

mod edges;
mod lists;
mod statement;

use chumsky::Parser;
use chumsky::inspector::SimpleState;

use super::gather::Gather;
use super::grammar;
use super::lines;
use super::words::{Word, WordKind};
use crate::ast::IdKind;
use crate::error::{self, ErrorSink, SyntaxError};
use crate::{TextRange, TokenKind};

/// A mended statement.
pub(super) struct Mended {
    words: Vec<Word>,
    /// How many of the given words it used up; at least one.
    pub(super) taken: usize,
    /// From the first word it used up to the last.
    pub(super) range: TextRange,
    /// What it is to the statement behind it.
    pub(super) left: Behind,
}

impl Mended {
    /// Puts the statement on the stack, or the place of an error if nothing of it could be kept. The statements of its
    /// block begin at the `from`th.
    pub(super) fn gather(&self, gather: &mut SimpleState<Gather>, from: usize) {
        if self.words.is_empty() {
            if !self.range.is_empty() {
                gather.error(self.range, from);
            }
            return;
        }
        let count = gather.count();
        let parsed = grammar::statement().parse_with_state(self.words.as_slice(), gather);
        if parsed.into_output().is_none() {
            gather.forget(count);
            gather.error(self.range, from);
        }
    }
}

/// Mends the statement at the beginning of `words`, adding what is wrong with it to `errors`.
///
/// `behind` is what stands right before it: what can begin no statement behind a broken one is the
/// rest of that, and was spoken of.
pub(super) fn mend(
    text: &str,
    words: &[Word],
    kind: GraphKind,
    behind: Behind,
    errors: &mut ErrorSink<'_>,
) -> Mended {
    let mut mender = Mender {
        text,
        words,
        kind,
        at: 0,
        out: Vec::new(),
        errors,
        said: None,
        rest: false,
    };
    if behind == Behind::Broken && mender.begins_nothing() {
        mender.rest = true;
    }
    mender.statement();
    let broken = mender.rest || mender.said.is_some();
    let taken = mender.at.max(1);
    let first = words
        .first()
        .map_or(TextRange::default(), |word| word.range);
    let last = words.get(taken - 1).map_or(first, |word| word.range);
    Mended {
        words: mender.out,
        taken,
        range: first.cover(last),
        left: if broken {
            Behind::Broken
        } else {
            Behind::Sound
        },
    }
}

/// What stands right before a statement: something sound or nothing, or what a message speaks of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Behind {
    Sound,
    Broken,
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
    errors: &'a mut ErrorSink<'t>,
    /// Where the last message of this statement was given: what follows closely is its echo.
    said: Option<usize>,
    /// Whether this is but the rest of the broken statement before.
    rest: bool,
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

    /// Takes the next word over as an identifier that lacks its quotes.
    fn keep_unquoted(&mut self) {
        let Some(word) = self.peek(0) else { return };
        let make = match word.kind {
            WordKind::Token(_) => error::keyword_as_id,
            _ => error::needs_quotes,
        };
        self.say(|text| make(text, word.range));
        self.keep_as_id(IdKind::Bare);
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

    /// Adds a message, unless it is an echo.
    fn say(&mut self, make: impl FnOnce(&str) -> SyntaxError) {
        if !self.is_echo() {
            self.errors.push(make);
        }
        self.said = Some(self.at);
    }

    /// Adds a message about a word that fits nowhere.
    fn say_of(&mut self, word: TextRange, make: impl FnOnce(&str, TextRange) -> SyntaxError) {
        if !self.is_echo() {
            self.errors.push_garbage(word, make);
        }
        self.said = Some(self.at);
    }

    fn is_echo(&self) -> bool {
        match self.said {
            Some(said) => self.at <= said + ECHO,
            None => self.rest && self.at <= ECHO,
        }
    }

    fn found(&self) -> Option<TextRange> {
        self.peek(0).map(|word| word.range)
    }

    /// Whether the next word stands on a line of its own after the last one.
    fn on_new_line(&self) -> bool {
        let next = self.found().map_or(self.text.len(), TextRange::start);
        lines::ends_between(self.text, self.here(), next)
    }

    fn sees_keyword(&self, ahead: usize) -> bool {
        matches!(self.kind(ahead), Some(WordKind::Token(kind)) if kind.is_keyword())
    }
}
