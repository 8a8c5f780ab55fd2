//! Semantic tokens: what each word is, where a grammar of patterns cannot know — node kinds, known and unknown
//! attributes, and the languages inside strings.
//!
//! Tokens are sorted, never overlap and never span a line end, so a client can take them as they are.

mod change;
mod embedded;
mod token;
mod token_builder;

use attractor_dot::ast::{Id, IdKind, Stmt};
use attractor_dot::{TextRange, TokenKind as DotKind};
use attractor_model::catalogue::{self, AttrType};

pub use change::{Change, change};
pub use token::{DECLARATION, DEFAULT_LIBRARY, MODIFIERS, TOKEN_TYPES, Token, TokenKind, UNKNOWN};

use crate::document::Document;
use crate::values;
use crate::walk::{self, AttributeSite};
use embedded::ValueWords;
use token_builder::TokenBuilder;

/// The tokens of a document, or of the part of it that `range` gives.
pub fn tokens(doc: &Document, range: Option<TextRange>) -> Vec<Token> {
    let mut paint = TokenBuilder::new(&doc.text, range);
    words(doc, &mut paint);
    walk::statements(&doc.parse.file, |graph, _, statement| {
        if paint.wants(statement.range()) {
            in_statement(doc, graph, statement, &mut paint);
        }
    });
    let mut words_of_values = ValueWords::new(doc);
    walk::attributes(&doc.parse.file, |site| {
        if paint.wants(site.attr.range()) {
            attribute(doc, site, &mut words_of_values, &mut paint);
        }
    });
    for graph in &doc.parse.file.graphs {
        if let Some(id) = graph.id {
            paint.add(id.range, TokenKind::Namespace, DECLARATION);
        }
    }
    paint.finish()
}

/// What the tokens alone say.
fn words(doc: &Document, paint: &mut TokenBuilder<'_>) {
    for token in doc.parse.tokens.solid() {
        let kind = match token.kind {
            kind if kind.is_comment() => TokenKind::Comment,
            kind if kind.is_keyword() => TokenKind::Keyword,
            kind if kind.is_edge_operator() => TokenKind::Operator,
            DotKind::Plus => TokenKind::Operator,
            _ => continue,
        };
        paint.add(token.range, kind, 0);
    }
}

fn in_statement(doc: &Document, graph: usize, statement: &Stmt, paint: &mut TokenBuilder<'_>) {
    let role = if matches!(statement, Stmt::Node(_)) {
        DECLARATION
    } else {
        0
    };
    for node in walk::nodes(statement) {
        paint.over(node.id.range, node_kind(doc, graph, &node.id), role);
    }
    for id in walk::subgraphs(statement).filter_map(|subgraph| subgraph.id) {
        paint.over(id.range, TokenKind::Class, DECLARATION);
    }
}

fn node_kind(doc: &Document, graph: usize, id: &Id) -> TokenKind {
    let kind = doc
        .pipeline(graph)
        .and_then(|pipeline| Some(pipeline.node_by_id(&doc.decode(id))?.kind));
    kind.map_or(TokenKind::Variable, TokenKind::of_node)
}

fn attribute<'d>(
    doc: &'d Document,
    site: AttributeSite<'_>,
    words: &mut ValueWords<'d>,
    paint: &mut TokenBuilder<'_>,
) {
    let key = doc.decode(&site.attr.key);
    let row = values::row(doc, site, &key);
    let modifiers = match row {
        Some(_) => 0,
        None if catalogue::graphviz_attribute(&key).is_some() => DEFAULT_LIBRARY,
        None => UNKNOWN,
    };
    paint.over(site.attr.key.range, TokenKind::Property, modifiers);
    let Some(value) = site.attr.value else { return };
    let whole = whole_value(doc, &value, row.map(|row| row.ty));
    let ty = row.map(|row| row.ty).filter(|ty| embedded::has_words(*ty));
    let Some(ty) = ty else {
        paint.over(value.range, whole, 0);
        return;
    };
    let parts = words.of(site.graph, (&site.attr.key, &value), ty);
    paint.around(value.range, whole, parts);
}

/// The kind of a value as a whole.
fn whole_value(doc: &Document, value: &Id, ty: Option<AttrType>) -> TokenKind {
    match ty {
        Some(
            AttrType::Enum(..)
            | AttrType::Bool
            | AttrType::Handler
            | AttrType::Shape
            | AttrType::Provider,
        ) => return TokenKind::EnumMember,
        Some(
            AttrType::Int { .. } | AttrType::Float { .. } | AttrType::Duration | AttrType::Money,
        ) => {
            return TokenKind::Number;
        }
        _ => {}
    }
    match value.kind {
        IdKind::Quoted | IdKind::Html | IdKind::Concatenated => TokenKind::String,
        IdKind::Numeral => TokenKind::Number,
        IdKind::Bare | IdKind::Extended if doc.decode(value).parse::<f64>().is_ok() => {
            TokenKind::Number
        }
        IdKind::Bare | IdKind::Extended if ty.is_some() => TokenKind::String,
        IdKind::Bare | IdKind::Extended => TokenKind::EnumMember,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::fixture::{doc, draw};

    #[track_caller]
    fn check(text: &str, expect: Expect) {
        let doc = doc(text);
        let tokens = tokens(&doc, None);
        let shown = tokens.iter().map(|token| {
            let bits = MODIFIERS
                .iter()
                .enumerate()
                .filter(|(bit, _)| token.modifiers >> bit & 1 == 1);
            let bits: Vec<&str> = bits.map(|(_, name)| *name).collect();
            (
                token.range,
                format!(
                    "{} {}",
                    TOKEN_TYPES.get(token.kind.index() as usize).unwrap(),
                    bits.join(" ")
                ),
            )
        });
        expect.assert_eq(&draw(&doc, shown));
    }

    #[test]
    fn words_of_a_pipeline() {
        check(
            "// how\ndigraph ship {\n  model_stylesheet=\".fast { model: x }\"\n  build [shape=parallelogram, command=\"make {target}\", my_own=1, color=red]\n  build -> done:n [condition=\"outcome=success and build.ok\", weight=2]\n}",
            expect![[r#"
                1 | // how
                  | ^^^^^^ comment
                2 | digraph ship {
                  | ^^^^^^^ keyword
                  |         ^^^^ namespace declaration
                3 |   model_stylesheet=".fast { model: x }"
                  |   ^^^^^^^^^^^^^^^^ property
                  |                    ^ string
                  |                     ^ class
                  |                      ^^^^ class declaration
                  |                          ^^^ string
                  |                             ^^^^^ property
                  |                                  ^^ string
                  |                                    ^ enumMember
                  |                                     ^^^ string
                4 |   build [shape=parallelogram, command="make {target}", my_own=1, color=red]
                  |   ^^^^^ method declaration
                  |          ^^^^^ property
                  |                ^^^^^^^^^^^^^ enumMember
                  |                               ^^^^^^^ property
                  |                                       ^^^^^^^ string
                  |                                              ^^^^^^ parameter
                  |                                                    ^^ string
                  |                                                        ^^^^^^ property unknown
                  |                                                               ^ number
                  |                                                                  ^^^^^ property defaultLibrary
                  |                                                                        ^^^ enumMember
                5 |   build -> done:n [condition="outcome=success and build.ok", weight=2]
                  |   ^^^^^ method
                  |         ^^ operator
                  |            ^^^^ function
                  |                    ^^^^^^^^^ property
                  |                              ^ string
                  |                               ^^^^^^^ parameter
                  |                                      ^ operator
                  |                                       ^^^^^^^ enumMember
                  |                                              ^ string
                  |                                               ^^^ keyword
                  |                                                  ^ string
                  |                                                   ^^^^^ method
                  |                                                        ^^^ parameter
                  |                                                           ^ string
                  |                                                              ^^^^^^ property
                  |                                                                     ^ number
            "#]],
        );
    }

    #[test]
    fn equal_conditions_have_their_words_at_each_place() {
        check(
            "digraph {\n goal=x\n a -> b [condition=\"a.ok\"]\n c -> d [condition=\"a.ok\"]\n}",
            expect![[r#"
                1 | digraph {
                  | ^^^^^^^ keyword
                2 |  goal=x
                  |  ^^^^ property
                  |       ^ string
                3 |  a -> b [condition="a.ok"]
                  |  ^ function
                  |    ^^ operator
                  |       ^ function
                  |          ^^^^^^^^^ property
                  |                    ^ string
                  |                     ^ function
                  |                      ^^^ parameter
                  |                         ^ string
                4 |  c -> d [condition="a.ok"]
                  |  ^ function
                  |    ^^ operator
                  |       ^ function
                  |          ^^^^^^^^^ property
                  |                    ^ string
                  |                     ^ function
                  |                      ^^^ parameter
                  |                         ^ string
            "#]],
        );
    }

    #[test]
    fn strings_over_lines_are_cut() {
        check(
            "digraph { goal=x; a [prompt=\"one\n two {outcome}\n\"] }",
            expect![[r#"
                1 | digraph { goal=x; a [prompt="one
                  | ^^^^^^^ keyword
                  |           ^^^^ property
                  |                ^ string
                  |                   ^ function declaration
                  |                      ^^^^^^ property
                  |                             ^^^^ string
                2 |  two {outcome}
                  | ^^^^^^ string
                  |       ^^^^^^^ parameter
                  |              ^ string
                3 | "] }
                  | ^ string
            "#]],
        );
    }

    #[test]
    fn tokens_are_sorted_and_disjoint_on_random_input() {
        for text in [
            "digraph { a [label=\"x",
            "} ] -> \"",
            "digraph { a:b:c -> {d [e=",
            "digraph { goal=x a [condition=\"a.b = \\\"c\\\"\"] }",
        ] {
            let doc = doc(text);
            let tokens = tokens(&doc, None);
            assert!(
                tokens.is_sorted_by(|a, b| a.range.end() <= b.range.start()),
                "{text}: {tokens:?}"
            );
        }
    }

    #[test]
    fn a_part_gives_the_same_tokens_as_the_whole() {
        let doc = doc("digraph { goal=x\n a [prompt=\"{x}\"]\n b -> c [label=d]\n}");
        let part = TextRange::new(18, 36);
        let touching =
            |token: &Token| token.range.start() <= part.end() && part.start() <= token.range.end();
        let all: Vec<Token> = tokens(&doc, None).into_iter().filter(touching).collect();
        assert_eq!(tokens(&doc, Some(part)), all);
    }
}
