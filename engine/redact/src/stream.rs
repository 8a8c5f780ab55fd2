//! A stream that comes in pieces, without its secrets: a secret may lie across two pieces, so the end of
//! what has come waits until it is known to be none.
//!
//! Complete lines go at once, except those that look like a part of a wrapped text, such as base64 or a dump of
//! bytes: its secrets lie across lines. What is held is bounded: a line without an end goes when it is long.

use std::sync::Arc;

use crate::Redactor;
use crate::forms::hex;

/// Bytes that wait at most.
const MOST: usize = 64 * 1024;

/// Bytes of a line without an end that may be the beginning of a secret.
const HELD: usize = 16 * 1024;

/// Lines of encoded text that programs wrap have so many characters at least.
const SHORTEST_WRAPPED: usize = 60;

/// Cleans one stream.
#[derive(Debug)]
pub struct Scrubber {
    redactor: Arc<Redactor>,
    waiting: Vec<u8>,
}

impl Scrubber {
    /// Masks what this redactor finds.
    pub const fn new(redactor: Arc<Redactor>) -> Self {
        Self {
            redactor,
            waiting: Vec::new(),
        }
    }

    /// Takes the next piece and gives what is known to be clean.
    pub fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        self.waiting.extend_from_slice(piece);
        let ready = self.ready();
        self.release(ready)
    }

    /// Gives what has no line end yet, such as a prompt, unless its last word may be the beginning of a secret.
    pub fn settle(&mut self) -> Vec<u8> {
        let waiting = &self.waiting;
        let space = waiting.iter().rposition(u8::is_ascii_whitespace);
        let start = space.map_or(0, |space| space + 1);
        let word = waiting.get(start..).unwrap_or_default();
        let end = if self.redactor.may_begin(word) {
            start
        } else {
            waiting.len()
        };
        let end = match self.redactor.spanning() {
            0 => end,
            spanning => end.min(waiting.len().saturating_sub(spanning)),
        };
        let ready = self.before(end, false);
        self.release(ready)
    }

    /// Gives the rest.
    pub fn finish(&mut self) -> Vec<u8> {
        self.release(self.waiting.len())
    }

    fn release(&mut self, ready: usize) -> Vec<u8> {
        let piece: Vec<u8> = self.waiting.drain(..ready).collect();
        self.redactor.bytes(&piece).into_owned()
    }

    /// How many of the waiting bytes may go.
    fn ready(&self) -> usize {
        let waiting = &self.waiting;
        let full = waiting.len() > MOST;
        let end = if full {
            waiting.len() - HELD
        } else {
            let end = end_of_lines(waiting);
            end.min(waiting.len().saturating_sub(self.redactor.spanning()))
        };
        self.before(end, full)
    }

    /// The same, if no more than `end` of them may.
    fn before(&self, end: usize, full: bool) -> usize {
        let waiting = &self.waiting;
        if end == 0 {
            return 0;
        }
        let found = self.redactor.find(waiting);
        let crossing = found
            .into_iter()
            .find(|found| found.range.end > end || found.is_open)
            .map(|found| found.range)
            .filter(|range| range.start < end);
        match crossing {
            Some(secret) if full => secret.end,
            Some(secret) => secret.start,
            None => end,
        }
    }
}

/// The end of the last complete line that does not look wrapped.
fn end_of_lines(bytes: &[u8]) -> usize {
    let newline = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte == b'\n');
    let Some(last) = newline(bytes) else {
        return 0;
    };
    let lines = bytes.get(..last).unwrap_or_default();
    let start = newline(lines).map_or(0, |before| before + 1);
    let line = lines.get(start..).unwrap_or_default();
    let is_encoded =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'\r');
    let is_base64 = line.len() >= SHORTEST_WRAPPED && line.iter().all(is_encoded);
    if is_base64 || hex::is_line(line) {
        start
    } else {
        last + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes out when `text` comes in pieces of `size` bytes.
    fn scrubbed(text: &str, size: usize) -> String {
        let known = ["hunter2hunter2".to_owned(), "two\nlines of it".to_owned()];
        let mut scrubber = Scrubber::new(Arc::new(Redactor::knowing(known)));
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(size) {
            out.extend(scrubber.push(piece));
        }
        out.extend(scrubber.finish());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_may_begin_a_secret_waits_longer_than_a_prompt() {
        let redactor = Arc::new(Redactor::knowing(["hunter2hunter2".to_owned()]));
        for (begun, given) in [
            ("Password: ", "Password: "),
            ("(gdb)", "(gdb)"),
            ("the key is hun", "the key is "),
            ("x=hunter2", ""),
            ("A sk-a", "A "),
            ("A sk-ant-api03-SECRETKEY0123456789", "A "),
            ("-----BEGIN RSA PRIVATE KEY-----\nabc", ""),
            ("aHVudGVyMmh1bnRlcjI", ""),
        ] {
            let mut scrubber = Scrubber::new(Arc::clone(&redactor));
            let mut out = scrubber.push(begun.as_bytes());
            out.extend(scrubber.settle());
            assert_eq!(String::from_utf8_lossy(&out), given, "{begun}");
            out.extend(scrubber.push(b"\n"));
            out.extend(scrubber.finish());
            assert!(!out.is_empty());
        }
    }

    #[test]
    fn a_secret_is_found_wherever_the_stream_is_cut() {
        let text = "a hunter2hunter2\nb two\nlines of it c\n-----BEGIN RSA PRIVATE KEY-----\nabc\n\
                    -----END RSA PRIVATE KEY-----\nthe end";
        for size in 1..text.len() {
            assert_eq!(
                scrubbed(text, size),
                "a [redacted]\nb [redacted] c\n[redacted]\nthe end",
                "in pieces of {size}"
            );
        }
    }

    #[test]
    fn an_endless_line_does_not_wait_forever() {
        let text = format!("{}hunter2hunter2{}", "x".repeat(MOST), "y".repeat(MOST));
        let mut scrubber = Scrubber::new(Arc::new(Redactor::knowing(["hunter2hunter2"])));
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(1000) {
            out.extend(scrubber.push(piece));
            assert!(scrubber.waiting.len() <= MOST + 1000);
        }
        out.extend(scrubber.finish());
        let out = String::from_utf8(out).unwrap();
        assert_eq!(out.len(), 2 * MOST + crate::MASK.len());
    }

    #[test]
    fn complete_lines_do_not_wait() {
        let mut scrubber = Scrubber::new(Arc::new(Redactor::knowing([""; 0])));
        assert_eq!(scrubber.push(b"one\ntw"), b"one\n");
        assert_eq!(scrubber.push(b"o\n"), b"two\n");
    }

    #[test]
    fn a_secret_in_wrapped_base64_is_found_wherever_the_stream_is_cut() {
        use base64::Engine as _;
        let secret = "sk-ant-api03-".to_owned() + &"aB3_xY7-".repeat(12);
        let redactor = Arc::new(Redactor::knowing([secret.as_str()]));
        for before in 40..60 {
            let plain = format!("{}{secret} and more", "x".repeat(before));
            let encoded = base64::engine::general_purpose::STANDARD.encode(plain);
            let lines = encoded.as_bytes().chunks(76);
            let text: Vec<u8> = lines.flat_map(|line| [line, b"\n"].concat()).collect();
            for size in [1, 7, 76, 77, 78, 500] {
                let mut scrubber = Scrubber::new(Arc::clone(&redactor));
                let pieces = text.chunks(size).map(|piece| scrubber.push(piece));
                let mut out: Vec<u8> = pieces.collect::<Vec<_>>().concat();
                out.extend(scrubber.finish());
                let out = String::from_utf8(out).unwrap();
                // What is before and after the secret, and the mask.
                assert!(out.len() < 110, "{before} {size}: {out}");
            }
        }
    }

    #[test]
    fn a_private_key_is_found_wherever_the_stream_is_cut() {
        let text = "-----BEGIN PRIVATE KEY-----\nabc\ndef\n-----END PRIVATE KEY-----\nthe end\n";
        for size in 1..text.len() {
            let mut scrubber = Scrubber::new(Arc::new(Redactor::knowing([""; 0])));
            let pieces = text
                .as_bytes()
                .chunks(size)
                .map(|piece| scrubber.push(piece));
            let mut out: Vec<u8> = pieces.collect::<Vec<_>>().concat();
            out.extend(scrubber.finish());
            assert_eq!(
                String::from_utf8(out).unwrap(),
                "[redacted]\nthe end\n",
                "in pieces of {size}"
            );
        }
    }
}
