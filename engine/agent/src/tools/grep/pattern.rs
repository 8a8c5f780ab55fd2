//! Lines that match a regular expression.
//!
//! The usual engine searches the whole file at once, in linear time. Look-around and back-references need the other
//! engine, which goes line by line and gives up on a line that takes too many steps.

use std::ops::ControlFlow;

/// Letters of a long line that are shown.
const SHOWN: usize = 500;

/// A regular expression.
pub(super) enum Pattern {
    /// In linear time.
    Linear(regex::bytes::Regex),
    /// With look-around.
    Backtracking(Box<fancy_regex::Regex>),
}

/// A line that matches.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// Its number, from 1.
    pub(super) line: usize,
    /// Its text, cut around the match if it is long.
    pub(super) text: String,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// It is invalid; with the reason.
    pub(super) fn new(pattern: &str) -> Result<Self, String> {
        let linear = regex::bytes::RegexBuilder::new(pattern)
            .multi_line(true)
            .crlf(true)
            .build();
        let problem = match linear {
            Ok(regex) => return Ok(Self::Linear(regex)),
            Err(problem) => problem,
        };
        fancy_regex::Regex::new(pattern)
            .map(|regex| Self::Backtracking(Box::new(regex)))
            .map_err(|_| format!("invalid regular expression: {problem}"))
    }

    /// Reports the lines of a text that match, until `found` breaks.
    ///
    /// # Errors
    /// A line takes too many steps.
    pub(super) fn search(
        &self,
        text: &[u8],
        found: impl FnMut(Match) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, String> {
        match self {
            Self::Linear(regex) => Ok(search_linear(regex, text, found)),
            Self::Backtracking(regex) => search_lines(regex, text, found),
        }
    }
}

/// A match in the whole text begins in every line that matches by itself, or before; a match that only crosses the end
/// of its line does not count.
fn search_linear(
    regex: &regex::bytes::Regex,
    text: &[u8],
    mut found: impl FnMut(Match) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut lines = Lines {
        text,
        at: 0,
        number: 0,
    };
    while let Some(hit) = regex.find_at(text, lines.at) {
        let Some(line) = lines.line_with(hit.start()) else {
            break;
        };
        if let Some(inside) = regex.find(line.text) {
            found(line.matching(inside.start()))?;
        }
        if lines.at >= text.len() {
            break;
        }
    }
    ControlFlow::Continue(())
}

fn search_lines(
    regex: &fancy_regex::Regex,
    text: &[u8],
    mut found: impl FnMut(Match) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, String> {
    let mut lines = Lines {
        text,
        at: 0,
        number: 0,
    };
    while let Some(line) = lines.line_with(lines.at) {
        let letters = String::from_utf8_lossy(line.text);
        let hit = regex
            .find(letters.as_ref())
            .map_err(|problem| format!("line {}: {problem}", line.number))?;
        if let Some(hit) = hit
            && found(line.matching(hit.start())).is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// The lines of a text, in order.
struct Lines<'t> {
    text: &'t [u8],
    /// Where the next line begins.
    at: usize,
    /// The number of the last line.
    number: usize,
}

struct Line<'t> {
    number: usize,
    /// Without its line end.
    text: &'t [u8],
}

impl<'t> Lines<'t> {
    /// Passes over lines up to the one with this position, and that one.
    fn line_with(&mut self, position: usize) -> Option<Line<'t>> {
        loop {
            let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
            let newline = memchr::memchr(b'\n', rest);
            let text = rest.get(..newline.unwrap_or(rest.len()))?;
            self.number += 1;
            self.at += text.len() + usize::from(newline.is_some());
            if position < self.at || self.at >= self.text.len() {
                return Some(Line {
                    number: self.number,
                    text: text.strip_suffix(b"\r").unwrap_or(text),
                });
            }
        }
    }
}

impl Line<'_> {
    fn matching(&self, start: usize) -> Match {
        Match {
            line: self.number,
            text: excerpt(self.text, start),
        }
    }
}

/// A line, or the part of a long one that begins shortly before `start`.
fn excerpt(line: &[u8], start: usize) -> String {
    if line.len() <= SHOWN {
        return String::from_utf8_lossy(line).into_owned();
    }
    let from = start.min(line.len()).saturating_sub(SHOWN / 4);
    let to = (from + SHOWN).min(line.len());
    let part = String::from_utf8_lossy(line.get(from..to).unwrap_or_default());
    let before = if from > 0 { "…" } else { "" };
    let after = if to < line.len() { "…" } else { "" };
    format!("{before}{part}{after} [of a line of {} bytes]", line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pattern: &str, text: &str) -> String {
        let mut lines = Vec::new();
        let pattern = match Pattern::new(pattern) {
            Ok(pattern) => pattern,
            Err(problem) => return problem,
        };
        let searched = pattern.search(text.as_bytes(), |found| {
            lines.push(format!("{}:{}", found.line, found.text));
            ControlFlow::Continue(())
        });
        match searched {
            Ok(_) => lines.join("|"),
            Err(problem) => problem,
        }
    }

    #[test]
    fn lines_match_by_themselves() {
        assert_eq!(lines("b", "a\nb\nab\n"), "2:b|3:ab");
        assert_eq!(lines(r"a\s+b", "a\nb\na b\n"), "3:a b");
        assert_eq!(lines("^b$", "ab\r\nb\r\nb"), "2:b|3:b");
        assert_eq!(lines("[^x]", "x\n\nyx\n"), "3:yx");
        assert_eq!(lines("", "a\n\nb"), "1:a|2:|3:b");
        assert_eq!(lines("a$", ""), "");
        assert_eq!(lines("(?i)B", "b\n"), "1:b");
    }

    #[test]
    fn look_around_and_back_references_work() {
        assert_eq!(lines(r"foo(?!bar)", "foobar\nfoobaz\n"), "2:foobaz");
        assert_eq!(lines(r"(?<=a)b", "b\nab\r\n"), "2:ab");
        assert_eq!(lines(r"(\w)\1", "abc\nabb\n"), "2:abb");
    }

    #[test]
    fn invalid_patterns_and_endless_ones_are_errors() {
        assert!(lines("a(", "a").starts_with("invalid regular expression"));
        let slow = lines(r"(?=x)(x+x+)+y(?!z)", &"x".repeat(40));
        assert!(slow.starts_with("line 1: "), "{slow}");
    }

    #[test]
    fn a_long_line_is_cut_around_the_match() {
        let text = format!("{}needle{}", "a".repeat(5000), "b".repeat(5000));
        let found = lines("needle", &text);
        assert!(found.contains("aneedleb"), "{found}");
        assert!(found.ends_with("… [of a line of 10006 bytes]"), "{found}");
        assert!(found.len() < 600);
    }
}
