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
}

impl Writer<'_> {
    fn between(&mut self, last: Option<(Token, Plan)>, next: Token, plan: Plan) {
        let start = last.map_or(0, |(last, _)| last.range.end());
        let range = TextRange::new(start, next.range.start());
        let gap = range.text(self.text);
        let ends_line = last.is_some_and(|(last, _)| {
            matches!(last.kind, TokenKind::LineComment | TokenKind::HashLine)
        });
        let separator = last.map_or("", |(_, plan)| plan.after);
        let newlines = gap.bytes().filter(|&byte| byte == b'\n').count();
        let blank = match plan.before {
            Gap::Keep => return,
            _ if last.is_none() => String::new(),
            Gap::Apart(level) => self.eol.repeat(2) + &self.indent.of(level),
            Gap::Line(level) if newlines > 1 => self.eol.repeat(2) + &self.indent.of(level),
            Gap::Line(level) | Gap::TightLine(level) => {
                self.eol.to_owned() + &self.indent.of(level)
            }
            Gap::SpaceOrLine(level) if newlines > 0 => self.eol.to_owned() + &self.indent.of(level),
            Gap::None if ends_line => self.eol.to_owned(),
            Gap::None => String::new(),
            Gap::Spaces(count) => " ".repeat(count),
            Gap::SpaceOrLine(_) => " ".to_owned(),
        };
        self.write(range, separator.to_owned() + &blank, last);
    }

    /// One line end after the last token, unless it is left as it is.
    fn at_end(&mut self, last: Token, plan: Plan) {
        let range = TextRange::new(last.range.end(), self.text.len());
        let open = matches!(
            last.kind,
            TokenKind::UnclosedComment | TokenKind::UnclosedString | TokenKind::UnclosedHtml
        );
        if plan.before != Gap::Keep && !open {
            self.write(range, plan.after.to_owned() + self.eol, Some((last, plan)));
        }
    }

    fn write(&mut self, range: TextRange, mut new: String, last: Option<(Token, Plan)>) {
        // A line comment of a text with CRLF ends with the CR already.
        if last.is_some_and(|(last, _)| last.range.text(self.text).ends_with('\r'))
            && let Some(rest) = new.strip_prefix('\r')
        {
            new.drain(..new.len() - rest.len());
        }
        if range.text(self.text) != new {
            self.edits.push(Edit::replace(range, new));
        }
    }
}
