//! Completion of `@path`: the files and folders of a folder.

use std::fs;
use std::path::Path;

/// How many candidates there are at most.
const MOST: usize = 200;

/// The paths below `root` that a word such as `@src/ma` may become; folders end with `/`.
pub fn completions(root: &Path, word: &str) -> Vec<String> {
    let Some(path) = word.strip_prefix('@') else {
        return Vec::new();
    };
    let (folder, begin) = path
        .rfind('/')
        .map_or(("", path), |at| path.split_at(at + 1));
    let entries = fs::read_dir(root.join(folder))
        .into_iter()
        .flatten()
        .flatten();
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_hidden = name.starts_with('.') && !begin.starts_with('.');
            if is_hidden || !name.starts_with(begin) || name.contains(char::is_whitespace) {
                return None;
            }
            let is_folder = entry.file_type().ok()?.is_dir();
            let end = if is_folder { "/" } else { "" };
            Some(format!("@{folder}{name}{end}"))
        })
        .take(MOST)
        .collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_found() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("src/inner")).unwrap();
        for file in ["src/main.rs", "src/map.rs", ".hidden", "read me.md"] {
            fs::write(root.path().join(file), "").unwrap();
        }
        let found = |word: &str| completions(root.path(), word);
        assert_eq!(found("@"), ["@src/"]);
        assert_eq!(found("@src/m"), ["@src/main.rs", "@src/map.rs"]);
        assert_eq!(found("@src/i"), ["@src/inner/"]);
        assert_eq!(found("@.h"), ["@.hidden"]);
        assert_eq!(found("src"), Vec::<String>::new());
        assert_eq!(found("@nowhere/"), Vec::<String>::new());
    }
}
