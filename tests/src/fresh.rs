//! Files that are written from tables and types.

use crate::repository::repository;

/// Checks that the file at `path`, from the root of the repository, holds `text`; with `UPDATE_DOCS` in the
/// environment it is written instead.
///
/// # Panics
///
/// When the file holds something else.
pub fn fresh(path: &str, text: &str) {
    let file = repository().join(path);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let written = file.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = written.and_then(|()| std::fs::write(&file, text));
        assert!(written.is_ok(), "{path}: {written:?}");
    }
    let held = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(held == text, "{path} is stale; run `just docs`");
}
