//! Renaming nodes, classes, context keys, subgraphs and graphs, in every place that names them.
//!
//! The new name is quoted where DOT asks for it and escaped inside strings. A rename that would change what
//! the file means — the name is taken, or a condition could not spell it — is refused with the reason.
//!
//! ```text
//! build -> test; build [retry_target=build]     rename build to "build it"
//! "build it" -> test; "build it" [retry_target="build it"]
//! ```

use attractor_dot::{Edit, TextRange, apply, strings};
use attractor_model::{NoFiles, NodeKind};

use crate::document::Document;
use crate::symbol_index::{NameForm, NameSyntax, Occurrence, SymbolKey};

/// What an editor shows in the rename dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameTarget {
    /// The name under the cursor.
    pub range: TextRange,
    /// The initial text of the rename dialog.
    pub placeholder: String,
}

/// Why a rename is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenameError {
    /// The cursor is on nothing that has a name.
    #[error(
        "Nothing to rename here; expected the name of a node, class, context key, subgraph or graph."
    )]
    Nothing,
    /// The key is set by the engine.
    #[error("Cannot rename `{0}`: the engine sets it.")]
    EngineKey(String),
    /// The graph is defined in another file.
    #[error("Cannot rename `{0}`: it is defined in another file. Rename that file instead.")]
    OtherFile(String),
    /// The name alone makes the node what it is.
    #[error(
        "Cannot rename `{0}` to `{2}`: it is the {1} of the pipeline only by its name. Set `shape={3}` first."
    )]
    KindFromName(String, &'static str, String, &'static str),
    /// The new name alone would make the node something else.
    #[error("Cannot rename to `{0}`: a node of that name is a start or exit node.")]
    TerminalName(String),
    /// The new name is empty.
    #[error("The new name is empty.")]
    Empty,
    /// Something else has that name.
    #[error("A {what} named `{name}` already exists.")]
    Taken {
        /// What kind of thing.
        what: &'static str,
        /// The new name.
        name: String,
    },
    /// A place cannot spell the new name.
    #[error("Invalid name `{name}`: this {what} is used in {place}; expected {allowed}.")]
    InvalidName {
        /// The new name.
        name: String,
        /// What is renamed.
        what: &'static str,
        /// The language it is used in.
        place: &'static str,
        /// The names allowed there.
        allowed: &'static str,
    },
}

/// What would be renamed at an offset.
pub fn prepare(doc: &Document, offset: usize) -> Result<RenameTarget, RenameError> {
    let (name, place) = doc.symbol_index().at(offset).ok_or(RenameError::Nothing)?;
    check_owner(doc, name)?;
    Ok(RenameTarget {
        range: place.range,
        placeholder: name.text().to_owned(),
    })
}

/// The edits that rename what is at an offset. `new` is the bare name; quotes around it are taken off.
pub fn rename(doc: &Document, offset: usize, new: &str) -> Result<Vec<Edit>, RenameError> {
    let (name, _) = doc.symbol_index().at(offset).ok_or(RenameError::Nothing)?;
    check_owner(doc, name)?;
    let new = unquoted(new.trim());
    if new.is_empty() {
        return Err(RenameError::Empty);
    }
    if new == name.text() {
        return Ok(Vec::new());
    }
    let renamed = with_text(name, &new);
    if doc.symbol_index().contains(&renamed) {
        return Err(RenameError::Taken {
            what: name.what(),
            name: new,
        });
    }
    let edits: Vec<Edit> = doc
        .symbol_index()
        .of(name)
        .map(|place| edit(doc, name, place, &new))
        .collect::<Result<_, _>>()?;
    check_role(doc, &renamed, name, &edits)?;
    Ok(edits)
}

/// A node may be the start or an end only because of its name; a rename must not make another node of it.
fn check_role(
    doc: &Document,
    renamed: &SymbolKey,
    name: &SymbolKey,
    edits: &[Edit],
) -> Result<(), RenameError> {
    let (SymbolKey::Node(graph, old), SymbolKey::Node(_, new)) = (name, renamed) else {
        return Ok(());
    };
    let role = |doc: &Document, id: &str| {
        let node = doc.pipeline(*graph)?.node_by_id(id)?;
        Some((node.kind, node.start, node.terminal))
    };
    let text = apply(&doc.text, edits);
    let after = Document::new(&text, doc.version, doc.options.clone(), &NoFiles);
    let (before, after) = (role(doc, old), role(&after, new));
    if before == after {
        return Ok(());
    }
    let (what, shape) = match before {
        Some((_, true, _)) => ("start", "Mdiamond"),
        Some((NodeKind::Exit, ..)) => ("end", "Msquare"),
        _ if after.is_some_and(|(kind, ..)| kind == NodeKind::Exit) => {
            return Err(RenameError::TerminalName(new.clone()));
        }
        _ => return Ok(()),
    };
    Err(RenameError::KindFromName(
        old.clone(),
        what,
        new.clone(),
        shape,
    ))
}

/// Keys that the file sets can be renamed; those that only the engine sets cannot.
fn check_owner(doc: &Document, name: &SymbolKey) -> Result<(), RenameError> {
    let is_set_here = || {
        doc.symbol_index()
            .of(name)
            .any(|place| place.role == crate::symbol_index::OccurrenceKind::Declaration)
    };
    match name {
        SymbolKey::Key(_, key) if !is_set_here() => Err(RenameError::EngineKey(key.clone())),
        SymbolKey::Graph(file) if !is_set_here() => Err(RenameError::OtherFile(file.clone())),
        _ => Ok(()),
    }
}

fn edit(
    doc: &Document,
    name: &SymbolKey,
    place: &Occurrence,
    new: &str,
) -> Result<Edit, RenameError> {
    let refuse = |place, allowed| {
        Err(RenameError::InvalidName {
            name: new.to_owned(),
            what: name.what(),
            place,
            allowed,
        })
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    match place.form {
        NameForm::Word
            if !new.chars().all(is_word) || new.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            return refuse(
                "a condition or a template",
                "letters, digits and underscores",
            );
        }
        NameForm::DashedWord if !new.chars().all(|c| is_word(c) || c == '-') => {
            return refuse("a stylesheet", "letters, digits, underscores and dashes");
        }
        NameForm::ListItem if new.contains(',') => {
            return refuse("a list of nodes", "a name without a comma");
        }
        _ => {}
    }
    let text = match place.written {
        // Unneeded quotes are kept: they were typed on purpose.
        NameSyntax::WholeId if place.range.text(&doc.text).starts_with('"') => {
            format!("\"{}\"", strings::escape_into_quoted(new))
        }
        NameSyntax::WholeId => strings::quote(new).into_owned(),
        NameSyntax::ValuePart => strings::escape_into_quoted(new),
    };
    Ok(Edit::replace(place.range, text))
}

fn with_text(name: &SymbolKey, text: &str) -> SymbolKey {
    let text = text.to_owned();
    match name {
        SymbolKey::Node(graph, _) => SymbolKey::Node(*graph, text),
        SymbolKey::Class(graph, _) => SymbolKey::Class(*graph, text),
        SymbolKey::Key(graph, _) => SymbolKey::Key(*graph, text),
        SymbolKey::Subgraph(graph, _) => SymbolKey::Subgraph(*graph, text),
        SymbolKey::Graph(_) => SymbolKey::Graph(text),
    }
}

/// The name, when it was typed with quotes.
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
                r#"digraph { goal=x; make:n -> test [condition="make.ok"]; test [retry_target="make", branches="x, make", prompt="{output.make}"] }"#
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
            expect![[r#"digraph { "one" -> b }"#]],
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
            expect!["A node named `b` already exists."],
        );
        check(
            "digraph { goal=x; a$0 -> b [condition=\"a.ok\"] }",
            "two words",
            expect![
                "Invalid name `two words`: this node is used in a condition or a template; expected letters, digits and underscores."
            ],
        );
        check(
            "digraph { goal=x; a$0 -> b; p [branches=\"a, b\"] }",
            "x,y",
            expect![
                "Invalid name `x,y`: this node is used in a list of nodes; expected a name without a comma."
            ],
        );
        check(
            "digraph { goal=x; a -> b [condition=\"out$0come=success\"] }",
            "result",
            expect!["Cannot rename `outcome`: the engine sets it."],
        );
        check(
            "digraph { a -> b $0 }",
            "x",
            expect![
                "Nothing to rename here; expected the name of a node, class, context key, subgraph or graph."
            ],
        );
    }

    #[test]
    fn quotes_stay() {
        check(
            "digraph { goal=x; a$0 -> b; b [retry_target=\"a\"]; \"a\" [prompt=x] }",
            "c",
            expect![[r#"digraph { goal=x; c -> b; b [retry_target="c"]; "c" [prompt=x] }"#]],
        );
    }

    #[test]
    fn node_kinds_that_depend_on_the_name_are_preserved() {
        check(
            "digraph { goal=x; sta$0rt -> b -> exit; b [prompt=x] }",
            "begin",
            expect![
                "Cannot rename `start` to `begin`: it is the start of the pipeline only by its name. Set `shape=Mdiamond` first."
            ],
        );
        check(
            "digraph { goal=x; sta$0rt -> b -> exit; b [prompt=x] }",
            "Start",
            expect!["digraph { goal=x; Start -> b -> exit; b [prompt=x] }"],
        );
        check(
            "digraph { goal=x; start -> b -> ex$0it; b [prompt=x] }",
            "finish",
            expect![
                "Cannot rename `exit` to `finish`: it is the end of the pipeline only by its name. Set `shape=Msquare` first."
            ],
        );
        check(
            "digraph { goal=x; start [shape=Mdiamond]; sta$0rt -> b; b [prompt=x] }",
            "begin",
            expect!["digraph { goal=x; begin [shape=Mdiamond]; begin -> b; b [prompt=x] }"],
        );
        check(
            "digraph { goal=x; start -> a$0 -> exit; a [prompt=x] }",
            "start2",
            expect!["digraph { goal=x; start -> start2 -> exit; start2 [prompt=x] }"],
        );
    }

    #[test]
    fn a_name_that_makes_a_node_something_else_is_refused() {
        check(
            "digraph { goal=x; s [shape=Mdiamond]; s -> b -> a$0; b [prompt=x] }",
            "exit",
            expect!["Cannot rename to `exit`: a node of that name is a start or exit node."],
        );
    }

    #[test]
    fn a_pipeline_of_another_file_is_not_renamed() {
        check(
            "digraph { goal=x; start -> p -> exit; p [shape=folder, sub_pipeline=\"chi$0ld.dot\"] }",
            "other.dot",
            expect![
                "Cannot rename `child.dot`: it is defined in another file. Rename that file instead."
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
