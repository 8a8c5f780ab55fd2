//! From tokens to the tree: graphs and blocks, by a stack instead of recursion.
//!
//! Recovery has already balanced the brackets, so a block's end is where its brace is. The words of
//! the open blocks lie on a stack; when one closes it becomes a single word of the block around it.
//! Statements are parsed one by one, some hundred words at a time, so that the words are still near
//! when the grammar reads them.

use std::cell::Cell;

use chumsky::Parser as _;
use chumsky::input::InputRef;
use chumsky::inspector::SimpleState;
use chumsky::primitive::custom;

use super::gather::Gather;
use super::grammar::{Extra, Input, Stand, statement};
use super::header;
use super::mend::{Behind, GraphKind, mend};
use super::operators::{Operators, Written};
use super::words::{Stop, Word, WordKind, Words};
use crate::ast::{Block, File, Graph};
use crate::error::ErrorSink;
use crate::{TextRange, TokenKind, Tokens};

/// Builds the tree of balanced `tokens`. Messages are added to `errors`.
pub(super) fn build(text: &str, tokens: &Tokens, errors: &mut ErrorSink<'_>) -> File {
    let mut builder = Builder {
        text,
        tokens,
        errors,
        at: 0,
        kind: GraphKind::Directed,
        behind: Behind::Sound,
        bodies: Vec::new(),
        spare: Vec::new(),
        gather: SimpleState(Gather::with_room(tokens.len())),
    };
    let written = Written::of(tokens, builder.errors);
    let mut file = File::default();
    while let Some(header) = header::header(tokens, &mut builder.at, builder.behind, builder.errors)
    {
        builder.behind = header.left;
        let mut operators = Operators::new(header.directed, &written, builder.errors);
        builder.kind = if header.directed {
            GraphKind::Directed
        } else {
            GraphKind::Undirected
        };
        let body = builder.block(&mut operators);
        let directed = operators.finish(&header, builder.errors);
        file.graphs.push(Graph {
            range: header.range.cover(body.range),
            strict: header.strict,
            directed,
            keyword: header.keyword,
            id: header.id,
            body,
        });
    }
    file.graphs.shrink_to_fit();
    file
}

struct Builder<'a, 't> {
    text: &'a str,
    tokens: &'a Tokens,
    errors: &'a mut ErrorSink<'t>,
    at: usize,
    kind: GraphKind,
    /// What stands before the next graph or block.
    behind: Behind,
    /// Finished blocks that are words of a block still open, in order.
    bodies: Vec<Block>,
    /// Emptied word lists, to be used again.
    spare: Vec<Vec<Word>>,
    gather: SimpleState<Gather>,
}

/// A block that is open.
struct Frame {
    open: TextRange,
    /// Words not yet parsed.
    words: Vec<Word>,
    /// Where its statements begin on the stack.
    statements: usize,
    /// Where the blocks its words stand for begin.
    bodies: usize,
    /// What stands before its next statement.
    behind: Behind,
}

impl Builder<'_, '_> {
    /// Parses the block whose `{` is the next token, up to its `}`.
    fn block(&mut self, operators: &mut Operators) -> Block {
        let mut reader = Words::new(self.tokens, self.at);
        let mut frames: Vec<Frame> = Vec::new();
        let mut outside = Vec::new();
        loop {
            let frame = frames.last_mut();
            let words = frame.map_or(&mut outside, |frame| &mut frame.words);
            let close = match reader.read(words) {
                Stop::Open(open) => {
                    if is_broken_header(words) {
                        self.behind = Behind::Broken;
                    }
                    frames.push(Frame {
                        open,
                        words: self.spare.pop().unwrap_or_default(),
                        statements: self.gather.count(),
                        bodies: self.bodies.len(),
                        behind: std::mem::replace(&mut self.behind, Behind::Sound),
                    });
                    continue;
                }
                Stop::Full => {
                    if let Some(frame) = frames.last_mut() {
                        self.statements(frame, operators);
                    }
                    continue;
                }
                Stop::Close(close) => close,
                // Balanced tokens never end inside a block.
                Stop::End => TextRange::empty(self.text.len()),
            };
            self.at = reader.at();
            let Some(frame) = frames.pop() else {
                return Block::default();
            };
            let block = self.close(frame, close, operators);
            let Some(outer) = frames.last_mut() else {
                return block;
            };
            self.behind = Behind::Sound;
            outer.words.push(Word::new(WordKind::Body, block.range));
            self.bodies.push(block);
        }
    }

    fn close(&mut self, mut frame: Frame, close: TextRange, operators: &mut Operators) -> Block {
        self.statements(&mut frame, operators);
        self.behind = frame.behind;
        self.spare.push(frame.words);
        Block {
            range: frame.open.cover(close),
            statements: self.gather.take(frame.statements),
            closed: !close.is_empty(),
        }
    }

    /// Parses the statements the words of a block make up, each failing alone.
    fn statements(&mut self, frame: &mut Frame, operators: &mut Operators) {
        operators.count(self.text, &frame.words);
        let first = self.gather.count();
        let mut rest = frame.words.as_slice();
        while !rest.is_empty() {
            let taken = sound_statements(rest, &mut self.gather);
            rest = rest.get(taken..).unwrap_or_default();
            if taken > 0 {
                frame.behind = Behind::Sound;
            }
            if !rest.is_empty() {
                let mended = mend(self.text, rest, self.kind, frame.behind, self.errors);
                frame.behind = mended.left;
                if mended.left == Behind::Broken {
                    self.errors.break_statement(mended.range);
                }
                mended.gather(&mut self.gather, frame.statements);
                rest = rest.get(mended.taken..).unwrap_or_default();
            }
        }
        frame.words.clear();
        if self.bodies.len() > frame.bodies {
            let mut bodies = self.bodies.drain(frame.bodies..);
            for statement in self.gather.since(first) {
                Stand::take(statement, &mut bodies);
            }
        }
    }
}

/// Whether words before a `{` are `subgraph name` and one word more.
fn is_broken_header(words: &[Word]) -> bool {
    let is_id = |word: &Word| matches!(word.kind, WordKind::Id(_));
    matches!(words, [.., keyword, name, more]
        if keyword.is(TokenKind::Subgraph) && is_id(name) && is_id(more))
}

/// Parses statements up to the first that is broken; returns how many words that took.
fn sound_statements(words: &[Word], gather: &mut SimpleState<Gather>) -> usize {
    let statement = statement();
    let taken = Cell::new(0);
    // What is read is in the gather, because the parse as a whole fails at the first broken
    // statement, and reading on to the end of the words only to succeed would take too long.
    let all = custom(|input: &mut InputRef<'_, '_, Input<'_>, Extra>| {
        while input.peek().is_some() {
            let count = input.state().count();
            let parsed = input.parse(&statement);
            let end = *input.cursor().inner();
            if parsed.is_err() || is_cut_short(words, end) {
                input.state().forget(count);
                break;
            }
            taken.set(end);
        }
        Ok(())
    });
    let _ = all.parse_with_state(words, gather).into_result();
    taken.get()
}

/// Whether the statement that ends before `words[at]` does so only because its rest is broken.
fn is_cut_short(words: &[Word], at: usize) -> bool {
    let ended = at
        .checked_sub(1)
        .and_then(|last| words.get(last))
        .is_some_and(|last| last.is(TokenKind::Semicolon));
    let goes_on = words.get(at).is_some_and(|next| match next.kind {
        WordKind::Operator { .. } | WordKind::Missing | WordKind::NoBody => true,
        WordKind::Token(kind) => !kind.is_keyword() && kind != TokenKind::Semicolon,
        WordKind::Id(_) | WordKind::Key | WordKind::Odd | WordKind::Body => false,
    });
    goes_on && !ended
}
