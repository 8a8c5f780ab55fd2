//! The tokens of a text after an edit, made from those before it.
//!
//! Statements that the edit did not touch keep their tokens. What a word is depends on its own statement and on the
//! kinds of the nodes it names, so this holds unless a node that changed its kind, or came or went, is named in text
//! that is kept; then everything is read again.

use attractor_dot::TextRange;
use attractor_dot::ast::Stmt;
use attractor_model::NodeKind;
use rustc_hash::FxHashMap;

use super::{Token, tokens};
use crate::document::Document;

/// Nodes that changed beyond this many are not looked for one by one.
const MAX_NODES: usize = 8;

/// The part of a list of tokens that is different after an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The first token that is replaced.
    pub at: usize,
    /// How many are.
    pub removed: usize,
    /// What comes in their place, in the new text.
    pub tokens: Vec<Token>,
    /// How many bytes the tokens after it have moved.
    shift: isize,
}

/// What `new` changes of the tokens `before`, which are those of all of `old`. `None` when everything is to be read
/// again.
pub fn change(old: &Document, before: &[Token], new: &Document) -> Option<Change> {
    let (old_part, new_part) = changed_part(old, new)?;
    let changed = changed_nodes(old, new)?;
    let kept = [
        new.text.get(..new_part.start())?,
        new.text.get(new_part.end()..)?,
    ];
    let is_named = |id: &String| {
        let finder = memchr::memmem::Finder::new(id.as_bytes());
        kept.iter()
            .any(|text| finder.find(text.as_bytes()).is_some())
    };
    if changed.iter().any(is_named) {
        return None;
    }
    let at = before.partition_point(|token| token.range.end() <= old_part.start());
    let rest = before.partition_point(|token| token.range.start() < old_part.end());
    let mut fresh = tokens(new, Some(new_part));
    fresh.retain(|token| new_part.contains_range(token.range));
    Some(Change {
        at,
        removed: rest.checked_sub(at)?,
        tokens: fresh,
        shift: new.text.len().cast_signed() - old.text.len().cast_signed(),
    })
}

impl Change {
    /// Makes the tokens of the new text of those of the old one.
    pub fn apply(&self, tokens: &mut Vec<Token>) {
        let end = self.at + self.removed;
        for token in tokens.get_mut(end..).unwrap_or_default() {
            let moved = |offset: usize| offset.saturating_add_signed(self.shift);
            token.range = TextRange::new(moved(token.range.start()), moved(token.range.end()));
        }
        tokens.splice(self.at..end, self.tokens.iter().copied());
    }
}

/// The part of both texts without the statements that are the same before and after it.
fn changed_part(old: &Document, new: &Document) -> Option<(TextRange, TextRange)> {
    let (old_graphs, new_graphs) = (&old.parse.file.graphs, &new.parse.file.graphs);
    if old_graphs.len() != new_graphs.len() {
        return None;
    }
    let same_head = common(old.text.bytes(), new.text.bytes());
    let most = old.text.len().min(new.text.len()) - same_head;
    let same_tail = common(old.text.bytes().rev(), new.text.bytes().rev()).min(most);
    let shift = new.text.len().cast_signed() - old.text.len().cast_signed();
    let statements = |doc: &'_ Document| -> Vec<Unit> {
        let graphs = doc.parse.file.graphs.iter().enumerate();
        graphs
            .flat_map(|(graph, tree)| {
                let statements = tree.body.statements.iter();
                statements.map(move |statement| Unit::new(graph, statement))
            })
            .collect()
    };
    let (before, after) = (statements(old), statements(new));
    // A byte more than the statement has to be the same, as what follows decides where a word ends.
    let head = before.iter().zip(&after);
    let head = head
        .take_while(|(one, other)| one == other && one.range.end() < same_head)
        .count();
    let tail_start = (old.text.len() - same_tail).saturating_add(1);
    let tail = before
        .iter()
        .skip(head)
        .rev()
        .zip(after.iter().skip(head).rev());
    let tail = tail
        .take_while(|(one, other)| one.range.start() >= tail_start && one.moved(shift) == **other)
        .count();
    let part = |units: &[Unit], length: usize| {
        let start = head.checked_sub(1).and_then(|last| units.get(last));
        let end = units.len().checked_sub(tail).and_then(|at| units.get(at));
        TextRange::new(
            start.map_or(0, |unit| unit.range.end()),
            end.map_or(length, |unit| unit.range.start()),
        )
    };
    Some((part(&before, old.text.len()), part(&after, new.text.len())))
}

fn common(one: impl Iterator<Item = u8>, other: impl Iterator<Item = u8>) -> usize {
    one.zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}

/// A statement of a graph, compared by what other statements can depend on.
#[derive(PartialEq, Eq)]
struct Unit {
    graph: usize,
    kind: std::mem::Discriminant<Stmt>,
    range: TextRange,
}

impl Unit {
    fn new(graph: usize, statement: &Stmt) -> Self {
        Self {
            graph,
            kind: std::mem::discriminant(statement),
            range: statement.range(),
        }
    }

    fn moved(&self, shift: isize) -> Self {
        let moved = |offset: usize| offset.saturating_add_signed(shift);
        Self {
            graph: self.graph,
            kind: self.kind,
            range: TextRange::new(moved(self.range.start()), moved(self.range.end())),
        }
    }
}

/// The nodes that came, went, or are of another kind; `None` when they are many, or a graph became a pipeline or
/// ceased to be one.
fn changed_nodes(old: &Document, new: &Document) -> Option<Vec<String>> {
    let mut changed = Vec::new();
    for number in 0..old.parse.file.graphs.len() {
        if old.pipeline(number).is_some() != new.pipeline(number).is_some() {
            return None;
        }
        let (before, after) = (nodes(old, number), nodes(new, number));
        let head = before.iter().zip(&after);
        let head = head.take_while(|(one, other)| one == other).count();
        let (before, after) = (before.get(head..)?, after.get(head..)?);
        let tail = before.iter().rev().zip(after.iter().rev());
        let tail = tail.take_while(|(one, other)| one == other).count();
        let before = before.get(..before.len() - tail)?;
        let after = after.get(..after.len() - tail)?;
        let known: FxHashMap<&str, Option<NodeKind>> = before.iter().copied().collect();
        let still: FxHashMap<&str, Option<NodeKind>> = after.iter().copied().collect();
        let came = after
            .iter()
            .filter(|(id, kind)| known.get(id) != Some(kind));
        let went = before.iter().filter(|(id, _)| !still.contains_key(id));
        for (id, _) in came.chain(went) {
            if changed.len() == MAX_NODES {
                return None;
            }
            changed.push((*id).to_owned());
        }
    }
    Some(changed)
}

fn nodes(doc: &Document, number: usize) -> Vec<(&str, Option<NodeKind>)> {
    if let Some(pipeline) = doc.pipeline(number) {
        let nodes = pipeline.nodes.iter();
        return nodes.map(|node| (&*node.id, Some(node.kind))).collect();
    }
    let graph = doc.graph(number).map(|info| &info.graph);
    let nodes = graph.into_iter().flat_map(|graph| &graph.nodes);
    nodes.map(|node| (&*node.id, None)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixture::doc;

    const TEXT: &str = "// a pipeline\ndigraph one {\n  goal=x\n  model_stylesheet=\"#build { model: m }\"\n  build [shape=parallelogram, command=\"make {target}\"]\n  test [prompt=\"look at {build.ok}\"] /* why */\n  build -> test [condition=\"outcome=success\"]\n  subgraph cluster { a; b -> c }\n  gate [shape=hexagon]; test -> gate -> build\n}\n\ndigraph two { goal=y; é -> b; node [class=fast] }\ngraph { p -- q }\n";

    #[track_caller]
    fn check(old: &str, new: &str) -> bool {
        let (old, new) = (doc(old), doc(new));
        let before = tokens(&old, None);
        let Some(change) = change(&old, &before, &new) else {
            return false;
        };
        let mut after = before;
        change.apply(&mut after);
        assert_eq!(after, tokens(&new, None), "{}", new.text);
        true
    }

    #[test]
    fn an_edit_inside_a_statement_reads_only_that() {
        let (old, new) = (doc(TEXT), doc(&TEXT.replace("make", "make all")));
        let change = change(&old, &tokens(&old, None), &new).unwrap();
        assert!(
            change.removed < 10 && change.tokens.len() < 10,
            "{change:?}"
        );
    }

    #[test]
    fn a_node_of_another_kind_is_read_again_where_it_is_named() {
        assert!(!check(TEXT, &TEXT.replace("hexagon", "diamond")));
        assert!(check(TEXT, &TEXT.replace("p -- q", "p -- qq")));
        // Its edges still name it, and it is of the same kind.
        assert!(check(TEXT, &TEXT.replace("test [", "tess [")));
    }

    proptest! {
        /// Whatever is typed or deleted, the tokens are those of the whole text.
        #[test]
        fn the_tokens_are_those_of_the_new_text(
            at in 0_usize..TEXT.len(),
            removed in 0_usize..12,
            typed in r#"[a-c "{}\[\]=;/*\n>-]{0,3}|build|node \[shape=hexagon\]|\}\ndigraph \{"#,
        ) {
            let at = TEXT.floor_char_boundary(at);
            let end = TEXT.floor_char_boundary((at + removed).min(TEXT.len())).max(at);
            let new = format!("{}{typed}{}", &TEXT[..at], &TEXT[end..]);
            check(TEXT, &new);
            check(&new, TEXT);
        }
    }
}
