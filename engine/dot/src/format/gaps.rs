//! From what belongs in each gap to the edits that put it there.

use super::{Indent, Options};
use crate::{Edit, Parse, TextRange, Token, TokenKind};

/// What belongs before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// What is there.
    Keep,
    /// Nothing.
    None,
    /// So many spaces.
    Spaces(usize),
    /// A line of its own, indented by so many levels; one empty line above may stay.
    Line(usize),
    /// The same, always with an empty line above.
    Apart(usize),
    /// The same, but an empty line above goes.
    TightLine(usize),
    /// A space, or a new line of this level where there is one already.
    SpaceOrLine(usize),
}

impl Gap {
    pub(super) const SPACE: Self = Self::Spaces(1);

    /// How wide it is, if it does not break the line.
    pub(super) fn width(self) -> usize {
        match self {
            Self::Spaces(count) => count,
            Self::SpaceOrLine(_) => 1,
            Self::Keep | Self::None | Self::Line(_) | Self::Apart(_) | Self::TightLine(_) => 0,
        }
    }
}

/// What becomes of a token and the gap before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) before: Gap,
    /// The separator that belongs right after it.
    pub(super) after: &'static str,
    pub(super) action: SeparatorAction,
}

/// Whether a token stays. Separators that go are put where they belong as [`Plan::after`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeparatorAction {
    Keep,
    Remove,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            before: Gap::Keep,
            after: "",
            action: SeparatorAction::Keep,
        }
    }
}

/// The edits that make of `text` what `plans`, one for each stored token, ask for.
pub(super) fn edits(text: &str, parse: &Parse, plans: &[Plan], options: &Options) -> Vec<Edit> {
    let mut writer = Writer {
        text,
        indent: options.indent,
        eol: line_end(text),
        edits: Vec::new(),
        new: String::new(),
    };
    let mut last: Option<(Token, Plan)> = None;
    for (token, plan) in parse.tokens.solid().zip(plans) {
        if plan.action == SeparatorAction::Remove {
            continue;
        }
        writer.between(last, token, *plan);
        last = Some((token, *plan));
    }
    if let Some((last, plan)) = last {
        writer.at_end(last, plan);
    }
    writer.edits
}

fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text.get(..at).is_some_and(|line| line.ends_with('\r')) => "\r\n",
        _ => "\n",
    }
}

struct Writer<'a> {
    text: &'a str,
    indent: Indent,
    eol: &'static str,
    edits: Vec<Edit>,
    /// What the gap at hand becomes. Most gaps are as they should be, so its memory is used again.
    new: String,
}

impl Writer<'_> {
    fn between(&mut self, last: Option<(Token, Plan)>, next: Token, plan: Plan) {
        if plan.before == Gap::Keep {
            return;
        }
        self.new.clear();
        let start = last.map_or(0, |(last, _)| last.range.end());
        let range = TextRange::new(start, next.range.start());
        if let Some((last, before)) = last {
            self.new.push_str(before.after);
            let ends_line = matches!(last.kind, TokenKind::LineComment | TokenKind::HashLine);
            self.blank(plan.before, range, ends_line);
        }
        self.write(range, last);
    }

    /// Adds what belongs in the gap `range` after its separator.
    fn blank(&mut self, gap: Gap, range: TextRange, ends_line: bool) {
        let line_ends = || {
            let bytes = range.text(self.text).bytes();
            bytes.filter(|&byte| byte == b'\n').count()
        };
        match gap {
            Gap::Apart(level) => self.line(2, level),
            Gap::Line(level) => self.line(if line_ends() > 1 { 2 } else { 1 }, level),
            Gap::TightLine(level) => self.line(1, level),
            Gap::SpaceOrLine(level) if line_ends() > 0 => self.line(1, level),
            Gap::None if ends_line => self.line(1, 0),
            Gap::Keep | Gap::None => {}
            Gap::Spaces(count) => self.new.extend(std::iter::repeat_n(' ', count)),
            Gap::SpaceOrLine(_) => self.new.push(' '),
        }
    }

    /// Adds line ends and the indentation of a level.
    fn line(&mut self, line_ends: usize, level: usize) {
        self.new.extend(std::iter::repeat_n(self.eol, line_ends));
        self.indent.write(level, &mut self.new);
    }

    /// One line end after the last token, unless it is left as it is.
    fn at_end(&mut self, last: Token, plan: Plan) {
        let range = TextRange::new(last.range.end(), self.text.len());
        let open = matches!(
            last.kind,
            TokenKind::UnclosedComment | TokenKind::UnclosedString | TokenKind::UnclosedHtml
        );
        if plan.before != Gap::Keep && !open {
            self.new.clear();
            self.new.extend([plan.after, self.eol]);
            self.write(range, Some((last, plan)));
        }
    }

    fn write(&mut self, range: TextRange, last: Option<(Token, Plan)>) {
        let mut new = self.new.as_str();
        // A line comment of a text with CRLF ends with the CR already.
        if let Some(rest) = new.strip_prefix('\r')
            && last.is_some_and(|(last, _)| last.range.text(self.text).ends_with('\r'))
        {
            new = rest;
        }
        if range.text(self.text) != new {
            self.edits.push(Edit::replace(range, new));
        }
    }
}
