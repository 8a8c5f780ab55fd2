//! What can be wrong with attributes and the lists they are in.

use super::{line_from, quoted, replace, shown};
use crate::error::{SyntaxCode, SyntaxError};
use crate::{Edit, TextRange};

/// `key=`
pub(crate) fn missing_value(text: &str, key: TextRange, equals: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::MissingValue,
        key.cover(equals),
        format!("{} has no value", shown(text, key)),
    )
    .fix("Set it to `\"\"`", vec![Edit::insert(equals.end(), "\"\"")])
}

/// `[key]`
pub(crate) fn no_value(text: &str, key: TextRange) -> SyntaxError {
    let name = shown(text, key);
    SyntaxError::new(
        SyntaxCode::MissingValue,
        key,
        format!("{name} has no value; expected `name=value`"),
    )
    .fix("Set it to `true`", vec![Edit::insert(key.end(), "=true")])
}

/// `key "value"`
pub(crate) fn missing_equals(text: &str, key: TextRange, value: TextRange) -> SyntaxError {
    let gap = TextRange::new(key.end(), value.start());
    let blank = gap.text(text).trim().is_empty();
    let place = if blank {
        gap
    } else {
        TextRange::empty(key.end())
    };
    SyntaxError::new(
        SyntaxCode::MissingValue,
        key.cover(value),
        format!(
            "expected `=` between {} and its value {}",
            shown(text, key),
            shown(text, value)
        ),
    )
    .fix("Insert `=`", vec![Edit::replace(place, "=")])
    .preferred()
}

/// What follows a value and does not belong to it: `label=two words`, `label=“two words”`, `label=<b>x</b>`.
pub(crate) fn value_continues(text: &str, value: TextRange, next: TextRange) -> SyntaxError {
    let written = value.text(text);
    let line = line_from(text, value.start());
    if written.starts_with(['“', '”', '„']) {
        return curly_quotes(value, line);
    }
    if written.starts_with('<') && next.start() == value.end() {
        return html_without_brackets(value, line);
    }
    let whole = value.cover(next);
    let message = format!(
        "unexpected {}; quote values that contain spaces",
        shown(text, next)
    );
    SyntaxError::with(
        quoted(text, whole),
        SyntaxError::new(SyntaxCode::NeedsQuotes, next, message),
    )
    .preferred()
}

/// `label=“two words”`
fn curly_quotes(value: TextRange, line: &str) -> SyntaxError {
    let open = TextRange::new(value.start(), value.start() + '“'.len_utf8());
    let message = "curly quotes do not delimit strings, Graphviz reads them as letters; use `\"`";
    let error = SyntaxError::new(SyntaxCode::NeedsQuotes, open, message);
    let close = line
        .char_indices()
        .skip(1)
        .find(|(_, c)| matches!(c, '“' | '”' | '„'));
    let Some((close, c)) = close else {
        return error;
    };
    let close = TextRange::new(value.start() + close, value.start() + close + c.len_utf8());
    error
        .fix(
            "Replace with straight quotes",
            vec![Edit::replace(open, "\""), Edit::replace(close, "\"")],
        )
        .safe()
}

/// `label=<b>x</b>`
fn html_without_brackets(value: TextRange, line: &str) -> SyntaxError {
    let message = "the HTML string ends here; enclose all of it in `<` and `>`, as in `<<b>x</b>>`";
    let error = SyntaxError::new(SyntaxCode::NeedsQuotes, value, message);
    let Some(end) = line.rfind('>').filter(|&end| end + 1 > value.len()) else {
        return error;
    };
    let edits = vec![
        Edit::insert(value.start(), "<"),
        Edit::insert(value.start() + end + 1, ">"),
    ];
    error.fix("Wrap in `<` and `>`", edits)
}

/// `=value`
pub(crate) fn missing_key(equals: TextRange) -> SyntaxError {
    SyntaxError::new(SyntaxCode::MissingKey, equals, "expected a name before `=`")
}

/// `key==value`
pub(crate) fn doubled_equals(range: TextRange) -> SyntaxError {
    SyntaxError::new(SyntaxCode::Unexpected, range, "unexpected second `=`")
        .fix("Delete it", vec![Edit::delete(range)])
        .safe()
}

/// `key: value`
pub(crate) fn colon_for_equals(colon: TextRange) -> SyntaxError {
    SyntaxError::with(
        replace(colon, "="),
        SyntaxError::new(
            SyntaxCode::Unexpected,
            colon,
            "unexpected `:` between a name and its value; did you mean `=`?",
        ),
    )
    .safe()
}

/// `"a" + b`
pub(crate) fn plus_joins_strings(plus: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::Unexpected,
        plus,
        "`+` can only join two quoted strings",
    )
}

/// `[x=1]` without anything before it.
pub(crate) fn list_of_nothing(open: TextRange) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::Unexpected,
        open,
        "expected a node, edge or `node`/`edge`/`graph` before `[`",
    )
}

/// `node` alone.
pub(crate) fn defaults_without_list(text: &str, keyword: TextRange) -> SyntaxError {
    let name = shown(text, keyword);
    let message = format!(
        "{name} is a keyword and needs a list, `{} [..]`; quote it to use it as a name",
        keyword.text(text)
    );
    SyntaxError::with(
        quoted(text, keyword),
        SyntaxError::new(SyntaxCode::Incomplete, keyword, message),
    )
}
