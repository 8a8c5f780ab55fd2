//! What a tree says, places left out: to be sure that a broken text reads the same when formatted.

use std::borrow::Cow;

use crate::Parse;
use crate::ast::{Attr, AttrList, Block, EdgeEnd, Id, NodeRef, Stmt, Subgraph};

/// Everything the tree of `text` says, in order, and which mistakes it has.
pub(super) fn outline<'t>(text: &'t str, parse: &Parse) -> Vec<Cow<'t, str>> {
    let mut outline = Outline {
        text,
        said: Vec::new(),
    };
    for graph in &parse.file.graphs {
        outline.word(if graph.directed { "digraph" } else { "graph" });
        outline.word(if graph.strict.is_some() { "strict" } else { "" });
        outline.id(graph.id);
        outline.block(&graph.body);
    }
    outline.said.extend(
        parse
            .errors
            .iter()
            .map(|error| Cow::Borrowed(error.code.as_str())),
    );
    outline.said
}

struct Outline<'t> {
    text: &'t str,
    said: Vec<Cow<'t, str>>,
}

impl Outline<'_> {
    fn word(&mut self, word: &'static str) {
        self.said.push(Cow::Borrowed(word));
    }

    fn id(&mut self, id: Option<Id>) {
        self.said
            .push(id.map_or(Cow::Borrowed(""), |id| id.text(self.text)));
    }

    fn block(&mut self, block: &Block) {
        self.word("{");
        for statement in &block.statements {
            match statement {
                Stmt::Node(node) => self.nodes(&node.nodes),
                Stmt::Edge(edge) => {
                    for end in &edge.ends {
                        self.word("->");
                        match end {
                            EdgeEnd::Nodes(nodes) => self.nodes(nodes),
                            EdgeEnd::Subgraph(subgraph) => self.subgraph(subgraph),
                            EdgeEnd::Missing(_) => self.word("missing"),
                        }
                    }
                }
                Stmt::Defaults(_) => self.word("defaults"),
                Stmt::Assign(attr) => self.pair(attr),
                Stmt::Subgraph(subgraph) => self.subgraph(subgraph),
                Stmt::Error(_) => self.word("error"),
            }
            statement
                .attributes()
                .iter()
                .for_each(|list| self.list(list));
            self.word(";");
        }
        self.word("}");
    }

    fn nodes(&mut self, nodes: &[NodeRef]) {
        for node in nodes {
            self.id(Some(node.id));
            if let Some(port) = &node.port {
                self.id(port.name);
                self.id(port.compass);
            }
        }
    }

    fn subgraph(&mut self, subgraph: &Subgraph) {
        self.id(subgraph.id);
        subgraph.body.iter().for_each(|body| self.block(body));
    }

    fn list(&mut self, list: &AttrList) {
        self.word("[");
        // In whichever order: sorting changes it.
        let mut items: Vec<&Attr> = list.items.iter().collect();
        items.sort_by_cached_key(|attr| attr.key.text(self.text));
        for attr in items {
            self.pair(attr);
        }
        self.word("]");
    }

    fn pair(&mut self, attr: &Attr) {
        self.id(Some(attr.key));
        self.word(if attr.value.is_some() { "=" } else { "" });
        self.id(attr.value);
    }
}
