//! What is wrong in a stylesheet that is a file of its own: the same as in one inside of a pipeline.
//!
//! Only what the file shows without a pipeline: names of properties, and values. Its syntax is reported by the parser.

use std::ops::Range;

use attractor_dot::{Edit, Fix, TextRange};
use attractor_lang::stylesheet::{Declaration, Stylesheet};
use attractor_model::Diagnostic;

use crate::Lint;
use crate::rules::attribute_value::{self, problem_of_declaration};
use crate::rules::unknown_attribute::{self, nearest_property, unknown_property};

/// The diagnostics of a stylesheet that was parsed from `text`, in the order of its rules.
pub fn check_stylesheet(sheet: &Stylesheet, text: &str) -> Vec<Diagnostic> {
    let declarations = sheet.rules.iter().flat_map(|rule| &rule.declarations);
    declarations
        .filter_map(|declaration| check(declaration, text))
        .collect()
}

fn check(declaration: &Declaration, text: &str) -> Option<Diagnostic> {
    let name = declaration.property.as_str();
    if let Some(better) = nearest_property(name) {
        let message = unknown_property(name, better);
        let found = diagnostic(
            &unknown_attribute::LINT,
            &declaration.property_range,
            message,
        )?;
        return Some(found.fix(replace(text, &declaration.property_range, better)));
    }
    let problem = problem_of_declaration(declaration)?;
    let range = &declaration.value_range;
    let found = diagnostic(&attribute_value::LINT, range, problem.message)?;
    let better = problem.better;
    Some(found.maybe_fix(better.map(|better| replace(text, range, &better))))
}

/// A finding of a lint at its usual level.
fn diagnostic(lint: &Lint, range: &Range<usize>, message: String) -> Option<Diagnostic> {
    let range = TextRange::new(range.start, range.end);
    Some(Diagnostic::new(
        lint.rule,
        lint.level.severity()?,
        range,
        message,
    ))
}

/// Replaces a word and keeps the quotes around it.
fn replace(text: &str, range: &Range<usize>, better: &str) -> Fix {
    let written = text.get(range.clone()).unwrap_or_default();
    let quote = written.chars().next().filter(|c| matches!(c, '"' | '\''));
    let quote = quote.map(String::from).unwrap_or_default();
    let place = TextRange::new(range.start, range.end);
    let edit = Edit::replace(place, format!("{quote}{better}{quote}"));
    Fix::new(format!("Replace with `{better}`"), vec![edit]).preferred()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use attractor_dot::apply;
    use attractor_lang::stylesheet::parse_file;
    use attractor_model::catalogue::StyleProperties;
    use expect_test::{Expect, expect};

    use super::check_stylesheet;

    /// What is reported, and the file after all fixes.
    #[track_caller]
    fn check(name: &str, text: &str, expected: &Expect) {
        let (sheet, errors) = parse_file(name, text, &StyleProperties);
        assert_eq!(errors, []);
        let found = check_stylesheet(&sheet, text);
        let mut shown = String::new();
        let mut edits = Vec::new();
        for one in &found {
            let severity = one.severity.name();
            let place = one.range.text(text);
            writeln!(shown, "{place} {severity}[{}]: {}", one.rule, one.message).ok();
            edits.extend(one.fixes.iter().flat_map(|fix| fix.edits.clone()));
        }
        shown.push_str(&apply(text, &edits));
        expected.assert_eq(&shown);
    }

    #[test]
    fn a_misspelt_property_and_a_wrong_value() {
        check(
            "a.css",
            "* { llm_modle: small; timeout: 5 minutes } .hard { max_retries: many; own: x }",
            &expect![[r#"
                llm_modle warning[unknown_attribute]: unknown property `llm_modle`; did you mean `llm_model`?
                5 minutes error[attribute_value]: invalid duration `5 minutes` for `timeout`; expected e.g. `30s`, `15m` or `1h30m`
                many error[attribute_value]: invalid integer `many` for `max_retries`
                * { llm_model: small; timeout: 5m } .hard { max_retries: many; own: x }"#]],
        );
        check(
            "a.json",
            r#"[{"timeout": "5 minutes", "max_retries": 2, "extra": {"reasoning_efort": "high"}}]"#,
            &expect![[r#"
                "5 minutes" error[attribute_value]: invalid duration `5 minutes` for `timeout`; expected e.g. `30s`, `15m` or `1h30m`
                "reasoning_efort" warning[unknown_attribute]: unknown property `reasoning_efort`; did you mean `reasoning_effort`?
                [{"timeout": "5m", "max_retries": 2, "extra": {"reasoning_effort": "high"}}]"#]],
        );
    }
}
