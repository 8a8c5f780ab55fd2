//! One reference text per name, as Markdown: what the catalogue says of it, and the page of the rule.

use std::fmt::Write;

use attractor_model::catalogue;

use crate::Lint;
use crate::registry::by_name;

/// Everything there is to read about a name: a rule, or whatever [`catalogue::explain`] explains.
pub fn explain(name: &str) -> Option<String> {
    let parts: Vec<String> = catalogue::explain(name)
        .into_iter()
        .chain(by_name(name).map(lint_page))
        .collect();
    (!parts.is_empty()).then(|| parts.join("\n---\n\n"))
}

/// The page of a lint.
pub fn lint_page(lint: &Lint) -> String {
    let mut page = format!(
        "**`{}`** — {}\n\n{}\n\n",
        lint.rule,
        lint.level.name(),
        lint.doc
    );
    if lint.fixable {
        page.push_str("Has a quick fix. ");
    }
    let _ = writeln!(
        page,
        "Suppress it here with `// attractor: allow({})`, everywhere with `[lints] {} = \"allow\"`.\n",
        lint.rule, lint.rule
    );
    if !lint.example.is_empty() {
        let _ = writeln!(page, "```dot\n{}\n```", lint.example);
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LINTS;

    #[test]
    fn every_rule_and_every_name_of_the_catalogue_is_explained() {
        for lint in LINTS {
            assert!(explain(lint.rule).is_some(), "{}", lint.rule);
        }
        assert_eq!(explain("human_gate"), catalogue::explain("human_gate"));
        assert!(explain("no such thing").is_none());
    }
}
