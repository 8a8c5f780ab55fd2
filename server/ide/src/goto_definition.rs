//! Where something is defined: nodes, classes, keys, graphs of the file, and the files a value names.

use attractor_dot::TextRange;
use attractor_model::Files;

use crate::document::Document;
use crate::document_link;
use crate::symbol_index::{Occurrence, OccurrenceKind, SymbolKey};

/// A way from the cursor to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What the cursor is on.
    pub origin: TextRange,
    /// Where it leads.
    pub place: TargetLocation,
}

/// Where a definition is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetLocation {
    /// In the same document.
    Here {
        /// All of it.
        range: TextRange,
        /// Its name, inside `range`.
        focus: TextRange,
    },
    /// In another file, by its path relative to this one.
    File(String),
}

/// Where what is at the offset is defined. A node is defined by its declarations, else by its first mention;
/// on its only declaration the mentions are given, so that the command leads somewhere from there too.
pub fn definition(doc: &Document, offset: usize, files: &dyn Files) -> Vec<Target> {
    if let Some(path) = document_link::file_at(doc, offset, files) {
        return vec![Target {
            origin: path.range,
            place: TargetLocation::File(path.path),
        }];
    }
    let Some((name, origin)) = doc.symbol_index().at(offset) else {
        return Vec::new();
    };
    let declared = declarations(doc, name);
    let is_here = |place: &&Occurrence| place.range == origin.range;
    let places: Vec<&Occurrence> = if declared.iter().all(is_here) {
        doc.symbol_index()
            .of(name)
            .filter(|place| !is_here(place))
            .collect()
    } else {
        declared
    };
    targets(doc, origin, &places)
}

/// Where what is at the offset is declared, the place under the cursor included.
pub fn declaration(doc: &Document, offset: usize) -> Vec<Target> {
    let Some((name, origin)) = doc.symbol_index().at(offset) else {
        return Vec::new();
    };
    targets(doc, origin, &declarations(doc, name))
}

/// The declarations of a name; of a node or class that has none, its first mention.
fn declarations<'d>(doc: &'d Document, name: &SymbolKey) -> Vec<&'d Occurrence> {
    let all = doc.symbol_index().of(name);
    let declared: Vec<_> = all
        .filter(|place| place.role == OccurrenceKind::Declaration)
        .collect();
    if declared.is_empty() {
        doc.symbol_index().of(name).take(1).collect()
    } else {
        declared
    }
}

fn targets(doc: &Document, origin: &Occurrence, places: &[&Occurrence]) -> Vec<Target> {
    let around = |focus: TextRange| {
        let statement = crate::walk::around(&doc.parse.file, focus.start());
        let innermost =
            statement.and_then(|(_, path)| path.last().map(|statement| statement.range()));
        innermost
            .filter(|range| range.contains_range(focus))
            .unwrap_or(focus)
    };
    let target = |place: &&Occurrence| Target {
        origin: origin.range,
        place: TargetLocation::Here {
            range: around(place.range),
            focus: place.range,
        },
    };
    places.iter().map(target).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::fixture::{Folder, cursor, draw};

    const FILES: Folder = Folder(&[("release.dot", ""), ("prompts/plan.md", "")]);

    #[track_caller]
    fn check(fixture: &str, expect: Expect) {
        let (doc, offset) = cursor(fixture);
        let mut files = String::new();
        let mut here = Vec::new();
        for target in definition(&doc, offset, &FILES) {
            match target.place {
                TargetLocation::Here { focus, .. } => here.push((focus, "here".to_owned())),
                TargetLocation::File(path) => files.push_str(&format!("file {path}\n")),
            }
        }
        expect.assert_eq(&(draw(&doc, here) + &files));
    }

    #[test]
    fn from_a_mention_to_the_declaration() {
        check(
            "digraph {\n  a -> $0b\n  b [label=x]\n}",
            expect![[r#"
                3 |   b [label=x]
                  |   ^ here
            "#]],
        );
        check(
            "digraph { goal=x\n  b\n  a [retry_target=b$0]\n}",
            expect![[r#"
                2 |   b
                  |   ^ here
            "#]],
        );
        check(
            "digraph {\n  a -> b\n  b -> $0a\n}",
            expect![[r#"
                2 |   a -> b
                  |   ^ here
            "#]],
        );
    }

    #[test]
    fn declaration_and_references() {
        check(
            "digraph {\n  $0b [label=x]\n  a -> b\n}",
            expect![[r#"
                3 |   a -> b
                  |        ^ here
            "#]],
        );
    }

    #[test]
    fn keys_lead_to_who_sets_them_and_classes_to_their_rule() {
        check(
            "digraph { goal=x\n  a [output_key=score]\n  a -> b [condition=\"sc$0ore > 1\"]\n}",
            expect![[r#"
                2 |   a [output_key=score]
                  |                 ^^^^^ here
            "#]],
        );
        check(
            "digraph {\n  model_stylesheet=\".fast { model: x }\"\n  a [class=fa$0st]\n}",
            expect![[r#"
                2 |   model_stylesheet=".fast { model: x }"
                  |                      ^^^^ here
            "#]],
        );
    }

    #[test]
    fn values_lead_to_files_and_other_graphs() {
        check(
            "digraph { goal=x; a [prompt=\"@prompts/$0plan.md\"] }",
            expect![[r#"
            file prompts/plan.md
        "#]],
        );
        check(
            "digraph { goal=x; a [shape=folder, sub_pipeline=re$0lease] }",
            expect![[r#"
            file release.dot
        "#]],
        );
        check(
            "digraph { goal=x; a [shape=folder, sub_pipeline=$0two] }\ndigraph two { goal=x }",
            expect![[r#"
                2 | digraph two { goal=x }
                  |         ^^^ here
            "#]],
        );
    }
}
