//! Attributes as they are written, and the defaults in scope.

use smol_str::SmolStr;

use super::name_filter::NameHash;
use super::resolve::{IdSyntax, Resolver, items};
use super::scopes::{AttributeOwner, Kind, set};
use super::{Attribute, AttributeList, Name};
use crate::ast::{self, Id, IdKind};
use crate::{TextRange, TokenKind};

impl Resolver<'_> {
    /// `node [..]`, `graph [..]`, `key=value`.
    pub(super) fn set_default(&mut self, attr: &ast::Attr, kind: Kind, scope: usize) {
        let Some(mut attribute) = self.attribute(attr) else {
            self.graph.may_have_duplicates = true;
            return;
        };
        if kind == Kind::Graph {
            let subgraph = scope.checked_sub(1);
            if let Some(list) = self.attributes_of(subgraph) {
                let mut own = *list;
                self.set((&mut own, AttributeOwner::Subgraph(subgraph)), attribute);
                if let Some(list) = self.attributes_of(subgraph) {
                    *list = own;
                }
            }
        }
        // Graphviz has no default for the key of an edge.
        if kind == Kind::Edge && self.graph.name_of(&attribute) == "key" {
            self.graph.may_have_duplicates = true;
            return;
        }
        attribute.inherited = true;
        if let Some(mut list) = self.scopes.get_mut(scope).map(|found| *found.of(kind)) {
            self.set((&mut list, AttributeOwner::Scope(scope, kind)), attribute);
            if let Some(found) = self.scopes.get_mut(scope) {
                *found.of(kind) = list;
            }
        }
    }

    /// The attributes of a subgraph, or of the graph itself.
    fn attributes_of(&mut self, subgraph: Option<usize>) -> Option<&mut AttributeList> {
        match subgraph {
            Some(subgraph) => Some(&mut self.graph.subgraphs.get_mut(subgraph)?.attributes),
            None => Some(&mut self.graph.attributes),
        }
    }

    /// The defaults in scope, inner before outer where both have one.
    pub(super) fn inherited(
        &mut self,
        kind: Kind,
        scope: usize,
        owner: AttributeOwner,
    ) -> AttributeList {
        let mut list = AttributeList::default();
        self.inherit(kind, Some(scope), (&mut list, owner));
        list
    }

    /// Adds the defaults of the scopes from the outermost to this one.
    fn inherit(
        &mut self,
        kind: Kind,
        scope: Option<usize>,
        (list, owner): (&mut AttributeList, AttributeOwner),
    ) {
        let Some(found) = scope.and_then(|scope| self.scopes.get_mut(scope)) else {
            return;
        };
        let (parent, defaults) = (found.parent, *found.of(kind));
        if parent.is_some() {
            self.inherit(kind, parent, (list, owner));
        }
        if defaults.is_empty() || !self.may_copy(defaults.len()) {
            return;
        }
        if list.is_empty() {
            *list = self.shared_defaults(kind, scope);
            return;
        }
        for place in defaults.places() {
            if let Some(attribute) = self.graph.lists.at(place) {
                self.set((list, owner), attribute);
            }
        }
    }

    fn shared_defaults(&mut self, kind: Kind, scope: Option<usize>) -> AttributeList {
        let found = scope.and_then(|scope| self.scopes.get_mut(scope));
        found.map_or_else(AttributeList::default, |found| found.of(kind).share())
    }

    /// Whether `count` more copies may be made; if not, they are counted as left out.
    pub(super) fn may_copy(&mut self, count: usize) -> bool {
        let left = self.copy_budget.checked_sub(count);
        self.copy_budget = left.unwrap_or(self.copy_budget);
        self.graph.omitted += if left.is_some() { 0 } else { count };
        left.is_some()
    }

    #[inline]
    fn attribute(&mut self, attr: &ast::Attr) -> Option<Attribute> {
        let value = match self.id_syntax {
            IdSyntax::Pipeline => attr.value?,
            IdSyntax::Graphviz => self.first_piece(attr.value?),
        };
        let (name, class) = self.intern(&attr.key);
        Some(Attribute {
            name,
            key_range: attr.key.range,
            value_id: value,
            storage: self.graph.values.store(value),
            class,
            inherited: false,
        })
    }

    /// The name `id` is; equal names are one.
    fn intern(&mut self, id: &Id) -> (Name, NameHash) {
        let names = &mut self.graph.names;
        let text = id.text(self.source);
        let class = NameHash::of(&text);
        let name = *self.names.entry(text).or_insert_with_key(|text| {
            let next = u32::try_from(names.len()).unwrap_or(u32::MAX);
            names.push(SmolStr::new(text));
            Name(next)
        });
        (name, class)
    }

    /// Adds what lists say to the attributes of `owner`.
    pub(super) fn write(
        &mut self,
        lists: &[ast::AttrList],
        (list, owner): (&mut AttributeList, AttributeOwner),
    ) {
        for attr in items(lists) {
            match self.attribute(attr) {
                Some(attribute) => self.set((list, owner), attribute),
                // Attributes without a value are not stored, so duplicates of them have no effect.
                None => self.graph.may_have_duplicates = true,
            }
        }
    }

    /// Gives an attribute to `owner`, whose attributes are `list`.
    #[inline]
    pub(super) fn set(
        &mut self,
        (list, owner): (&mut AttributeList, AttributeOwner),
        attribute: Attribute,
    ) {
        let lists = &mut self.graph.lists;
        set(lists, (list, owner), &mut self.index, attribute);
    }

    /// The value, cut as Graphviz does.
    #[cold]
    fn first_piece(&self, value: Id) -> Id {
        let first = self.graphviz_pieces(value).into_iter().next();
        first.unwrap_or(value)
    }

    /// `stall_timeout=900s` in Graphviz' reading: `s` is a node.
    pub(super) fn surplus_nodes(&mut self, attr: &ast::Attr, scope: usize) {
        let Some(value) = attr.value else { return };
        for id in self.graphviz_pieces(value).into_iter().skip(1) {
            self.occurrence(id, id.range, super::OccurrenceKind::Declaration, scope);
        }
    }

    /// The identifiers Graphviz reads an extended one as, if it reads it at all.
    fn graphviz_pieces(&self, id: Id) -> Vec<Id> {
        if id.kind != IdKind::Extended || self.id_syntax == IdSyntax::Pipeline {
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
