//! Pipelines from public repositories: what the validator says about each, and whether that is right.
//!
//! The files are found through the environment variable `ATTRACTOR_CORPUS`; without it the test is ignored.
//! `corpus.tsv` next to this file holds a line a file: errors, warnings, the rules that spoke, and a person's verdict
//! on them. `UPDATE_CORPUS=1` writes it again, keeps verdicts whose findings did not change and marks the others
//! `unjudged`, which the test does not accept.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod support;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use attractor_model::Severity;

#[test]
#[ignore = "reads the pipelines of ATTRACTOR_CORPUS"]
fn corpus_diagnostics_are_judged() {
    let corpus = PathBuf::from(std::env::var_os("ATTRACTOR_CORPUS").unwrap());
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus.tsv");
    let written = std::fs::read_to_string(&table).unwrap_or_default();
    let verdicts = verdicts(&written);
    let files = support::files(&corpus);
    assert!(!files.is_empty(), "no pipelines under ATTRACTOR_CORPUS");
    let mut rows = String::from("file\terrors\twarnings\trules\tverdict\n");
    for file in &files {
        let name = file.strip_prefix(&corpus).unwrap().display().to_string();
        let row = row(file, &name);
        let verdict = match verdicts.get(&row) {
            Some(verdict) => verdict.as_str(),
            None if row.ends_with("\t0\t0\t") => "clean",
            None => "unjudged",
        };
        let _ = writeln!(rows, "{row}\t{verdict}");
    }
    if std::env::var_os("UPDATE_CORPUS").is_some() {
        std::fs::write(&table, &rows).unwrap();
    }
    let written = std::fs::read_to_string(&table).unwrap_or_default();
    let changed: Vec<_> = rows
        .lines()
        .filter(|row| !written.lines().any(|old| old == *row))
        .collect();
    assert!(
        changed.is_empty(),
        "findings changed; judge them in tests/corpus.tsv (UPDATE_CORPUS=1):\n{}",
        changed.join("\n")
    );
    let open: Vec<_> = rows
        .lines()
        .filter(|row| row.ends_with("\tunjudged") || row.contains("\tfalse"))
        .collect();
    assert!(
        open.is_empty(),
        "unjudged or false findings:\n{}",
        open.join("\n")
    );
}

/// File, errors, warnings and the rules that spoke, by tabs.
fn row(file: &Path, name: &str) -> String {
    let (_, analysis) = support::analysis(file, name).unwrap();
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut errors, mut warnings) = (0, 0);
    for found in &analysis.diagnostics {
        match found.severity {
            Severity::Error => errors += 1,
            Severity::Warning => warnings += 1,
            Severity::Info | Severity::Hint => continue,
        }
        *rules.entry(found.rule).or_default() += 1;
    }
    let rules: Vec<_> = rules
        .iter()
        .map(|(rule, count)| format!("{rule} {count}"))
        .collect();
    format!("{name}\t{errors}\t{warnings}\t{}", rules.join(", "))
}

/// What a person said about each row.
fn verdicts(table: &str) -> BTreeMap<String, String> {
    table
        .lines()
        .skip(1)
        .filter_map(|line| line.rsplit_once('\t'))
        .map(|(row, verdict)| (row.to_owned(), verdict.to_owned()))
        .collect()
}
