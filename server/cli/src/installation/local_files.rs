//! The files that say how a program was installed.

use std::fs;

/// Files of a machine, or of a test.
pub trait LocalFiles {
    /// The text of a file.
    fn text(&self, path: &str) -> Option<String>;

    /// The names in a folder.
    fn names(&self, folder: &str) -> Vec<String>;
}

/// The files of this machine.
pub struct ThisMachine;

impl LocalFiles for ThisMachine {
    fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(path).ok()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect()
    }
}
