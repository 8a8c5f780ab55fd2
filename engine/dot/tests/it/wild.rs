//! The laws on text of any kind: random bytes, and real pipelines torn and mixed.

use std::path::Path;
use std::sync::Arc;

use attractor_dot::ast::Stmt;
use attractor_dot::format::format;
use attractor_dot::text::decode;
use attractor_dot::{graph, graphviz_compat, lex, parse};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::laws::{nests, options, wrong};

/// The pipelines that come with the product, and what fuzzing found worth keeping.
fn real_texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["examples", "templates", "fuzz/seeds"].map(|folder| root.join(folder));
    let files = folders
        .iter()
        .flat_map(|folder| crate::graphviz::files_under(folder));
    let texts: Vec<String> = files
        .map(|file| decode(&std::fs::read(file).unwrap()).0)
        .collect();
    assert!(texts.len() > 10, "only {} texts", texts.len());
    texts
}

/// One way of tearing a text.
#[derive(Clone, Debug)]
enum Tear {
    Delete,
    Double,
    Insert(&'static str),
    /// The piece goes elsewhere.
    Move(Index),
    Cut,
}

fn tear() -> impl Strategy<Value = Tear> {
    let strays = vec![
        "{", "}", "[", "]", ";", ",", "=", ":", "->", "--", "\"", "<", ">", "/*", "//", "#",
        "digraph", "node", "\0", "\u{feff}", "\r", "🦀",
    ];
    prop_oneof![
        4 => Just(Tear::Delete),
        2 => Just(Tear::Double),
        6 => select(strays).prop_map(Tear::Insert),
        2 => any::<Index>().prop_map(Tear::Move),
        1 => Just(Tear::Cut),
    ]
}

/// A real text torn at a few places, a piece of at most forty bytes at a time.
fn torn() -> impl Strategy<Value = String> {
    let tears = vec((any::<Index>(), 1..40usize, tear()), 1..8);
    (select(real_texts()), tears).prop_map(|(mut text, tears)| {
        for (at, length, tear) in tears {
            let place =
                |index: Index, text: &str| text.floor_char_boundary(index.index(text.len() + 1));
            let start = place(at, &text);
            let end = text.floor_char_boundary((start + length).min(text.len()));
            let piece = text[start..end].to_owned();
            match tear {
                Tear::Delete => text.replace_range(start..end, ""),
                Tear::Double => text.insert_str(end, &piece),
                Tear::Insert(stray) => text.insert_str(start, stray),
                Tear::Move(to) => {
                    text.replace_range(start..end, "");
                    text.insert_str(place(to, &text), &piece);
                }
                Tear::Cut => text.truncate(start),
            }
        }
        text
    })
}

/// Statements whose quotes, brackets and braces match or do not, after a header that is one or is none.
/// A few and short ones: what one of them breaks the others must feel.
fn unquoted() -> impl Strategy<Value = String> {
    let headers = vec!["digraph {\n", "graph{", "g {", "x=\\\"y]\n{", "\"", ""];
    let statements = vec![
        "a",
        "a -> b",
        "x=\"y\"",
        "a [x=y]",
        "[x=y]",
        "a [x=\"\"]",
        "a [x=\"y\", z=w]",
        "a [\n  x=\"y\",\n  z=w]",
        "a [x=\"y\nb [z=w]\"]",
        "a [x=\"y]",
        "a [x=y\"]",
        "a [x=\"y\"\"]",
        "a [x=\"\\\"]",
        "a [x=\"y\" z\", x=\"y\"]",
        "a [x=\"]\"",
        "\"",
        "\"\"",
        "[\"",
        "=\"]",
        "{",
        "}",
        "// c \"\n",
        "/* \" */",
        "#",
    ];
    let ends = vec!["\n", "\n", "\n  ", "\n\n", ";", ";\n", " ", ""];
    let lines = vec((select(statements), select(ends)), 1..8);
    let lines = lines.prop_map(|lines| -> String {
        lines
            .into_iter()
            .flat_map(|(one, end)| [one, end])
            .collect()
    });
    (select(headers), lines, select(vec!["}", "\n}\n", ""]))
        .prop_map(|(header, lines, end)| header.to_owned() + &lines + end)
}

fn wild() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => vec(any::<u8>(), 0..400).prop_map(|bytes| decode(&bytes).0),
        3 => torn(),
    ]
}

/// A tree of garbage is not larger than one of valid text.
#[test]
fn a_run_of_garbage_is_one_error() {
    let text = format!("digraph {{ a; {}\n b }}", "\0".repeat(1_000));
    let parse = parse(&text);
    let statements = &parse.file.graphs.first().unwrap().body.statements;
    let runs = statements.iter().filter(|it| matches!(it, Stmt::Error(_)));
    assert_eq!(
        runs.map(|run| run.range().len()).collect::<Vec<_>>(),
        [1_000]
    );
    assert_eq!(statements.len(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn wild_text_has_a_tree(text in wild()) {
        let read = parse(&text);
        for tokens in [&read.tokens, &lex(&text)] {
            let joined: String = tokens.iter().map(|token| token.range.text(&text)).collect();
            prop_assert_eq!(&joined, &text);
        }
        prop_assert_eq!(nests(&read.file, &text), Ok(()));
        prop_assert!(read.errors.is_sorted_by_key(|error| error.range));
        let places = read.errors.iter().flat_map(|error| {
            let related = error.related.iter().map(|related| related.range);
            let edits = error.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.range);
            std::iter::once(error.range).chain(related).chain(edits)
        });
        for place in places {
            prop_assert!(text.get(place.start()..place.end()).is_some(), "{:?}", place);
        }
        let shared = Arc::from(&*text);
        for one in &read.file.graphs {
            graph::resolve(one, &shared);
            graphviz_compat::violations(one, &text);
        }
    }

    #[test]
    fn wild_text_keeps_its_meaning_when_formatted(text in wild(), options in options()) {
        prop_assert_eq!(wrong(&text, &format(&text, &options), &options), Ok(()));
    }
}

proptest! {
    // Short texts, so that many are tried.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn wild_quotes_keep_their_meaning_when_formatted(text in unquoted(), options in options()) {
        prop_assert_eq!(wrong(&text, &format(&text, &options), &options), Ok(()));
    }
}
