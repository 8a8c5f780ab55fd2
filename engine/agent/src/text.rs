//! Texts of files: how they are written, and which part of one is most like another text.

mod format;
mod nearest;

pub(crate) use format::TextFormat;
pub(crate) use nearest::nearest;

/// Whether a file with this beginning is not a text: it has a NUL byte, as other tools decide it too.
pub(crate) fn is_binary(beginning: &[u8]) -> bool {
    let beginning = beginning.get(..8 * 1024).unwrap_or(beginning);
    memchr::memchr(0, beginning).is_some()
}
