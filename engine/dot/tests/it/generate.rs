//! Programs made up: valid DOT with all its oddities, and DOT with a word or two wrong.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A file of one or two graphs, valid three times out of four.
pub(crate) fn program() -> impl Strategy<Value = String> {
    let valid = vec(graph(), 1..3)
        .prop_map(|graphs| graphs.concat())
        .boxed();
    prop_oneof![3 => valid.clone(), 1 => (valid, edits()).prop_map(|(text, edits)| disturbed(&text, &edits))]
}

/// Valid programs only.
pub(crate) fn valid() -> impl Strategy<Value = String> {
    vec(graph(), 1..3).prop_map(|graphs| graphs.concat())
}

/// What separates tokens.
fn blank() -> impl Strategy<Value = &'static str> {
    select(vec![
        " ",
        " ",
        " ",
        " ",
        "\n",
        "\n  ",
        "\t",
        "\r\n",
        " /* c */ ",
        " // c\n",
        "\n# c\n",
        " # c\n",
    ])
}

fn keyword(word: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![3 => Just(word.to_owned()), 1 => Just(word.to_uppercase())]
}

/// A few names, so that they meet.
fn name() -> impl Strategy<Value = String> {
    select(vec![
        "a",
        "b",
        "c",
        "d",
        "e1",
        "_f",
        "é",
        "1",
        "-2",
        ".5",
        "3.",
        "-.25",
        "\"a\"",
        "\"b c\"",
        "\"\"",
        "\"q\\\"r\"",
        "\"x\\\ny\"",
        "\"x\\\\\"",
        "\"l1\\nl2\"",
        "\"a\" + \"b\"",
        "\"a\"+/* + */\"\"",
        "\"multi\nline\"",
    ])
    .prop_map(str::to_owned)
}

fn attribute_name() -> impl Strategy<Value = String> {
    select(vec![
        "label",
        "color",
        "shape",
        "\"label\"",
        "x",
        "y",
        "key",
        "weight",
        "tailport",
        "7",
    ])
    .prop_map(str::to_owned)
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => name(),
        1 => select(vec!["<b>", "<a<i>b</i>>", "<>", "\"\\N\"", "\"#ff0000\"", "\"//no\"", "\"{}[]\""]).prop_map(str::to_owned),
    ]
}

fn list() -> impl Strategy<Value = String> {
    let pair = (
        attribute_name(),
        blank(),
        value(),
        select(vec![",", ";", " ", ", ", "\n"]),
    )
        .prop_map(|(name, blank, value, end)| format!("{name}{blank}={value}{end}"));
    vec(pair, 0..4).prop_map(|pairs| format!("[{}]", pairs.concat()))
}

fn lists() -> impl Strategy<Value = String> {
    prop_oneof![3 => Just(String::new()), 3 => list(), 1 => (list(), list()).prop_map(|(a, b)| a + &b)]
}

fn node() -> impl Strategy<Value = String> {
    let port = prop_oneof![
        6 => Just(String::new()),
        1 => name().prop_map(|port| format!(":{port}")),
        1 => (name(), select(vec!["n", "sw", "_", "c"])).prop_map(|(port, compass)| format!(":{port}:{compass}")),
    ];
    (name(), port).prop_map(|(name, port)| name + &port)
}

fn nodes() -> impl Strategy<Value = String> {
    prop_oneof![4 => node(), 1 => (node(), node()).prop_map(|(a, b)| format!("{a} , {b}"))]
}

/// Statements, edges written `->`; [`graph`] puts the right operator in.
fn statements(depth: u32) -> BoxedStrategy<String> {
    let end = if depth == 0 {
        nodes().boxed()
    } else {
        prop_oneof![4 => nodes(), 1 => subgraph(depth - 1)].boxed()
    };
    let edge = (vec(end, 2..4), blank(), lists()).prop_map(|(ends, blank, lists)| {
        format!("{}{lists}", ends.join(&format!("{blank}->{blank}")))
    });
    let defaults = (
        select(vec!["node", "edge", "graph"]).prop_flat_map(keyword),
        vec(list(), 1..3),
    )
        .prop_map(|(word, lists)| format!("{word} {}", lists.join(" ")));
    let assign = (attribute_name(), blank(), value())
        .prop_map(|(name, blank, value)| format!("{name}={blank}{value}"));
    let node = (nodes(), lists()).prop_map(|(nodes, lists)| format!("{nodes} {lists}"));
    let mut statement = prop_oneof![4 => node, 5 => edge, 2 => defaults, 2 => assign].boxed();
    if depth > 0 {
        statement = prop_oneof![5 => statement, 2 => (subgraph(depth - 1), lists()).prop_map(|(s, l)| s + &l)].boxed();
    }
    let ended = (statement, select(vec![";", "\n", " ", ";\n", " ; "]))
        .prop_map(|(statement, end)| statement + end);
    vec(ended, 0..5)
        .prop_map(|statements| statements.concat())
        .boxed()
}

fn subgraph(depth: u32) -> BoxedStrategy<String> {
    let header = prop_oneof![
        2 => Just(String::new()),
        1 => keyword("subgraph"),
        3 => (keyword("subgraph"), select(vec!["s", "cluster_t", "\"u v\"", "a"])).prop_map(|(word, name)| format!("{word} {name}")),
    ];
    (header, statements(depth))
        .prop_map(|(header, body)| format!("{header}{{{body}}}"))
        .boxed()
}

fn graph() -> impl Strategy<Value = String> {
    let strict = prop_oneof![3 => Just(String::new()), 1 => keyword("strict")];
    let name = prop_oneof![Just(String::new()), name()];
    (strict, any::<bool>(), name, statements(2), blank()).prop_flat_map(
        |(strict, directed, name, body, blank)| {
            let body = if directed {
                body
            } else {
                body.replace("->", "--")
            };
            keyword(if directed { "digraph" } else { "graph" })
                .prop_map(move |word| format!("{strict} {word} {name} {{{blank}{body}}}{blank}"))
        },
    )
}

/// Where and what to disturb.
fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, Option<&'static str>)>> {
    let token = prop::option::of(select(vec![
        "{", "}", "[", "]", ";", ",", "=", ":", "+", "->", "--", "\"", "<", ">", "-", ".", "/",
        "@", "node", "a", "1x", "a.b", "\u{b}", "&", "/*", "0x1f", "1.2.3", "a-b", "a-1",
    ]));
    vec((any::<prop::sample::Index>(), token), 1..3)
}

/// Inserts or deletes a few characters.
fn disturbed(text: &str, edits: &[(prop::sample::Index, Option<&'static str>)]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (place, token) in edits {
        if text.is_empty() {
            break;
        }
        let at = place.index(text.len());
        match token {
            Some(token) => drop(text.splice(at..at, token.chars())),
            None => drop(text.remove(at)),
        }
    }
    text.into_iter().collect()
}
