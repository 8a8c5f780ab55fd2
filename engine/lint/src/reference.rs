//! The reference page of the rules: `docs/reference/lints.md`.
//!
//! A test compares the file with what the table says; `UPDATE_DOCS=1 cargo test -p attractor-lint` writes it.

use std::fmt::Write;

use attractor_model::catalogue::reference::cell;

use crate::explain::lint_page;
use crate::registry::LINTS;

const GENERATED: &str = "<!-- Generated from the rules in engine/lint; UPDATE_DOCS=1 cargo test -p attractor-lint -->\n\n";

/// The page, as Markdown.
pub fn page() -> String {
    let mut page = GENERATED.to_owned()
        + "# Lints\n\nSet the level of a rule for a project with `[lints] rule = \"allow|hint|info|warn|error\"` in \
`.attractor/config.toml`. Suppress a rule for one line with `// attractor: allow(rule)` on that line or the one \
before.\n\n\
| rule | level | fix | |\n|---|---|---|---|\n";
    for lint in LINTS {
        let fix = if lint.fixable { "yes" } else { "" };
        let _ = writeln!(
            page,
            "| [`{}`](#{}) | {} | {} | {} |",
            lint.rule,
            lint.rule,
            lint.level.name(),
            fix,
            cell(lint.summary)
        );
    }
    for lint in LINTS {
        let _ = write!(page, "\n## {}\n\n{}", lint.rule, lint_page(lint));
    }
    page
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_pages_of_the_rules_are_fresh() {
        attractor_tests::fresh("docs/reference/lints.md", &super::page());
    }
}
