//! A template and a context → the text to use. Values go in once and are not looked at again.

use super::error::RenderError;
use super::piece::Piece;
use super::shell::ShellText;
use super::{Filter, Form, Insert, Part, Template};
use crate::lookup::Lookup;
use crate::value::Value;

/// How values go into the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quoting {
    /// As they are, for prompts and messages.
    Plain,
    /// For a shell. A value travels in an environment variable of the process, and the text only holds a
    /// reference to it, quoted for the place it is in; so whatever the value holds, the shell never
    /// parses it. Short plain words are in the text themselves, where every place reads them alike.
    Shell,
}

/// A template with its values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// Keys of braces that had no value and no default, each once, as written; their places stay as they
    /// were. A dollar without a value is not a miss: it may be a variable of the shell.
    pub missing: Vec<String>,
    /// Variables the process must be given with [`Quoting::Shell`]; otherwise empty.
    pub environment: Vec<(String, String)>,
}

/// Fills in a template. A missing key leaves its place as written and is named in [`Rendered::missing`];
/// a key that is null inserts nothing. With [`Quoting::Plain`] it never fails.
pub fn render(
    template: &Template,
    context: &dyn Lookup,
    quoting: Quoting,
) -> Result<Rendered, RenderError> {
    let mut missing = Vec::new();
    let mut pieces = Vec::with_capacity(template.parts.len());
    for part in &template.parts {
        match part {
            Part::Text(text, _) => pieces.push(Piece::Text(text)),
            Part::Insert(insert) => fill(insert, context, &mut pieces, &mut missing),
        }
    }
    let (text, environment) = match quoting {
        Quoting::Plain => (pieces.iter().map(Piece::plain).collect(), Vec::new()),
        Quoting::Shell => ShellText::assemble(&pieces)?,
    };
    Ok(Rendered {
        text,
        missing,
        environment,
    })
}

fn fill<'a>(
    insert: &'a Insert,
    context: &dyn Lookup,
    pieces: &mut Vec<Piece<'a>>,
    missing: &mut Vec<String>,
) {
    let found = insert.candidates().find_map(|key| context.get(&key));
    match (found, &insert.default) {
        (Some(Value::Null) | None, Some(default)) => {
            pieces.push(Piece::Value(insert, default.clone()));
        }
        (Some(value), _) => pieces.push(Piece::Value(insert, value.to_string())),
        (None, None) if insert.form == Form::Dollar => fill_prefix(insert, context, pieces),
        // `${name}` may be a variable of the shell.
        (None, None) if insert.form == Form::DollarBraces => {
            pieces.push(Piece::Text(&insert.written));
        }
        (None, None) => {
            if !missing.contains(&insert.key) {
                missing.push(insert.key.clone());
            }
            pieces.push(Piece::Text(&insert.written));
        }
    }
}

/// `$name.txt`: the longest part of the key that is set; without one it stays, as a variable of the shell.
fn fill_prefix<'a>(insert: &'a Insert, context: &dyn Lookup, pieces: &mut Vec<Piece<'a>>) {
    let key = insert.key.as_str();
    let found = key.rmatch_indices('.').find_map(|(dot, _)| {
        let (prefix, rest) = key.split_at_checked(dot)?;
        let value = context
            .get(prefix)
            .or_else(|| context.get(&format!("graph.{prefix}")))?;
        Some((value, rest))
    });
    match found {
        Some((value, rest)) => {
            pieces.extend([Piece::Value(insert, value.to_string()), Piece::Text(rest)]);
        }
        None => pieces.push(Piece::Text(&insert.written)),
    }
}

impl Insert {
    /// Whether the value is read as code in a command.
    pub fn is_raw(&self) -> bool {
        self.filter == Filter::Raw
    }
}
