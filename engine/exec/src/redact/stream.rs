//! A stream that comes in pieces, without its secrets: a secret may lie across two pieces, so the end of
//! what has come waits until it is known to be none.
//!
//! Complete lines go at once. What is held is bounded: a line without an end goes when it is long.

use std::sync::Arc;

use super::Redactor;

/// Bytes that wait at most.
const MOST: usize = 64 * 1024;

/// Bytes of a line without an end that may be the beginning of a secret.
const HELD: usize = 16 * 1024;

/// Cleans one stream.
pub(crate) struct Scrubber {
    redactor: Arc<Redactor>,
    waiting: Vec<u8>,
}

impl Scrubber {
    pub(crate) fn new(redactor: Arc<Redactor>) -> Self {
        Self {
            redactor,
            waiting: Vec::new(),
        }
    }

    /// Takes the next piece and gives what is known to be clean.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        self.waiting.extend_from_slice(piece);
        let ready = self.ready();
        self.release(ready)
    }

    /// Gives the rest.
    pub(crate) fn finish(&mut self) -> Vec<u8> {
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
            let line = waiting.iter().rposition(|byte| *byte == b'\n');
            let end = line.map_or(0, |newline| newline + 1);
            end.min(waiting.len().saturating_sub(self.redactor.spanning))
        };
        if end == 0 {
            return 0;
        }
        let crossing = self
            .redactor
            .secrets
            .iter()
            .flat_map(|secrets| secrets.find_iter(waiting))
            .skip_while(|found| found.end() <= end)
            .take_while(|found| found.start() < end)
            .next();
        match crossing {
            Some(secret) if full => secret.end(),
            Some(secret) => secret.start(),
            None => end,
        }
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
        let mut scrubber =
            Scrubber::new(Arc::new(Redactor::knowing(["hunter2hunter2".to_owned()])));
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(1000) {
            out.extend(scrubber.push(piece));
            assert!(scrubber.waiting.len() <= MOST + 1000);
        }
        out.extend(scrubber.finish());
        let out = String::from_utf8(out).unwrap();
        assert_eq!(out.len(), 2 * MOST + super::super::MASK.len());
    }

    #[test]
    fn complete_lines_do_not_wait() {
        let mut scrubber = Scrubber::new(Arc::new(Redactor::knowing([])));
        assert_eq!(scrubber.push(b"one\ntw"), b"one\n");
        assert_eq!(scrubber.push(b"o\n"), b"two\n");
    }
}
