//! What the grammar and recovery share: the input, the state of the parser, and the combinators that ask
//! [`recovery`](crate::parse::recovery) where the next token does not fit.
//!
//! ```text
//! when(test, parser)   `parser` where `test` holds; else it fails, and the next alternative is tried
//! plain(function)      what `function` reads with one look ahead, if it is that simple
//! recover(function)    an alternative that reports what does not fit and continues after it
//! ```

use chumsky::error::EmptyErr;
use chumsky::extra;
use chumsky::input::{Checkpoint, Cursor, InputRef, MapExtra};
use chumsky::inspector::Inspector;
use chumsky::prelude::*;

use crate::ast::{Attr, Id, IdKind};
use crate::error::ErrorSink;
use crate::parse::lines;
use crate::parse::statement_tokens::{Word, WordKind};
use crate::{TextRange, TokenKind};

/// Whole statements of one graph.
pub(in crate::parse) type Input<'w> = &'w [Word];

/// Parsers fail only to let another alternative be tried, so their errors say nothing; what a user reads
/// is in the [`ErrorSink`] of the state.
pub(in crate::parse) type Extra<'w, 't> = extra::Full<EmptyErr, State<'w, 't>, ()>;

/// A parser of a part of the grammar.
pub(in crate::parse) trait Grammar<'w, 't: 'w, O>:
    Parser<'w, Input<'w>, O, Extra<'w, 't>> + Clone + 'w
{
}

impl<'w, 't: 'w, O, P> Grammar<'w, 't, O> for P where
    P: Parser<'w, Input<'w>, O, Extra<'w, 't>> + Clone + 'w
{
}

/// What precedes a statement or a graph: something sound or nothing, or something with an error.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in crate::parse) enum Preceding {
    #[default]
    Sound,
    Broken,
}

/// The state of the parser of one graph.
pub(in crate::parse) struct State<'w, 't> {
    pub(super) text: &'w str,
    /// All of the input, for recovery, which looks ahead and back.
    pub(super) words: &'w [Word],
    pub(in crate::parse) directed: bool,
    pub(in crate::parse) errors: &'w mut ErrorSink<'t>,
    /// The last token that became part of the tree.
    pub(super) last: TextRange,
    /// The pairs of the list that is being read: one list for all, so that each list of the tree is allocated
    /// once and in its size. Without it parsing 10 MB takes 12 % longer.
    pub(super) pairs: Vec<Attr>,
    /// What precedes the next statement.
    pub(in crate::parse) preceding: Preceding,
    pub(in crate::parse) statement: StatementState,
    /// For each open block where it begins, and the statement it is part of.
    pub(in crate::parse) outer: Vec<(usize, StatementState)>,
}

impl<'w, 't> State<'w, 't> {
    pub(super) fn new(
        text: &'w str,
        words: &'w [Word],
        directed: bool,
        preceding: Preceding,
        errors: &'w mut ErrorSink<'t>,
    ) -> Self {
        Self {
            text,
            words,
            directed,
            errors,
            last: TextRange::default(),
            pairs: Vec::new(),
            preceding,
            statement: StatementState::default(),
            outer: Vec::new(),
        }
    }

    /// The statement at `range` is read.
    pub(super) fn leave_statement(&mut self, range: TextRange) {
        let is_broken = self.statement.continues_error || self.statement.reported.is_some();
        self.preceding = if is_broken {
            self.errors.mark_broken(range);
            Preceding::Broken
        } else {
            Preceding::Sound
        };
    }
}

/// What recovery knows about the statement that is being read.
#[derive(Clone, Copy, Default)]
pub(in crate::parse) struct StatementState {
    /// The index of its first token.
    pub(in crate::parse) start: usize,
    /// Where its last error was reported.
    pub(in crate::parse) reported: Option<usize>,
    /// Whether it is only the rest of the broken statement before it.
    pub(in crate::parse) continues_error: bool,
}

/// Every token that is read becomes part of the tree, unless the parser goes back, or recovery leaves it out.
impl<'w> Inspector<'w, Input<'w>> for State<'w, '_> {
    type Checkpoint = TextRange;

    #[inline]
    fn on_token(&mut self, word: &Word) {
        self.last = word.range;
    }

    #[inline]
    fn on_save<'p>(&self, _: &Cursor<'w, 'p, Input<'w>>) -> TextRange {
        self.last
    }

    #[inline]
    fn on_rewind<'p>(&mut self, checkpoint: &Checkpoint<'w, 'p, Input<'w>, TextRange>) {
        self.last = *checkpoint.inspector();
    }
}

/// The input as recovery sees it: with the tokens around the next one.
pub(in crate::parse) struct Recovery<'i, 'w: 'p, 'p, 't: 'w> {
    input: &'i mut InputRef<'w, 'p, Input<'w>, Extra<'w, 't>>,
    words: &'w [Word],
    pub(in crate::parse) text: &'w str,
}

impl<'i, 'w: 'p, 'p, 't: 'w> Recovery<'i, 'w, 'p, 't> {
    #[inline]
    fn new(input: &'i mut InputRef<'w, 'p, Input<'w>, Extra<'w, 't>>) -> Self {
        let State { words, text, .. } = *input.state();
        Self { input, words, text }
    }

    pub(in crate::parse) fn state(&mut self) -> &mut State<'w, 't> {
        self.input.state()
    }

    /// How many tokens precede the next one.
    #[inline]
    pub(in crate::parse) fn position(&self) -> usize {
        *self.input.cursor().inner()
    }

    /// The token `ahead` of the next one, if the block around it does not end before.
    #[inline]
    pub(in crate::parse) fn peek(&self, ahead: usize) -> Option<Word> {
        let at = self.position();
        let (last, before) = self.words.get(at..=at + ahead)?.split_last()?;
        let is_end = |word: &Word| word.kind == WordKind::CloseBrace;
        (!is_end(last) && !before.iter().any(is_end)).then_some(*last)
    }

    /// The tokens from the next one on, of whatever block.
    #[inline]
    pub(super) fn next(&self) -> &'w [Word] {
        self.words.get(self.position()..).unwrap_or_default()
    }

    /// Makes the next tokens part of the tree.
    #[inline]
    pub(super) fn keep_words(&mut self, count: usize) {
        for _ in 0..count {
            self.input.skip();
        }
    }

    /// The token `back` before the next one.
    pub(in crate::parse) fn before(&self, back: usize) -> Option<Word> {
        self.words.get(self.position().checked_sub(back)?).copied()
    }

    #[inline]
    pub(in crate::parse) fn kind(&self, ahead: usize) -> Option<WordKind> {
        self.peek(ahead).map(|word| word.kind)
    }

    #[inline]
    pub(in crate::parse) fn sees(&self, ahead: usize, kind: TokenKind) -> bool {
        self.kind(ahead) == Some(WordKind::Token(kind))
    }

    #[inline]
    pub(in crate::parse) fn sees_id(&self, ahead: usize) -> bool {
        self.kind(ahead).is_some_and(WordKind::is_id_like)
    }

    pub(in crate::parse) fn sees_keyword(&self, ahead: usize) -> bool {
        self.kind(ahead).is_some_and(WordKind::is_keyword)
    }

    /// Makes the next token part of the tree.
    pub(in crate::parse) fn keep(&mut self) -> TextRange {
        self.input.skip();
        self.state().last
    }

    pub(in crate::parse) fn keep_id(&mut self, kind: IdKind) -> Id {
        let range = self.keep();
        Id { range, kind }
    }

    /// Leaves the next token out of the tree.
    pub(in crate::parse) fn advance(&mut self) {
        let last = self.state().last;
        self.input.skip();
        self.state().last = last;
    }

    /// The end of what was read so far: where something that is missing would be.
    pub(in crate::parse) fn here(&self) -> TextRange {
        TextRange::empty(self.before(1).map_or(0, |word| word.range.end()))
    }

    /// The same, made part of the tree.
    pub(in crate::parse) fn keep_missing(&mut self) -> TextRange {
        let here = self.here();
        self.state().last = here;
        here
    }

    pub(in crate::parse) fn next_range(&self) -> TextRange {
        self.peek(0).map_or(self.here(), |word| word.range)
    }

    /// Whether the next token is on a later line than the last one.
    pub(in crate::parse) fn on_new_line(&self) -> bool {
        let next = self
            .peek(0)
            .map_or(self.text.len(), |word| word.range.start());
        lines::ends_between(self.text, self.here().end(), next)
    }
}

/// `parser` where `test` holds; else it fails, having read nothing.
pub(super) fn when<'w, 't: 'w, O: 'w>(
    test: impl Fn(&mut Recovery<'_, 'w, '_, 't>) -> bool + Clone + 'w,
    parser: impl Grammar<'w, 't, O>,
) -> impl Grammar<'w, 't, O> {
    let guard = custom(move |input| {
        if test(&mut Recovery::new(input)) {
            Ok(())
        } else {
            Err(EmptyErr::default())
        }
    });
    guard.ignore_then(parser)
}

/// What `function` reads; where it reads nothing, the next alternative is tried.
pub(super) fn plain<'w, 't: 'w, O: 'w>(
    function: impl Fn(&mut Recovery<'_, 'w, '_, 't>) -> Option<O> + Clone + 'w,
) -> impl Grammar<'w, 't, O> {
    custom(move |input| function(&mut Recovery::new(input)).ok_or_else(EmptyErr::default))
}

/// A parser that recovers: it reports what does not fit, and gives what it is read as.
pub(super) fn recover<'w, 't: 'w, O: 'w>(
    function: impl Fn(&mut Recovery<'_, 'w, '_, 't>) -> O + Clone + 'w,
) -> impl Grammar<'w, 't, O> {
    custom(move |input| Ok(function(&mut Recovery::new(input))))
}

/// The next token, if it is of this kind.
pub(super) fn token<'w, 't: 'w>(kind: TokenKind) -> impl Grammar<'w, 't, TextRange> {
    select! { word if Word::is(word, kind) => word.range }
}

pub(super) fn id<'w, 't: 'w>() -> impl Grammar<'w, 't, Id> {
    select! { Word { kind: WordKind::Id(kind), range } => Id { range, kind } }
}

/// From the first token of what was parsed, also one that was left out, to the last that is in the tree.
pub(super) fn kept<'w, 't: 'w>(
    extra: &mut MapExtra<'w, '_, Input<'w>, Extra<'w, 't>>,
) -> TextRange {
    let first: &[Word] = extra.slice();
    let last = extra.state().last;
    first.first().map_or(last, |first| first.range.cover(last))
}
