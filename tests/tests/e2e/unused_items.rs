//! No public item without a caller: what only tests use is removed, or is described for people who embed the crates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use attractor_tests::repository;

use crate::architecture::{code, packages, sources};

/// What begins the declaration of an item, after `pub`.
const KINDS: [&str; 7] = ["fn", "struct", "enum", "trait", "type", "const", "static"];
/// What may stand between `pub` and that.
const MODIFIERS: [&str; 3] = ["async", "const", "unsafe"];

#[test]
fn public_items_have_a_caller_or_a_description() {
    let texts: BTreeMap<PathBuf, String> = packages()
        .iter()
        .filter(|package| package.name.as_str() != "attractor-tests")
        .flat_map(|package| {
            let folder = package.manifest_path.parent().expect("a folder");
            sources(folder.join("src").as_std_path())
        })
        .map(|file| {
            let lines = code(&file).into_iter().map(|(_, line)| line);
            let text: String = lines.map(|line| line + "\n").collect();
            (file, text)
        })
        .collect();
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts.values() {
        for word in words_outside_of_imports(text) {
            *uses.entry(word).or_default() += 1;
        }
    }
    let described = documentation();
    let declared: BTreeSet<(&Path, &str)> = texts
        .iter()
        .flat_map(|(file, text)| {
            text.lines()
                .filter_map(|line| Some((file.as_path(), item(line)?)))
        })
        .collect();
    assert!(declared.len() > 1000, "only {} items", declared.len());
    let unused: Vec<String> = declared
        .iter()
        .filter(|(_, name)| uses.get(name).is_none_or(|count| *count < 2))
        .filter(|(_, name)| !described.contains(*name))
        .map(|(file, name)| format!("{name} ({})", file.display()))
        .collect();
    assert!(
        unused.is_empty(),
        "nothing but tests uses these; remove them, or describe them in docs/embedding.md:\n{}",
        unused.join("\n")
    );
}

/// The name of the public item that a line declares.
fn item(line: &str) -> Option<&str> {
    let mut rest = line.trim_start().strip_prefix("pub ")?;
    // `const` is both.
    while let Some((word, after)) = rest.split_once(' ') {
        let is_item = KINDS.contains(&word) && !after.starts_with("fn ");
        if is_item {
            return words(after).next();
        }
        if !MODIFIERS.contains(&word) {
            return None;
        }
        rest = after;
    }
    None
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
}

/// The words of a source file, without those of its `use` declarations.
fn words_outside_of_imports(text: &str) -> Vec<&str> {
    let mut is_import = false;
    let mut found = Vec::new();
    for line in text.lines() {
        let declaration = line.trim_start();
        is_import |= ["use ", "pub use ", "pub(crate) use ", "pub(super) use "]
            .iter()
            .any(|start| declaration.starts_with(start));
        // What is imported under another name is used.
        if !is_import || line.contains(" as ") {
            found.extend(words(line));
        }
        is_import &= !line.trim_end().ends_with(';');
    }
    found
}

/// All words of the documentation.
fn documentation() -> BTreeSet<String> {
    let pages = fs::read_dir(repository().join("docs")).expect("the documentation");
    pages
        .filter_map(|page| fs::read_to_string(page.ok()?.path()).ok())
        .flat_map(|text| words(&text).map(str::to_owned).collect::<Vec<_>>())
        .collect()
}
