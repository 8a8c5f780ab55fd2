//! Stage 3: from tokens to statement tokens, which the statement parser reads.
//!
//! A statement token is a [`Token`] the grammar sees, or several that are one identifier: strings joined
//! by `+`, and the runs that pipelines write without quotes. Comments are left out.
//!
//! ```text
//! input:   a  [  t  =  5  m  ,  p  =  "x"  +  "y"  ]     tokens, without whitespace
//! output:  a  [  t  =  5m    ,  p  =  "x" + "y"    ]     Id(Extended) and Id(Concatenated)
//! ```
//!
//! Where Graphviz reads a run as several valid tokens, Graphviz wins: `a.5 -> b`, `1a`, `a:b`.

use crate::ast::{Id, IdKind};
use crate::{TextRange, Token, TokenKind, Tokens};

/// A statement token: what the grammar reads as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Word {
    pub(super) kind: WordKind,
    pub(super) range: TextRange,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WordKind {
    /// An identifier.
    Id(IdKind),
    /// `human.default_choice`, which is an identifier before a `=`.
    DottedKey,
    /// `build-app`: a run that is an identifier only after a `=`, and must be quoted elsewhere.
    Unquoted,
    /// `->` and `--`; which of the two is right is checked for the whole graph.
    Operator {
        directed: bool,
    },
    OpenBrace,
    CloseBrace,
    /// Any other token.
    Token(TokenKind),
}

impl WordKind {
    #[inline]
    fn of(kind: TokenKind) -> Self {
        let id = match kind {
            TokenKind::Name => Some(IdKind::Bare),
            TokenKind::Number => Some(IdKind::Numeral),
            TokenKind::String | TokenKind::UnclosedString => Some(IdKind::Quoted),
            TokenKind::Html | TokenKind::UnclosedHtml => Some(IdKind::Html),
            _ => None,
        };
        if let Some(id) = id {
            return Self::Id(id);
        }
        match kind {
            TokenKind::Arrow => Self::Operator { directed: true },
            TokenKind::Line => Self::Operator { directed: false },
            TokenKind::LeftBrace => Self::OpenBrace,
            TokenKind::RightBrace => Self::CloseBrace,
            kind => Self::Token(kind),
        }
    }

    /// Whether it is an identifier, or would be one in another place.
    pub(super) fn is_id_like(self) -> bool {
        matches!(self, Self::Id(_) | Self::DottedKey | Self::Unquoted)
    }

    pub(super) fn is_operator(self) -> bool {
        matches!(self, Self::Operator { .. })
    }

    pub(super) fn is_keyword(self) -> bool {
        matches!(self, Self::Token(kind) if kind.is_keyword())
    }
}

impl Word {
    pub(super) fn is(self, kind: TokenKind) -> bool {
        self.kind == WordKind::Token(kind)
    }
}

/// Which runs without spaces are one identifier depends on where they are.
#[derive(Clone, Copy, PartialEq)]
enum WordPosition {
    /// Inside brackets, after a `=`.
    ListValue,
    /// At the level of statements, after a `=`.
    StatementValue,
    Other,
}

/// Reads the statement tokens of a graph, some statements at a time: those of a whole graph would take 3 bytes
/// for each byte of text, and parsing 10 MB twice the time, for memory that is new.
pub(super) struct WordReader<'t> {
    tokens: &'t Tokens,
    /// The index of the next token to read.
    next: usize,
    depth: usize,
    in_list: bool,
    words: Vec<Word>,
    /// How many of `words` are the statements that were last returned.
    end: usize,
}

/// So many statement tokens are read at a time, and the rest of the last statement.
const BATCH: usize = 512;

impl<'t> WordReader<'t> {
    /// Begins at the `{` at the index `next`.
    pub(super) fn new(tokens: &'t Tokens, next: usize) -> Self {
        Self {
            tokens,
            next,
            depth: 0,
            in_list: false,
            words: Vec::with_capacity(BATCH + BATCH / 8),
            end: 0,
        }
    }

    /// The index of the token after the graph, when all of it is read.
    pub(super) fn next_token(&self) -> usize {
        self.next
    }

    /// The `{` of the graph, which comes first.
    pub(super) fn open(&mut self) -> Option<Word> {
        self.read_next()?;
        self.words.pop()
    }

    /// The next statements of the graph, whole ones. `None` when its `}` comes next.
    pub(super) fn statements(&mut self) -> Option<&[Word]> {
        self.words.drain(..self.end);
        self.end = 0;
        loop {
            if self.depth > 0 {
                self.read_run();
            }
            let is_outside = self.depth == 1 && !self.in_list;
            if self.depth == 0 || self.read_next().is_none() {
                let is_close = |last: &Word| self.depth == 0 && last.kind == WordKind::CloseBrace;
                let close = usize::from(self.words.last().is_some_and(is_close));
                self.end = self.words.len() - close;
                break;
            }
            if self.words.len() > BATCH && is_outside && begins_statement(&self.words) {
                self.end = self.words.len() - 1;
                break;
            }
        }
        self.words.get(..self.end).filter(|words| !words.is_empty())
    }

    /// The `}` of the graph, after its statements.
    pub(super) fn close(&self) -> Option<Word> {
        self.words.get(self.end).copied()
    }

    /// Adds the next tokens to `words` as long as each is a statement token by itself whatever its position, as nearly
    /// all are. It stops at the end of the batch.
    fn read_run(&mut self) {
        let kinds = self.tokens.kinds().get(self.next..).unwrap_or_default();
        let ranges = self.tokens.ranges().get(self.next..).unwrap_or_default();
        let following = kinds.get(1..).unwrap_or_default();
        let run = kinds.iter().zip(following).zip(ranges);
        let run = run.take(BATCH.saturating_sub(self.words.len()));
        let run = run.take_while(|((kind, next), _)| is_by_itself(**kind, **next));
        let before = self.words.len();
        self.words.extend(run.map(|((kind, _), range)| Word {
            kind: WordKind::of(*kind),
            range: *range,
        }));
        self.next += self.words.len() - before;
    }

    /// Adds the next statement token to `words`.
    #[inline]
    fn read_next(&mut self) -> Option<()> {
        loop {
            let token = self.tokens.get(self.next)?;
            if token.is_seen() {
                let word = self.read(token);
                self.words.push(word);
                return Some(());
            }
            self.next += 1;
        }
    }

    #[inline]
    fn read(&mut self, token: Token) -> Word {
        match token.kind {
            TokenKind::LeftBracket => self.in_list = true,
            TokenKind::RightBracket => self.in_list = false,
            TokenKind::LeftBrace => self.depth += 1,
            TokenKind::RightBrace => self.depth = self.depth.saturating_sub(1),
            _ if may_join(self.tokens, token, self.next + 1) => {
                let position = match self.words.last() {
                    Some(last) if last.is(TokenKind::Equals) && self.in_list => {
                        WordPosition::ListValue
                    }
                    Some(last) if last.is(TokenKind::Equals) => WordPosition::StatementValue,
                    _ => WordPosition::Other,
                };
                if let Some((word, next)) = joined(self.tokens, self.next, position) {
                    self.next = next;
                    return word;
                }
            }
            _ => {}
        }
        self.next += 1;
        Word {
            kind: WordKind::of(token.kind),
            range: token.range,
        }
    }
}

/// Whether the last of `words`, which is not in a list, surely begins a statement, however broken those before
/// are: it follows a list, a block, a `;` after something sound, or three identifiers.
fn begins_statement(words: &[Word]) -> bool {
    let [.., third, second, first, last] = words else {
        return false;
    };
    let is_id = |word: &Word| word.kind.is_id_like();
    let is_end =
        |word: &Word| word.kind == WordKind::CloseBrace || word.is(TokenKind::RightBracket);
    let begins = is_id(last) || last.kind.is_keyword() || last.kind == WordKind::OpenBrace;
    let follows = is_end(first)
        || first.is(TokenKind::Semicolon) && (is_end(second) || is_id(second))
        || is_id(last) && [third, second, first].into_iter().all(is_id);
    begins && follows
}

/// The identifier that begins with the first of `tokens`, and how many of them it takes.
pub(super) fn leading_id(tokens: &[Token]) -> Option<(Id, usize)> {
    let length = tokens.last().map_or(0, |last| last.range.end_u32());
    let first = *tokens.first()?;
    let tokens = Tokens::from_solid(tokens.iter().copied(), length);
    let single = || {
        let kind = WordKind::of(first.kind);
        let range = first.range;
        (Word { kind, range }, 1)
    };
    let (word, taken) = joined(&tokens, 0, WordPosition::Other).unwrap_or_else(single);
    let WordKind::Id(kind) = word.kind else {
        return None;
    };
    let range = word.range;
    Some((Id { range, kind }, taken))
}

/// Whether a token is a statement token by itself, and changes neither the depth nor whether the next one is in a list,
/// as can be seen from the kinds. False of some that are.
#[inline]
fn is_by_itself(kind: TokenKind, next: TokenKind) -> bool {
    match kind {
        TokenKind::Name | TokenKind::Number => !glues(next),
        TokenKind::String | TokenKind::Html => !joins_strings(next),
        kind => {
            let is_separator = matches!(kind, TokenKind::Comma | TokenKind::Semicolon);
            is_separator || kind == TokenKind::Equals || kind.is_edge_operator()
        }
    }
}

/// Whether a token of this kind may lead from a string to the next one.
#[inline]
fn joins_strings(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Plus | TokenKind::UnclosedString) || kind.is_trivia()
}

/// A quick test that is true of few tokens: whether the next one may continue this identifier. Kinds are compared
/// first, which are bytes next to each other.
#[inline]
fn may_join(tokens: &Tokens, token: Token, next: usize) -> bool {
    let Some(&kind) = tokens.kinds().get(next) else {
        return false;
    };
    if matches!(token.kind, TokenKind::String | TokenKind::Html) {
        joins_strings(kind)
    } else {
        glues(kind)
            && begins_id(token.kind)
            && tokens
                .get(next)
                .is_some_and(|next| token.range.end() == next.range.start())
    }
}

/// Whether an identifier of several tokens may begin with a token of this kind.
fn begins_id(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Name | TokenKind::Number)
        || matches!(kind, TokenKind::String | TokenKind::Html)
        || matches!(kind, TokenKind::Dot | TokenKind::Slash)
}

/// The identifier of several tokens that begins at the index `at`, if there is one, and the index after it.
#[inline(never)]
fn joined(tokens: &Tokens, at: usize, position: WordPosition) -> Option<(Word, usize)> {
    let token = tokens.get(at)?;
    match token.kind {
        TokenKind::String | TokenKind::Html => Some(concatenation(tokens, at, token)),
        kind if begins_id(kind) => glued_run(tokens, at, token, position),
        _ => None,
    }
}

/// `"a" + "b" + "c"`
fn concatenation(tokens: &Tokens, at: usize, first: Token) -> (Word, usize) {
    let mut word = Word {
        kind: WordKind::of(first.kind),
        range: first.range,
    };
    let mut end = at + 1;
    while let Some((plus, _)) = tokens
        .seen(end)
        .filter(|(_, plus)| plus.kind == TokenKind::Plus)
        && let Some((piece, token)) = tokens
            .seen(plus + 1)
            .filter(|(_, piece)| matches!(piece.kind, TokenKind::String | TokenKind::Html))
    {
        word.kind = WordKind::Id(IdKind::Concatenated);
        word.range = word.range.cover(token.range);
        end = piece + 1;
    }
    (word, end)
}

/// Recovery looks at no more than this many tokens of a run.
pub(super) const LONGEST_RUN: usize = 32;

/// Whether a token with no space before it may continue an unquoted identifier of a pipeline.
pub(super) fn glues(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Name | TokenKind::Number | TokenKind::Dot)
        || matches!(kind, TokenKind::Dash | TokenKind::Slash | TokenKind::Colon)
        || kind.is_keyword()
}

/// A run of tokens without spaces that is one identifier: `timeout=900s`, `human.default_choice`.
fn glued_run(
    tokens: &Tokens,
    at: usize,
    first: Token,
    position: WordPosition,
) -> Option<(Word, usize)> {
    let is_value = position != WordPosition::Other;
    if !is_value && first.kind != TokenKind::Name {
        return None;
    }
    let mut range = first.range;
    let mut end = at + 1;
    // Colons at the end of the run are not part of it.
    let mut without_colons = (range, end);
    let (mut dots, mut dashes) = (0, 0);
    while let Some(token) = tokens.get(end) {
        if token.range.start() != range.end() || !glues(token.kind) {
            break;
        }
        match token.kind {
            TokenKind::Dot => dots += 1,
            TokenKind::Dash | TokenKind::Slash => dashes += 1,
            TokenKind::Colon if is_value => dashes += 1,
            TokenKind::Colon => break,
            // Outside values Graphviz' own reading of `a.5` and `a-5` counts.
            TokenKind::Number if !is_value && dots + dashes == 0 => return None,
            kind if kind.is_keyword() && dots + dashes == 0 => break,
            _ => {}
        }
        range = range.cover(token.range);
        end += 1;
        if token.kind != TokenKind::Colon {
            without_colons = (range, end);
        }
    }
    let (range, end) = without_colons;
    if end == at + 1 {
        return None;
    }
    let is_plain = dots + dashes == 0 && !matches!(first.kind, TokenKind::Dot | TokenKind::Slash);
    let next = || tokens.seen(end).map(|(_, next)| next.kind);
    if is_plain && (!is_value || shows_graphviz_reading(next(), position)) {
        return None;
    }
    let kind = match (is_value, dashes) {
        (true, _) => WordKind::Id(IdKind::Extended),
        (false, 0) => WordKind::DottedKey,
        (false, _) => WordKind::Unquoted,
    };
    Some((Word { kind, range }, end))
}

/// Whether what follows `timeout=900s` shows that Graphviz' reading, `900` and then `s`, is meant.
fn shows_graphviz_reading(next: Option<TokenKind>, position: WordPosition) -> bool {
    match next {
        Some(TokenKind::Equals) => true,
        Some(
            TokenKind::Arrow
            | TokenKind::Line
            | TokenKind::LeftBracket
            | TokenKind::Colon
            | TokenKind::Comma,
        ) => position == WordPosition::StatementValue,
        _ => false,
    }
}
