//! One thing that can be inserted.

use attractor_dot::TextRange;

/// One thing that can be inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What the list shows.
    pub label: String,
    /// What it is.
    pub kind: ItemKind,
    /// A few words after the label.
    pub detail: Option<String>,
    /// A few words at the right end of the line.
    pub note: Option<String>,
    /// The text to insert, for every client.
    pub text: String,
    /// The text with tab stops (`$1`, `${2:name}`), for clients that know them.
    pub snippet: Option<String>,
    /// What typed letters are compared with, when it is not the label.
    pub filter: Option<String>,
    /// The order of the list.
    pub sort: String,
    /// What is replaced when the item is inserted: the word up to the cursor.
    pub insert: TextRange,
    /// What is replaced when the item overwrites: the whole word.
    pub replace: TextRange,
    /// What to ask [`super::documentation`] for.
    pub doc: Option<String>,
    /// Characters that accept the item and are typed too.
    pub commit: &'static [&'static str],
    /// Whether to ask for completions again once it is inserted.
    pub retrigger: bool,
    pub(super) rank: u8,
}

/// What an item is; editors show an icon for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A node of the graph.
    Node,
    /// The name of an attribute of pipelines.
    Attribute,
    /// The name of an attribute of Graphviz.
    GraphvizAttribute,
    /// A node kind.
    NodeKind,
    /// One of a closed list of words.
    EnumValue,
    /// A plain value.
    Value,
    /// A color.
    Color,
    /// A word of the language.
    Keyword,
    /// An operator.
    Operator,
    /// A context key.
    Key,
    /// A class of the stylesheet.
    Class,
    /// Another graph.
    Graph,
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A block of text with places to fill in.
    Snippet,
    /// A model.
    Model,
}

impl Item {
    /// An item that inserts its label over `insert`, or over `replace`.
    pub(super) fn new(
        label: impl Into<String>,
        kind: ItemKind,
        insert: TextRange,
        replace: TextRange,
    ) -> Self {
        let label = label.into();
        Self {
            text: label.clone(),
            label,
            kind,
            detail: None,
            note: None,
            snippet: None,
            filter: None,
            sort: String::new(),
            insert,
            replace,
            doc: None,
            commit: &[],
            retrigger: false,
            rank: 5,
        }
    }

    /// What typed letters are compared with.
    pub fn filter_text(&self) -> &str {
        self.filter.as_deref().unwrap_or(&self.label)
    }

    pub(super) fn text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    pub(super) fn snippet(mut self, snippet: impl Into<String>) -> Self {
        self.snippet = Some(snippet.into());
        self
    }

    pub(super) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into()).filter(|detail: &String| !detail.is_empty());
        self
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into()).filter(|note: &String| !note.is_empty());
        self
    }

    pub(super) fn doc(mut self, key: impl Into<String>) -> Self {
        self.doc = Some(key.into());
        self
    }

    pub(super) fn commit(mut self, characters: &'static [&'static str]) -> Self {
        self.commit = characters;
        self
    }

    pub(super) fn retrigger(mut self) -> Self {
        self.retrigger = true;
        self
    }

    /// Lower ranks come first; items of one rank keep their order.
    pub(super) fn rank(mut self, rank: u8) -> Self {
        self.rank = rank.min(9);
        self
    }
}
