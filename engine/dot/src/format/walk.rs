//! What belongs in each gap, decided by walking the tree.

use super::align::align;
use super::gaps::{Gap, Plan, SeparatorAction};
use super::layout::Layout;
use super::wrap::Form;
use super::{Align, Options, Semicolons};
use crate::ast::{AttrList, Block, EdgeEnd, Graph, NodeRef, Stmt, Subgraph};
use crate::{Parse, TextRange, Token, TokenKind};

/// One plan for each stored token.
pub(super) fn plan(text: &str, parse: &Parse, options: &Options) -> Vec<Plan> {
    let mut layout = Layout::new(text, parse, options);
    for graph in &parse.file.graphs {
        layout.graph(graph);
    }
    layout.comments();
    layout.keep_verbatim();
    layout.plans
}

impl Layout<'_> {
    fn graph(&mut self, graph: &Graph) {
        let first = self.first(graph.range);
        let brace = self.first(graph.body.range);
        for index in first..=brace {
            self.set(index, Gap::SPACE);
        }
        if let Some(id) = graph.id {
            self.inside_id(id.range);
        }
        let behind_graph = first
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before))
            .is_some_and(|before| !before.kind.is_comment());
        self.set(
            first,
            if behind_graph {
                Gap::Apart(0)
            } else {
                Gap::Line(0)
            },
        );
        self.block(&graph.body, 0, Form::Expanded);
    }

    /// Gaps inside an identifier of several tokens stay.
    fn inside_id(&mut self, id: TextRange) {
        for index in self.within(id).skip(1) {
            self.set(index, Gap::Keep);
        }
    }

    /// The inside of a block that is at `level`, and its `}`.
    fn block(&mut self, block: &Block, level: usize, form: Form) {
        let inside = self.within(block.range);
        let empty = inside.len() <= 2;
        for (place, statement) in block.statements.iter().enumerate() {
            let lead = match (form, place) {
                (Form::Inline, _) => Gap::SPACE,
                (Form::Expanded, 0) => Gap::TightLine(level + 1),
                (Form::Expanded, _) => Gap::Line(level + 1),
            };
            self.statement(statement, level + 1, lead);
        }
        let close = match (form, empty) {
            (_, true) => Gap::None,
            (Form::Inline, _) => Gap::SPACE,
            (Form::Expanded, _) => Gap::TightLine(level),
        };
        self.set(inside.end.saturating_sub(1), close);
        if self.options.align == Align::Lists && form == Form::Expanded {
            align(self, &block.statements);
        }
    }

    fn statement(&mut self, statement: &Stmt, level: usize, lead: Gap) {
        let range = statement.range();
        let tokens = self.within(range);
        let first = tokens.start;
        let mut before = None;
        for index in tokens.clone() {
            let Some(token) = self
                .tokens
                .get(index)
                .filter(|token| !token.kind.is_comment())
            else {
                continue;
            };
            self.set(index, between(before, token.kind, level));
            before = Some(token.kind);
        }
        match statement {
            Stmt::Node(node) => self.nodes(&node.nodes),
            Stmt::Edge(edge) => {
                for end in &edge.ends {
                    match end {
                        EdgeEnd::Nodes(nodes) => self.nodes(nodes),
                        EdgeEnd::Subgraph(subgraph) => self.subgraph(subgraph, level),
                        EdgeEnd::Missing(_) => {}
                    }
                }
            }
            Stmt::Assign(attr) => {
                self.inside_id(attr.key.range);
                attr.value
                    .iter()
                    .for_each(|value| self.inside_id(value.range));
            }
            Stmt::Subgraph(subgraph) => self.subgraph(subgraph, level),
            Stmt::Defaults(_) | Stmt::Error(_) => {}
        }
        self.set(first, lead);
        if let (Stmt::Edge(edge), Gap::Line(_) | Gap::TightLine(_)) = (statement, lead) {
            self.wrap(edge, level);
        }
        for list in statement.attributes() {
            self.list(list, first, level);
        }
        self.semicolon(statement, tokens.end, range);
    }

    fn nodes(&mut self, nodes: &[NodeRef]) {
        for node in nodes {
            self.inside_id(node.id.range);
            let parts = node.port.iter().flat_map(|port| [port.name, port.compass]);
            for id in parts.flatten() {
                self.inside_id(id.range);
            }
        }
    }

    fn subgraph(&mut self, subgraph: &Subgraph, level: usize) {
        if let Some(id) = subgraph.id {
            self.inside_id(id.range);
        }
        if let Some(body) = &subgraph.body {
            let form = self.form_of(body, level);
            self.block(body, level, form);
        }
    }

    fn list(&mut self, list: &AttrList, statement: usize, level: usize) {
        let tokens = self.within(list.range);
        let form = self.form_of_list(list, statement, level);
        let item = |place: usize| match (form, place) {
            (Form::Inline, 0) => Gap::None,
            (Form::Inline, _) => Gap::SPACE,
            (Form::Expanded, 0) => Gap::TightLine(level + 1),
            (Form::Expanded, _) => Gap::Line(level + 1),
        };
        for index in tokens.clone() {
            let separator =
                |token: Token| matches!(token.kind, TokenKind::Comma | TokenKind::Semicolon);
            if self.tokens.get(index).is_some_and(separator)
                && let Some(plan) = self.plans.get_mut(index)
            {
                plan.action = SeparatorAction::Remove;
            }
        }
        for (place, attr) in list.items.iter().enumerate() {
            for index in self.within(attr.range()) {
                self.set(index, Gap::None);
            }
            self.inside_id(attr.key.range);
            attr.value
                .iter()
                .for_each(|value| self.inside_id(value.range));
            self.set(self.first(attr.range()), item(place));
            let end = self.within(attr.range()).end.saturating_sub(1);
            if place + 1 < list.items.len()
                && let Some(plan) = self.plans.get_mut(end)
            {
                plan.after = ",";
            }
        }
        let close = if form == Form::Inline {
            Gap::None
        } else {
            Gap::TightLine(level)
        };
        self.set(tokens.end.saturating_sub(1), close);
    }

    /// The `;` after a statement.
    fn semicolon(&mut self, statement: &Stmt, after: usize, range: TextRange) {
        let found = self
            .solid_from(after)
            .filter(|(_, token)| token.kind == TokenKind::Semicolon);
        if let Some((index, _)) = found {
            self.set(index, Gap::None);
        }
        let is_block = matches!(statement, Stmt::Subgraph(_));
        let wanted = match self.options.semicolons {
            Semicolons::Keep => return,
            Semicolons::Always => !is_block,
            Semicolons::Never => false,
        };
        let last = after.saturating_sub(1);
        let end = found.map_or(range.end(), |(_, token)| token.range.end());
        if self.is_verbatim(range.cover(TextRange::empty(end))) {
            return;
        }
        if let Some(plan) = found.and_then(|(index, _)| self.plans.get_mut(index)) {
            plan.action = SeparatorAction::Remove;
        }
        if let Some(plan) = self.plans.get_mut(last).filter(|_| wanted) {
            plan.after = ";";
        }
    }
}

/// What belongs between two tokens of a statement, lists and blocks aside.
fn between(before: Option<TokenKind>, next: TokenKind, level: usize) -> Gap {
    match (before, next) {
        (
            _,
            TokenKind::Comma
            | TokenKind::Colon
            | TokenKind::Equals
            | TokenKind::Semicolon
            | TokenKind::RightBracket,
        )
        | (Some(TokenKind::Colon | TokenKind::Equals | TokenKind::LeftBracket), _) => Gap::None,
        (Some(TokenKind::Arrow | TokenKind::Line), _) | (_, TokenKind::Arrow | TokenKind::Line) => {
            Gap::SpaceOrLine(level + 1)
        }
        _ => Gap::SPACE,
    }
}
