//! Prints what the validator says about every pipeline file under a folder.
//!
//! ```text
//! cargo run -p attractor-model --example findings -- FOLDER            one line a file: errors, warnings
//! cargo run -p attractor-model --example findings -- FOLDER --all      every finding
//! cargo run -p attractor-model --example findings -- FOLDER --all rule  those of one rule
//! ```

#[path = "../tests/support/mod.rs"]
mod support;

use std::path::PathBuf;

use attractor_model::{Diagnostic, Severity};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!("usage: findings FOLDER [--all [RULE]]");
        return;
    };
    let all = arguments.next().is_some_and(|argument| argument == "--all");
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
