//! Names of types that say little by themselves, in many files each: a search for one finds all.

use std::collections::BTreeMap;

use crate::architecture::{code, packages, sources};

/// In how many places each name may be declared; numbers only fall. A qualifier (`YamlReader`) is better.
const DECLARATIONS: &[(&str, usize)] = &[
    ("Entry", 5),
    ("Place", 7),
    ("Problem", 5),
    ("Reader", 4),
    ("Request", 9),
    ("State", 5),
    ("Step", 4),
    ("Usage", 8),
];

#[test]
fn common_words_name_few_types() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a folder");
        if package.name.as_str() == "attractor-tests" {
            continue;
        }
        for file in sources(folder.join("src").as_std_path()) {
            for (number, line) in code(&file) {
                if let Some(name) = declared(&line) {
                    let place = format!("{}:{number}", file.display());
                    found.entry(name.to_owned()).or_default().push(place);
                }
            }
        }
    }
    assert!(found.len() > 1000, "only {} types were found", found.len());
    for (name, most) in DECLARATIONS {
        let places = found.get(*name).map_or(&[][..], Vec::as_slice);
        assert!(
            places.len() <= *most,
            "more than {most} types are named `{name}`; add what is read, placed or asked to the name:\n{}",
            places.join("\n")
        );
    }
}

/// The name of the type that a line declares.
fn declared(line: &str) -> Option<&str> {
    let mut words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.find(|word| matches!(*word, "struct" | "enum" | "trait" | "type"))?;
    let name = words.next()?;
    name.starts_with(char::is_uppercase).then_some(name)
}

#[test]
fn declarations_are_read() {
    let names = [
        "pub(super) struct Reader<'t> {",
        "    enum State {",
        "let State = 1;",
        "fn f<T>() {}",
    ];
    assert_eq!(
        names.map(declared),
        [Some("Reader"), Some("State"), None, None]
    );
}
