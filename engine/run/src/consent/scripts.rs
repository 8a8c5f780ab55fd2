//! The files of a project that commands execute by name: a program (`./build.sh`), what an interpreter is given
//! (`bash x.sh`), what a build tool reads (`make`, `npm run`), and what those name in turn.
//!
//! A script is recognised by its content or its ending where a command names it, so no list of interpreters is needed.
//! What a program loads by other means (what a module imports, a name in a variable) is not found.

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
        for Candidate { path, is_program } in paths(&folder, &text, files) {
            if found.len() >= MOST_FILES || !tried.insert(path.clone()) {
                continue;
            }
            let Some(content) = files.read(&path).filter(|text| text.len() <= LARGEST) else {
                continue;
            };
            if is_program || is_script(&path, &content) {
                pending.push_back((folder.clone(), content.clone()));
                found.insert(path, content);
            }
        }
    }
    found.into_iter().collect()
}

/// Options and commands whose next word is the folder that others are below.
const FOLDER_BEFORE: &[&str] = &["--cwd", "--directory", "--prefix", "-C", "cd", "pushd"];

/// A path that a text may mean.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    path: String,
    /// It is written as a program: `./gradlew`.
    is_program: bool,
}

/// The paths that may be meant by the words of a text: below its folder, and below those it changes to.
fn paths(folder: &str, text: &str, files: &dyn Files) -> Vec<Candidate> {
    let is_part = |one: char| one.is_alphanumeric() || "_./@+-*?".contains(one);
    let words: Vec<&str> = text
        .split(|one| !is_part(one))
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .collect();
    let mut folders = vec![folder.to_owned()];
    let mut names: Vec<String> = Vec::new();
    for pair in words.windows(2) {
        match pair {
            [before, target] if FOLDER_BEFORE.contains(before) => {
                folders.push(joined(folder, target));
            }
            ["-m", module] => {
                let path = module.replace('.', "/");
                names.extend([format!("{path}.py"), format!("{path}/__main__.py")]);
            }
            ["run-parts", target] => names.extend(matching(folder, &format!("{target}/*"), files)),
            _ => {}
        }
    }
    for word in words.into_iter().filter(|word| !word.starts_with('-')) {
        let rows = BY_PROGRAM.iter().filter(|(program, _)| *program == word);
        names.extend(rows.flat_map(|(_, names)| names.iter().map(|name| (*name).to_owned())));
        if word.contains(['*', '?']) {
            names.extend(matching(folder, word, files));
        } else {
            // After a folder that only the shell knows: `$PWD/x.sh`, `$(pwd)/x.sh`.
            let below = word
                .split_once('/')
                .filter(|(folder, _)| is_variable(folder));
            names.extend(below.map(|(_, below)| below.to_owned()));
            names.push(word.to_owned());
        }
    }
    let in_folder = |folder: &String| {
        let names = names.iter();
        let candidates = names.map(|name| Candidate {
            path: joined(folder, name),
            is_program: name.starts_with("./"),
        });
        candidates.collect::<Vec<_>>()
    };
    folders.iter().flat_map(in_folder).collect()
}

/// Whether a word may be the name of a variable; nothing is what the output of a command leaves.
fn is_variable(word: &str) -> bool {
    let mut letters = word.bytes();
    letters.all(|one| one.is_ascii_uppercase() || one == b'_')
}

/// The files that a pattern of the shell means, whose last name alone has wildcards.
fn matching(folder: &str, pattern: &str, files: &dyn Files) -> Vec<String> {
    let (within, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let (begin, end) = (
        name.split(['*', '?']).next().unwrap_or_default(),
        name.rsplit(['*', '?']).next().unwrap_or_default(),
    );
    let names = files.list(&joined(folder, within)).into_iter();
    let names =
        names.filter(|one| one.starts_with(begin) && one.ends_with(end) && !one.ends_with('/'));
    names
        .take(MOST_FILES)
        .map(|one| match within {
            "" => one,
            within => format!("{within}/{one}"),
        })
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
                "gradlew" => "java -jar wrapper.jar",
                "sub/Makefile" => "all:\n\ttrue\n",
                "sub/package.json" => "{}",
                "pkg/mod.py" => "print(2)",
                _ => return None,
            };
            Some(text.to_owned())
        }

        fn exists(&self, path: &str) -> bool {
            self.read(path).is_some()
        }

        fn list(&self, dir: &str) -> Vec<String> {
            let names: &[&str] = match dir.trim_end_matches('/') {
                "sub" => &["run.sh", "Makefile", "deep/"],
                _ => &[],
            };
            names.iter().map(|name| (*name).to_owned()).collect()
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

    #[test]
    fn folders_patterns_and_modules_are_followed() {
        for (text, expected) in [
            ("./gradlew build", "gradlew"),
            ("make -C sub all", "Makefile gen.py sub/Makefile"),
            ("npm --prefix=sub test", "sub/package.json"),
            ("for f in sub/*.sh; do sh $f; done", "sub/run.sh"),
            ("run-parts sub", "sub/Makefile sub/run.sh"),
            ("sh \"$PWD/build.sh\"", "build.sh lib.sh tools/deep"),
            ("python3 -m pkg.mod", "pkg/mod.py"),
        ] {
            assert_eq!(paths_of(text), expected, "{text}");
        }
    }
}
