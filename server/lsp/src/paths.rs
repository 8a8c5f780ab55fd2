//! File paths of documents: names of files, and reading a file within a size limit.

use std::path::Path;

pub(crate) use attractor_proto::paths::{path_of, resolve};

/// Larger files are not read for the analysis of a document.
const MAX_FILE_BYTES: u64 = 10 * 1024 * 1024;

/// Longer names are cut where they become names of files.
const MAX_NAME_LETTERS: usize = 60;

/// Whether two paths name the same file, with symbolic links resolved.
pub(crate) fn same_file(one: &Path, other: &Path) -> bool {
    one == other
        || std::fs::canonicalize(one)
            .ok()
            .is_some_and(|real| std::fs::canonicalize(other).ok() == Some(real))
}

/// A name that may hold anything, as the name of a file.
pub(crate) fn file_name(name: &str) -> String {
    let safe = |letter: char| match letter {
        letter if letter.is_alphanumeric() || "-_".contains(letter) => letter,
        _ => '_',
    };
    let name: String = name.chars().take(MAX_NAME_LETTERS).map(safe).collect();
    if name.is_empty() {
        "_".to_owned()
    } else {
        name
    }
}

/// The text of a file of at most [`MAX_FILE_BYTES`].
pub(crate) fn read_small(path: &Path) -> Option<String> {
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_hold_no_separators() {
        assert_eq!(file_name("../../x y"), "______x_y");
        assert_eq!(file_name(""), "_");
    }
}
