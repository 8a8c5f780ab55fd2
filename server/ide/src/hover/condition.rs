//! A condition: what it says in words, and where its keys come from.

use std::fmt::Write;

use attractor_lang::condition;
use attractor_model::catalogue::{CONTEXT_KEYS, explain};

use super::code;

/// The page of a condition.
pub(super) fn page(text: &str) -> String {
    let (parsed, errors) = condition::parse(text);
    let mut page = String::from("**condition**\n\n");
    match errors.first() {
        Some(error) => {
            let _ = writeln!(page, "Syntax error: {}\n", error.message);
        }
        None => {
            let _ = writeln!(page, "True when {}.\n", condition::explain(&parsed));
        }
    }
    let mut documented: Vec<&str> = Vec::new();
    for (key, _) in parsed.keys() {
        let key = key.strip_prefix("context.").unwrap_or(key);
        let row = CONTEXT_KEYS.iter().find(|row| row.name == key);
        if let Some(row) = row.filter(|row| !documented.contains(&row.name)) {
            documented.push(row.name);
            let _ = writeln!(
                page,
                "- {}: {} {}",
                code(row.name),
                row.doc,
                explain::setter(row.setter)
            );
        }
    }
    page
}
