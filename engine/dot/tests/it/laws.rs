//! Laws that hold for every text.

use std::sync::Arc;

use attractor_dot::ast::{Attr, AttrList, Block, EdgeEnd, File, NodeRef, Stmt, Subgraph};
use attractor_dot::format::{
    Align, Indent, Options, Semicolons, Sort, edits, format, on_type, range,
};
use attractor_dot::graph::{self, Graph};
use attractor_dot::{Edit, TextRange, TokenKind, apply, parse};
use proptest::prelude::*;

use crate::generate;

/// Text that is DOT, nearly DOT, or nothing of the kind.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => generate::program(),
        1 => r#"[a-c0-9{}\[\];,=:"<>+/*#.@ \n\r\\-]{0,60}"#,
        1 => "\\PC{0,40}",
    ]
}

/// Every combination of the options that are a choice.
fn every_option() -> Vec<Options> {
    let mut all = Vec::new();
    for semicolons in [Semicolons::Keep, Semicolons::Always, Semicolons::Never] {
        for align in [Align::Lists, Align::Nothing] {
            for sort in [Sort::Keep, Sort::Attributes] {
                for indent in [Indent::Spaces(2), Indent::Spaces(4), Indent::Tab] {
                    let width = Options::default().width;
                    all.push(Options {
                        indent,
                        width,
                        align,
                        semicolons,
                        sort,
                    });
                }
            }
        }
    }
    all
}

pub(crate) fn options() -> impl Strategy<Value = Options> {
    (prop::sample::select(every_option()), 20..120usize)
        .prop_map(|(options, width)| Options { width, ..options })
}

/// The ranges of children lie in their parents, and siblings follow each other.
pub(crate) fn nests(file: &File, text: &str) -> Result<(), String> {
    let mut last = 0;
    for graph in &file.graphs {
        inside(graph.range, TextRange::new(last, text.len()))?;
        inside(graph.body.range, graph.range)?;
        block(&graph.body)?;
        last = graph.range.end();
    }
    Ok(())
}

fn inside(child: TextRange, parent: TextRange) -> Result<(), String> {
    if parent.contains_range(child) {
        Ok(())
    } else {
        Err(format!("{child:?} is not inside {parent:?}"))
    }
}

fn block(block: &Block) -> Result<(), String> {
    in_order(block.range, block.statements.iter().map(Stmt::range))?;
    for statement in &block.statements {
        in_order(
            statement.range(),
            statement.attributes().iter().map(|list| list.range),
        )?;
        statement.attributes().iter().try_for_each(list)?;
        match statement {
            Stmt::Node(node) => in_order(node.range, node.nodes.iter().map(NodeRef::range))?,
            Stmt::Edge(edge) => {
                in_order(edge.range, edge.ends.iter().map(EdgeEnd::range))?;
                assert_eq!(edge.ends.len(), edge.operators.len() + 1);
                for end in &edge.ends {
                    if let EdgeEnd::Subgraph(inner) = end {
                        subgraph(inner)?;
                    }
                }
            }
            Stmt::Subgraph(inner) => subgraph(inner)?,
            Stmt::Assign(attr) => pair(attr)?,
            Stmt::Defaults(_) | Stmt::Error(_) => {}
        }
    }
    Ok(())
}

fn subgraph(subgraph: &Subgraph) -> Result<(), String> {
    subgraph.body.iter().try_for_each(|body| {
        inside(body.range, subgraph.range)?;
        block(body)
    })
}

fn list(list: &AttrList) -> Result<(), String> {
    in_order(list.range, list.items.iter().map(Attr::range))?;
    list.items.iter().try_for_each(pair)
}

fn pair(attr: &Attr) -> Result<(), String> {
    in_order(
        attr.range(),
        [
            Some(attr.key.range),
            attr.equals(),
            attr.value.map(|value| value.range),
        ]
        .into_iter()
        .flatten(),
    )
}

fn in_order(parent: TextRange, children: impl Iterator<Item = TextRange>) -> Result<(), String> {
    let mut last = parent.start();
    for child in children {
        inside(child, TextRange::new(last, parent.end()))?;
        last = child.end();
    }
    Ok(())
}

/// What a text means, one record for each thing in it; places and the order of attributes left out.
fn meaning(text: &str) -> Vec<String> {
    let parse = parse(text);
    let text = Arc::from(text);
    let graphs = parse.file.graphs.iter();
    let graphs = graphs.map(|graph| graph::resolve(graph, &text));
    graphs.flat_map(|graph| records(&graph)).collect()
}

fn records(graph: &Graph) -> Vec<String> {
    let values = |list| {
        let pair = |one| {
            let name = graph.name_of(one);
            (name, graph.value_of(one), one.value_id.kind, one.inherited)
        };
        let mut values: Vec<_> = graph.list(list).iter().map(pair).collect();
        values.sort_unstable_by_key(|(name, ..)| *name);
        format!("{values:?}")
    };
    let own = values(graph.attributes);
    let (name, directed, strict) = (&graph.name, graph.directed, graph.strict);
    let whole = format!("{name:?} {directed} {strict} {} {own}", graph.omitted);
    let nodes = graph.nodes.iter().map(|one| {
        let roles: Vec<_> = graph
            .occurrences(one)
            .map(|occurrence| occurrence.kind)
            .collect();
        let (id, own) = (&one.id, values(one.attributes));
        format!("{id} {own} {roles:?} {:?}", one.subgraph())
    });
    let edges = graph.edges.iter().map(|one| {
        let ends = (one.from(), one.from_port(), one.to(), one.to_port());
        format!("{ends:?} {} {:?}", values(one.attributes), one.subgraph())
    });
    let subgraphs = graph.subgraphs.iter().map(|one| {
        let own = values(one.attributes);
        format!("{:?} {:?} {own} {:?}", one.name, one.parent, one.nodes)
    });
    std::iter::once(whole)
        .chain(nodes)
        .chain(edges)
        .chain(subgraphs)
        .collect()
}

/// What is wrong with `formatted`, if anything is, as what `options` make of `text`.
pub(crate) fn wrong(text: &str, formatted: &str, options: &Options) -> Result<(), String> {
    let unsorted = Options {
        sort: Sort::Keep,
        ..*options
    };
    let sorted_comments = || attached(formatted) == attached(&format(text, &unsorted));
    let laws = [
        ("its meaning changes", meaning(formatted) == meaning(text)),
        (
            "a comment moves",
            match options.sort {
                Sort::Keep => comments(formatted) == comments(text),
                Sort::Attributes => sorted_comments(),
            },
        ),
        (
            "errors appear or disappear",
            parse(formatted).errors.len() == parse(text).errors.len(),
        ),
        (
            "a broken statement changes",
            broken(text).iter().all(|one| formatted.contains(one)),
        ),
        ("twice is not once", format(formatted, options) == formatted),
    ];
    match laws.into_iter().find(|(_, holds)| !holds) {
        Some((law, _)) => {
            let again = format(formatted, options);
            let mut lines = formatted.lines().zip(again.lines());
            let moved = lines.find(|(once, twice)| once != twice);
            Err(format!("{law} ({moved:?}) with {options:?}:\n{formatted}"))
        }
        None => Ok(()),
    }
}

/// The innermost statements that messages report, as written.
fn broken(text: &str) -> Vec<&str> {
    let parse = parse(text);
    let place = |error: &attractor_dot::SyntaxError| {
        let mut blocks = parse.file.graphs.iter().map(|graph| &graph.body);
        blocks.find_map(|block| statement_at(block, error.range.start()))
    };
    let places = parse.errors.iter().filter_map(place);
    places.map(|place| place.text(text)).collect()
}

fn statement_at(block: &Block, at: usize) -> Option<TextRange> {
    let mut statements = block.statements.iter();
    let found = statements.find(|one| one.range().start() <= at && at < one.range().end())?;
    let ends: &[EdgeEnd] = match found {
        Stmt::Edge(edge) => &edge.ends,
        _ => &[],
    };
    let of_ends = ends.iter().filter_map(|end| match end {
        EdgeEnd::Subgraph(subgraph) => subgraph.body.as_ref(),
        _ => None,
    });
    let own = match found {
        Stmt::Subgraph(subgraph) => subgraph.body.as_ref(),
        _ => None,
    };
    let mut bodies = of_ends.chain(own);
    let inside = |body: &&Block| body.range.start() < at && at < body.range.end();
    match bodies.find(inside) {
        Some(body) => statement_at(body, at),
        None => Some(found.range()),
    }
}

/// The comments of a text in canonical layout, in any order, each with the word it belongs to: the one
/// before it on its line, else the next one.
fn attached(text: &str) -> Vec<(String, String)> {
    let tokens = parse(text).tokens;
    let solid: Vec<_> = tokens.solid().collect();
    let word = |token: &&attractor_dot::Token| {
        !token.kind.is_comment() && !matches!(token.kind, TokenKind::Comma | TokenKind::Semicolon)
    };
    let mut attached: Vec<(String, String)> = Vec::new();
    for (at, comment) in solid
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind.is_comment())
    {
        let (before, next) = (
            solid[..at].iter().rev().find(word),
            solid[at..].iter().find(word),
        );
        let on_line = before.filter(|before| {
            // A comment of several lines continues, too.
            let between = TextRange::new(before.range.end(), comment.range.start());
            let comments = solid[..at]
                .iter()
                .filter(|token| between.contains_range(token.range));
            let breaks = |text: &str| text.matches('\n').count();
            breaks(between.text(text))
                == comments
                    .map(|token| breaks(token.range.text(text)))
                    .sum::<usize>()
        });
        let owner = on_line.or(next).map_or("", |owner| owner.range.text(text));
        attached.push((
            comment.range.text(text).trim_end().to_owned(),
            owner.to_owned(),
        ));
    }
    attached.sort();
    attached
}

/// The comments of a text, each with the words before and after it.
fn comments(text: &str) -> Vec<(String, Option<String>)> {
    let tokens = parse(text).tokens;
    let solid: Vec<_> = tokens.solid().collect();
    let separator = |kind| matches!(kind, TokenKind::Comma | TokenKind::Semicolon);
    let word = |token: &attractor_dot::Token| !token.kind.is_comment() && !separator(token.kind);
    let comment = |(at, token): (usize, &attractor_dot::Token)| {
        let next = solid[at..].iter().find(|token| word(token));
        (
            token.range.text(text).trim_end().to_owned(),
            next.map(|next| next.range.text(text).to_owned()),
        )
    };
    solid
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind.is_comment())
        .map(comment)
        .collect()
}

/// Where a cursor at `offset` is after `edits`.
fn cursor_after(offset: usize, edits: &[Edit]) -> usize {
    let mut cursor = offset;
    for edit in edits.iter().rev() {
        if edit.range.end() <= offset {
            cursor = cursor - edit.range.len() + edit.text.len();
        } else if edit.range.start() < offset {
            cursor = edit.range.start() + edit.text.len();
        }
    }
    cursor
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn laws_tokens_are_the_text(text in any_text()) {
        let tokens = parse(&text).tokens;
        let joined: String = tokens.iter().map(|token| token.range.text(&text)).collect();
        prop_assert_eq!(&joined, &text);
        for token in tokens.iter() {
            prop_assert_eq!(tokens.at_offset(token.range.start()), Some(token));
        }
    }

    #[test]
    fn laws_ranges_nest(text in any_text()) {
        let parse = parse(&text);
        prop_assert_eq!(nests(&parse.file, &text), Ok(()));
        for error in &parse.errors {
            prop_assert!(error.range.end() <= text.len(), "{:?}", error);
            prop_assert!(!error.message.is_empty());
        }
    }

    #[test]
    fn laws_formatting_keeps_meaning_and_comments_and_is_idempotent(text in any_text(), options in options()) {
        prop_assert_eq!(wrong(&text, &format(&text, &options), &options), Ok(()));
    }

    #[test]
    fn laws_formatting_a_range_is_part_of_formatting_all(
        text in generate::valid(), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>(), options in options(),
    ) {
        let (from, to) = (from.index(text.len() + 1), to.index(text.len() + 1));
        let part = apply(&text, &range(&text, TextRange::new(from.min(to), from.max(to)), &options));
        prop_assert_eq!(meaning(&part), meaning(&text));
        let all = format(&text, &options);
        // Line ends follow the first one, which may go with the part.
        let lines = |text: &str| text.replace('\r', "");
        prop_assert_eq!(lines(&format(&part, &options)), lines(&all), "{}", part);
        let (from, to) = (from.min(all.len()), to.min(all.len()));
        let again = range(&all, TextRange::new(from.min(to), from.max(to)), &options);
        prop_assert_eq!(again, vec![]);
    }

    #[test]
    fn laws_edits_keep_apart(text in any_text(), options in options()) {
        let edits = edits(&text, &options);
        prop_assert!(edits.windows(2).all(|two| two[0].range.end() <= two[1].range.start()), "{:?}", edits);
        prop_assert_eq!(apply(&text, &edits), format(&text, &options));
    }

    #[test]
    fn laws_formatting_on_type_is_part_of_formatting_all(
        text in generate::valid(), at in any::<prop::sample::Index>(), typed in prop::sample::select(vec!['}', ']', ';', '\n']), options in options(),
    ) {
        // Where such a character was typed, if there is one.
        let typings: Vec<usize> = text.match_indices(typed).map(|(at, _)| at + 1).collect();
        let offset = match typings.as_slice() {
            [] => text.floor_char_boundary(at.index(text.len() + 1)),
            typings => *at.get(typings),
        };
        let edits = on_type(&text, offset, typed, &options);
        let part = apply(&text, &edits);
        prop_assert_eq!(meaning(&part), meaning(&text));
        let lines = |text: &str| text.replace('\r', "");
        prop_assert_eq!(lines(&format(&part, &options)), lines(&format(&text, &options)), "{}", part);
        // A `;` that was no separator there is gone, and with it what was typed.
        let cursor = cursor_after(offset, &edits);
        if part[..cursor].ends_with(typed) {
            prop_assert_eq!(on_type(&part, cursor, typed, &options), vec![], "{}", part);
        }
    }

    #[test]
    fn laws_formatting_on_type_keeps_meaning(text in any_text(), at in any::<prop::sample::Index>(), typed in prop::sample::select(vec!['}', ']', ';', '\n']), options in options()) {
        let offset = text.floor_char_boundary(at.index(text.len() + 1));
        let part = apply(&text, &on_type(&text, offset, typed, &options));
        prop_assert_eq!(meaning(&part), meaning(&text));
    }

    #[test]
    fn laws_formatting_leaves_formatted_text_alone_on_type(
        text in generate::valid(), at in any::<prop::sample::Index>(), typed in prop::sample::select(vec!['}', ']', ';']), options in options(),
    ) {
        let all = format(&text, &options);
        let offset = all.floor_char_boundary(at.index(all.len() + 1));
        prop_assert_eq!(on_type(&all, offset, typed, &options), vec![], "{}", all);
    }

    #[test]
    fn laws_messages_offer_edits_inside_the_text(text in any_text()) {
        for error in parse(&text).errors {
            for fix in &error.fixes {
                let _ = apply(&text, &fix.edits);
                prop_assert!(fix.edits.iter().all(|edit| edit.range.end() <= text.len()));
            }
        }
    }
}

#[test]
fn laws_formatting_breaks_chains_once_and_for_all() {
    let text = "digraph { begin -> think -> work -> look -> end -> a:b -> { c; d } -> e [label=pass, color=red] }";
    for width in 0..80 {
        let options = Options {
            width,
            ..Options::default()
        };
        let once = format(text, &options);
        assert_eq!(wrong(text, &once, &options), Ok(()));
    }
}

/// What was formatted wrongly once, under every combination of the options.
#[test]
fn laws_formatting_of_hard_texts() {
    let texts = [
        // What is before the `{` reads differently when its spaces change.
        "=a\\\"\n\"\"\n=\"]\n\"\\\"\nt{d}",
        // Which quote is the surplus one hangs on the line end before `[e=x]`.
        "graph{{f[l=\"\"]\n[e=x]\n  i[l=\"q\"\"}}",
        // A list whose quote is undone, in a graph without its keyword.
        "g\"{d[\"\n\"b;}",
        // The `;` goes, and would leave one comment after the other.
        "graph{a//\n;#\n}",
    ];
    for text in texts {
        for options in every_option() {
            assert_eq!(wrong(text, &format(text, &options), &options), Ok(()));
        }
    }
}

#[test]
#[ignore = "reads the pipelines of ATTRACTOR_CORPUS"]
fn corpus_keeps_the_laws_of_formatting() {
    check_files("ATTRACTOR_CORPUS");
}

#[test]
#[ignore = "reads GRAPHVIZ_CORPUS (see tests/it/fetch_graphviz_corpus.sh)"]
fn graphviz_corpus_keeps_the_laws_of_formatting() {
    check_files("GRAPHVIZ_CORPUS");
}

/// Formats each file of a corpus under two of the combinations, so that each combination meets some fifty
/// files. `EVERY_OPTION=1` tries all of them on each file.
fn check_files(variable: &str) {
    let folder = crate::graphviz::folder(variable);
    let every = every_option();
    let files = crate::graphviz::files_under(&folder);
    for (number, file) in files.iter().enumerate() {
        let (text, _) = attractor_dot::text::decode(&std::fs::read(file).unwrap());
        let tried: Vec<Options> = match std::env::var_os("EVERY_OPTION") {
            Some(_) => every.clone(),
            None => [number, number * 7 + 5]
                .map(|at| every[at % every.len()])
                .into(),
        };
        for options in tried {
            let formatted = format(&text, &options);
            assert_eq!(
                wrong(&text, &formatted, &options),
                Ok(()),
                "{}",
                file.display()
            );
        }
        let parse = parse(&text);
        let joined: String = parse
            .tokens
            .iter()
            .map(|token| token.range.text(&text))
            .collect();
        assert!(
            joined == text,
            "the tokens of {} are not its text",
            file.display()
        );
        assert_eq!(nests(&parse.file, &text), Ok(()), "{}", file.display());
    }
    eprintln!(
        "{variable}: {} files formatted, meaning and comments kept, idempotent",
        files.len()
    );
}

#[test]
fn laws_errors_of_degenerate_texts_are_bounded() {
    for (name, make) in crate::degenerate::CASES {
        let errors = attractor_dot::parse(&make(20_000)).errors.len();
        assert!(errors <= 1001, "{name}: {errors} errors");
    }
}
