//! Linked editing: while a node's name is typed, its other places change along.
//!
//! Only places that are written the same way take part, since the editor copies the text letter by letter.

use attractor_dot::TextRange;

use crate::document::Document;
use crate::symbol_index::{NameSyntax, SymbolKey};

/// The places that change together with the one at an offset, that one included; `None` where nothing would.
pub fn ranges(doc: &Document, offset: usize) -> Option<Vec<TextRange>> {
    let (name, place) = doc.symbol_index().at(offset)?;
    if !matches!(name, SymbolKey::Node(..)) || place.written != NameSyntax::WholeId {
        return None;
    }
    let text = place.range.text(&doc.text);
    let all: Vec<_> = doc.symbol_index().of(name).collect();
    let alike = all.iter().all(|place| place.range.text(&doc.text) == text);
    (alike && all.len() > 1).then(|| all.iter().map(|place| place.range).collect())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::fixture::{cursor, draw};

    #[test]
    fn places_of_a_node_change_together() {
        let (doc, offset) = cursor("digraph { goal=x\n a$0 -> b\n b [retry_target=a]\n}");
        let shown = ranges(&doc, offset)
            .unwrap()
            .into_iter()
            .map(|range| (range, String::new()));
        expect![[r#"
            2 |  a -> b
              |  ^
            3 |  b [retry_target=a]
              |                  ^
        "#]]
        .assert_eq(&draw(&doc, shown));
    }

    #[test]
    fn places_written_in_different_ways_do_not() {
        for fixture in [
            "digraph { a$0 -> \"a\" }",
            "digraph { a$0 }",
            "digraph { $0 }",
        ] {
            let (doc, offset) = cursor(fixture);
            assert_eq!(ranges(&doc, offset), None, "{fixture}");
        }
    }
}
