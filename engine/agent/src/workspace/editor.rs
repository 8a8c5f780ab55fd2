//! The files of a workspace as an editor has them: texts that are not saved, and changes that go through it.

use std::fmt::Debug;
use std::path::Path;

use crate::text::{TextFormat, is_binary};

/// An editor that has files of the workspace open. Called on threads that may wait; paths are absolute, and in the
/// workspace.
pub trait EditorFiles: Debug + Send + Sync {
    /// The text of a file in the editor; `None` where it has none or does not answer, and then what is stored counts.
    fn read(&self, path: &Path) -> Option<String>;

    /// Replaces the text of a file.
    ///
    /// # Errors
    /// The editor refuses, or does not answer.
    fn write(&self, path: &Path, text: &str) -> Result<(), String>;
}

/// The content of a file that is stored, as the editor has it. Editors keep line ends and byte order marks apart from the
/// text, so those of the stored file stay.
pub(super) fn text_of(editor: &dyn EditorFiles, path: &Path, stored: Vec<u8>) -> Vec<u8> {
    if is_binary(&stored) {
        return stored;
    }
    match editor.read(path) {
        Some(text) if !is_same_text(&stored, text.as_bytes()) => {
            TextFormat::of(&stored).encode(&text)
        }
        _ => stored,
    }
}

/// Whether two contents are the same but for line ends and byte order marks.
fn is_same_text(one: &[u8], other: &[u8]) -> bool {
    fn lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
        let text = TextFormat::without_mark(content);
        let lines = text.split(|byte| *byte == b'\n');
        lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
    }
    lines(one).eq(lines(other))
}
