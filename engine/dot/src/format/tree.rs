//! Walks over the tree that several parts of the formatter need.

use crate::ast::{AttrList, Block, EdgeEnd, File, Stmt};

/// The blocks of the subgraphs a statement consists of.
pub(super) fn bodies(statement: &Stmt) -> Vec<&Block> {
    match statement {
        Stmt::Subgraph(subgraph) => subgraph.body.iter().collect(),
        Stmt::Edge(edge) => edge
            .ends
            .iter()
            .filter_map(|end| match end {
                EdgeEnd::Subgraph(subgraph) => subgraph.body.as_ref(),
                EdgeEnd::Nodes(_) | EdgeEnd::Missing(_) => None,
            })
            .collect(),
        Stmt::Node(_) | Stmt::Defaults(_) | Stmt::Assign(_) | Stmt::Error(_) => Vec::new(),
    }
}

/// Every list of attributes, in order of position.
pub(super) fn lists(file: &File) -> Vec<&AttrList> {
    let mut found = Vec::new();
    for graph in &file.graphs {
        in_block(&graph.body, &mut found);
    }
    found
}

fn in_block<'a>(block: &'a Block, found: &mut Vec<&'a AttrList>) {
    for statement in &block.statements {
        for body in bodies(statement) {
            in_block(body, found);
        }
        found.extend(statement.attributes());
    }
}
