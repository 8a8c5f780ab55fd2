//! Every place that names what the cursor is on: references, and their highlights in the document.

use attractor_dot::TextRange;

use crate::document::Document;
use crate::symbol_index::OccurrenceKind;

/// Whether the places that declare something count as references to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declarations {
    /// They count.
    Include,
    /// They are left out.
    Exclude,
}

/// A place to mark while the cursor rests on a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The name.
    pub range: TextRange,
    /// What the place does.
    pub access: Access,
}

/// What a highlighted place does with what it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Mentions it.
    Read,
    /// Declares or sets it.
    Write,
}

/// The places that name what is at the offset, in the order of the text; empty when nothing named is there.
pub fn references(doc: &Document, offset: usize, declarations: Declarations) -> Vec<TextRange> {
    let Some((name, _)) = doc.symbol_index().at(offset) else {
        return Vec::new();
    };
    let all = doc.symbol_index().of(name);
    let wanted = all.filter(|place| {
        declarations == Declarations::Include || place.role == OccurrenceKind::Reference
    });
    wanted.map(|place| place.range).collect()
}

/// The same places with what each does.
pub fn highlights(doc: &Document, offset: usize) -> Vec<Highlight> {
    let Some((name, _)) = doc.symbol_index().at(offset) else {
        return Vec::new();
    };
    let access = |role| match role {
        OccurrenceKind::Declaration => Access::Write,
        OccurrenceKind::Reference => Access::Read,
    };
    let all = doc.symbol_index().of(name);
    all.map(|place| Highlight {
        range: place.range,
        access: access(place.role),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::fixture::{cursor, draw};

    #[track_caller]
    fn check(fixture: &str, expect: Expect) {
        let (doc, offset) = cursor(fixture);
        let highlights = highlights(&doc, offset);
        let labelled = highlights
            .iter()
            .map(|mark| (mark.range, format!("{:?}", mark.access).to_lowercase()));
        expect.assert_eq(&draw(&doc, labelled));
    }

    #[test]
    fn a_node_is_named_in_statements_edges_attributes_conditions_templates_and_stylesheets() {
        check(
            r##"digraph {
  model_stylesheet="* { model: x } #build { model: y }"
  bu$0ild [prompt="go"]
  plan -> build:n -> { build test }
  test [retry_target="build", prompt="See {output.build} and {{ node.build.exit_code }} and {build}"]
  fan [shape=component, branches="lint, build"]
  test -> build [condition="build.score > 3 and response.build contains 'x'"]
}"##,
            expect![[r#"
                2 |   model_stylesheet="* { model: x } #build { model: y }"
                  |                                     ^^^^^ read
                3 |   build [prompt="go"]
                  |   ^^^^^ write
                4 |   plan -> build:n -> { build test }
                  |           ^^^^^ read
                  |                        ^^^^^ read
                5 |   test [retry_target="build", prompt="See {output.build} and {{ node.build.exit_code }} and {build}"]
                  |                      ^^^^^^^ read
                  |                                                   ^^^^^ read
                  |                                                                      ^^^^^ read
                6 |   fan [shape=component, branches="lint, build"]
                  |                                         ^^^^^ read
                7 |   test -> build [condition="build.score > 3 and response.build contains 'x'"]
                  |           ^^^^^ read
                  |                             ^^^^^ read
                  |                                                          ^^^^^ read
            "#]],
        );
    }

    #[test]
    fn names_stay_in_their_graph() {
        check(
            "digraph one { a -> b }\ndigraph two { $0a -> b [label=a] }",
            expect![[r#"
                2 | digraph two { a -> b [label=a] }
                  |               ^ read
            "#]],
        );
    }

    #[test]
    fn classes_keys_graphs_and_subgraphs() {
        check(
            "digraph { model_stylesheet=\".fast { model: x } .slow { model: y }\"\n a [class=\"slow, $0fast\"]\n b [class=fast] }",
            expect![[r#"
                1 | digraph { model_stylesheet=".fast { model: x } .slow { model: y }"
                  |                              ^^^^ write
                2 |  a [class="slow, fast"]
                  |                  ^^^^ read
                3 |  b [class=fast] }
                  |           ^^^^ read
            "#]],
        );
        check(
            "digraph { goal=x\n a [output_key=score]\n b [prompt=\"Got {score:-0} and $score\"]\n a -> b [condition=\"context.sc$0ore > 1\"] }",
            expect![[r#"
                2 |  a [output_key=score]
                  |                ^^^^^ write
                3 |  b [prompt="Got {score:-0} and $score"]
                  |                  ^^^^^ read
                  |                                 ^^^^^ read
                4 |  a -> b [condition="context.score > 1"] }
                  |                             ^^^^^ read
            "#]],
        );
        check(
            "digraph one { goal=x; p [shape=folder, sub_pipeline=$0two] }\ndigraph two { goal=y }",
            expect![[r#"
                1 | digraph one { goal=x; p [shape=folder, sub_pipeline=two] }
                  |                                                     ^^^ read
                2 | digraph two { goal=y }
                  |         ^^^ write
            "#]],
        );
        check(
            "digraph { subgraph cluster_a { x }\n p -> q [lhead=cluster$0_a] }",
            expect![[r#"
                1 | digraph { subgraph cluster_a { x }
                  |                    ^^^^^^^^^ write
                2 |  p -> q [lhead=cluster_a] }
                  |                ^^^^^^^^^ read
            "#]],
        );
    }

    #[test]
    fn a_broken_line_hides_nothing_else() {
        check(
            "digraph {\n  a$0 -> b\n  b -> [label=\"x\n  c -> a\n}",
            expect![[r#"
                2 |   a -> b
                  |   ^ read
                4 |   c -> a
                  |        ^ read
            "#]],
        );
    }

    #[test]
    fn references_can_exclude_the_declaration() {
        let (doc, offset) = cursor("digraph { $0a; a -> b }");
        assert_eq!(references(&doc, offset, Declarations::Include).len(), 2);
        assert_eq!(references(&doc, offset, Declarations::Exclude).len(), 1);
        assert_eq!(references(&doc, 0, Declarations::Include), []);
    }
}
