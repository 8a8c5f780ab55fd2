//! Paths as addresses of the protocol.

use std::path::{Path, PathBuf};

use url::Url;

/// The address of an absolute path.
pub(super) fn of(path: &Path) -> Option<String> {
    Url::from_file_path(path).ok().map(String::from)
}

/// The path of an address of a file.
pub(super) fn path(uri: &str) -> Option<PathBuf> {
    Url::parse(uri).ok()?.to_file_path().ok()
}
