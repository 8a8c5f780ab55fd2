//! What is kept of a command's output: its beginning and its end, as a value and as a log. A command may
//! write forever.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Bytes kept from the beginning, and as many from the end, unless fewer are wanted.
const KEPT: usize = 4 * 1024 * 1024;

/// Bytes written to the log of a stream.
const LOGGED: u64 = 10 * 1024 * 1024;

/// What is around the number of bytes that were left out.
const GAP_BEGINS: &str = "\n[… ";
const GAP_ENDS: &str = " bytes left out …]\n";

/// Whether a text is, or was made from, a stream of which something was left out.
pub fn is_incomplete(text: &str) -> bool {
    let mut gaps = text.split(GAP_BEGINS).skip(1);
    gaps.any(|after| {
        let count = after.split_once(GAP_ENDS).map(|(count, _)| count);
        count.is_some_and(|count| count.parse::<u64>().is_ok())
    })
}

/// A stream being kept: its first and its last bytes, in bounded memory.
pub struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
    kept: usize,
    log: Log,
}

/// The log of a stream. Its file is made by the first byte: a silent command leaves none.
enum Log {
    /// Nothing was written yet.
    Empty(PathBuf),
    Open(File),
    /// Not wanted, full or not writable.
    Closed,
}

impl Log {
    /// The file to write to, if there is one.
    fn file(&mut self) -> Option<&mut File> {
        if let Self::Empty(path) = self {
            *self = File::create(path).map_or(Self::Closed, Self::Open);
        }
        match self {
            Self::Open(file) => Some(file),
            Self::Empty(_) | Self::Closed => None,
        }
    }
}

/// A stream that has been kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CapturedOutput {
    /// Its text; where something is left out, a line says so.
    pub text: String,
    /// Bytes left out of `text`.
    pub omitted: u64,
}

impl Capture {
    /// Keeps a stream, with a log at `path`. A log that cannot be written is done without: the output
    /// matters more than its copy.
    pub fn new(path: Option<&Path>) -> Self {
        Self {
            head: Vec::new(),
            tail: VecDeque::new(),
            total: 0,
            kept: KEPT,
            log: path.map_or(Log::Closed, |path| Log::Empty(path.to_owned())),
        }
    }

    /// The same with at most so many bytes of the beginning, and as many of the end.
    #[must_use]
    pub const fn keeping(mut self, bytes: usize) -> Self {
        self.kept = bytes;
        self
    }

    /// Takes the next piece.
    pub fn take(&mut self, piece: &[u8]) {
        self.write_log(piece);
        self.total += piece.len() as u64;
        let length = self.kept.saturating_sub(self.head.len()).min(piece.len());
        let (first, rest) = piece.split_at(length);
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(self.kept);
        self.tail.drain(..surplus);
    }

    fn write_log(&mut self, piece: &[u8]) {
        if piece.is_empty() {
            return;
        }
        let Some(log) = self.log.file() else { return };
        let remaining = usize::try_from(LOGGED.saturating_sub(self.total)).unwrap_or(usize::MAX);
        let part = piece.get(..remaining.min(piece.len())).unwrap_or_default();
        let mut written = log.write_all(part);
        if part.len() < piece.len() {
            written =
                written.and_then(|()| log.write_all(b"\n[more was written; it is not kept]\n"));
        }
        if written.is_err() || part.len() < piece.len() {
            self.log = Log::Closed;
        }
    }

    /// The text; bytes that are no UTF-8 become U+FFFD.
    pub fn finish(mut self) -> CapturedOutput {
        let kept = (self.head.len() + self.tail.len()) as u64;
        let omitted = self.total.saturating_sub(kept);
        if omitted > 0 {
            let gap = format!("{GAP_BEGINS}{omitted}{GAP_ENDS}");
            self.head.extend_from_slice(gap.as_bytes());
        }
        self.head.extend(self.tail);
        CapturedOutput {
            text: String::from_utf8_lossy(&self.head).into_owned(),
            omitted,
        }
    }
}
