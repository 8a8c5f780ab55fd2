//! All messages of the parser, the embedded languages and the rules on one page: `engine/lint/tests/messages.txt`.
//!
//! Collected from the drawn fixtures of the tests, one message of each shape; messages that differ only in names and
//! numbers have the same shape. `UPDATE_DOCS=1 cargo test -p attractor-lint` writes the page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use attractor_tests::repository;

use crate::by_name;
use crate::registry::LINTS;

/// Messages by shape, the shortest one of each.
type Messages = BTreeMap<String, String>;

#[test]
fn the_messages_are_fresh() {
    attractor_tests::fresh("engine/lint/tests/messages.txt", &page());
}

#[test]
fn every_rule_has_a_message() {
    let page = page();
    let sections: BTreeSet<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .collect();
    let missing: Vec<&str> = LINTS
        .iter()
        .map(|lint| lint.rule)
        .filter(|rule| !sections.contains(rule))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn messages_of_one_shape_are_listed_once() {
    let mut messages = Messages::new();
    for message in [
        "unknown handler `tool2`",
        "unknown handler `tol`",
        "at most 10",
        "at most 3",
    ] {
        add(&mut messages, message.to_owned());
    }
    let listed: Vec<&String> = messages.values().collect();
    assert_eq!(listed, ["at most 3", "unknown handler `tol`"]);
}

fn page() -> String {
    let root = repository();
    let mut page =
        "Generated from the fixtures of the tests by UPDATE_DOCS=1 cargo test -p attractor-lint; do not edit.\n"
            .to_owned();
    let parser = files(&root.join("engine/dot/tests"));
    section(&mut page, "parser", &collect(&parser, |_| true));
    let languages = files(&root.join("engine/lang/src"));
    let sentences = |message: &str| message.split_whitespace().count() > 3;
    section(
        &mut page,
        "embedded languages",
        &collect(&languages, sentences),
    );
    let mut by_rule: BTreeMap<String, Messages> = BTreeMap::new();
    for file in files(&root.join("engine/lint/src")) {
        rules(&file, &mut by_rule);
    }
    for (rule, messages) in &by_rule {
        section(&mut page, rule, messages);
    }
    page
}

fn section(page: &mut String, name: &str, messages: &Messages) {
    let mut lines: Vec<&str> = messages.values().map(String::as_str).collect();
    lines.sort_unstable();
    let _ = write!(page, "\n## {name}\n{}\n", lines.join("\n"));
}

fn collect(files: &[PathBuf], wanted: impl Fn(&str) -> bool) -> Messages {
    let mut messages = Messages::new();
    for file in files {
        for line in read(file).lines() {
            if let Some(message) = drawn(line).filter(|message| wanted(message)) {
                add(&mut messages, message.to_owned());
            }
        }
    }
    messages
}

/// The messages and fixes in the fixtures of a rule. A file that several rules share names the rule in each fixture.
fn rules(file: &Path, by_rule: &mut BTreeMap<String, Messages>) {
    let mut names = file.iter().filter_map(|part| Path::new(part).file_stem());
    let mut rule = names
        .find_map(|name| by_name(name.to_str()?))
        .map(|lint| lint.rule);
    for line in read(file).lines() {
        if let Some(lint) = line.split('"').skip(1).step_by(2).find_map(by_name) {
            rule = Some(lint.rule);
        }
        let message = drawn(line).filter(|message| has_severity(message));
        let fix = line.trim_start().strip_prefix("fix: ");
        let found = message
            .map(str::to_owned)
            .or_else(|| fix.map(|title| format!("fix: {title}")));
        if let (Some(rule), Some(found)) = (rule, found) {
            add(by_rule.entry(rule.to_owned()).or_default(), found);
        }
    }
}

/// The message drawn under a line of a fixture, after its `^^^`.
fn drawn(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('^')?;
    rest.trim_start_matches('^').strip_prefix(' ')
}

fn has_severity(message: &str) -> bool {
    ["error: ", "warning: ", "info: ", "hint: ", "note: "]
        .iter()
        .any(|severity| message.starts_with(severity))
}

fn add(messages: &mut Messages, message: String) {
    let listed = messages
        .entry(shape(&message))
        .or_insert_with(|| message.clone());
    if (message.len(), &message) < (listed.len(), &*listed) {
        *listed = message;
    }
}

/// A message without what is between backticks and without digits.
fn shape(message: &str) -> String {
    let texts = message.split('`').step_by(2);
    let plain: String = texts.collect::<Vec<_>>().join("`");
    plain
        .chars()
        .filter(|letter| !letter.is_ascii_digit())
        .collect()
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap()
}

/// The Rust files below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect();
    found.sort();
    found
}
