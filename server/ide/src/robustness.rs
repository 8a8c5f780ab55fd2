//! Every feature on every text: real pipelines as they are, cut off anywhere, and rubbish. Nothing panics, every
//! range lies in the text, and what is promised of an answer holds.

use attractor_dot::{TextRange, apply};
use proptest::prelude::*;

use crate::code_lens::LensOptions;
use crate::document::Document;
use crate::fixture::doc;
use crate::inlay_hint::InlayOptions;
use crate::references::Declarations;
use crate::workspace_words::WorkspaceWords;
use crate::{
    call_hierarchy, code_action, code_lens, completion, diagnostics, document_color, document_link,
    document_symbol, folding_range, goto_definition, hover, inlay_hint, linked_editing, preview,
    references, rename, selection_range, semantic_tokens, signature_help,
};
use attractor_model::NoFiles;

/// The range lies in the text, and cuts no character.
#[track_caller]
fn holds(doc: &Document, range: TextRange) {
    let text = doc.text.get(range.start()..range.end());
    assert!(text.is_some(), "{range:?} in {:?}", doc.text);
}

/// Asks everything about the whole document.
fn ask_about_all(doc: &Document) {
    let all = TextRange::new(0, doc.text.len());
    let lenses = LensOptions {
        preview: true,
        status: true,
        run_from_here: true,
    };
    let mut ranges: Vec<TextRange> = Vec::new();
    ranges.extend(folding_range::folds(doc).iter().map(|fold| fold.range));
    ranges.extend(document_color::colors(doc).iter().map(|color| color.range));
    ranges.extend(
        document_link::links(doc, &NoFiles)
            .iter()
            .map(|link| link.range),
    );
    ranges.extend(document_symbol::flat(doc).iter().map(|symbol| symbol.range));
    ranges.extend(
        diagnostics::diagnostics(doc, &[])
            .iter()
            .map(|problem| problem.range),
    );
    ranges.extend(
        code_lens::lenses(doc, &[], lenses)
            .iter()
            .map(|lens| lens.range),
    );
    ranges.extend(
        inlay_hint::hints(doc, all, InlayOptions::default())
            .iter()
            .map(|hint| TextRange::empty(hint.offset)),
    );
    ranges.extend(
        attractor_dot::format::edits(&doc.text, &attractor_dot::format::Options::default())
            .iter()
            .map(|edit| edit.range),
    );
    let tokens = semantic_tokens::tokens(doc, None);
    ranges.extend(tokens.iter().map(|token| token.range));
    for range in ranges {
        holds(doc, range);
    }
    assert!(
        tokens.is_sorted_by(|a, b| a.range.end() <= b.range.start()),
        "{:?}",
        doc.text
    );
    assert!(
        tokens
            .iter()
            .all(|token| !token.range.text(&doc.text).contains(['\n', '\r']))
    );
    for info in &doc.analysis.graphs {
        if let Some(preview) = preview::graph(doc, info.graph.name.as_deref(), None) {
            assert_eq!(
                attractor_dot::parse(&preview.dot).errors,
                [],
                "{}",
                preview.dot
            );
        }
    }
}

/// Asks everything about one place.
fn ask_about(doc: &Document, offset: usize) {
    for item in completion::complete(doc, offset, &NoFiles, &WorkspaceWords::default()).items {
        holds(doc, item.replace);
        let surrounds = item.replace.contains_range(item.insert) && item.insert.end() == offset;
        assert!(surrounds, "{item:?} at {offset} in {:?}", doc.text);
    }
    if let Some(hover) = hover::hover(doc, offset, &[]) {
        holds(doc, hover.range);
        assert!(!hover.markdown.is_empty());
    }
    let places = references::references(doc, offset, Declarations::Include);
    assert!(places.is_sorted());
    if let Ok(prepared) = rename::prepare(doc, offset) {
        assert!(places.contains(&prepared.range));
    }
    let steps = selection_range::ranges(doc, offset);
    let grow = steps.is_sorted_by(|inner, outer| outer.contains_range(*inner) && inner != outer);
    assert!(grow, "{steps:?} in {:?}", doc.text);
    let actions = code_action::actions(doc, TextRange::empty(offset), &[], &NoFiles);
    let edits = actions
        .iter()
        .flat_map(|action| &action.edits)
        .map(|edit| edit.range);
    for range in places.into_iter().chain(edits) {
        holds(doc, range);
    }
    goto_definition::definition(doc, offset, &NoFiles);
    linked_editing::ranges(doc, offset);
    signature_help::help(doc, offset);
    if let Some(item) = call_hierarchy::prepare(doc, offset) {
        call_hierarchy::incoming(doc, item.graph, &item.id);
        call_hierarchy::outgoing(doc, item.graph, &item.id);
    }
}

fn boundary(text: &str, offset: usize) -> usize {
    text.floor_char_boundary(offset.min(text.len()))
}

#[test]
#[ignore = "reads the pipelines of ATTRACTOR_CORPUS"]
fn corpus_pipelines() {
    for text in crate::fixture::corpus() {
        let whole = doc(&text);
        ask_about_all(&whole);
        for step in 0..12 {
            ask_about(&whole, boundary(&text, text.len() * step / 11));
        }
        let cut = doc(&text[..boundary(&text, text.len() * 2 / 3)]);
        ask_about_all(&cut);
        ask_about(&cut, cut.text.len());
    }
}

/// Renaming a node and renaming it back gives the text that was there, where no quotes were needed before.
#[test]
fn renaming_back_gives_the_text_again() {
    let text = "digraph { goal=x; build -> test [condition=\"build.ok\"]; test [retry_target=build, branches=\"a, build\", prompt=\"{output.build}\"] }";
    let first = doc(text);
    let edits = rename::rename(&first, text.find("build").unwrap(), "make").unwrap();
    let second = doc(&apply(text, &edits));
    let edits = rename::rename(&second, second.text.find("make").unwrap(), "build").unwrap();
    assert_eq!(apply(&second.text, &edits), text);
}

fn rubbish() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "digraph ",
        "graph",
        "subgraph ",
        "node ",
        "edge",
        "{",
        "}",
        "[",
        "]",
        "->",
        "--",
        "=",
        ",",
        ";",
        ":",
        "\"",
        "<",
        ">",
        "+",
        "a",
        "b",
        " ",
        "\n",
        "condition=",
        "\"outcome=success\"",
        "prompt=",
        "\"{x}\"",
        "shape=hexagon",
        "goal=x",
        "label",
        "// c\n",
        "/*",
        "*/",
        "é",
        "🦀",
        "\\",
        "'",
        "0",
        "1.5m",
        "model_stylesheet=\".f { model: x }\"",
        "class=f",
        "color=\"#fff000:red\"",
    ]);
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_input_does_not_panic(tail in rubbish(), offset in 0usize..200) {
        for text in [tail.clone(), format!("digraph {{ goal=x; {tail}")] {
            let doc = doc(&text);
            ask_about_all(&doc);
            ask_about(&doc, boundary(&text, offset));
            ask_about(&doc, text.len());
        }
    }
}
