//! What each token of a condition is, for semantic highlighting. Works on any text, broken or not.

use std::ops::Range;

use super::ast::Keyword;
use super::token::{Token, lex};
use crate::Status;

/// The classes of token an editor may colour differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// A context key.
    Key,
    /// A quoted text, or an unquoted one on the right of a lenient operator.
    Text,
    /// A number.
    Number,
    /// `true`, `null`, a status word, a keyword such as `on_fail`.
    Constant,
    /// `==`, `contains`, …
    Operator,
    /// `and`, `or`, `not` and their symbols.
    Connective,
}

/// The classified tokens in order, as bytes of `text`; brackets and what has no meaning are left out.
pub fn classify(text: &str) -> Vec<(Range<usize>, Class)> {
    let classified = |token: Token, word: &str| match token {
        Token::Bare if Status::known(word).is_some() => Some(Class::Constant),
        Token::Bare | Token::Text | Token::Contraction => Some(Class::Text),
        Token::Number => Some(Class::Number),
        Token::Literal => Some(Class::Constant),
        Token::Name if Keyword::from_word(word).is_some() || Status::known(word).is_some() => {
            Some(Class::Constant)
        }
        Token::Name | Token::Insert => Some(Class::Key),
        Token::And | Token::Or | Token::Not => Some(Class::Connective),
        token if token.is_operator() => Some(Class::Operator),
        _ => None,
    };
    lex(text)
        .into_iter()
        .filter_map(|spanned| {
            let word = text.get(spanned.range.clone()).unwrap_or_default();
            classified(spanned.token, word).map(|class| (spanned.range, class))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn each_token_has_its_class() {
        let text =
            "(outcome=success && retries < 3) or not tool.output contains 'x y' and on_fail @";
        let drawn: Vec<String> = classify(text)
            .into_iter()
            .map(|(range, class)| format!("{class:?} {}", text.get(range).unwrap_or("?")))
            .collect();
        expect![[r#"
            Key outcome
            Operator =
            Constant success
            Connective &&
            Key retries
            Operator <
            Number 3
            Connective or
            Connective not
            Key tool.output
            Operator contains
            Text 'x y'
            Connective and
            Constant on_fail"#]]
        .assert_eq(&drawn.join("\n"));
    }
}
