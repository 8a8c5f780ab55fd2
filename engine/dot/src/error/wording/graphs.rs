//! What can be wrong with names, graphs and subgraphs.

use super::{quoted, replace, shown};
use crate::ast::Id;
use crate::error::{SyntaxCode, SyntaxError};
use crate::{Edit, TextRange, Token, TokenKind};

/// `a -> node`
pub(crate) fn keyword_as_id(text: &str, range: TextRange) -> SyntaxError {
    let message = format!(
        "{} is a keyword; quote it to use it as a name or value",
        shown(text, range)
    );
    SyntaxError::with(
        quoted(text, range),
        SyntaxError::new(SyntaxCode::KeywordAsId, range, message),
    )
    .safe()
}

/// `build-app [..]`
pub(crate) fn needs_quotes(text: &str, range: TextRange) -> SyntaxError {
    let message = format!(
        "{} must be quoted; unquoted names consist of letters, digits and `_`",
        shown(text, range)
    );
    SyntaxError::with(
        quoted(text, range),
        SyntaxError::new(SyntaxCode::NeedsQuotes, range, message),
    )
    .safe()
}

/// `digraph` inside a graph.
pub(crate) fn graph_in_graph(text: &str, range: TextRange) -> SyntaxError {
    let message = format!(
        "unexpected {} inside a graph; did you mean `subgraph`?",
        shown(text, range)
    );
    SyntaxError::with(
        replace(range, "subgraph"),
        SyntaxError::new(SyntaxCode::Unexpected, range, message),
    )
    .preferred()
}

/// `subgraph x` without braces.
pub(crate) fn subgraph_without_body(text: &str, keyword: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::Incomplete,
        keyword,
        format!("expected `{{ … }}` after {}", shown(text, keyword)),
    )
}

/// Text before, between or after graphs.
pub(crate) fn outside_graph(text: &str, tokens: &[Token]) -> SyntaxError {
    let first = tokens
        .first()
        .map_or(TextRange::default(), |first| first.range);
    let message = format!("{} is outside any graph", shown(text, first));
    SyntaxError::new(SyntaxCode::OutsideGraph, first, message)
}

/// `name {` without `digraph`.
pub(crate) fn missing_graph_keyword(text: &str, tokens: &[Token], brace: TextRange) -> SyntaxError {
    let first = tokens
        .iter()
        .find(|token| token.kind != TokenKind::Strict)
        .map_or(brace, |token| token.range);
    let found = first.text(text);
    let error = SyntaxError::new(
        SyntaxCode::OutsideGraph,
        first,
        format!(
            "expected `digraph` or `graph`, found {}",
            shown(text, first)
        ),
    );
    let near = ["digraph", "graph"]
        .into_iter()
        .find(|word| tokens.len() > 1 && is_near(found, word));
    match near {
        Some(word) => SyntaxError::with(replace(first, word), error).preferred(),
        None => error.fix(
            "Insert `digraph`",
            vec![Edit::insert(first.start(), "digraph ")],
        ),
    }
}

/// Whether `found` is a typo of `word`: a letter too few, too many or exchanged.
fn is_near(found: &str, word: &str) -> bool {
    let found = found.to_lowercase();
    let (mut letters, mut expected) = (found.chars().peekable(), word.chars().peekable());
    while letters.peek().is_some() && letters.peek() == expected.peek() {
        letters.next();
        expected.next();
    }
    let (rest, tail): (String, String) = (letters.collect(), expected.collect());
    let after = |text: &str, n: usize| text.chars().skip(n).collect::<String>();
    found.len() >= 3
        && (after(&rest, 1) == after(&tail, 1)
            || after(&rest, 1) == tail
            || rest == after(&tail, 1)
            || after(&rest, 2) == after(&tail, 2))
}

/// `digraph a b {`
pub(crate) fn graph_header(text: &str, junk: &[Token], id: Option<Id>) -> SyntaxError {
    let first = junk
        .first()
        .map_or(TextRange::default(), |first| first.range);
    let last = junk.last().map_or(first, |last| last.range);
    let message = format!(
        "expected `{{` after the name of the graph, found {}",
        shown(text, first)
    );
    let error = SyntaxError::new(SyntaxCode::Unexpected, first, message);
    match id {
        Some(id) => SyntaxError::with(quoted(text, id.range.cover(last)), error),
        None => SyntaxError::with(quoted(text, first.cover(last)), error),
    }
}

/// `digraph [ name {`
pub(crate) fn unexpected_in_header(text: &str, range: TextRange) -> SyntaxError {
    let message = format!(
        "unexpected {} between the keyword and the name of the graph",
        shown(text, range)
    );
    SyntaxError::new(SyntaxCode::Unexpected, range, message)
        .fix("Delete it", vec![Edit::delete(range)])
}
