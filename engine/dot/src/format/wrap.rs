//! What fits on a line: blocks, lists, and edge chains that are broken before an operator.
//!
//! Everything here is measured in characters of the tokens and of the gaps planned between them, never
//! of the spaces in the text: a text and its formatted form must measure the same.

use super::gaps::{Gap, SeparatorAction};
use super::layout::Layout;
use crate::ast::{AttrList, Block, EdgeStmt, Stmt};
use crate::{TextRange, TokenKind};

/// Whether a block or a list stays on its line.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    Inline,
    Expanded,
}

impl Layout<'_> {
    /// A block stays on its line if it begins on one, has no comment and no string of several lines,
    /// and fits. How it continues does not count, so that formatting a part changes nothing elsewhere.
    pub(super) fn form_of(&self, block: &Block, level: usize) -> Form {
        let tokens = self.within(block.range);
        let nested = block
            .statements
            .iter()
            .any(|statement| matches!(statement, Stmt::Subgraph(_)));
        let columns = self
            .options
            .width
            .saturating_sub(self.options.indent.columns(level));
        // Cheap tests first: blocks nest, and the inner ones are tested again.
        let inline = !nested
            && self.fits(tokens.clone(), columns)
            && !self.breaks_behind(tokens.start)
            && !tokens
                .clone()
                .any(|index| self.is_comment(index) || self.holds_lines(index));
        if inline { Form::Inline } else { Form::Expanded }
    }

    /// Whether a line ends between the token and the next.
    fn breaks_behind(&self, index: usize) -> bool {
        let end = |index| self.tokens.get(index).map(|token| token.range);
        let gap = end(index).zip(end(index + 1));
        gap.is_some_and(|(before, after)| {
            TextRange::new(before.end(), after.start())
                .text(self.text)
                .contains('\n')
        })
    }

    /// Whether a line ends inside the token.
    fn holds_lines(&self, index: usize) -> bool {
        self.tokens
            .get(index)
            .is_some_and(|token| token.range.text(self.text).contains('\n'))
    }

    /// Whether these tokens, with a space between them, fit in so many `columns`. Separators do not count, which
    /// formatting adds and takes away: a text and its formatted form must measure the same.
    fn fits(&self, tokens: std::ops::Range<usize>, columns: usize) -> bool {
        let mut width = 0;
        tokens
            .filter_map(|index| self.tokens.get(index))
            .filter(|token| !matches!(token.kind, TokenKind::Semicolon | TokenKind::Comma))
            .all(|token| {
                width += token.range.text(self.text).chars().count() + 1;
                width <= columns
            })
    }

    /// A list is expanded if it is already, as its first line shows, if it has comments that end
    /// lines, or if it does not fit.
    pub(super) fn form_of_list(&self, list: &AttrList, statement: usize, level: usize) -> Form {
        let tokens = self.within(list.range);
        let open = self
            .tokens
            .get(tokens.start)
            .map_or(list.range.start(), |open| open.range.end());
        let first = list
            .items
            .first()
            .map_or(open, |first| first.range().start());
        let comment = tokens.clone().any(|index| self.is_comment(index));
        let expanded = TextRange::new(open, first).text(self.text).contains('\n');
        let long_string = tokens.clone().any(|index| self.holds_lines(index));
        let wide = || {
            let mut width = 2 * list.items.len() + 1;
            let mut indent = self.options.indent.columns(level);
            for index in (statement..tokens.start).rev() {
                width += self.width(index);
                if self.begins_line(index) {
                    let further = usize::from(index > statement);
                    indent = self.options.indent.columns(level + further);
                    break;
                }
                if width > self.options.width {
                    break;
                }
            }
            let items = list.items.iter().flat_map(|item| self.within(item.range()));
            let items = items.filter_map(|index| self.tokens.get(index));
            width += items
                .map(|token| token.range.text(self.text).chars().count())
                .sum::<usize>();
            indent + width > self.options.width
        };
        let several = list.items.len() > 1;
        if !list.items.is_empty() && (expanded || comment || several && (long_string || wide())) {
            Form::Expanded
        } else {
            Form::Inline
        }
    }

    /// Whether the token will are first on its line.
    pub(super) fn begins_line(&self, index: usize) -> bool {
        let before = index
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before));
        let (Some(before), Some(token)) = (before, self.tokens.get(index)) else {
            return true;
        };
        match self.gap(index) {
            _ if self.ends_line(index - 1) => true,
            Gap::Line(_) | Gap::Apart(_) | Gap::TightLine(_) => true,
            Gap::SpaceOrLine(_) => TextRange::new(before.range.end(), token.range.start())
                .text(self.text)
                .contains('\n'),
            Gap::Keep | Gap::None | Gap::Spaces(_) => false,
        }
    }

    /// The width of a token, the gap before it and the separator after it.
    pub(super) fn width(&self, index: usize) -> usize {
        let (Some(token), Some(plan)) = (self.tokens.get(index), self.plans.get(index)) else {
            return 0;
        };
        if plan.action == SeparatorAction::Remove {
            return 0;
        }
        // A line that is broken already has no blank there.
        let gap = if self.begins_line(index) {
            0
        } else {
            plan.before.width()
        };
        token.range.text(self.text).chars().count() + gap + plan.after.len()
    }

    /// Breaks an edge chain before each operator after which the line would be too long. Where it is
    /// broken already it stays so.
    pub(super) fn wrap(&mut self, edge: &EdgeStmt, level: usize) {
        let indent = self.options.indent;
        let mut column = indent.columns(level);
        let mut start = self.first(edge.range);
        for end in &edge.ends {
            let link = start..self.within(end.range()).end;
            let mut width = self.width_of_line(link.clone());
            let operator = link.start;
            if self.begins_line(operator) {
                column = indent.columns(level + usize::from(operator > self.first(edge.range)));
            } else if column + width > self.options.width {
                self.set(operator, Gap::TightLine(level + 1));
                column = indent.columns(level + 1);
                width = self.width_of_line(link.clone());
            }
            let closes = link.end.saturating_sub(1);
            if closes > operator && self.begins_line(closes) {
                column = indent.columns(level) + self.width(closes);
            } else {
                column += width;
            }
            start = link.end;
        }
    }

    /// How wide the first line of these tokens is, as far as that matters.
    fn width_of_line(&self, tokens: std::ops::Range<usize>) -> usize {
        let mut width = 0;
        for index in tokens.clone() {
            if width > self.options.width || index > tokens.start && self.begins_line(index) {
                break;
            }
            width += self.width(index);
        }
        width
    }
}
