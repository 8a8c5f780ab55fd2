//! A session on disk: its messages, one JSON line each, written as they are complete, without secrets.
//!
//! A process that is killed leaves the lines it had written. A last line that was cut off is left out when the file is
//! read; calls without a result are answered with an error when the session continues.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use attractor_exec::{Redactor, read_regular};
use attractor_llm::Message;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a session was begun with, and keeps when it continues: what providers cache and sign depends on it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionStart {
    /// The model, as it was asked for.
    pub model: String,
    /// Its provider.
    pub provider: String,
    /// How much it reasons; absent for its default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<String>,
    /// The instructions.
    pub system_prompt: String,
}

/// What the file of a session has.
#[derive(Debug, Default)]
pub struct RecordedSession {
    /// What it was begun with; none in a new file, and in one of an earlier version.
    pub start: Option<SessionStart>,
    /// Its messages.
    pub messages: Vec<Message>,
}

impl RecordedSession {
    /// What the file of a session has, which stays as it is.
    ///
    /// # Errors
    /// It cannot be read, or is not a regular file.
    pub fn load(path: &Path) -> io::Result<Self> {
        Ok(Self::parse(whole_lines(&read_regular(path)?)))
    }

    fn parse(lines: &[u8]) -> Self {
        let mut recorded = Self::default();
        for line in lines.split(|byte| *byte == b'\n') {
            match serde_json::from_slice(line) {
                Ok(Line::Start { start }) => recorded.start = Some(start),
                Ok(Line::Message { message }) => recorded.messages.push(message),
                Ok(Line::Compaction { messages: shorter }) => recorded.messages = shorter,
                // An empty line, or one of a later version.
                Err(_) => {}
            }
        }
        recorded
    }
}

/// The lines that are complete: a process that was killed may have left a part of one.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    bytes
        .get(..end.map_or(0, |end| end + 1))
        .unwrap_or_default()
}

/// A line of the file.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    Start { start: SessionStart },
    Message { message: Message },
    Compaction { messages: Vec<Message> },
}

/// The file of a session.
#[derive(Debug)]
pub struct SessionJournal {
    file: File,
    redactor: Arc<Redactor>,
    /// How many messages the file has.
    written: usize,
}

impl SessionJournal {
    /// Opens the file of a session, or creates it, with what it has.
    ///
    /// # Errors
    /// It cannot be opened or read.
    pub fn open(path: &Path, redactor: Arc<Redactor>) -> io::Result<(Self, RecordedSession)> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // A link in its place would have the file of somebody else cut and written.
        let no_links = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, no_links);
        let mut file = options.open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = whole_lines(&bytes);
        // What follows the last line end was cut off.
        file.set_len(u64::try_from(whole.len()).unwrap_or(u64::MAX))?;
        let recorded = RecordedSession::parse(whole);
        let journal = Self {
            file,
            redactor,
            written: recorded.messages.len(),
        };
        Ok((journal, recorded))
    }

    /// Writes what the session is begun with, without secrets.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn start(&mut self, start: &SessionStart) -> io::Result<()> {
        let mut lines = Vec::new();
        self.add(&mut lines, json!({"type": "start", "start": start}));
        self.append(&lines)
    }

    /// Writes the messages that the file does not have yet.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write(&mut self, messages: &[Message]) -> io::Result<()> {
        let mut lines = Vec::new();
        for message in messages.iter().skip(self.written) {
            self.add(&mut lines, json!({"type": "message", "message": message}));
        }
        self.append(&lines)?;
        self.written = messages.len();
        Ok(())
    }

    /// Writes a conversation that takes the place of the one before: it was made shorter.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn replace(&mut self, messages: &[Message]) -> io::Result<()> {
        let mut lines = Vec::new();
        self.add(
            &mut lines,
            json!({"type": "compaction", "messages": messages}),
        );
        self.append(&lines)?;
        self.written = messages.len();
        Ok(())
    }

    fn add(&self, lines: &mut Vec<u8>, mut line: Value) {
        self.redactor.value(&mut line);
        lines.extend_from_slice(line.to_string().as_bytes());
        lines.push(b'\n');
    }

    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        self.file.write_all(lines)?;
        self.file.sync_data()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.jsonl");
        let redactor = Arc::new(attractor_exec::redactor(["hunter2hunter2"]));
        let (mut journal, empty) = SessionJournal::open(&path, Arc::clone(&redactor)).unwrap();
        assert!(empty.messages.is_empty() && empty.start.is_none());
        let start = SessionStart {
            model: "sonnet".to_owned(),
            provider: "anthropic".to_owned(),
            reasoning_effort: Some("high".to_owned()),
            system_prompt: "Work.\n".to_owned(),
        };
        journal.start(&start).unwrap();
        let mut messages = vec![Message::user("go"), Message::assistant("hunter2hunter2")];
        journal.write(&messages).unwrap();
        messages.push(Message::user("more"));
        journal.write(&messages).unwrap();
        journal.write(&messages).unwrap();
        drop(journal);
        // The process is killed while it writes.
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"type\":\"message\",\"mess").unwrap();
        let (mut journal, recorded) = SessionJournal::open(&path, redactor).unwrap();
        assert_eq!(recorded.start, Some(start));
        let read = recorded.messages;
        let texts: Vec<String> = read.iter().map(Message::text).collect();
        assert_eq!(texts, ["go", "[redacted]", "more"]);
        let mut messages = read;
        messages.push(Message::user("again"));
        journal.write(&messages).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 5, "{text}");
        let mut shorter = vec![Message::user("short")];
        journal.replace(&shorter).unwrap();
        shorter.push(Message::user("next"));
        journal.write(&shorter).unwrap();
        let (_, read) = SessionJournal::open(&path, Arc::default()).unwrap();
        assert_eq!(read.messages, shorter);
    }
}
