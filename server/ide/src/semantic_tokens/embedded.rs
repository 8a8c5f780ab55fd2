//! The words inside a value: conditions, templates, stylesheets, and what lists name.

use std::ops::Range;

use attractor_dot::TextRange;
use attractor_dot::ast::Id;
use attractor_lang::condition::{self, Class};
use attractor_lang::stylesheet::{self, PartKind};
use attractor_model::catalogue::AttrType;
use rustc_hash::FxHashMap;

use super::token::{DECLARATION, Token, TokenKind};
use crate::document::Document;
use crate::symbol_index::{EmbeddedName, NameKind, OccurrenceKind, in_value};

/// Whether values of the type hold words of their own.
pub(super) fn has_words(ty: AttrType) -> bool {
    crate::symbol_index::can_name(ty)
}

/// The words of the values of a document. Equal conditions are parsed once: most edges have one of a few.
pub(super) struct ValueWords<'d> {
    doc: &'d Document,
    /// By graph, and by name and value of the attribute as they are written. Ranges are relative to the value.
    conditions: FxHashMap<(usize, &'d str, &'d str), Vec<Token>>,
    /// The words of the last value.
    last: Vec<Token>,
}

impl<'d> ValueWords<'d> {
    pub(super) fn new(doc: &'d Document) -> Self {
        Self {
            doc,
            conditions: FxHashMap::default(),
            last: Vec::new(),
        }
    }

    /// The words of the value of an attribute of that type, in order.
    pub(super) fn of(&mut self, graph: usize, (key, value): (&Id, &Id), ty: AttrType) -> &[Token] {
        let doc = self.doc;
        let read = || parts(doc, graph, &doc.decode(key), value, ty);
        if !matches!(ty, AttrType::Condition | AttrType::BoolOrCondition) {
            self.last = read();
            return &self.last;
        }
        let place = (
            graph,
            key.range.text(&doc.text),
            value.range.text(&doc.text),
        );
        let start = value.range.start();
        let words = self.conditions.entry(place).or_insert_with(|| {
            let words = read().into_iter();
            let inside = words.filter(|word| value.range.contains_range(word.range));
            inside
                .map(|word| moved(word, |offset| offset - start))
                .collect()
        });
        let words = words.iter();
        self.last.clear();
        self.last
            .extend(words.map(|word| moved(*word, |offset| offset + start)));
        &self.last
    }
}

fn moved(word: Token, offset: impl Fn(usize) -> usize) -> Token {
    let range = TextRange::new(offset(word.range.start()), offset(word.range.end()));
    Token { range, ..word }
}

/// The words of a value of an attribute, in order.
fn parts(doc: &Document, graph: usize, key: &str, value: &Id, ty: AttrType) -> Vec<Token> {
    let mut parts = named(doc, graph, key, value, ty);
    let read = match ty {
        AttrType::Condition | AttrType::BoolOrCondition => in_condition,
        AttrType::Stylesheet => in_stylesheet,
        _ => {
            parts.sort_by_key(|part| part.range);
            return parts;
        }
    };
    let decoded = value.decoded(&doc.text).unescape();
    let words = read(&decoded.text);
    let names = parts.clone();
    for (range, kind) in words {
        let range = decoded.range_to_source(range.start, range.end);
        // A key can hold a name (`build.score`): what lies around the name is still a part of the key.
        let mut done = range.start();
        for name in names.iter().filter(|name| range.contains_range(name.range)) {
            parts.push(Token {
                range: TextRange::new(done, name.range.start()),
                kind,
                modifiers: 0,
            });
            done = name.range.end();
        }
        parts.push(Token {
            range: TextRange::new(done, range.end()),
            kind,
            modifiers: 0,
        });
    }
    parts.retain(|part| !part.range.is_empty());
    parts.sort_by_key(|part| part.range);
    parts
}

fn in_condition(text: &str) -> Vec<(Range<usize>, TokenKind)> {
    condition::classify(text)
        .into_iter()
        .map(|(range, class)| (range, of_class(class)))
        .collect()
}

fn in_stylesheet(text: &str) -> Vec<(Range<usize>, TokenKind)> {
    let (sheet, _) = stylesheet::parse(text);
    let mut words = Vec::new();
    for rule in &sheet.rules {
        for part in rule.selectors.iter().flat_map(|selector| &selector.parts) {
            let kind = match part.kind {
                PartKind::Any => TokenKind::Operator,
                PartKind::Class(_) => TokenKind::Class,
                PartKind::Name(_) | PartKind::Id(_) | PartKind::Attribute { .. } => {
                    TokenKind::Variable
                }
            };
            words.push((part.range.clone(), kind));
        }
        for declaration in &rule.declarations {
            words.push((declaration.property_range.clone(), TokenKind::Property));
            words.push((declaration.value_range.clone(), TokenKind::EnumMember));
        }
    }
    words
}

/// The names in a value.
fn named(doc: &Document, graph: usize, key: &str, value: &Id, ty: AttrType) -> Vec<Token> {
    let Some(info) = doc.graph(graph) else {
        return Vec::new();
    };
    let mut tokens = Vec::new();
    let is_node = |id: &str| info.graph.node(id).is_some();
    in_value(doc, key, *value, ty, &is_node, |named| {
        let (kind, modifiers) = of_name(doc, graph, &named);
        tokens.push(Token {
            range: without_quotes(doc, named.range, value.range),
            kind,
            modifiers,
        });
    });
    tokens
}

/// A name that is the whole value is painted without the value's quotes.
fn without_quotes(doc: &Document, range: TextRange, value: TextRange) -> TextRange {
    let text = range.text(&doc.text);
    if range == value && text.len() >= 2 && text.starts_with('"') && text.ends_with('"') {
        return TextRange::new(range.start() + 1, range.end() - 1);
    }
    range
}

fn of_class(class: Class) -> TokenKind {
    match class {
        Class::Key => TokenKind::Parameter,
        Class::Text => TokenKind::String,
        Class::Number => TokenKind::Number,
        Class::Constant => TokenKind::EnumMember,
        Class::Operator => TokenKind::Operator,
        Class::Connective => TokenKind::Keyword,
    }
}

/// The kind and modifiers of a name in a value.
fn of_name(doc: &Document, graph: usize, named: &EmbeddedName<'_>) -> (TokenKind, u32) {
    let kind = match named.what {
        NameKind::Node => {
            let pipeline = doc.pipeline(graph);
            let node = pipeline.and_then(|pipeline| pipeline.node_by_id(named.word));
            node.map_or(TokenKind::Variable, |node| TokenKind::of_node(node.kind))
        }
        NameKind::Class => TokenKind::Class,
        NameKind::Key => TokenKind::Parameter,
        NameKind::Graph => TokenKind::Namespace,
    };
    let modifiers = match named.role {
        OccurrenceKind::Declaration => DECLARATION,
        OccurrenceKind::Reference => 0,
    };
    (kind, modifiers)
}
