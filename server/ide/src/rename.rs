//! Renaming nodes, classes, context keys, subgraphs and graphs, in every place that names them.
//!
//! The new name is quoted where DOT asks for it and escaped inside strings. A rename that would change what
//! the file means — the name is taken, or a condition could not spell it — is refused with the reason.
//!
//! ```text
//! build -> test; build [retry_target=build]     rename build to "build it"
//! "build it" -> test; "build it" [retry_target="build it"]
//! ```

use attractor_dot::{Edit, TextRange, strings};

use crate::document::Document;
use crate::names::{Form, Name, Occurrence, Written};

/// What an editor shows before it asks for the new name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// The name under the cursor.
    pub range: TextRange,
    /// What to put into the box.
    pub placeholder: String,
}

/// Why a rename is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenameError {
    /// The cursor is on nothing that has a name.
    #[error(
        "Nothing here can be renamed. Put the cursor on a node, a class, a context key, a subgraph or a graph's name."
    )]
    Nothing,
    /// The key is set by the engine.
    #[error("The engine sets `{0}`, so it cannot be renamed here.")]
    OfTheEngine(String),
    /// The new name is empty.
    #[error("The new name is empty.")]
    Empty,
    /// Something else has that name.
    #[error("There is already a {what} named `{name}`; renaming would make the two one.")]
    Taken {
        /// What kind of thing.
        what: &'static str,
        /// The new name.
        name: String,
    },
    /// A place cannot spell the new name.
    #[error("`{name}` cannot be written in {place}, which names this {what}. Use {allowed}.")]
    Unspeakable {
        /// The new name.
        name: String,
        /// What is renamed.
        what: &'static str,
        /// Where it would have to stand.
        place: &'static str,
        /// What can stand there.
        allowed: &'static str,
    },
}

/// What would be renamed at an offset.
pub fn prepare(doc: &Document, offset: usize) -> Result<Prepared, RenameError> {
    let (name, place) = doc.names().at(offset).ok_or(RenameError::Nothing)?;
    check_owner(doc, name)?;
    Ok(Prepared {
        range: place.range,
        placeholder: name.text().to_owned(),
    })
}

/// The edits that rename what is at an offset. `new` is the bare name; quotes around it are taken off.
pub fn rename(doc: &Document, offset: usize, new: &str) -> Result<Vec<Edit>, RenameError> {
    let (name, _) = doc.names().at(offset).ok_or(RenameError::Nothing)?;
    check_owner(doc, name)?;
    let new = unquoted(new.trim());
    if new.is_empty() {
        return Err(RenameError::Empty);
    }
    if new == name.text() {
        return Ok(Vec::new());
    }
    let renamed = with_text(name, &new);
    if doc.names().contains(&renamed) {
        return Err(RenameError::Taken {
            what: name.what(),
            name: new,
        });
    }
    doc.names()
        .of(name)
        .map(|place| edit(name, place, &new))
        .collect()
}

/// Keys that somebody in the file sets can be renamed; those only the engine sets cannot.
fn check_owner(doc: &Document, name: &Name) -> Result<(), RenameError> {
    let is_set_here = || {
        doc.names()
            .of(name)
            .any(|place| place.role == crate::names::Role::Declaration)
    };
    match name {
        Name::Key(_, key) if !is_set_here() => Err(RenameError::OfTheEngine(key.clone())),
        _ => Ok(()),
    }
}

fn edit(name: &Name, place: &Occurrence, new: &str) -> Result<Edit, RenameError> {
    let refuse = |place, allowed| {
        Err(RenameError::Unspeakable {
            name: new.to_owned(),
            what: name.what(),
            place,
            allowed,
        })
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    match place.form {
        Form::Word
            if !new.chars().all(is_word) || new.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            return refuse(
                "a condition or a template",
                "letters, digits and underscores",
            );
        }
        Form::DashedWord if !new.chars().all(|c| is_word(c) || c == '-') => {
            return refuse("a stylesheet", "letters, digits, underscores and dashes");
        }
        Form::ListItem if new.contains(',') => {
            return refuse("a list of nodes", "a name without a comma");
        }
        _ => {}
    }
    let text = match place.written {
        Written::WholeId => strings::quote(new).into_owned(),
        Written::Inside => strings::escape_into_quoted(new),
    };
    Ok(Edit::replace(place.range, text))
}

fn with_text(name: &Name, text: &str) -> Name {
    let text = text.to_owned();
    match name {
        Name::Node(graph, _) => Name::Node(*graph, text),
        Name::Class(graph, _) => Name::Class(*graph, text),
        Name::Key(graph, _) => Name::Key(*graph, text),
        Name::Subgraph(graph, _) => Name::Subgraph(*graph, text),
        Name::Graph(_) => Name::Graph(text),
    }
}

/// What a person means who types the quotes too.
fn unquoted(new: &str) -> String {
    let inside = new
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inside.map_or_else(|| new.to_owned(), |inside| inside.replace("\\\"", "\""))
}

#[cfg(test)]
mod tests {
    use attractor_dot::apply;
    use expect_test::{Expect, expect};

    use super::*;
    use crate::fixture::cursor;

    /// The text after a rename, or why it is refused.
    #[track_caller]
    fn check(fixture: &str, new: &str, expect: Expect) {
        let (doc, offset) = cursor(fixture);
        let result = match rename(&doc, offset, new) {
            Ok(edits) => apply(&doc.text, &edits),
            Err(error) => error.to_string(),
        };
        expect.assert_eq(&result);
    }

    #[test]
    fn every_place_changes() {
        check(
            "digraph { goal=x; bu$0ild:n -> test [condition=\"build.ok\"]; test [retry_target=\"build\", branches=\"x, build\", prompt=\"{output.build}\"] }",
            "make",
            expect![[
                r#"digraph { goal=x; make:n -> test [condition="make.ok"]; test [retry_target=make, branches="x, make", prompt="{output.make}"] }"#
            ]],
        );
    }

    #[test]
    fn names_are_quoted_where_dot_asks_for_it() {
        check(
            "digraph { a$0 -> b; b [retry_target=a]; goal=x }",
            "two words",
            expect![[r#"digraph { "two words" -> b; b [retry_target="two words"]; goal=x }"#]],
        );
        check(
            "digraph { a$0 -> b }",
            "node",
            expect![[r#"digraph { "node" -> b }"#]],
        );
        check(
            "digraph { a$0 -> b }",
            "\"say \\\"hi\\\"\"",
            expect![[r#"digraph { "say \"hi\"" -> b }"#]],
        );
        check(
            "digraph { \"two words$0\" -> b }",
            "one",
            expect!["digraph { one -> b }"],
        );
        check(
            "digraph { a$0 -> b }",
            "",
            expect!["The new name is empty."],
        );
    }

    #[test]
    fn a_rename_that_changes_the_meaning_is_refused() {
        check(
            "digraph { a$0 -> b }",
            "b",
            expect!["There is already a node named `b`; renaming would make the two one."],
        );
        check(
            "digraph { goal=x; a$0 -> b [condition=\"a.ok\"] }",
            "two words",
            expect![
                "`two words` cannot be written in a condition or a template, which names this node. Use letters, digits and underscores."
            ],
        );
        check(
            "digraph { goal=x; a$0 -> b; p [branches=\"a, b\"] }",
            "x,y",
            expect![
                "`x,y` cannot be written in a list of nodes, which names this node. Use a name without a comma."
            ],
        );
        check(
            "digraph { goal=x; a -> b [condition=\"out$0come=success\"] }",
            "result",
            expect!["The engine sets `outcome`, so it cannot be renamed here."],
        );
        check(
            "digraph { a -> b $0 }",
            "x",
            expect![
                "Nothing here can be renamed. Put the cursor on a node, a class, a context key, a subgraph or a graph's name."
            ],
        );
    }

    #[test]
    fn classes_keys_and_graphs() {
        check(
            "digraph { model_stylesheet=\".fast { model: x }\"; a [class=\"slow fa$0st\"] }",
            "quick",
            expect![[
                r#"digraph { model_stylesheet=".quick { model: x }"; a [class="slow quick"] }"#
            ]],
        );
        check(
            "digraph { goal=x; a [output_key=score]; a -> b [condition=\"sco$0re > 1\"] }",
            "points",
            expect![[
                r#"digraph { goal=x; a [output_key=points]; a -> b [condition="points > 1"] }"#
            ]],
        );
        check(
            "digraph { goal=x; a [context.branch=main]; a -> b [condition=\"bran$0ch=main\"] }",
            "line",
            expect![[
                r#"digraph { goal=x; a [context.line=main]; a -> b [condition="line=main"] }"#
            ]],
        );
        check(
            "digraph one { goal=x; p [shape=folder, sub_pipeline=two] }\ndigraph tw$0o { goal=y }",
            "three",
            expect![[r#"
            digraph one { goal=x; p [shape=folder, sub_pipeline=three] }
            digraph three { goal=y }"#]],
        );
    }

    #[test]
    fn preparing_gives_the_bare_name() {
        let (doc, offset) = cursor("digraph { \"two $0words\" -> b }");
        let prepared = prepare(&doc, offset).unwrap();
        assert_eq!(prepared.placeholder, "two words");
        assert_eq!(prepared.range.text(&doc.text), "\"two words\"");
    }
}
