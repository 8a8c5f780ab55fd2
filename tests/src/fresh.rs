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

/// Checks parts of a page: the text between `<!-- NAME: … -->` and `<!-- end of NAME -->`. The rest is written by hand.
///
/// # Panics
///
/// When a part holds something else, or the page has no such part.
pub fn fresh_parts(path: &str, parts: &[(&str, String)]) {
    let mut page = std::fs::read_to_string(repository().join(path)).unwrap_or_default();
    for (name, text) in parts {
        let end = format!("<!-- end of {name} -->");
        let begin = page.find(&format!("<!-- {name}: "));
        let begin = begin.and_then(|at| Some(at + page.get(at..)?.find('\n')? + 1));
        let range = begin.zip(page.find(&end)).map(|(begin, end)| begin..end);
        assert!(range.is_some(), "{path} has no part `{name}`");
        if let Some(range) = range {
            page.replace_range(range, &format!("\n{text}\n"));
        }
    }
    fresh(path, &page);
}
