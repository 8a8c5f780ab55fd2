//! Who is named where: every place of a document that names a node, class, context key, graph or subgraph.
//!
//! Definition, references, highlights and rename are questions to this one index. It is built once per
//! document from the resolved graphs (node mentions) and from the attributes whose type names something,
//! the languages inside strings included. Names belong to their graph, only graph names to the file.

mod build;
mod in_value;
mod reference;

use attractor_dot::TextRange;
use rustc_hash::FxHashMap;

pub(crate) use in_value::{EmbeddedName, NameKind, in_value};
pub(crate) use reference::can_name;

/// Something that has a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SymbolKey {
    /// A node of the graph of that number.
    Node(usize, String),
    /// A stylesheet class in the graph of that number.
    Class(usize, String),
    /// A context key in the graph of that number.
    Key(usize, String),
    /// A subgraph of the graph of that number.
    Subgraph(usize, String),
    /// A graph of the file.
    Graph(String),
}

impl SymbolKey {
    /// The bare name.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Node(_, text)
            | Self::Class(_, text)
            | Self::Key(_, text)
            | Self::Subgraph(_, text)
            | Self::Graph(text) => text,
        }
    }

    /// What it is, in a sentence.
    pub(crate) fn what(&self) -> &'static str {
        match self {
            Self::Node(..) => "node",
            Self::Class(..) => "class",
            Self::Key(..) => "context key",
            Self::Subgraph(..) => "subgraph",
            Self::Graph(_) => "graph",
        }
    }
}

/// One place that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    /// The name as it is written in the file; with its quotes when [`Occurrence::written`] is a whole id.
    pub range: TextRange,
    /// What the place does.
    pub role: OccurrenceKind,
    /// How the name is embedded in the DOT text.
    pub written: NameSyntax,
    /// What the language around it allows in a name.
    pub form: NameForm,
    name: u32,
}

/// What a place that names something does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OccurrenceKind {
    /// Declares it, or sets it.
    Declaration,
    /// Refers to it.
    Reference,
}

/// How a name is embedded in the DOT text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameSyntax {
    /// It is a whole DOT id, quotes included.
    WholeId,
    /// It is part of a quoted string, or of a dotted key.
    ValuePart,
}

/// What the language around a name allows in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameForm {
    /// Anything.
    Free,
    /// Anything without a comma, and without spaces at its ends.
    ListItem,
    /// Letters, digits and underscores.
    Word,
    /// Letters, digits, underscores and dashes.
    DashedWord,
}

/// The index.
#[derive(Debug, Default)]
pub(crate) struct SymbolIndex {
    known: Vec<SymbolKey>,
    numbers: FxHashMap<SymbolKey, u32>,
    /// In the order of the text.
    occurrences: Vec<Occurrence>,
    /// Positions in `occurrences`, by name.
    places: Vec<Vec<u32>>,
}

impl SymbolIndex {
    /// What is named at an offset. Where two names meet, the one that begins there wins.
    pub(crate) fn at(&self, offset: usize) -> Option<(&SymbolKey, &Occurrence)> {
        let after = self
            .occurrences
            .partition_point(|occurrence| occurrence.range.start() <= offset);
        let before = self.occurrences.get(..after)?.iter().rev();
        // A name can lie inside another place only by a few steps (`node.build.key` in a list).
        let occurrence = before
            .take(4)
            .find(|occurrence| occurrence.range.contains_inclusive(offset))?;
        Some((self.name(occurrence)?, occurrence))
    }

    /// Every place that names it, in the order of the text.
    pub(crate) fn of(&self, name: &SymbolKey) -> impl Iterator<Item = &Occurrence> {
        let places = self
            .numbers
            .get(name)
            .and_then(|number| self.places.get(*number as usize));
        places
            .into_iter()
            .flatten()
            .filter_map(|place| self.occurrences.get(*place as usize))
    }

    /// Whether anything in the document has that name.
    pub(crate) fn contains(&self, name: &SymbolKey) -> bool {
        self.numbers.contains_key(name)
    }

    /// Every name, in the order of first insertion.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &SymbolKey> {
        self.known.iter()
    }

    /// The places inside a range with what they name, in the order of the text.
    pub(crate) fn within(
        &self,
        range: TextRange,
    ) -> impl Iterator<Item = (&SymbolKey, &Occurrence)> {
        let first = self
            .occurrences
            .partition_point(|place| place.range.start() < range.start());
        let rest = self.occurrences.get(first..).unwrap_or_default().iter();
        let inside = rest.take_while(move |place| place.range.end() <= range.end());
        inside.filter_map(|place| Some((self.name(place)?, place)))
    }

    fn name(&self, occurrence: &Occurrence) -> Option<&SymbolKey> {
        self.known.get(occurrence.name as usize)
    }
}
