//! Nodes, ports, subgraphs and the edges between them.
//!
//! ```text
//! input:   a:p -> {b c} [x=1]
//! output:  Edge { ends: [Nodes(a:p), Subgraph { b c }], operators: [->], attributes: [[x=1]] }
//! ```

use chumsky::prelude::*;
use smallvec::{SmallVec, smallvec};

use super::attributes::{Lists, lists};
use super::input::{Grammar, id, kept, plain, recover, token, when};
use crate::ast::{Block, EdgeEnd, EdgeOp, EdgeStmt, Id, NodeRef, NodeStmt, Port, Stmt, Subgraph};
use crate::parse::statement_tokens::{Word, WordKind};
use crate::{TextRange, TokenKind};

/// `a [x=1]`, `a -> b`, `{a b}`
pub(super) fn edge_or_node<'w, 't: 'w>(
    block: impl Grammar<'w, 't, Block>,
) -> impl Grammar<'w, 't, Stmt> {
    from(end(block.clone()), block)
}

/// An edge whose first end is missing.
pub(super) fn edge_without_start<'w, 't: 'w>(
    block: impl Grammar<'w, 't, Block>,
) -> impl Grammar<'w, 't, Stmt> {
    from(recover(|input| input.missing_edge_start()), block)
}

fn from<'w, 't: 'w>(
    first: impl Grammar<'w, 't, EdgeEnd>,
    block: impl Grammar<'w, 't, Block>,
) -> impl Grammar<'w, 't, Stmt> {
    let surplus = when(
        |input| input.is_surplus() && input.sees(1, TokenKind::LeftBracket),
        recover(|input| input.skip_surplus()),
    );
    let links = when(|input| !input.ends_links(), link(block));
    first
        .then(links.repeated().collect::<Links>())
        .then_ignore(surplus.or_not())
        .then(lists())
        .map_with(|((first, links), attributes), extra| {
            let range = first.range().cover(extra.state().last);
            links.finish(first, range, attributes)
        })
}

/// The operators of an edge, and the ends after them.
#[derive(Default)]
struct Links {
    operators: SmallVec<[EdgeOp; 1]>,
    ends: Vec<EdgeEnd>,
}

impl FromIterator<(EdgeOp, EdgeEnd)> for Links {
    fn from_iter<I: IntoIterator<Item = (EdgeOp, EdgeEnd)>>(links: I) -> Self {
        let mut all = Self::default();
        for (operator, end) in links {
            if all.ends.is_empty() {
                // Nearly every edge has two ends.
                all.ends.reserve_exact(2);
            }
            all.operators.push(operator);
            all.ends.push(end);
        }
        all
    }
}

impl Links {
    fn finish(self, first: EdgeEnd, range: TextRange, attributes: Lists) -> Stmt {
        match first {
            EdgeEnd::Nodes(nodes) if self.ends.is_empty() => Stmt::Node(NodeStmt {
                range,
                nodes,
                attributes,
            }),
            EdgeEnd::Subgraph(mut subgraph) if self.ends.is_empty() => {
                subgraph.range = range;
                subgraph.attributes = attributes;
                Stmt::Subgraph(subgraph)
            }
            first => {
                let mut ends = self.ends;
                ends.insert(0, first);
                Stmt::Edge(EdgeStmt {
                    range,
                    ends: ends.into_boxed_slice(),
                    operators: self.operators,
                    attributes,
                })
            }
        }
    }
}

/// An operator and the end after it.
fn link<'w, 't: 'w>(block: impl Grammar<'w, 't, Block>) -> impl Grammar<'w, 't, (EdgeOp, EdgeEnd)> {
    let misspelt = when(
        |input| input.misspelt_operator().is_some(),
        recover(|input| input.replace_operator()),
    );
    let surplus = when(
        |input| input.is_surplus() && input.kind(1).is_some_and(WordKind::is_operator),
        recover(|input| input.skip_surplus()),
    );
    let operator = choice((operator(), misspelt, surplus.ignore_then(operator())));
    let surplus = when(
        |input| input.is_surplus_before_end(),
        recover(|input| input.skip_surplus()),
    );
    let end = choice((
        when(
            |input| input.line_ends_after_operator(),
            recover(|input| input.missing_end()),
        ),
        surplus.or_not().ignore_then(end(block)),
    ));
    operator.then(end)
}

fn operator<'w, 't: 'w>() -> impl Grammar<'w, 't, EdgeOp> {
    let sound = select! {
        Word { kind: WordKind::Operator { directed }, range } => EdgeOp::new(range, directed),
    };
    choice((
        when(
            |input| input.continues_operator(),
            recover(|input| input.longer_operator()),
        ),
        sound,
    ))
}

/// A node, nodes with commas, or a subgraph.
fn end<'w, 't: 'w>(block: impl Grammar<'w, 't, Block>) -> impl Grammar<'w, 't, EdgeEnd> {
    let bare = block.clone().map(|body| Subgraph {
        range: body.range,
        keyword: None,
        id: None,
        body: Some(body),
        attributes: SmallVec::new(),
    });
    let without_body = when(
        |input| input.sees(0, TokenKind::Subgraph),
        recover(|input| input.subgraph_without_body()),
    );
    let subgraph = choice((bare, subgraph(block), without_body)).boxed();
    choice((
        plain(|input| input.plain_node()),
        when(|input| input.sees_id(0), nodes()),
        subgraph.map(|subgraph| EdgeEnd::Subgraph(Box::new(subgraph))),
        nodes(),
        recover(|input| input.missing_end()),
    ))
}

/// `subgraph name { … }`
fn subgraph<'w, 't: 'w>(block: impl Grammar<'w, 't, Block>) -> impl Grammar<'w, 't, Subgraph> {
    let keyword = choice((
        when(|input| !input.sees_keyword(1), token(TokenKind::Subgraph)),
        recover(|input| input.other_subgraph_keyword()),
    ));
    let named = keyword
        .then(when(|input| input.sees_id(0), name()).or_not())
        .then_ignore(recover(|input| input.skip_to_brace()))
        .then(block)
        .map(|((keyword, id), body)| Subgraph {
            range: keyword.cover(body.range),
            keyword: Some(keyword),
            id,
            body: Some(body),
            attributes: SmallVec::new(),
        });
    when(|input| input.opens_subgraph(), named)
}

/// `a, b:p`
fn nodes<'w, 't: 'w>() -> impl Grammar<'w, 't, EdgeEnd> {
    let more = choice((
        when(|input| input.sees_id(1), token(TokenKind::Comma))
            .ignore_then(node())
            .map(Some),
        when(
            |input| input.sees(0, TokenKind::Comma),
            recover(|input| input.skip_separator(TokenKind::Comma)).to(None),
        ),
    ));
    node()
        .map(|first| smallvec![first])
        .foldl(more.repeated(), |mut nodes: SmallVec<_>, node| {
            nodes.extend(node);
            nodes
        })
        .map(EdgeEnd::Nodes)
}

fn node<'w, 't: 'w>() -> impl Grammar<'w, 't, NodeRef> {
    name()
        .then(port().or_not())
        .map(|(id, port)| NodeRef { id, port })
}

/// The name of a node or subgraph: neither dotted nor dashed, nor a keyword.
fn name<'w, 't: 'w>() -> impl Grammar<'w, 't, Id> {
    id().or(when(
        |input| input.sees_id(0) || input.sees_keyword(0),
        recover(|input| input.keep_unquoted()),
    ))
}

/// `:name:compass`
fn port<'w, 't: 'w>() -> impl Grammar<'w, 't, Box<Port>> {
    let third_colon = when(
        |input| input.sees(0, TokenKind::Colon),
        recover(|input| input.skip_third_colon()),
    );
    port_part()
        .then(port_part().or_not())
        .map_with(|(name, compass), extra| {
            Box::new(Port {
                range: kept(extra),
                name,
                compass: compass.flatten(),
            })
        })
        .then_ignore(third_colon.or_not())
}

fn port_part<'w, 't: 'w>() -> impl Grammar<'w, 't, Option<Id>> {
    let missing = when(
        |input| input.sees(0, TokenKind::Colon),
        recover(|input| input.missing_port()),
    );
    choice((
        token(TokenKind::Colon).ignore_then(id()).map(Some),
        missing.to(None),
    ))
}
