//! What can be wrong with edges and ports.

use super::{kind, operator, replace, shown};
use crate::error::{SyntaxCode, SyntaxError};
use crate::{Edit, TextRange};

/// `--` in a digraph, `->` in a graph.
pub(crate) fn wrong_operator(range: TextRange, directed: bool, keyword: TextRange) -> SyntaxError {
    let (found, right) = (operator(!directed), operator(directed));
    let message = format!("`{found}` in a {}; did you mean `{right}`?", kind(directed));
    SyntaxError::with(
        replace(range, right),
        SyntaxError::new(SyntaxCode::WrongEdgeOperator, range, message),
    )
    .safe()
    .related(
        keyword,
        format!("edges of a `{}` are written `{right}`", kind(directed)),
    )
}

/// All edges of a graph contradict its keyword.
pub(crate) fn wrong_graph_kind(
    keyword: TextRange,
    directed: bool,
    first: TextRange,
) -> SyntaxError {
    let right = kind(!directed);
    let message = format!(
        "this is a `{}`, but its edges are written `{}`; did you mean `{right}`?",
        kind(directed),
        operator(!directed)
    );
    SyntaxError::with(
        replace(keyword, right),
        SyntaxError::new(SyntaxCode::WrongEdgeOperator, keyword, message),
    )
    .preferred()
    .related(first, "the first such edge")
}

/// `-`, `=>`, `-->`
pub(crate) fn misspelt_operator(text: &str, range: TextRange, directed: bool) -> SyntaxError {
    let right = operator(directed);
    let message = format!(
        "invalid edge operator {}; did you mean `{right}`?",
        shown(text, range)
    );
    SyntaxError::with(
        replace(range, right),
        SyntaxError::new(SyntaxCode::WrongEdgeOperator, range, message),
    )
    .safe()
}

/// `-> ->`
pub(crate) fn doubled_operator(text: &str, surplus: TextRange, other: TextRange) -> SyntaxError {
    let (first, second) = (surplus.min(other), surplus.max(other));
    let (first, second) = (shown(text, first), shown(text, second));
    let message = format!("expected a node between {first} and {second}");
    SyntaxError::new(SyntaxCode::WrongEdgeOperator, surplus, message)
        .fix("Delete it", vec![Edit::delete(surplus)])
        .safe()
}

/// `-> b`
pub(crate) fn missing_edge_start(text: &str, operator: TextRange) -> SyntaxError {
    let message = format!("expected a node before {}", shown(text, operator));
    SyntaxError::new(SyntaxCode::MissingEdgeEnd, operator, message)
}

/// `a ->`
pub(crate) fn missing_edge_end(text: &str, range: TextRange) -> SyntaxError {
    let message = match range.text(text) {
        "" => "expected a node here".to_owned(),
        found => format!("expected a node after `{found}`"),
    };
    SyntaxError::new(SyntaxCode::MissingEdgeEnd, range, message)
}

/// `a -> [label=x]`
pub(crate) fn edge_to_list(text: &str, operator: TextRange) -> SyntaxError {
    let found = shown(text, operator);
    let rest = TextRange::new(operator.end(), text.len()).text(text);
    let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let surplus = TextRange::new(operator.start(), operator.end() + spaces);
    SyntaxError::new(
        SyntaxCode::MissingEdgeEnd,
        operator,
        format!("expected a node between {found} and the attribute list"),
    )
    .fix(format!("Delete {found}"), vec![Edit::delete(surplus)])
}

/// `a:`
pub(crate) fn missing_port(colon: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::Unexpected,
        colon,
        "expected the name of a port or a compass point after `:`",
    )
    .fix("Delete `:`", vec![Edit::delete(colon)])
    .preferred()
}

/// `a:b:c:d`
pub(crate) fn third_colon(colon: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::Unexpected,
        colon,
        "a port has at most two parts, `node:port:compass`; quote names that contain `:`",
    )
}
