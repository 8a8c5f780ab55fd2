//! Server-sent events out of bytes, however the bytes are cut.
//!
//! Follows the event stream format of the HTML standard: lines end in LF, CRLF or CR; a line that begins with `:` is
//! a comment; `data` lines of one event are joined by LF; an event without its empty line at the end of the stream is
//! dropped. Works on bytes, so that a character cut in two is whole again when its line is.

use crate::error::{Error, ErrorKind};

/// One server-sent event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerSentEvent {
    /// Its type; `message` where the stream names none.
    pub event: String,
    /// Its data.
    pub data: String,
}

/// Splits a byte stream into events.
#[derive(Debug)]
pub struct SseDecoder {
    line: Vec<u8>,
    event: String,
    data: String,
    has_data: bool,
    after_cr: bool,
    at_start: bool,
    max_bytes: usize,
}

impl Default for SseDecoder {
    fn default() -> Self {
        Self::new(Self::MAX_EVENT_BYTES)
    }
}

impl SseDecoder {
    /// The longest event that is accepted by default. Images in an answer make events of several megabytes.
    pub const MAX_EVENT_BYTES: usize = 64 * 1024 * 1024;

    /// A decoder that refuses events longer than that many bytes.
    pub const fn new(max_bytes: usize) -> Self {
        Self {
            line: Vec::new(),
            event: String::new(),
            data: String::new(),
            has_data: false,
            after_cr: false,
            at_start: true,
            max_bytes,
        }
    }

    /// Takes bytes; complete events are appended to `events`.
    pub fn push(
        &mut self,
        mut bytes: &[u8],
        events: &mut Vec<ServerSentEvent>,
    ) -> Result<(), Error> {
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_cr) && bytes.first() == Some(&b'\n') {
                bytes = bytes.get(1..).unwrap_or_default();
                continue;
            }
            let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.line.extend_from_slice(bytes);
                return self.check_length();
            };
            let (head, tail) = bytes.split_at(end);
            self.line.extend_from_slice(head);
            self.check_length()?;
            self.after_cr = tail.first() == Some(&b'\r');
            bytes = tail.get(1..).unwrap_or_default();
            self.end_line(events);
        }
        Ok(())
    }

    fn check_length(&self) -> Result<(), Error> {
        if self.line.len() + self.data.len() <= self.max_bytes {
            return Ok(());
        }
        let message = format!(
            "an event of the stream is longer than {} bytes",
            self.max_bytes
        );
        Err(Error::new(ErrorKind::InvalidResponse, message))
    }

    fn end_line(&mut self, events: &mut Vec<ServerSentEvent>) {
        let mut bytes = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.at_start) && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        if bytes.is_empty() {
            self.dispatch(events);
            self.line = bytes;
            return;
        }
        {
            let line = String::from_utf8_lossy(&bytes);
            let (field, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "data" => {
                    if std::mem::replace(&mut self.has_data, true) {
                        self.data.push('\n');
                    }
                    self.data.push_str(value);
                }
                "event" => value.clone_into(&mut self.event),
                _ => {}
            }
        }
        // The allocation is used again for the next line.
        bytes.clear();
        self.line = bytes;
    }

    fn dispatch(&mut self, events: &mut Vec<ServerSentEvent>) {
        let event = std::mem::take(&mut self.event);
        let data = std::mem::take(&mut self.data);
        if std::mem::take(&mut self.has_data) {
            let event = if event.is_empty() {
                "message".to_owned()
            } else {
                event
            };
            events.push(ServerSentEvent { event, data });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "\u{feff}: keep-alive\r\nevent: a\r\ndata: {\"t\":\"é✓\"}\r\n\r\ndata:x\ndata: y\n\n\
        id: 7\rretry: 10\rdata\r\r:\n\nevent: dropped\n\ndata: [DONE]\n\ndata: cut";

    fn decode(chunks: &[&[u8]]) -> Vec<ServerSentEvent> {
        let mut decoder = SseDecoder::default();
        let mut events = Vec::new();
        for chunk in chunks {
            decoder.push(chunk, &mut events).unwrap();
        }
        events
    }

    #[test]
    fn lines_comments_and_joined_data_follow_the_standard() {
        let events = decode(&[STREAM.as_bytes()]);
        let found: Vec<(&str, &str)> = events
            .iter()
            .map(|one| (one.event.as_str(), one.data.as_str()))
            .collect();
        let expected = [
            ("a", "{\"t\":\"é✓\"}"),
            ("message", "x\ny"),
            ("message", ""),
            ("message", "[DONE]"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn every_cut_gives_the_same_events() {
        let whole = decode(&[STREAM.as_bytes()]);
        for cut in 0..=STREAM.len() {
            let (head, tail) = STREAM.as_bytes().split_at(cut);
            assert_eq!(decode(&[head, tail]), whole, "cut at {cut}");
        }
        let bytes: Vec<&[u8]> = STREAM.as_bytes().chunks(1).collect();
        assert_eq!(decode(&bytes), whole);
    }

    #[test]
    fn an_event_without_end_is_refused_at_the_limit() {
        let mut decoder = SseDecoder::new(100);
        let mut events = Vec::new();
        let error = (0..10).find_map(|_| decoder.push(&[b'x'; 20], &mut events).err());
        assert!(error.unwrap().to_string().contains("longer than 100 bytes"));
    }
}
