//! The files of a project that commands execute by name: a program (`./build.sh`), what an interpreter is given
//! (`bash x.sh`), what a build tool reads (`make`, `npm run`), and what those name in turn.
//!
//! A script is recognised by its content or its ending where a command names it, and by the word before it.
//! What a program loads by other means (what a module imports, what a value becomes) is not found.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use attractor_model::Files;

use super::hidden_values::hidden_values;
use super::script_paths::paths;

/// Files at most: more are not read by anybody.
const MOST_FILES: usize = 100;

/// A larger file is data.
const LARGEST: usize = 256 * 1024;

/// Endings of scripts without a `#!` line.
const ENDINGS: &[&str] = &[
    "awk", "bash", "bat", "cjs", "cmd", "fish", "go", "js", "jl", "just", "ksh", "lua", "mjs",
    "mk", "php", "pl", "ps1", "py", "r", "rb", "sed", "sh", "sql", "tcl", "ts", "zsh",
];

/// The scripts that `texts` name: path below the root of `files`, and content. Each text comes with the folder that its
/// paths are relative to.
pub(super) fn named(
    texts: impl IntoIterator<Item = (String, String)>,
    files: &dyn Files,
) -> Vec<(String, String)> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut tried: BTreeSet<(String, bool)> = BTreeSet::new();
    let mut pending: VecDeque<(String, String)> = texts.into_iter().collect();
    while let Some((folder, text)) = pending.pop_front() {
        for candidate in paths(&folder, &text, files) {
            let (path, is_program) = (candidate.path, candidate.is_program);
            if found.len() >= MOST_FILES
                || found.contains_key(&path)
                || !tried.insert((path.clone(), is_program))
            {
                continue;
            }
            match files.read(&path).filter(|text| text.len() <= LARGEST) {
                Some(content) if is_program || is_script(&path, &content) => {
                    pending.push_back((folder.clone(), content.clone()));
                    let content = hidden_values(&path, &content).unwrap_or(content);
                    found.insert(path, content);
                }
                // What nobody can read is known by its hash.
                None if is_program || is_script(&path, "") => {
                    let hash = files.hash(&path);
                    found.extend(hash.map(|hash| (path, format!("SHA-256: {hash}\n"))));
                }
                _ => {}
            }
        }
    }
    found.into_iter().collect()
}

fn is_script(path: &str, content: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    content.starts_with("#!") || ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
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
        let found = named([(String::new(), text.to_owned())], &Folder);
        let paths: Vec<String> = found.into_iter().map(|(path, _)| path).collect();
        paths.join(" ")
    }

    /// A folder with one file.
    struct Single(&'static str, &'static str);

    impl Files for Single {
        fn read(&self, path: &str) -> Option<String> {
            (path == self.0).then(|| self.1.to_owned())
        }

        fn exists(&self, path: &str) -> bool {
            path == self.0
        }

        fn list(&self, dir: &str) -> Vec<String> {
            let below = self.0.strip_prefix(dir.trim_end_matches('/'));
            let below = below.map(|below| below.trim_start_matches('/'));
            let below = below.filter(|below| !below.contains('/'));
            below.map(str::to_owned).into_iter().collect()
        }

        fn hash(&self, path: &str) -> Option<String> {
            (path == self.0).then(|| "00".to_owned())
        }
    }

    fn found(text: &str, files: &dyn Files) -> Vec<(String, String)> {
        named([(String::new(), text.to_owned())], files)
    }

    fn is_noticed(text: &str, path: &'static str) -> bool {
        let found = found(text, &Single(path, "text"));
        found.iter().any(|(found, _)| found == path)
    }

    #[test]
    fn what_programs_execute_is_found() {
        for (programs, names) in crate::consent::program_files::BY_PROGRAM {
            for name in *names {
                let path: &'static str = name.replace('*', "x").leak();
                assert!(!is_noticed("true", path), "{path}");
                for program in *programs {
                    assert!(
                        is_noticed(&format!("{program} x"), path),
                        "{program}: {path}"
                    );
                    let below = format!("tools/{program} x");
                    assert!(is_noticed(&below, path), "{below}: {path}");
                }
            }
        }
    }

    #[test]
    fn what_is_loaded_is_found() {
        for (text, path) in [
            ("PATH=./scripts:$PATH x", "scripts/x"),
            ("export PATH=\"$PATH:scripts\"; x", "scripts/x"),
            ("PYTHONPATH=lib python3 -m helper", "lib/helper.py"),
            ("ruby -Ilib -rname main", "lib/name.rb"),
            ("ruby -I lib -r name main", "lib/name.rb"),
            ("perl -Ilib -MName main", "lib/Name.pm"),
            ("env -S 'sh tool'", "tool"),
            ("A=./tool; eval $A", "tool"),
            ("bash tool", "tool"),
            (". lib/settings", "lib/settings"),
            ("npx tool", "node_modules/.bin/tool"),
            ("include a rules/b", "rules/b"),
            ("-include a", "a"),
            ("import 'more'", "more"),
            ("import? \"more\"", "more"),
            ("mod more", "more.just"),
            ("set dotenv-load", ".env"),
            ("go run main.go", "main.go"),
        ] {
            assert!(is_noticed(text, path), "{text}: {path}");
        }
    }

    #[test]
    fn hooks_of_the_configured_folder_are_found() {
        struct Repository;
        impl Files for Repository {
            fn read(&self, path: &str) -> Option<String> {
                match path {
                    ".git/config" => Some("[core]\n\thooksPath = tools/hooks\n".to_owned()),
                    "tools/hooks/pre-commit" => Some("curl".to_owned()),
                    _ => None,
                }
            }
            fn exists(&self, path: &str) -> bool {
                self.read(path).is_some()
            }
            fn list(&self, dir: &str) -> Vec<String> {
                let names = (dir == "tools/hooks").then(|| "pre-commit".to_owned());
                names.into_iter().collect()
            }
        }
        let hook = ("tools/hooks/pre-commit".to_owned(), "curl".to_owned());
        assert_eq!(found("git commit -m x", &Repository), [hook]);
    }

    #[test]
    fn what_nobody_can_read_is_known_by_its_hash() {
        let large: &'static str = "x".repeat(LARGEST + 1).leak();
        let hash = ("tool".to_owned(), "SHA-256: 00\n".to_owned());
        assert_eq!(found("./tool", &Single("tool", large)), [hash]);
    }

    #[test]
    fn values_of_variables_are_not_shown() {
        let found = found("docker compose up", &Single(".env", "A=secret\n"));
        let (_, content) = found.first().unwrap();
        assert!(
            content.contains("A=") && !content.contains("secret"),
            "{content}"
        );
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
