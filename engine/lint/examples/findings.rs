//! Prints what the validator says about every pipeline file under a folder.
//!
//! ```text
//! cargo run -p attractor-lint --example findings -- FOLDER            one line a file: errors, warnings
//! cargo run -p attractor-lint --example findings -- FOLDER --all      every finding
//! cargo run -p attractor-lint --example findings -- FOLDER --all rule  those of one rule
//! cargo run -p attractor-lint --example findings -- FOLDER --table    how many a file has, by severity
//! ```

#[path = "../tests/support/mod.rs"]
mod support;

use std::path::PathBuf;

use attractor_model::{Diagnostic, Severity};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!("usage: findings FOLDER [--all [RULE] | --table]");
        return;
    };
    let option = arguments.next().unwrap_or_default();
    let all = option == "--all";
    let mut counts: [Vec<usize>; 4] = Default::default();
    let rule = arguments.next();
    for file in support::files(&folder) {
        let Ok((text, analysis)) = support::analysis(&file, &file.display().to_string()) else {
            continue;
        };
        let count = |severity| {
            analysis
                .diagnostics
                .iter()
                .filter(|found| found.severity == severity)
                .count()
        };
        if option == "--table" {
            for (severity, counts) in SEVERITIES.into_iter().zip(&mut counts) {
                counts.push(count(severity));
            }
            continue;
        }
        let name = file
            .strip_prefix(&folder)
            .unwrap_or(&file)
            .display()
            .to_string();
        if !all {
            println!(
                "{name}\t{}\t{}",
                count(Severity::Error),
                count(Severity::Warning)
            );
            continue;
        }
        for found in &analysis.diagnostics {
            if rule.as_deref().is_none_or(|rule| rule == found.rule) {
                println!("{}", line(&name, &text, found));
            }
        }
    }
    if option == "--table" {
        table(&mut counts);
    }
}

const SEVERITIES: [Severity; 4] = [
    Severity::Error,
    Severity::Warning,
    Severity::Info,
    Severity::Hint,
];

/// Prints for each severity how many findings files have.
fn table(counts: &mut [Vec<usize>; 4]) {
    println!(
        "| of {} files | without any | median | 90 % have at most | most | all |",
        counts[0].len()
    );
    println!("|---|---|---|---|---|---|");
    for (severity, counts) in SEVERITIES.into_iter().zip(counts) {
        counts.sort_unstable();
        let share = |percent: usize| {
            counts.get((counts.len() * percent / 100).min(counts.len().saturating_sub(1)))
        };
        let [median, most_files, most] =
            [50, 90, 100].map(|percent| share(percent).copied().unwrap_or(0));
        let none = counts.iter().filter(|count| **count == 0).count();
        println!(
            "| {} | {} % | {median} | {most_files} | {most} | {} |",
            severity.name(),
            100 * none / counts.len().max(1),
            counts.iter().sum::<usize>()
        );
    }
}

fn line(name: &str, text: &str, found: &Diagnostic) -> String {
    let before = text.get(..found.range.start()).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    format!(
        "{name}:{line}: {} {}: {}",
        found.severity.name(),
        found.rule,
        found.message
    )
}
