//! Commands of the documentation exist: packages, examples, test targets and features of `cargo`, recipes of `just`,
//! scripts of this repository, and subcommands and options of `attractor`.

mod executed;
mod shell_blocks;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use attractor_tests::{Project, program, repository};
use cargo_metadata::{Package, TargetKind};

use crate::architecture::packages;

#[test]
fn commands_of_the_documentation_exist() {
    let known = DocumentedNames::of_repository();
    let mut report = String::new();
    let mut count = 0;
    for page in all_pages() {
        let text = fs::read_to_string(&page).expect("a page");
        for (line, command) in commands(&text) {
            count += 1;
            if let Err(problem) = known.check(&command) {
                let name = page.strip_prefix(repository()).unwrap_or(&page);
                let _ = writeln!(report, "{}:{line}: {problem}: `{command}`", name.display());
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
    assert!(count > 100, "only {count} commands were found");
}

#[test]
fn a_command_that_does_not_exist_is_found() {
    let known = DocumentedNames::of_repository();
    for (command, problem) in [
        (
            "cargo run -p attractor-model --example speed",
            "no example `speed` in `attractor-model`",
        ),
        (
            "cargo test -p attractor-nothing",
            "no package `attractor-nothing`",
        ),
        ("just no-such-recipe", "no recipe `no-such-recipe`"),
        ("tests/no/run.sh", "no file `tests/no/run.sh`"),
        ("attractor fly", "no subcommand `fly`"),
        (
            "attractor fmt --fly a.dot",
            "no option `--fly` of `attractor fmt`",
        ),
    ] {
        assert_eq!(known.check(command), Err(problem.to_owned()));
    }
}

#[test]
fn pipelines_of_the_documentation_are_formatted_and_valid() {
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        for pipeline in graphs(&text) {
            count += 1;
            let project = Project::with("page.dot", pipeline);
            for command in [
                ["fmt", "--check", "page.dot"],
                ["validate", "--", "page.dot"],
            ] {
                let output = project.run(command);
                assert_eq!(output.code, Some(0), "{}: {output}", page.display());
            }
        }
    }
    assert!(count >= 3, "only {count} pipelines were found");
}

/// The whole graphs among the DOT blocks of a page.
fn graphs(text: &str) -> impl Iterator<Item = &str> {
    text.split("```dot\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .filter(|block| block.trim_start().starts_with("digraph"))
}

/// What commands may name.
struct DocumentedNames {
    packages: BTreeMap<String, Package>,
    recipes: BTreeSet<String>,
    /// The options of each subcommand of `attractor`.
    options: BTreeMap<String, BTreeSet<String>>,
}

impl DocumentedNames {
    fn of_repository() -> Self {
        let justfile = fs::read_to_string(repository().join("justfile")).expect("justfile");
        Self {
            packages: packages()
                .into_iter()
                .map(|package| (package.name.to_string(), package))
                .collect(),
            recipes: justfile
                .lines()
                .filter_map(|line| line.split_once(':').map(|(head, _)| head))
                .filter(|head| head.starts_with(|first: char| first.is_ascii_lowercase()))
                .filter_map(|head| head.split_whitespace().next())
                .map(str::to_owned)
                .collect(),
            options: options_of_subcommands(),
        }
    }

    fn check(&self, command: &str) -> Result<(), String> {
        let words: Vec<&str> = command
            .split_whitespace()
            .skip_while(|word| is_assignment(word))
            .collect();
        match words.as_slice() {
            ["cargo", rest @ ..] => self.check_cargo(rest),
            ["just", recipe, ..] if !self.recipes.contains(*recipe) => {
                Err(format!("no recipe `{recipe}`"))
            }
            ["attractor", rest @ ..] => self.check_attractor(rest),
            [script, ..] if is_script(script) && !repository().join(script).exists() => {
                Err(format!("no file `{script}`"))
            }
            _ => Ok(()),
        }
    }

    fn check_cargo(&self, words: &[&str]) -> Result<(), String> {
        let words = words.split(|word| *word == "--").next().unwrap_or_default();
        let value = |option: &str| {
            let at = words.iter().position(|word| *word == option)?;
            words.get(at + 1).copied()
        };
        for option in ["--path", "--manifest-path"] {
            if let Some(path) = value(option)
                && !repository().join(path).exists()
            {
                return Err(format!("no file `{path}`"));
            }
        }
        let Some(name) = value("-p") else {
            return Ok(());
        };
        let Some(package) = self.packages.get(name) else {
            return Err(format!("no package `{name}`"));
        };
        for (option, kind, noun) in [
            ("--example", TargetKind::Example, "example"),
            ("--test", TargetKind::Test, "test target"),
        ] {
            if let Some(target) = value(option)
                && !package
                    .targets
                    .iter()
                    .any(|known| known.name == target && known.kind.contains(&kind))
            {
                return Err(format!("no {noun} `{target}` in `{name}`"));
            }
        }
        match value("--features") {
            Some(feature) if !package.features.contains_key(feature) => {
                Err(format!("no feature `{feature}` in `{name}`"))
            }
            _ => Ok(()),
        }
    }

    fn check_attractor(&self, words: &[&str]) -> Result<(), String> {
        // `attractor COMMAND`, `attractor …` and options before a subcommand are prose or checked by clap's own tests.
        let Some(subcommand) = words.first().filter(|word| is_name(word)) else {
            return Ok(());
        };
        let Some(options) = self.options.get(*subcommand) else {
            return Err(format!("no subcommand `{subcommand}`"));
        };
        let given = words
            .iter()
            .take_while(|word| !matches!(**word, "--" | "|" | "#" | "&&"))
            .filter(|word| word.starts_with("--"))
            .map(|word| word.split(['=', '`']).next().unwrap_or(word))
            .map(|word| word.trim_end_matches([',', '.', ')', ']']));
        for option in given {
            if !options.contains(option) {
                return Err(format!("no option `{option}` of `attractor {subcommand}`"));
            }
        }
        Ok(())
    }
}

/// The options that the help of each subcommand, and of its own subcommands, names.
fn options_of_subcommands() -> BTreeMap<String, BTreeSet<String>> {
    let all = help(&[]);
    subcommands(&all)
        .into_iter()
        .map(|name| {
            let own = help(&[&name]);
            let mut options = options(&own);
            for inner in subcommands(&own) {
                options.extend(self::options(&help(&[&name, &inner])));
            }
            (name, options)
        })
        .collect()
}

fn help(subcommand: &[&str]) -> String {
    let output = Command::new(program())
        .args(subcommand)
        .arg("--help")
        .env("NO_COLOR", "1")
        .output()
        .expect("the program starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The indented first words of a help text that are names: its subcommands.
fn subcommands(help: &str) -> Vec<String> {
    help.lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| is_name(word) && *word != "help" && *word != "attractor")
        .map(str::to_owned)
        .collect()
}

fn options(help: &str) -> BTreeSet<String> {
    help.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| word.starts_with("--") && word.len() > 2)
        .map(str::to_owned)
        .chain(["--help".to_owned()])
        .collect()
}

fn is_name(word: &str) -> bool {
    !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        && !word.starts_with('-')
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

fn is_script(word: &str) -> bool {
    word.starts_with("tests/") || word.starts_with("./")
}

/// README, the pages of the repository, and of `docs`.
fn pages() -> Vec<PathBuf> {
    pages_of(&[".", "docs", "docs/adr"])
}

/// The same with the generated reference, and the pages of the editors and the packages.
fn all_pages() -> Vec<PathBuf> {
    let others = [
        "docs/reference",
        "editors/neovim",
        "editors/vscode",
        "packaging",
    ];
    [pages(), pages_of(&others)].concat()
}

fn pages_of(folders: &[&str]) -> Vec<PathBuf> {
    let folders = folders.iter();
    let mut pages: Vec<PathBuf> = folders
        .flat_map(|folder| markdown_files(&repository().join(folder)))
        .collect();
    pages.sort();
    pages
}

fn markdown_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect()
}

/// The commands of a page with their lines: of its shell blocks, and inline code that begins like one.
fn commands(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut block = None;
    for (at, line) in text.lines().enumerate() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            block = block.is_none().then_some(language.trim());
            continue;
        }
        match block {
            Some("sh" | "bash" | "console") => {
                for part in line.split(" && ") {
                    let command = part.trim().trim_start_matches("$ ");
                    found.push((at + 1, without_comment(command).to_owned()));
                }
            }
            Some(_) => {}
            None => {
                let inline = line.split('`').skip(1).step_by(2);
                let is_command = |code: &&str| {
                    ["cargo ", "just ", "attractor "]
                        .iter()
                        .any(|program| code.starts_with(program))
                };
                found.extend(
                    inline
                        .filter(is_command)
                        .map(|code| (at + 1, code.to_owned())),
                );
            }
        }
    }
    found.retain(|(_, command)| !command.is_empty());
    found
}

fn without_comment(command: &str) -> &str {
    command.split(" #").next().unwrap_or(command).trim()
}
