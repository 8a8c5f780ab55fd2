//! What a tree says, places left out: to be sure that a broken text reads the same when formatted.

use crate::ast::{Attr, AttrList, Block, EdgeEnd, Id, NodeRef, Stmt, Subgraph};
use crate::error::BrokenRange;
use crate::{Parse, SyntaxCode, TextRange};

/// What must not change.
#[derive(PartialEq)]
pub(super) struct Fingerprint<'t> {
    /// Everything the tree says, in order, as it is written.
    words: Vec<&'t str>,
    /// Which errors there are.
    errors: Vec<SyntaxCode>,
    /// What is broken, and so left as it is.
    broken: Vec<(SyntaxCode, Extent)>,
}

/// The fingerprint of `text`.
pub(super) fn fingerprint<'t>(text: &'t str, parse: &Parse) -> Fingerprint<'t> {
    let mut tree = Tree {
        text,
        words: Vec::new(),
    };
    for graph in &parse.file.graphs {
        tree.word(if graph.directed { "digraph" } else { "graph" });
        tree.word(if graph.strict.is_some() { "strict" } else { "" });
        tree.id(graph.id);
        tree.block(&graph.body);
    }
    Fingerprint {
        words: tree.words,
        errors: parse.errors.iter().map(|error| error.code).collect(),
        broken: broken(text, parse),
    }
}

/// Where a stretch is in a text, whatever its layout: how much is written before it and in it, spaces
/// and separators aside.
#[derive(PartialEq)]
struct Extent {
    before: usize,
    inside: usize,
}

fn broken(text: &str, parse: &Parse) -> Vec<(SyntaxCode, Extent)> {
    let written = |from: usize, to: usize| {
        let bytes = TextRange::new(from, to).text(text).bytes();
        bytes.filter(|byte| !b" \t\r\n,;".contains(byte)).count()
    };
    let (mut at, mut before) = (0, 0);
    let stretch = |damage: &BrokenRange| {
        let range = damage.range;
        before += written(at, range.start());
        at = range.start();
        let inside = written(at, range.end());
        (damage.code, Extent { before, inside })
    };
    parse.broken.iter().map(stretch).collect()
}

struct Tree<'t> {
    text: &'t str,
    words: Vec<&'t str>,
}

impl Tree<'_> {
    fn word(&mut self, word: &'static str) {
        self.words.push(word);
    }

    fn id(&mut self, id: Option<Id>) {
        self.words
            .push(id.map_or("", |id| id.range.text(self.text)));
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
