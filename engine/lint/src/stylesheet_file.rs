//! What is wrong in a stylesheet that is a file of its own: the same as in one inside of a pipeline.
//!
//! Names of properties and values are checked without a pipeline; what selectors, models and providers mean depends on
//! the pipelines that the file is for, and on their configuration. Its syntax is reported by the parser.

use std::ops::Range;

use attractor_dot::{Edit, Fix, TextRange};
use attractor_lang::stylesheet::{Declaration, Stylesheet};
use attractor_model::{Diagnostic, Options, Pipeline};

use crate::rules::attribute_value::{self, problem_of_declaration};
use crate::rules::unknown_attribute::{self, nearest_property, unknown_property};
use crate::rules::{selector_unmatched, unknown_model};
use crate::{DiagnosticSink, Lint, providers, selectors};

/// The diagnostics of a stylesheet that was parsed from `text`, in the order of its rules.
pub fn check_stylesheet(sheet: &Stylesheet, text: &str) -> Vec<Diagnostic> {
    let declarations = sheet.rules.iter().flat_map(|rule| &rule.declarations);
    declarations
        .filter_map(|declaration| check(declaration, text))
        .collect()
}

/// The names in a stylesheet that mean nothing for any of the pipelines it is applied to: selectors that no node has, and
/// misspelt models and providers.
pub fn check_stylesheet_names(
    sheet: &Stylesheet,
    text: &str,
    pipelines: &[&Pipeline],
    options: &Options,
) -> Vec<Diagnostic> {
    let mut sink = DiagnosticSink::new(&options.levels);
    if sink.severity(&selector_unmatched::LINT).is_some() && !pipelines.is_empty() {
        for part in selectors::unmatched(sheet, pipelines, options) {
            let place = TextRange::new(part.range.start, part.range.end);
            sink.push(selector_unmatched::finding(&part, place, text, &sink));
        }
    }
    if sink.severity(&unknown_model::LINT).is_some() {
        let declarations = sheet.rules.iter().flat_map(|rule| &rule.declarations);
        for declaration in declarations {
            let range = &declaration.value_range;
            let place = TextRange::new(range.start, range.end);
            let edit = |near: &str| Edit::replace(place, quoted_as(text, range, near));
            let model = unknown_model::of_declaration(declaration, place, options, &sink, edit);
            let lint = &unknown_model::LINT;
            let provider =
                || providers::of_declaration(lint, declaration, (place, options), &sink, edit);
            if let Some(found) = model.or_else(provider) {
                sink.push(found);
            }
        }
    }
    sink.into_diagnostics()
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

/// A word in the quotes of the one it replaces.
fn quoted_as(text: &str, range: &Range<usize>, better: &str) -> String {
    let written = text.get(range.clone()).unwrap_or_default();
    let quote = written.chars().next().filter(|c| matches!(c, '"' | '\''));
    let quote = quote.map(String::from).unwrap_or_default();
    format!("{quote}{better}{quote}")
}

/// Replaces a word and keeps the quotes around it.
fn replace(text: &str, range: &Range<usize>, better: &str) -> Fix {
    let place = TextRange::new(range.start, range.end);
    let edit = Edit::replace(place, quoted_as(text, range, better));
    Fix::new(format!("Replace with `{better}`"), vec![edit]).preferred()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use attractor_dot::apply;
    use attractor_lang::stylesheet::parse_file;
    use attractor_model::catalogue::StyleProperties;
    use attractor_model::{Options, Pipeline};
    use expect_test::{Expect, expect};

    use super::{check_stylesheet, check_stylesheet_names};

    /// Two pipelines that one stylesheet is for.
    const PIPELINES: &str = r#"
digraph first { start -> plan -> done; plan [class=hard, prompt=x] }
digraph second { start -> test_unit -> done; test_unit [class=quick, command=ls] }
"#;

    /// What is reported, and the file after all fixes.
    #[track_caller]
    fn check(name: &str, text: &str, expected: &Expect) {
        let (sheet, errors) = parse_file(name, text, &StyleProperties);
        assert_eq!(errors, []);
        let mut found = check_stylesheet(&sheet, text);
        let pipelines = Pipeline::from_text(PIPELINES);
        let pipelines: Vec<&Pipeline> = pipelines.iter().map(|one| &**one).collect();
        let options = Options::default();
        found.extend(check_stylesheet_names(&sheet, text, &pipelines, &options));
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

    #[test]
    fn names_that_mean_nothing_in_any_of_the_pipelines() {
        check(
            "a.css",
            "* { model: cluade-sonnet-5-5 } .hrad, .quick, #plan { provider: opanai } #gone { timeout: 5m } tol { timeout: 5m }",
            &expect![[r#"
                .hrad warning[selector_unmatched]: no node has class `hrad`; did you mean `hard`?
                #gone warning[selector_unmatched]: no node has id `gone`; did you mean `done`?
                tol warning[selector_unmatched]: no node has shape or kind `tol`; did you mean `tool`?
                cluade-sonnet-5-5 error[unknown_model]: unknown model `cluade-sonnet-5-5`; did you mean `claude-sonnet-5-5`?
                opanai error[unknown_model]: unknown provider `opanai`; did you mean `openai`?
                * { model: claude-sonnet-5-5 } .hard, .quick, #plan { provider: openai } #done { timeout: 5m } tool { timeout: 5m }"#]],
        );
        check(
            "a.json",
            r#"[{"handler_type": "tol", "model": "cluade-sonnet-5-5"}, {"name_pattern": "test_*", "timeout": 1}, {"name_pattern": "lint_*", "timeout": 1}]"#,
            &expect![[r#"
                "tol" warning[selector_unmatched]: no node has shape or kind `tol`; did you mean `tool`?
                "lint_*" hint[selector_unmatched]: no node has name `lint_*`
                "cluade-sonnet-5-5" error[unknown_model]: unknown model `cluade-sonnet-5-5`; did you mean `claude-sonnet-5-5`?
                [{"handler_type": "tool", "model": "claude-sonnet-5-5"}, {"name_pattern": "test_*", "timeout": 1}, {"name_pattern": "lint_*", "timeout": 1}]"#]],
        );
        check(
            "a.toml",
            "[[rules]]\nname_pattern = \"pln\"\nllm_provider = 'gemnii'\n",
            &expect![[r#"
                "pln" warning[selector_unmatched]: no node has name `pln`; did you mean `plan`?
                'gemnii' error[unknown_model]: unknown provider `gemnii`; did you mean `gemini`?
                [[rules]]
                name_pattern = "plan"
                llm_provider = 'gemini'
            "#]],
        );
        check(
            "a.yaml",
            "- handler_type: codergen\n  llm_model: cluade-sonnet-5-5\n",
            &expect![[r#"
                cluade-sonnet-5-5 error[unknown_model]: unknown model `cluade-sonnet-5-5`; did you mean `claude-sonnet-5-5`?
                - handler_type: codergen
                  llm_model: claude-sonnet-5-5
            "#]],
        );
    }
}
