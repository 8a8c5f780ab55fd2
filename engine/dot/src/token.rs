//! Tokens: what the text is cut into, nothing left out.
//!
//! A token is a kind and a range. Spaces are not stored: they are what lies between the stored
//! tokens, and [`Tokens::iter`] gives them back, so the token texts concatenated are the text.
//! Storage is 9 bytes a token.

use logos::{Lexer, Logos};

use crate::TextRange;

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[logos(error = TokenKind, skip r"[ \t\r\n]+")]
pub enum TokenKind {
    /// Spaces, tabs, line ends and a byte order mark.
    Whitespace,
    /// `// …` up to the end of the line.
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    /// `/* … */`
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    BlockComment,
    /// `# …`: a line of the C preprocessor, which Graphviz skips.
    #[regex(r"#[^\n]*", allow_greedy = true)]
    HashLine,
    /// `strict` in any case, as are the other keywords.
    #[token("strict", ignore(case))]
    Strict,
    /// `graph`
    #[token("graph", ignore(case))]
    Graph,
    /// `digraph`
    #[token("digraph", ignore(case))]
    Digraph,
    /// `subgraph`
    #[token("subgraph", ignore(case))]
    Subgraph,
    /// `node`
    #[token("node", ignore(case))]
    Node,
    /// `edge`
    #[token("edge", ignore(case))]
    Edge,
    /// Letters, digits, `_` and every character beyond ASCII, not beginning with a digit.
    #[regex(r"[A-Za-z_\u{80}-\u{10FFFF}][A-Za-z_0-9\u{80}-\u{10FFFF}]*")]
    Name,
    /// `-1`, `.5`, `3.14`, `2.`
    #[regex(r"-?(\.[0-9]+|[0-9]+(\.[0-9]*)?)")]
    Number,
    /// `"…"`
    #[regex(r#""([^"\\]|\\[\s\S])*""#)]
    String,
    /// `<…>` with balanced angle brackets.
    #[token("<", html)]
    Html,
    /// A `"` that is never closed, up to where it was taken to end.
    #[token("\"", to_end)]
    UnclosedString,
    /// A `<` that is never closed, up to where it was taken to end.
    UnclosedHtml,
    /// A `/*` that is never closed, up to the end of the text.
    #[token("/*", to_end)]
    UnclosedComment,
    /// `->`
    #[token("->")]
    Arrow,
    /// `--`
    #[token("--")]
    Line,
    /// `{`
    #[token("{")]
    LeftBrace,
    /// `}`
    #[token("}")]
    RightBrace,
    /// `[`
    #[token("[")]
    LeftBracket,
    /// `]`
    #[token("]")]
    RightBracket,
    /// `=`
    #[token("=")]
    Equals,
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `:`
    #[token(":")]
    Colon,
    /// `+`
    #[token("+")]
    Plus,
    /// `@`, which is not part of the language; between graphs Graphviz takes it for the end of the file.
    #[token("@")]
    At,
    /// `.`
    #[token(".")]
    Dot,
    /// `-` that begins neither an edge operator nor a number.
    #[token("-")]
    Dash,
    /// `/` that begins no comment.
    #[token("/")]
    Slash,
    /// Any other character.
    #[default]
    Unknown,
}

impl TokenKind {
    /// Whether the grammar never sees it: spaces and comments.
    pub const fn is_trivia(self) -> bool {
        matches!(self, Self::Whitespace) || self.is_comment()
    }

    /// Whether it is a comment of any form, closed or not.
    pub const fn is_comment(self) -> bool {
        matches!(
            self,
            Self::LineComment | Self::BlockComment | Self::HashLine | Self::UnclosedComment
        )
    }

    /// Whether it is one of the six keywords.
    pub const fn is_keyword(self) -> bool {
        matches!(
            self,
            Self::Strict | Self::Graph | Self::Digraph | Self::Subgraph | Self::Node | Self::Edge
        )
    }

    /// Whether it can be an identifier by itself.
    pub const fn is_id(self) -> bool {
        matches!(
            self,
            Self::Name
                | Self::Number
                | Self::String
                | Self::Html
                | Self::UnclosedString
                | Self::UnclosedHtml
        )
    }

    /// Whether it is `->` or `--`.
    pub const fn is_edge_operator(self) -> bool {
        matches!(self, Self::Arrow | Self::Line)
    }
}

fn to_end(lexer: &mut Lexer<'_, TokenKind>) {
    lexer.bump(lexer.remainder().len());
}

/// Takes everything up to the `>` that balances the `<` already taken, else everything.
fn html(lexer: &mut Lexer<'_, TokenKind>) -> Result<(), TokenKind> {
    let mut depth = 1usize;
    let end = lexer.remainder().bytes().position(|byte| {
        match byte {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    if end.is_none() {
        to_end(lexer);
        return Err(TokenKind::UnclosedHtml);
    }
    lexer.bump(end.map_or(0, |end| end + 1));
    Ok(())
}

/// A kind and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub range: TextRange,
}

impl Token {
    /// Whether the grammar sees it: no comment, and no quote alone, which is surplus.
    pub(crate) const fn is_seen(self) -> bool {
        let is_quote = matches!(self.kind, TokenKind::UnclosedString) && self.range.len() == 1;
        !self.kind.is_trivia() && !is_quote
    }
}

/// All tokens of a text, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    kinds: Vec<TokenKind>,
    ranges: Vec<TextRange>,
    length: u32,
}

impl Tokens {
    /// No tokens yet, with the usual capacity for a text of `length` bytes.
    pub(crate) fn with_length(length: u32) -> Self {
        let usual = length as usize / 4;
        Self {
            kinds: Vec::with_capacity(usual),
            ranges: Vec::with_capacity(usual),
            length,
        }
    }

    pub(crate) fn push(&mut self, kind: TokenKind, range: TextRange) {
        self.kinds.push(kind);
        self.ranges.push(range);
    }

    pub(crate) fn shrink(&mut self) {
        self.kinds.shrink_to_fit();
        self.ranges.shrink_to_fit();
    }

    /// These tokens of a text of `length` bytes, in order.
    pub(crate) fn from_solid(tokens: impl IntoIterator<Item = Token>, length: u32) -> Self {
        let (kinds, ranges) = tokens
            .into_iter()
            .map(|token| (token.kind, token.range))
            .unzip();
        Self {
            kinds,
            ranges,
            length,
        }
    }

    /// The kinds of the stored tokens.
    pub(crate) fn kinds(&self) -> &[TokenKind] {
        &self.kinds
    }

    /// The ranges of the stored tokens.
    pub(crate) fn ranges(&self) -> &[TextRange] {
        &self.ranges
    }

    /// Whether a stored token is of this kind: joined by blocks, which needs no branch for each.
    pub(crate) fn have(&self, wanted: TokenKind) -> bool {
        let join = |any: u8, &kind: &TokenKind| any | u8::from(kind == wanted);
        let mut blocks = self.kinds.chunks(256);
        blocks.any(|kinds| kinds.iter().fold(0, join) > 0)
    }

    /// Length of the text in bytes.
    pub(crate) fn length(&self) -> u32 {
        self.length
    }

    /// The first token at or after the `index`th that the grammar sees, by its index.
    pub(crate) fn seen(&self, index: usize) -> Option<(usize, Token)> {
        (index..)
            .map_while(|index| Some((index, self.get(index)?)))
            .find(|(_, token)| token.is_seen())
    }

    /// The stored tokens: everything but spaces.
    pub fn solid(&self) -> impl DoubleEndedIterator<Item = Token> + ExactSizeIterator + Clone + '_ {
        self.kinds
            .iter()
            .zip(&self.ranges)
            .map(|(&kind, &range)| Token { kind, range })
    }

    /// The `index`th stored token.
    pub fn get(&self, index: usize) -> Option<Token> {
        Some(Token {
            kind: *self.kinds.get(index)?,
            range: *self.ranges.get(index)?,
        })
    }

    /// How many tokens are stored, spaces not counted.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether the text holds nothing but spaces.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Every token, spaces and comments too: their texts concatenated are the text.
    pub fn iter(&self) -> impl Iterator<Item = Token> + '_ {
        let end = TextRange::from_u32(self.length, self.length);
        let mut done = 0;
        self.solid()
            .map(Some)
            .chain(std::iter::once(None))
            .flat_map(move |token| {
                let range = token.map_or(end, |token| token.range);
                let blank = TextRange::from_u32(done, range.start_u32());
                done = range.end_u32();
                let blank = (!blank.is_empty()).then_some(Token {
                    kind: TokenKind::Whitespace,
                    range: blank,
                });
                blank.into_iter().chain(token)
            })
    }

    /// Index of the first stored token that ends after `offset`.
    pub fn index_after(&self, offset: usize) -> usize {
        self.ranges.partition_point(|range| range.end() <= offset)
    }

    /// The token that holds the byte at `offset`; a space between two tokens is one. `None` past the end.
    pub fn at_offset(&self, offset: usize) -> Option<Token> {
        let index = self.index_after(offset);
        if let Some(token) = self.get(index).filter(|token| token.range.contains(offset)) {
            return Some(token);
        }
        let start = index
            .checked_sub(1)
            .and_then(|before| self.ranges.get(before))
            .map_or(0, |r| r.end_u32());
        let end = self
            .ranges
            .get(index)
            .map_or(self.length, |r| r.start_u32());
        let range = TextRange::from_u32(start, end);
        range.contains(offset).then_some(Token {
            kind: TokenKind::Whitespace,
            range,
        })
    }

    /// The last stored token that ends at or before `offset` and is not a comment.
    pub fn before(&self, offset: usize) -> Option<Token> {
        let index = self.index_after(offset);
        (0..index)
            .rev()
            .filter_map(|i| self.get(i))
            .find(|token| !token.kind.is_comment())
    }

    /// The stored tokens that touch `range`.
    pub fn touching(&self, range: TextRange) -> impl Iterator<Item = Token> + '_ {
        let first = self.ranges.partition_point(|r| r.end() < range.start());
        (first..self.len())
            .filter_map(|i| self.get(i))
            .take_while(move |token| token.range.start() <= range.end())
    }
}
