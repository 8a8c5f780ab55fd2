//! Access to other files: sub-pipelines, prompts and schemas that a pipeline names by path.
//!
//! This crate opens no files. Its caller decides what can be read (the command line a folder, the language server
//! open documents first), and with [`NoFiles`] the lints about files report nothing.

/// Reads files by paths relative to the DOT file. `/` separates folders on every system.
pub trait Files {
    /// The text of a file, or `None` when it does not exist or may not be read.
    fn read(&self, path: &str) -> Option<String>;

    /// Whether something exists at that path.
    fn exists(&self, path: &str) -> bool;

    /// The hash of the bytes of a file, SHA-256 in hexadecimal; `None` where only texts are read.
    fn hash(&self, _path: &str) -> Option<String> {
        None
    }

    /// The names in a folder (`""` is the DOT file's own), folders with a closing `/`. For completion.
    fn list(&self, dir: &str) -> Vec<String>;

    /// Whether something exists at that path that this pipeline may not read, because it is outside of its
    /// project.
    fn is_outside(&self, _path: &str) -> bool {
        false
    }

    /// Whether the project has a root. Without one, files outside may belong to the same repository, of which only this
    /// part is there.
    fn has_root(&self) -> bool {
        true
    }

    /// Whether the answers can be relied on. Lints about files speak only when they can.
    fn is_available(&self) -> bool {
        true
    }
}

/// Knows of no file and says so.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &str) -> Option<String> {
        None
    }

    fn exists(&self, _path: &str) -> bool {
        false
    }

    fn list(&self, _dir: &str) -> Vec<String> {
        Vec::new()
    }

    fn is_available(&self) -> bool {
        false
    }
}
