//! Models and providers, from the catalogue of language models. A name that is not there is not an error: providers publish
//! models faster than tools learn of them.

use std::fmt::Write as _;

use attractor_models::{Catalogue, DeclaredModel, Model, Price, Provider};

/// Models to offer in completion, by provider, newest and largest first.
pub fn models() -> impl Iterator<Item = &'static Model> {
    Catalogue::shipped().models().map(|model| &**model)
}

/// The model of that id or alias.
pub fn model(name: &str) -> Option<&'static Model> {
    Catalogue::shipped().model(name).map(|model| &**model)
}

/// Why a declared model cannot be used next to the listed ones and those declared before it.
pub fn declaration_problem(before: &[DeclaredModel], declared: &DeclaredModel) -> Option<String> {
    let catalogue = Catalogue::shipped().with_all(before);
    let problem = catalogue.with(declared).err()?;
    Some(problem.to_string())
}

/// What is known of a declared model, by its id or an alias.
pub fn declared_model(declared: &[DeclaredModel], name: &str) -> Option<Model> {
    let mut named = declared.iter();
    let found = named.find(|model| model.names().any(|own| own == name))?;
    Catalogue::shipped().declared(found)
}

/// The page of a model.
pub fn model_page(model: &Model) -> String {
    let summary = match model.summary.as_str() {
        "" => String::new(),
        summary => format!("{summary}\n\n"),
    };
    let facts = facts(model);
    let (id, provider) = (&model.id, &model.provider);
    format!("**`{id}`** — model of {provider}\n\n{summary}{facts}")
}

/// Providers, most used first.
pub fn providers() -> &'static [Provider] {
    Catalogue::shipped().providers()
}

/// The provider of that name or alias, in any case.
pub fn provider(name: &str) -> Option<&'static Provider> {
    providers()
        .iter()
        .find(|row| row.names().any(|known| known.eq_ignore_ascii_case(name)))
}

/// What a model takes and costs, as a list.
pub(super) fn facts(model: &Model) -> String {
    let mut page = String::new();
    if let Some(window) = model.context_window {
        let _ = writeln!(page, "- context window: {} tokens", grouped(window));
    }
    if let Some(limit) = model.max_output {
        let _ = writeln!(page, "- output: at most {} tokens", grouped(limit));
    }
    if let Some(Price { input, output, .. }) = model.price {
        let _ = writeln!(
            page,
            "- price per million tokens: ${input} in, ${output} out"
        );
    }
    if let Some(date) = model.retires {
        let successor = model
            .successor
            .as_ref()
            .map(|name| format!("; use `{name}`"));
        let _ = writeln!(page, "- retires: {date}{}", successor.unwrap_or_default());
    }
    page
}

/// `1000000` as `1,000,000`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gemini_is_an_alias_of_google() {
        assert_eq!(
            provider("Gemini").map(|row| row.id.as_str()),
            Some("google")
        );
        assert!(provider("mistral").is_none());
    }

    #[test]
    fn facts_are_what_is_known() {
        let text = facts(model("claude-sonnet-4-5").unwrap());
        assert!(
            text.contains("- context window: 200,000 tokens\n"),
            "{text}"
        );
        assert!(
            text.contains("- retires: 2026-11-30; use `claude-sonnet-5-5`\n"),
            "{text}"
        );
    }
}
