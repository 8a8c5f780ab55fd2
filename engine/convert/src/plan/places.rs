//! Where the values of a JSON text are, by JSON Pointer (RFC 6901): the places of diagnostics about a plan library.
//!
//! The text has been accepted by a JSON parser, so this only skips from token to token.

use std::collections::HashMap;

use attractor_dot::TextRange;

/// The place of a value, and of the key it has in its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) key: Option<TextRange>,
    pub(super) value: TextRange,
}

/// The places of all values of a text.
pub(super) struct Places {
    by_pointer: HashMap<String, Place>,
    whole: TextRange,
}

impl Places {
    /// Scans a text that is valid JSON. In any other text, some values have no place.
    pub(super) fn of(text: &str) -> Self {
        let mut scanner = Scanner {
            text,
            at: 0,
            places: HashMap::new(),
        };
        scanner.value(String::new(), None, 0);
        Self {
            by_pointer: scanner.places,
            whole: TextRange::new(0, text.len()),
        }
    }

    /// The place of a value.
    pub(super) fn get(&self, pointer: &str) -> Option<Place> {
        self.by_pointer.get(pointer).copied()
    }

    /// The place of a value, or of the nearest value around it that has one.
    pub(super) fn nearest(&self, pointer: &str) -> Place {
        let mut pointer = pointer;
        loop {
            if let Some(place) = self.by_pointer.get(pointer) {
                return *place;
            }
            match pointer.rsplit_once('/') {
                Some((parent, _)) => pointer = parent,
                None => {
                    return Place {
                        key: None,
                        value: self.whole,
                    };
                }
            }
        }
    }
}

/// The pointer of a member or an item of a value.
pub(super) fn member(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// Values deeper than this have no place; the JSON parser has the same limit.
const MAX_DEPTH: usize = 128;

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    places: HashMap<String, Place>,
}

impl Scanner<'_> {
    fn value(&mut self, pointer: String, key: Option<TextRange>, depth: usize) {
        self.skip_space();
        let start = self.at;
        match self.peek() {
            Some(b'{') if depth < MAX_DEPTH => self.object(&pointer, depth),
            Some(b'[') if depth < MAX_DEPTH => self.array(&pointer, depth),
            Some(b'"') => {
                self.string();
            }
            _ => self.skip_until(|byte| matches!(byte, b',' | b'}' | b']') || is_space(byte)),
        }
        let value = TextRange::new(start, self.at);
        self.places.insert(pointer, Place { key, value });
    }

    fn object(&mut self, pointer: &str, depth: usize) {
        self.at += 1;
        loop {
            self.skip_space();
            match self.peek() {
                Some(b'"') => {
                    let key = self.string();
                    let name = self.text.get(key.start()..key.end()).unwrap_or_default();
                    let name: String = serde_json::from_str(name).unwrap_or_default();
                    self.skip_space();
                    if self.peek() == Some(b':') {
                        self.at += 1;
                    }
                    self.value(member(pointer, &name), Some(key), depth + 1);
                }
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return;
                }
                _ => return,
            }
        }
    }

    fn array(&mut self, pointer: &str, depth: usize) {
        self.at += 1;
        let mut index = 0_usize;
        loop {
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return;
                }
                None | Some(b'}' | b':') => return,
                Some(_) => {
                    self.value(member(pointer, &index.to_string()), None, depth + 1);
                    index += 1;
                }
            }
        }
    }

    /// The range of a string with its quotes.
    fn string(&mut self) -> TextRange {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.text.len());
        TextRange::new(start, self.at)
    }

    fn skip_space(&mut self) {
        self.skip_until(|byte| !is_space(byte));
    }

    fn skip_until(&mut self, stops: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(|byte| !stops(byte)) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn every_value_has_a_place() {
        let text = r#"{"a": {"x/y": [1, "two\" ]"], "b": {}}, "é": [true,
 {"c": null}]}"#;
        let places = Places::of(text);
        let mut found: Vec<_> = places.by_pointer.iter().collect();
        found.sort_by_key(|(pointer, _)| pointer.as_str());
        let lines: Vec<String> = found
            .into_iter()
            .map(|(pointer, place)| format!("{pointer} {}", place.value.text(text)))
            .collect();
        expect![[r#"
             {"a": {"x/y": [1, "two\" ]"], "b": {}}, "é": [true,
             {"c": null}]}
            /a {"x/y": [1, "two\" ]"], "b": {}}
            /a/b {}
            /a/x~1y [1, "two\" ]"]
            /a/x~1y/0 1
            /a/x~1y/1 "two\" ]"
            /é [true,
             {"c": null}]
            /é/0 true
            /é/1 {"c": null}
            /é/1/c null"#]]
        .assert_eq(&lines.join("\n"));
        let place = places.nearest("/a/b/missing/deeper");
        assert_eq!(place.value.text(text), "{}");
        assert_eq!(place.key.map(|key| key.text(text)), Some("\"b\""));
    }

    #[test]
    fn broken_text_is_scanned_to_its_end() {
        for text in ["", "{", "{\"a", "[1,, \"\\", "{\"a\" 1 2}", "[}", "{]"] {
            Places::of(text);
        }
        Places::of(&"[".repeat(100_000));
    }
}
