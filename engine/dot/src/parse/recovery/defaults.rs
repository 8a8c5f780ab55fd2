//! Recovery: Defaults: `node [..]`, `edge [..]` and `graph [..]`.

use crate::TokenKind;
use crate::error;
use crate::parse::statement_tokens::WordKind;
use crate::parse::statements::Recovery;

impl Recovery<'_, '_, '_, '_> {
    /// `graph name = [..]`
    pub(in crate::parse) fn names_defaults(&self) -> bool {
        matches!(self.kind(1), Some(WordKind::Id(_)))
            && self.sees(2, TokenKind::Equals)
            && self.sees(3, TokenKind::LeftBracket)
    }

    pub(in crate::parse) fn skip_name_of_defaults(&mut self) {
        self.advance();
        self.advance();
    }

    /// `graph -- [x=y]` and `graph x [=y]`
    pub(in crate::parse) fn has_surplus_before_list(&self) -> bool {
        let is_operator = self.kind(1).is_some_and(WordKind::is_operator);
        let is_swapped = self.sees_id(1) && self.sees(3, TokenKind::Equals);
        (is_operator || is_swapped) && self.sees(2, TokenKind::LeftBracket)
    }

    /// Whether it is read as an identifier, as in `node = x` and `edge -> b`.
    pub(in crate::parse) fn keyword_is_id(&self) -> bool {
        let next_is_operator = self.kind(1).is_some_and(WordKind::is_operator);
        let continues_id =
            self.sees(1, TokenKind::Equals) || next_is_operator || self.sees(1, TokenKind::Colon);
        continues_id && !self.has_surplus_before_list()
    }

    /// `node & [x=y]`
    pub(in crate::parse) fn has_unexpected_before_list(&self) -> bool {
        let before_block = self.kind(1) == Some(WordKind::OpenBrace);
        self.sees(2, TokenKind::LeftBracket) && !self.sees_id(1) && !before_block
    }

    pub(in crate::parse) fn skip_before_list(&mut self) {
        self.skip(|text, range| error::unexpected(text, range, "`[`"));
    }

    pub(in crate::parse) fn report_defaults_without_list(&mut self) {
        let keyword = self.next_range();
        self.report(|text| error::defaults_without_list(text, keyword));
    }
}
