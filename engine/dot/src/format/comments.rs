//! Where comments go: after what they are after, or on lines of their own.

use super::gaps::{Gap, SeparatorAction};
use super::layout::Layout;
use crate::{TextRange, Token, TokenKind};

impl Layout<'_> {
    /// Comments: after what they are after, or on lines of their own, indented like what follows.
    pub(super) fn comments(&mut self) {
        let mut level = 0;
        for index in (0..self.plans.len()).rev() {
            let Some(token) = self.tokens.get(index) else {
                continue;
            };
            if token.kind.is_comment() {
                self.comment(index, token, level);
                continue;
            }
            let closes = matches!(token.kind, TokenKind::RightBrace | TokenKind::RightBracket);
            match self.gap(index) {
                Gap::Line(found) | Gap::Apart(found) | Gap::TightLine(found) => {
                    level = found + usize::from(closes);
                }
                Gap::SpaceOrLine(found) => level = found,
                _ => {}
            }
        }
    }

    fn comment(&mut self, index: usize, token: Token, level: usize) {
        let before = index
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before));
        let gap = TextRange::new(
            before.map_or(0, |before| before.range.end()),
            token.range.start(),
        )
        .text(self.text);
        let own_line = before.is_none() || gap.contains('\n') || self.follows_line_end(index);
        let opens = before.is_some_and(|before| {
            matches!(before.kind, TokenKind::LeftBrace | TokenKind::LeftBracket)
        });
        // At the beginning of a line newer versions of Graphviz know `#`, and nowhere else.
        let hash = token.kind == TokenKind::HashLine;
        let level = if hash && (gap.ends_with('\n') || before.is_none()) {
            0
        } else {
            level
        };
        let plan = match (own_line, opens) {
            (true, true) => Gap::TightLine(level),
            (true, false) => Gap::Line(level),
            (false, _) => Gap::SPACE,
        };
        self.set(index, plan);
        let Some(next) = self.tokens.get(index + 1) else {
            return;
        };
        if next.kind.is_comment()
            || self
                .plans
                .get(index + 1)
                .is_none_or(|plan| plan.action == SeparatorAction::Remove)
        {
            return;
        }
        // What follows a comment inside a statement stays on its line, or on the next one.
        let gap = self.gap(index + 1);
        let ends_line = self.ends_line(index);
        let following = match gap {
            Gap::None | Gap::Spaces(_) if ends_line => Gap::TightLine(level),
            Gap::None | Gap::Spaces(_) => Gap::SpaceOrLine(level),
            Gap::SpaceOrLine(found) if ends_line => Gap::TightLine(found),
            other => other,
        };
        self.set(index + 1, following);
    }

    /// Whether what will are before the token ends its line: a separator between them may go.
    fn follows_line_end(&self, index: usize) -> bool {
        let stays = |index: &usize| {
            let plan = self.plans.get(*index);
            plan.is_some_and(|plan| plan.action == SeparatorAction::Keep)
        };
        let before = (0..index).rev().find(stays);
        before.is_some_and(|before| self.ends_line(before))
    }
}
