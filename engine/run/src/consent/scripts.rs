//! The files of a project that commands execute by name: a program (`./build.sh`), what an interpreter is given
//! (`bash x.sh`), what a build tool reads (`make`, `npm run`), and what those name in turn.
//!
//! A script is recognised by its content or its ending where a command names it, so no list of interpreters is needed.
//! What a program loads by other means (modules of Python, a name in a variable) is not found.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use attractor_model::Files;

/// Files at most: more are not read by anybody.
const MOST_FILES: usize = 100;

/// Words of a text at most that may be names of files.
const MOST_WORDS: usize = 2_000;

/// A larger file is data.
const LARGEST: usize = 256 * 1024;

/// Endings of scripts without a `#!` line.
const ENDINGS: &[&str] = &[
    "awk", "bash", "bat", "cjs", "cmd", "fish", "js", "jl", "ksh", "lua", "mjs", "mk", "php", "pl",
    "ps1", "py", "r", "rb", "sed", "sh", "sql", "tcl", "ts", "zsh",
];

/// Files that programs execute without being given their names.
const BY_PROGRAM: &[(&str, &[&str])] = &[
    ("ant", &["build.xml"]),
    ("bun", &["package.json"]),
    ("cmake", &["CMakeLists.txt"]),
    (
        "docker",
        &["Dockerfile", "docker-compose.yml", "compose.yaml"],
    ),
    ("gmake", &["GNUmakefile", "makefile", "Makefile"]),
    ("gradle", &["build.gradle", "build.gradle.kts"]),
    ("invoke", &["tasks.py"]),
    ("just", &["justfile", "Justfile", ".justfile"]),
    ("make", &["GNUmakefile", "makefile", "Makefile"]),
    ("mvn", &["pom.xml"]),
    ("nox", &["noxfile.py"]),
    ("npm", &["package.json"]),
    ("npx", &["package.json"]),
    ("pnpm", &["package.json"]),
    ("rake", &["Rakefile"]),
    ("task", &["Taskfile.yml", "Taskfile.yaml"]),
    ("tox", &["tox.ini"]),
    ("yarn", &["package.json"]),
];

/// The scripts that `texts` name: path below the root of `files`, and content. Each text comes with the folder that its
/// paths are relative to.
pub(super) fn named<'t>(
    texts: impl IntoIterator<Item = (String, &'t str)>,
    files: &dyn Files,
) -> Vec<(String, String)> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut tried: BTreeSet<String> = BTreeSet::new();
    let texts = texts.into_iter();
    let mut pending: VecDeque<(String, String)> = texts
        .map(|(folder, text)| (folder, text.to_owned()))
        .collect();
    while let Some((folder, text)) = pending.pop_front() {
        for path in paths(&folder, &text) {
            if found.len() >= MOST_FILES || !tried.insert(path.clone()) {
                continue;
            }
            let Some(content) = files.read(&path).filter(|text| text.len() <= LARGEST) else {
                continue;
            };
            if is_script(&path, &content) {
                pending.push_back((folder.clone(), content.clone()));
                found.insert(path, content);
            }
        }
    }
    found.into_iter().collect()
}

/// The paths that may be meant by the words of a text: below its folder, and below those it changes to.
fn paths(folder: &str, text: &str) -> Vec<String> {
    let is_part = |one: char| one.is_alphanumeric() || "_./@+-".contains(one);
    let words: Vec<&str> = text
        .split(|one| !is_part(one))
        .filter(|word| !word.is_empty() && !word.starts_with('-'))
        .take(MOST_WORDS)
        .collect();
    let mut folders = vec![folder.to_owned()];
    for pair in words.windows(2) {
        if let ["cd" | "pushd", target] = pair {
            folders.push(joined(folder, target));
        }
    }
    let by_program = words.iter().flat_map(|word| {
        let rows = BY_PROGRAM
            .iter()
            .filter(move |(program, _)| program == word);
        rows.flat_map(|(_, names)| names.iter().copied())
    });
    let names: Vec<&str> = words.iter().copied().chain(by_program).collect();
    let in_folder = |folder: &String| names.iter().map(|name| joined(folder, name)).collect();
    folders
        .iter()
        .flat_map::<Vec<String>, _>(in_folder)
        .collect()
}

fn joined(folder: &str, path: &str) -> String {
    let path = path.trim_start_matches("./");
    if folder.is_empty() || folder == "." || path.starts_with('/') {
        path.to_owned()
    } else {
        format!("{}/{path}", folder.trim_end_matches('/'))
    }
}

fn is_script(path: &str, content: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    let is_of_program = || {
        let mut rows = BY_PROGRAM.iter();
        rows.any(|(_, names)| names.contains(&name))
    };
    content.starts_with("#!")
        || ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
        || is_of_program()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder;

    impl Files for Folder {
        fn read(&self, path: &str) -> Option<String> {
            let text = match path {
                "build.sh" => "exec tools/deep \"$@\"",
                "tools/deep" => "#!/bin/sh\n. ./lib.sh",
                "lib.sh" => "echo lib",
                "Makefile" => "all:\n\tpython3 gen.py\n",
                "gen.py" => "print(1)",
                "sub/run.sh" => "echo sub",
                "notes.md" => "see other.sh",
                "other.sh" => "echo other",
                _ => return None,
            };
            Some(text.to_owned())
        }

        fn exists(&self, path: &str) -> bool {
            self.read(path).is_some()
        }

        fn list(&self, _: &str) -> Vec<String> {
            Vec::new()
        }
    }

    fn paths_of(text: &str) -> String {
        let found = named([(String::new(), text)], &Folder);
        let paths: Vec<String> = found.into_iter().map(|(path, _)| path).collect();
        paths.join(" ")
    }

    #[test]
    fn scripts_are_followed() {
        assert_eq!(paths_of("./build.sh --fast"), "build.sh lib.sh tools/deep");
        assert_eq!(paths_of("bash \"build.sh\""), "build.sh lib.sh tools/deep");
        assert_eq!(paths_of("make -j4 test"), "Makefile gen.py");
        assert_eq!(paths_of("cd sub && ./run.sh"), "sub/run.sh");
        assert_eq!(paths_of("cat notes.md | wc -l"), "");
        assert_eq!(paths_of("cargo test"), "");
    }
}
