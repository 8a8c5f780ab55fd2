//! Templates filled in from the context of a run.

use attractor_lang::template::{Quoting, parse, render};

use crate::context::View;

/// A text for people or models. A value that cannot are in text stays as its place was written.
pub fn plain(view: View<'_>, text: &str) -> String {
    render(&parse(text).0, &view, Quoting::Plain)
        .map_or_else(|_| text.to_owned(), |rendered| rendered.text)
}
