//! What is never closed, or never opened.

use super::shown;
use crate::error::{SyntaxCode, SyntaxError};
use crate::{Edit, TextRange};

/// Something is open where the text ends; `outer` are the things around it that are open too.
///
/// What lacks its end at the end is reported there, where one types on; of a string one must know which.
pub(crate) fn ends_too_early(
    text: &str,
    mut innermost: SyntaxError,
    outer: Vec<SyntaxError>,
    end: usize,
) -> SyntaxError {
    let is_bracket = matches!(
        innermost.code,
        SyntaxCode::UnclosedBrace | SyntaxCode::UnclosedBracket
    );
    if outer.is_empty() && !is_bracket {
        return innermost;
    }
    let insertion = |error: &SyntaxError| -> String {
        let edits = error.fixes.iter().flat_map(|fix| &fix.edits);
        edits.map(|edit| edit.text.as_str()).collect()
    };
    let mut closers = insertion(&innermost);
    innermost.related.clear();
    if is_bracket {
        let open = innermost.range;
        let last = text.floor_char_boundary(end.saturating_sub(1));
        let found = open.text(text);
        innermost.range = TextRange::new(last, end);
        innermost.message = format!("unexpected end of file: unclosed `{found}`");
        innermost = innermost.related(open, format!("unclosed `{found}`"));
    } else {
        innermost = innermost.related(TextRange::empty(end), "the file ends here");
    }
    if outer.is_empty() {
        return innermost;
    }
    closers.truncate(closers.trim_end().len());
    for error in outer.into_iter().rev() {
        closers += &insertion(&error);
        innermost = innermost.related(error.range, "also unclosed");
    }
    innermost.fixes.clear();
    innermost
        .fix(
            "Insert the missing brackets",
            vec![Edit::insert(end, closers)],
        )
        .preferred()
}

/// A `<` at `open` that is never closed; `token` is what was read of it.
pub(crate) fn unclosed_html(open: usize, token: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::UnclosedHtml,
        TextRange::new(open, open + 1),
        "unclosed HTML string: every `<` in it needs a `>`",
    )
    .fix("Insert `>`", vec![Edit::insert(token.end(), ">")])
    .preferred()
}

/// A `/*` that is never closed.
pub(crate) fn unclosed_comment(token: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::UnclosedComment,
        TextRange::new(token.start(), token.start() + 2),
        "unclosed comment",
    )
    .fix("Insert `*/`", vec![Edit::insert(token.end(), " */")])
    .preferred()
}

/// A `[` that is never closed; `end` is where the `]` belongs.
pub(crate) fn unclosed_bracket(open: TextRange, end: usize) -> SyntaxError {
    SyntaxError::new(SyntaxCode::UnclosedBracket, open, "unclosed `[`")
        .related(TextRange::empty(end), "expected `]` here")
        .fix("Insert `]`", vec![Edit::insert(end, "]")])
        .preferred()
}

/// A `{` that is never closed; `end` is where the `}` belongs.
pub(crate) fn unclosed_brace(open: TextRange, end: TextRange, at_end: AtEnd) -> SyntaxError {
    let error = SyntaxError::new(SyntaxCode::UnclosedBrace, open, "unclosed `{`");
    let insert = match at_end {
        AtEnd::OfText => "\n}\n",
        AtEnd::OfBlock => "}\n",
    };
    error
        .related(end, "expected `}` before this")
        .fix("Insert `}`", vec![Edit::insert(end.start(), insert)])
        .preferred()
}

/// Where a missing `}` belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AtEnd {
    OfText,
    OfBlock,
}

/// `subgraph x a b }`, `digraph G a -> b }`
pub(crate) fn missing_open_brace(text: &str, after: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::UnclosedBrace,
        after,
        format!("expected `{{` after {}", shown(text, after)),
    )
    .fix("Insert `{`", vec![Edit::insert(after.end(), " {")])
    .preferred()
}

/// `a label=x]`
pub(crate) fn missing_open_bracket(close: TextRange, at: usize) -> SyntaxError {
    SyntaxError::new(SyntaxCode::StrayCloser, close, "unmatched `]`")
        .related(TextRange::empty(at), "expected `[` here")
        .fix("Insert `[`", vec![Edit::insert(at, "[")])
        .preferred()
}

/// A `]` or `}` too many.
pub(crate) fn stray_closer(text: &str, range: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::StrayCloser,
        range,
        format!("unmatched `{}`", range.text(text)),
    )
    .fix("Delete it", vec![Edit::delete(range)])
}

/// A `{` or `[` before what cannot be in it.
pub(crate) fn stray_opener(text: &str, range: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::Unexpected,
        range,
        format!("unexpected `{}`", range.text(text)),
    )
    .fix("Delete it", vec![Edit::delete(range)])
}

/// `a [x=1 } ]`
pub(crate) fn crossed_closers(text: &str, brace: TextRange, bracket: TextRange) -> SyntaxError {
    let closer = bracket.text(text);
    SyntaxError::new(
        SyntaxCode::StrayCloser,
        brace,
        format!("unexpected `}}` before the `{closer}` of an unclosed list"),
    )
    .related(bracket, format!("expected `{closer}` before it"))
    .fix(
        "Swap them",
        vec![Edit::replace(brace, closer), Edit::replace(bracket, "}")],
    )
}

/// A `[` inside a list.
pub(crate) fn bracket_in_list(range: TextRange, outer: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::Unexpected,
        range,
        "unexpected `[` inside a list",
    )
    .related(outer, "the list starts here")
    .fix("Delete it", vec![Edit::delete(range)])
}
