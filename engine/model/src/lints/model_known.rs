//! `model_known`: a model's name, perhaps by a slip.

use super::edits::fix;
use super::providers;
use super::{Check, Findings, Lint, Subject};
use crate::attributes::{Attributes, Source};
use crate::catalogue::{MODELS, model, nearest};
use crate::options::Level;

pub(super) const LINT: Lint = Lint {
    rule: "model_known",
    level: Level::Info,
    fixable: true,
    summary: "A model that is not in the catalogue, or a provider's name with a slip.",
    doc: "Providers add models faster than tools learn them, so an unknown name is passed on as it is. A name one \
letter away from a known one is probably a slip. So is a provider almost called `anthropic`, `openai` or `gemini`; \
that is a warning, since nobody answers under such a name.",
    example: "plan [model=\"claude-opus-5.55\"]",
    check: Check::Pipeline(check),
};

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    in_attributes(subject, &subject.pipeline.attributes, None, findings);
    for node in &subject.pipeline.nodes {
        in_attributes(subject, &node.attributes, Some(&node.id), findings);
    }
    providers::check(&LINT, subject, findings);
}

fn in_attributes(
    subject: &Subject<'_>,
    attributes: &Attributes,
    node: Option<&str>,
    findings: &mut Findings<'_>,
) {
    let Some(attribute) = attributes
        .get("model")
        .filter(|model| model.source == Source::Own)
    else {
        return;
    };
    let name = attribute.value.trim();
    let own = &subject.options.models;
    if model(name).is_some() || own.iter().any(|known| known == name) || name.is_empty() {
        return;
    }
    let known = MODELS
        .iter()
        .flat_map(|row| std::iter::once(row.id).chain(row.aliases.iter().copied()))
        .map(|name| -> &str { name })
        .chain(own.iter().map(String::as_str));
    // Another version is another model, not a slip.
    let Some(near) = nearest(name, known).filter(|near| digits(near) == digits(name)) else {
        return;
    };
    let Some(range) = attribute.value_range() else {
        return;
    };
    let message = format!("no known model is called `{name}`; did you mean `{near}`?");
    let edit = subject.edits().replace_value(range, near);
    let mut diagnostic = findings
        .diagnostic(&LINT, range, message)
        .fix(fix(format!("Replace by `{near}`"), edit));
    diagnostic.node = node.map(str::to_owned);
    findings.push(diagnostic);
}

fn digits(name: &str) -> String {
    name.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn a_slip_but_no_other_version() {
        check(
            "model_known",
            "digraph {\n    start -> a -> b -> c\n    a [prompt=x, model=\"claude-sonet-5-5\"]\n    b [prompt=x, model=\"claude-sonnet-7-1\"]\n    c [prompt=x, model=\"my-own\"]\n}",
            expect![[r#"
            a [prompt=x, model="claude-sonet-5-5"]
                               ^^^^^^^^^^^^^^^^^^ info: no known model is called `claude-sonet-5-5`; did you mean `claude-sonnet-5-5`?
              fix: Replace by `claude-sonnet-5-5`
                + a [prompt=x, model="claude-sonnet-5-5"]
        "#]],
        );
    }
}
