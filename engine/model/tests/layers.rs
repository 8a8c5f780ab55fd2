//! The layers inside the crate: types below, passes above.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};

/// A module and what it must not use.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "files",
        &["catalogue", "options", "diagnostic", "pipeline", "lower"],
    ),
    (
        "diagnostic",
        &["catalogue", "options", "pipeline", "lower", "analysis"],
    ),
    (
        "options",
        &["catalogue", "pipeline", "lower", "analysis", "graphs"],
    ),
    (
        "directives",
        &["catalogue", "pipeline", "lower", "analysis", "graphs"],
    ),
    ("templates", &["catalogue", "pipeline", "lower"]),
    ("attributes", &["pipeline", "lower", "analysis", "graphs"]),
    ("pipeline", &["lower", "analysis", "graphs"]),
    ("analysis", &["lower", "graphs"]),
    ("lower", &["analysis", "graphs"]),
];

#[test]
fn no_module_uses_a_layer_above_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for (module, above) in LAYERS {
        let files = files_of(&src, module);
        assert!(!files.is_empty(), "there is no module `{module}`");
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            // Tests may start from a text.
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let is_test = file.ends_with("testing.rs") || file.ends_with("tests.rs");
            let used = above.iter().filter(|above| {
                let path = format!("crate::{above}");
                code.match_indices(&path).any(|(at, _)| {
                    let next = code
                        .get(at + path.len()..)
                        .and_then(|rest| rest.chars().next());
                    !next.is_some_and(|next| next.is_alphanumeric() || next == '_')
                })
            });
            if !is_test {
                found.extend(used.map(|above| format!("{} uses {above}", file.display())));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The files of a module: one, or a folder of them.
fn files_of(src: &Path, module: &str) -> Vec<PathBuf> {
    let single = src.join(format!("{module}.rs"));
    if single.exists() {
        return vec![single];
    }
    let mut files = Vec::new();
    let mut folders = vec![src.join(module)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    files
}
