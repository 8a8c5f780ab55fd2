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
        format!(
            "this is a `{}`, whose edges are written `{right}`",
            kind(directed)
        ),
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
        "{} is no edge operator; did you mean `{right}`?",
        shown(text, range)
    );
    SyntaxError::with(
        replace(range, right),
        SyntaxError::new(SyntaxCode::WrongEdgeOperator, range, message),
    )
    .safe()
}

/// `-> ->`
pub(crate) fn doubled_operator(text: &str, range: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::WrongEdgeOperator,
        range,
        format!("a second {} without a node between", shown(text, range)),
    )
    .fix("delete it", vec![Edit::delete(range)])
    .safe()
}

/// `-> b`
pub(crate) fn missing_edge_start(range: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::MissingEdgeEnd,
        range,
        "this edge comes from nowhere: a node belongs before it",
    )
}

/// `a ->`
pub(crate) fn missing_edge_end(text: &str, range: TextRange) -> SyntaxError {
    let message = match range.text(text) {
        "" => "a node belongs here".to_owned(),
        found => format!("a node belongs after this `{found}`"),
    };
    SyntaxError::new(SyntaxCode::MissingEdgeEnd, range, message)
}

/// `a -> [label=x]`
pub(crate) fn edge_to_list(text: &str, operator: TextRange) -> SyntaxError {
    let found = shown(text, operator);
    let rest = TextRange::new(operator.end(), text.len()).text(text);
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let surplus = TextRange::new(operator.start(), operator.end() + blanks);
    SyntaxError::new(
        SyntaxCode::MissingEdgeEnd,
        operator,
        format!("expected a node between this {found} and the attribute list"),
    )
    .fix(format!("delete the {found}"), vec![Edit::delete(surplus)])
}

/// `a:`
pub(crate) fn missing_port(colon: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::Unexpected,
        colon,
        "after this `:` belongs the name of a port or a compass point",
    )
    .fix("delete the `:`", vec![Edit::delete(colon)])
    .preferred()
}

/// `a:b:c:d`
pub(crate) fn third_colon(colon: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::Unexpected,
        colon,
        "a port has two parts at most, `node:port:compass`; a name with `:` in it must be quoted",
    )
}
