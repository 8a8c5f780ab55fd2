//! Attributes as they are written, and the defaults in scope.

use smol_str::SmolStr;

use super::resolve::{Reading, Resolver, items};
use super::scope::{Kind, Object, add, set};
use super::{Attribute, NameSet};
use crate::ast::{self, Id, IdKind};
use crate::{TextRange, TokenKind};

impl Resolver<'_> {
    /// `node [..]`, `graph [..]`, `key=value`.
    pub(super) fn set_default(&mut self, attr: &ast::Attr, kind: Kind, scope: usize) {
        let Some(mut attribute) = self.attribute(attr) else {
            return;
        };
        if kind == Kind::Graph {
            let (object, attributes) = match scope.checked_sub(1) {
                Some(subgraph) => (
                    Object::Subgraph(subgraph),
                    self.graph
                        .subgraphs
                        .get_mut(subgraph)
                        .map(|it| &mut it.attributes),
                ),
                None => (
                    Object::Subgraph(usize::MAX),
                    Some(&mut self.graph.attributes),
                ),
            };
            if let Some(attributes) = attributes {
                set(attributes, &mut self.index, object, attribute.clone());
            }
        }
        // Graphviz has no default for the key of an edge.
        if kind == Kind::Edge && attribute.name == "key" {
            return;
        }
        attribute.inherited = true;
        if let Some(found) = self.scopes.get_mut(scope) {
            set(
                found.of_mut(kind),
                &mut self.index,
                Object::Scope(scope, kind),
                attribute,
            );
        }
    }

    /// The defaults in scope, inner before outer where both have one.
    pub(super) fn inherited(&mut self, kind: Kind, scope: usize, object: Object) -> Vec<Attribute> {
        let scopes = &self.scopes;
        let mut chain: Vec<usize> = Vec::new();
        let mut around = Some(scope);
        while let Some((at, found)) = around.and_then(|at| Some((at, scopes.get(at)?))) {
            if !found.of(kind).is_empty() {
                chain.push(at);
            }
            around = found.parent;
        }
        let mut attributes = Vec::new();
        while let Some(scope) = chain.pop() {
            let count = self
                .scopes
                .get(scope)
                .map_or(0, |scope| scope.of(kind).len());
            if !self.may_copy(count) {
                continue;
            }
            let Some(defaults) = self.scopes.get(scope).map(|scope| scope.of(kind)) else {
                continue;
            };
            if attributes.is_empty() {
                attributes.clone_from(defaults);
                for length in 1..=attributes.len() {
                    self.index
                        .added(attributes.get(..length).unwrap_or_default(), object);
                }
            } else {
                for attribute in defaults {
                    set(&mut attributes, &mut self.index, object, attribute.clone());
                }
            }
        }
        attributes
    }

    /// Whether `count` more copies may be made; if not, they are counted as left out.
    pub(super) fn may_copy(&mut self, count: usize) -> bool {
        let left = self.copies_left.checked_sub(count);
        self.copies_left = left.unwrap_or(self.copies_left);
        self.graph.omitted += if left.is_some() { 0 } else { count };
        left.is_some()
    }

    pub(super) fn attribute(&mut self, attr: &ast::Attr) -> Option<Attribute> {
        let value_id = self.value_id(attr)?;
        Some(Attribute {
            name: self.names.name(&attr.key.text(self.source)),
            value: SmolStr::from(value_id.text(self.source)),
            html: value_id.is_html(),
            key_range: attr.key.range,
            value_range: value_id.range,
            value_id,
            inherited: false,
        })
    }

    /// What lists say, one attribute per name, and these names.
    pub(super) fn written(&mut self, lists: &[ast::AttrList]) -> (Vec<Attribute>, NameSet) {
        let mut attributes = Vec::new();
        let mut names = NameSet::default();
        self.write(lists, (&mut attributes, &mut names), Object::Statement);
        self.index.forget(Object::Statement, &[]);
        (attributes, names)
    }

    /// Adds what lists say to the attributes of `object`.
    pub(super) fn write(
        &mut self,
        lists: &[ast::AttrList],
        (attributes, names): (&mut Vec<Attribute>, &mut NameSet),
        object: Object,
    ) {
        attributes.reserve_exact(items(lists).count());
        for attr in items(lists) {
            if let Some(attribute) = self.attribute(attr) {
                add((attributes, names), &mut self.index, object, attribute);
            }
        }
    }

    /// The value, cut as Graphviz does where that reading is asked for.
    fn value_id(&self, attr: &ast::Attr) -> Option<Id> {
        let value = attr.value?;
        if self.reading == Reading::Pipeline {
            return Some(value);
        }
        let first = self.graphviz_pieces(value).into_iter().next();
        Some(first.unwrap_or(value))
    }

    /// `stall_timeout=900s` in Graphviz' reading: `s` is a node.
    pub(super) fn surplus_nodes(&mut self, attr: &ast::Attr, scope: usize) {
        let Some(value) = attr.value else { return };
        for id in self.graphviz_pieces(value).into_iter().skip(1) {
            self.mention(id, id.range, super::Role::Declaration, scope);
        }
    }

    /// The identifiers Graphviz reads an extended one as, if it reads it at all.
    fn graphviz_pieces(&self, id: Id) -> Vec<Id> {
        if id.kind != IdKind::Extended || self.reading == Reading::Pipeline {
            return Vec::new();
        }
        let written = id.range.text(self.source);
        let tokens = crate::lex(written);
        let pieces = tokens.solid().map(|token| {
            let start = id.range.start() + token.range.start();
            let range = TextRange::new(start, start + token.range.len());
            match token.kind {
                TokenKind::Name => Some(Id {
                    range,
                    kind: IdKind::Bare,
                }),
                TokenKind::Number => Some(Id {
                    range,
                    kind: IdKind::Numeral,
                }),
                _ => None,
            }
        });
        pieces.collect::<Option<Vec<Id>>>().unwrap_or_default()
    }
}
