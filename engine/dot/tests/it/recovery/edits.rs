//! Edits that break a file, and the statements they leave alone.

use attractor_dot::ast::{Block, EdgeEnd, Stmt};
use attractor_dot::{Edit, TextRange, Token, TokenKind, parse};

/// A small generator of numbers, so that every run breaks the same places.
pub(super) struct Rng(u64);

impl Rng {
    /// Seeded by `RECOVERY_SEED`.
    pub(super) fn seeded() -> Self {
        let seed = std::env::var("RECOVERY_SEED").unwrap_or_default();
        let seed: u64 = seed.parse().unwrap_or(0);
        let mut rng = Self(0x2545_f491_4f6c_dd1d ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        if seed > 0 {
            // The first rolls of seeds that are alike are alike.
            (0..16).for_each(|_| _ = rng.roll(2));
        }
        rng
    }

    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Delete,
    Double,
    Swap,
    Insert,
    LoseQuote,
    BareQuotes,
    Cut,
}

/// The statements of a block and what is inside it, each as its text without spaces.
fn statements(block: &Block, text: &str, out: &mut Vec<(TextRange, String)>) {
    for statement in &block.statements {
        let mut bodies = Vec::new();
        match statement {
            Stmt::Subgraph(subgraph) => bodies.extend(&subgraph.body),
            Stmt::Edge(edge) => edge.ends.iter().for_each(|end| {
                if let EdgeEnd::Subgraph(subgraph) = end {
                    bodies.extend(&subgraph.body);
                }
            }),
            _ => {}
        }
        for body in &bodies {
            statements(body, text, out);
        }
        if bodies.is_empty() && !matches!(statement, Stmt::Error(_)) {
            let range = statement.range();
            out.push((range, range.text(text).split_whitespace().collect()));
        }
    }
}

pub(super) fn all_statements(text: &str) -> Vec<(TextRange, String)> {
    let mut out = Vec::new();
    parse(text)
        .file
        .graphs
        .iter()
        .for_each(|graph| statements(&graph.body, text, &mut out));
    out
}

pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text[..text.floor_char_boundary(offset.min(text.len()))]
        .matches('\n')
        .count()
}

pub(super) fn broken(text: &str, tokens: &[Token], kind: Kind, rng: &mut Rng) -> Option<Edit> {
    let at = rng.roll(tokens.len() - 1);
    let token = tokens[at];
    let written = token.range.text(text);
    Some(match kind {
        Kind::Delete => Edit::delete(token.range),
        Kind::Double => Edit::insert(token.range.end(), format!(" {written}")),
        Kind::Swap => {
            let next = tokens[at + 1];
            let between = TextRange::new(token.range.end(), next.range.start()).text(text);
            Edit::replace(
                token.range.cover(next.range),
                format!("{}{between}{written}", next.range.text(text)),
            )
        }
        Kind::Insert => {
            let strays = [
                "{", "}", "[", "]", ";", ",", "=", "->", "--", ":", "x", "-", ">", "&", "(", "\"",
            ];
            Edit::insert(
                token.range.start(),
                format!("{} ", strays[rng.roll(strays.len())]),
            )
        }
        Kind::LoseQuote => {
            let strings: Vec<_> = tokens
                .iter()
                .filter(|token| token.kind == TokenKind::String)
                .collect();
            let string = strings.get(rng.roll(strings.len().max(1)))?.range;
            let at = if rng.roll(2) == 0 {
                string.start()
            } else {
                string.end() - 1
            };
            Edit::delete(TextRange::new(at, at + 1))
        }
        Kind::BareQuotes => bare_quotes(text, tokens, rng)?,
        Kind::Cut => {
            let cuts = cuts(text);
            cuts.get(rng.roll(cuts.len().max(1)))?.clone()
        }
    })
}

/// A word inside a value is quoted, or JSON written into it, as if nothing had to be escaped, or all of it twice.
fn bare_quotes(text: &str, tokens: &[Token], rng: &mut Rng) -> Option<Edit> {
    let values: Vec<TextRange> = tokens
        .windows(2)
        .filter(|two| two[0].kind == TokenKind::Equals && two[1].kind == TokenKind::String)
        .map(|two| two[1].range)
        .collect();
    let value = values.get(rng.roll(values.len().max(1)))?;
    let spaces: Vec<usize> = value
        .text(text)
        .match_indices(' ')
        .map(|(at, _)| at)
        .collect();
    let space = value.start() + spaces.get(rng.roll(spaces.len().max(1)))?;
    Some(match rng.roll(3) {
        0 => {
            let rest = text.get(space + 1..value.end() - 1)?;
            let word = rest.find([' ', '\n', '\\', '"']).unwrap_or(rest.len());
            let word = TextRange::new(space + 1, space + 1 + word);
            Edit::replace(word, format!("\"{}\"", word.text(text)))
        }
        1 => Edit::insert(space, r#" {"ok": true, "files": ["a", "b"]}"#),
        _ => Edit::insert(space, r#" {\\"ok\\": true, \\"n\\": 1}"#),
    })
}

/// The file cut before, after and in the middle of every statement.
pub(super) fn cuts(text: &str) -> Vec<Edit> {
    let places = |range: TextRange| {
        let middle = range.start().midpoint(range.end());
        [range.start(), range.end(), middle]
    };
    let from = |at| Edit::delete(TextRange::new(text.floor_char_boundary(at), text.len()));
    all_statements(text)
        .into_iter()
        .flat_map(|(range, _)| places(range).map(from))
        .collect()
}
