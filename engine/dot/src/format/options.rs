//! How to lay out a text.

/// How to lay out a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Spaces of one level.
    pub indent: Indent,
    /// Lists that would make a line longer than this many characters get one attribute a line.
    pub width: usize,
    /// Whether lists of neighbouring statements begin in one column.
    pub align: Align,
    /// What becomes of the `;` after statements.
    pub semicolons: Semicolons,
    /// In which order attributes are.
    pub sort: Sort,
}

/// Spaces of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    /// So many spaces.
    Spaces(u8),
    /// One tab.
    Tab,
}

/// What is in columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// The `[` of neighbouring nodes, and of neighbouring edges.
    Lists,
    /// Nothing.
    Nothing,
}

/// What becomes of the `;` after statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semicolons {
    /// They stay where they are.
    Keep,
    /// Every statement but a subgraph ends with one.
    Always,
    /// None.
    Never,
}

/// In which order attributes are. Statements always stay where they are: their order means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// As they are.
    Keep,
    /// Those of a list by name; blank lines part a list, and each part is sorted by itself.
    Attributes,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            indent: Indent::Spaces(4),
            width: 100,
            align: Align::Lists,
            semicolons: Semicolons::Keep,
            sort: Sort::Keep,
        }
    }
}

impl Indent {
    /// How many columns `level` levels take; a tab counts as four.
    pub(super) fn columns(self, level: usize) -> usize {
        match self {
            Self::Spaces(count) => usize::from(count) * level,
            Self::Tab => 4 * level,
        }
    }

    /// The spaces of `level` levels.
    pub(super) fn of(self, level: usize) -> String {
        let mut spaces = String::new();
        self.write(level, &mut spaces);
        spaces
    }

    /// Adds the spaces of `level` levels to a text.
    pub(super) fn write(self, level: usize, text: &mut String) {
        let (space, count) = match self {
            Self::Spaces(count) => (' ', usize::from(count) * level),
            Self::Tab => ('\t', level),
        };
        text.extend(std::iter::repeat_n(space, count));
    }
}
