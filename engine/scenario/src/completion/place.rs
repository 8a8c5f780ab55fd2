//! The place of a cursor in a TOML document that may be incomplete: which table, key or value is being typed.
//!
//! Reads only the text before the cursor, so what follows may be broken in any way. Knows no key of scenario files.

use attractor_dot::TextRange;

/// Where the cursor is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The keys from the top of the document to the table that a key is typed in, or to the key of a value.
    pub(super) path: Vec<String>,
    pub(super) kind: PlaceKind,
    /// The word at the cursor, without quotes.
    pub(super) word: TextRange,
    /// Whether the word is in a string.
    pub(super) in_string: bool,
    /// The string before this one, in a list.
    pub(super) previous: Option<String>,
}

/// What is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceKind {
    Key,
    Value,
}

/// An open `{` or `[`.
struct Bracket {
    is_list: bool,
    /// The key whose value it is.
    key: Vec<String>,
    /// How many keys lead to the table around it.
    depth: usize,
    /// The last string in it.
    previous: Option<String>,
}

/// The part of the text that has been read.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// The keys that lead to the table that is being read.
    tables: Vec<String>,
    brackets: Vec<Bracket>,
    /// The parts of the key that is being read.
    key: Vec<String>,
    kind: PlaceKind,
    /// Where the last word begins, and whether it is in a string.
    word: Option<(usize, bool)>,
    /// Whether a value has been read to its end.
    is_complete: bool,
}

/// The place at an offset; `None` in comments, headers and behind values.
pub(super) fn place(text: &str, offset: usize) -> Option<Place> {
    let before = text.get(..offset)?;
    let mut scanner = Scanner {
        text: before,
        at: 0,
        tables: Vec::new(),
        brackets: Vec::new(),
        key: Vec::new(),
        kind: PlaceKind::Key,
        word: None,
        is_complete: false,
    };
    while scanner.at < before.len() {
        scanner.step()?;
    }
    scanner.finish(text.get(offset..).unwrap_or_default())
}

fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b':') || byte >= 0x80
}

impl Scanner<'_> {
    /// Reads a token; `None` when the text ends in one that nothing can be said about.
    fn step(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let byte = *bytes.get(self.at)?;
        if !is_bare(byte) && byte != b'"' && byte != b'\'' {
            self.word = None;
        }
        match byte {
            b'\n' if self.brackets.is_empty() => self.next_line(),
            b'#' => {
                let mut rest = bytes.get(self.at..)?.iter();
                self.at += rest.position(|byte| *byte == b'\n')?;
            }
            b'[' if self.kind == PlaceKind::Key && self.brackets.is_empty() => self.header()?,
            b'[' | b'{' => self.open(byte == b'['),
            b']' | b'}' => {
                if let Some(bracket) = self.brackets.pop() {
                    self.tables.truncate(bracket.depth);
                    self.key = bracket.key;
                }
                self.kind = PlaceKind::Value;
                self.is_complete = true;
                self.at += 1;
            }
            b',' => {
                let is_table = self.brackets.last().is_some_and(|open| !open.is_list);
                if is_table {
                    self.kind = PlaceKind::Key;
                    self.key.clear();
                }
                self.is_complete = false;
                self.at += 1;
            }
            b'=' => {
                self.kind = PlaceKind::Value;
                self.is_complete = false;
                self.at += 1;
            }
            b'"' | b'\'' => self.string(byte)?,
            byte if is_bare(byte) => self.bare_word(),
            _ => self.at += 1,
        }
        Some(())
    }

    fn next_line(&mut self) {
        self.kind = PlaceKind::Key;
        self.key.clear();
        self.is_complete = false;
        self.at += 1;
    }

    /// `[a.b]` or `[[a.b]]`.
    fn header(&mut self) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        let line = rest.get(..rest.find('\n')?)?;
        let name = line.trim().trim_start_matches('[');
        let name = name.split(']').next().unwrap_or_default();
        let parts = name
            .split('.')
            .map(|part| part.trim().trim_matches(['"', '\'']));
        self.tables = parts.map(str::to_owned).collect();
        self.at += line.len();
        Some(())
    }

    fn open(&mut self, is_list: bool) {
        self.brackets.push(Bracket {
            is_list,
            key: self.key.clone(),
            depth: self.tables.len(),
            previous: None,
        });
        // The items of a list belong to its key.
        if !is_list {
            self.tables.append(&mut self.key);
            self.kind = PlaceKind::Key;
        }
        self.is_complete = false;
        self.at += 1;
    }

    /// A string to its end, or to the end of the text before the cursor.
    fn string(&mut self, quote: u8) -> Option<()> {
        let bytes = self.text.as_bytes();
        let rest = bytes.get(self.at..)?;
        let quotes = if rest.starts_with(&[quote; 3]) { 3 } else { 1 };
        let start = self.at + quotes;
        let mut end = start;
        loop {
            let Some(left) = bytes.get(end..).filter(|left| !left.is_empty()) else {
                self.at = bytes.len();
                self.word = Some((start.min(bytes.len()), true));
                return Some(());
            };
            if quotes == 1 && left.starts_with(b"\n") {
                break;
            }
            if left.iter().take_while(|byte| **byte == quote).count() >= quotes {
                break;
            }
            end += if quote == b'"' && left.starts_with(b"\\") {
                2
            } else {
                1
            };
        }
        let content = self.text.get(start..end).unwrap_or_default().to_owned();
        self.at = (end + quotes).min(bytes.len());
        self.word = None;
        self.finish_word(content);
        Some(())
    }

    fn bare_word(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| is_bare(**byte)).count();
        let content = self.text.get(self.at..self.at + length);
        let content = content.unwrap_or_default().to_owned();
        self.word = Some((self.at, false));
        self.at += length;
        self.finish_word(content);
    }

    fn finish_word(&mut self, content: String) {
        match self.kind {
            PlaceKind::Key => self.key.push(content),
            PlaceKind::Value => {
                self.is_complete = true;
                if let Some(open) = self.brackets.last_mut() {
                    open.previous = Some(content);
                }
            }
        }
    }

    fn finish(mut self, after: &str) -> Option<Place> {
        let offset = self.text.len();
        let (start, in_string) = self.word.unwrap_or((offset, false));
        let is_typed = self.word.is_some();
        if self.kind == PlaceKind::Key && is_typed && !in_string {
            self.key.pop();
        }
        if self.kind == PlaceKind::Value && self.is_complete && !is_typed {
            return None;
        }
        let letters = after.bytes().take_while(|byte| {
            if in_string {
                !matches!(byte, b'"' | b'\'' | b'\n')
            } else {
                is_bare(*byte)
            }
        });
        let end = offset + letters.count();
        let mut path = self.tables;
        path.append(&mut self.key);
        Some(Place {
            path,
            kind: self.kind,
            word: TextRange::new(start, end),
            in_string,
            previous: self
                .brackets
                .last()
                .filter(|open| open.is_list)
                .and_then(|open| open.previous.clone()),
        })
    }
}
