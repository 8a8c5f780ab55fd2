//! Public enums of the crates that other programs embed: `#[non_exhaustive]`, or a comment that says why not.

use std::collections::BTreeSet;
use std::fs;

use attractor_tests::repository;

use crate::architecture::{packages, sources};

/// The crates that other programs embed.
const EMBEDDED: &[&str] = &[
    "engine/attractor",
    "engine/run",
    "engine/llm",
    "engine/agent",
];

/// What precedes the reason.
const REASON: &str = "// Exhaustive: ";

#[test]
fn public_enums_can_grow_or_say_why_not() {
    let exported = exported();
    let mut count = 0;
    let mut lacking = Vec::new();
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a folder");
        let name = folder.strip_prefix(repository()).expect("a crate");
        if !name.starts_with("engine") {
            continue;
        }
        let is_embedded = EMBEDDED.contains(&name.as_str());
        for file in sources(folder.join("src").as_std_path()) {
            let text = fs::read_to_string(&file).expect("a source file");
            for (enumeration, attributes) in public_enums(&text) {
                let path = (package.name.to_string(), enumeration.to_owned());
                let is_exported = exported.contains(&path)
                    || is_embedded && exported.contains(&("crate".to_owned(), path.1));
                if !is_exported {
                    continue;
                }
                count += 1;
                if !attributes.contains("#[non_exhaustive]") && !attributes.contains(REASON) {
                    lacking.push(format!("{enumeration} ({})", file.display()));
                }
            }
        }
    }
    assert!(count > 60, "only {count} public enums were found");
    assert!(
        lacking.is_empty(),
        "add `#[non_exhaustive]`, or `{REASON}REASON` above the enum:\n{}",
        lacking.join("\n")
    );
}

/// Public enums of a file, each with the lines from its documentation to its name.
fn public_enums(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\npub enum ") {
        let name = after
            .split(|letter: char| !letter.is_alphanumeric())
            .next()
            .unwrap_or_default();
        let attributes = before
            .rsplit_once("\n\n")
            .map_or(before, |(_, attributes)| attributes);
        found.push((name, attributes.trim_start()));
        rest = after;
    }
    found
}

/// The names that embedded crates re-export, each with its package; `crate` for their own.
fn exported() -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for folder in EMBEDDED {
        let root = repository().join(folder).join("src/lib.rs");
        let text = fs::read_to_string(root).expect("the root of a crate");
        for statement in text.split("\npub use ").skip(1) {
            let statement = statement.split(';').next().unwrap_or_default();
            let from = statement.split("::").next().unwrap_or_default().trim();
            let package = match from.strip_prefix("attractor_") {
                Some(_) => from.replace('_', "-"),
                None => "crate".to_owned(),
            };
            let words = statement.split(|letter: char| !letter.is_alphanumeric());
            let types = words.filter(|word| word.starts_with(|first: char| first.is_uppercase()));
            found.extend(types.map(|name| (package.clone(), name.to_owned())));
        }
    }
    found
}

#[test]
fn enums_are_read_with_their_attributes() {
    let text = "\n/// Old.\n#[non_exhaustive]\npub enum A {}\n\n/// New.\npub enum Bc<'a> {}\n";
    assert_eq!(
        public_enums(text),
        [("A", "/// Old.\n#[non_exhaustive]"), ("Bc", "/// New.")]
    );
}
