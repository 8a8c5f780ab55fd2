use expect_test::{Expect, expect};

use super::*;
use crate::{CacheStyle, Date, Effort, Lifecycle, ReasoningStyle, Sampling};

#[test]
fn the_shipped_file_is_valid() {
    let catalogue = Catalogue::parse(SHIPPED).expect("the shipped catalogue");
    assert!(catalogue.models().count() > 50);
    for model in catalogue.models() {
        assert!(
            !model.name.is_empty() && !model.summary.is_empty(),
            "{}",
            model.id
        );
        assert!(
            model.context_window.is_some() && model.max_output.is_some(),
            "{}",
            model.id
        );
        assert_eq!(
            catalogue
                .provider_of(&model.id)
                .map(|provider| &provider.id),
            Some(&model.provider)
        );
        let has_efforts = matches!(
            model.reasoning.style,
            ReasoningStyle::Effort | ReasoningStyle::Adaptive
        );
        assert_eq!(
            has_efforts,
            !model.reasoning.efforts.is_empty(),
            "{}",
            model.id
        );
        assert!(model.reasoning.efforts.is_sorted(), "{}", model.id);
        assert_ne!(model.cache.style, CacheStyle::None, "{}", model.id);
    }
}

#[test]
fn providers_are_found_by_the_prefix_of_a_model() {
    let cases = [
        ("claude-nobody-knows-9", Some("anthropic")),
        ("gpt-99", Some("openai")),
        ("gpt-oss:20b", Some("openai-compatible")),
        ("o1-preview", Some("openai")),
        ("o4", Some("openai")),
        ("o10-x", None),
        ("gemini-9-x", Some("google")),
        ("opus", Some("anthropic")),
        ("llama3:8b", None),
        ("", None),
    ];
    for (model, expected) in cases {
        let found = Catalogue::shipped()
            .provider_of(model)
            .map(|provider| provider.id.as_str());
        assert_eq!(found, expected, "{model}");
    }
}

#[test]
fn an_alias_resolves_to_the_id_the_api_takes() {
    let resolved = Catalogue::shipped().resolve("sonnet", None).unwrap();
    assert_eq!(
        (resolved.id.as_str(), resolved.is_listed),
        ("claude-sonnet-5-5", true)
    );
    let google = Catalogue::shipped()
        .resolve("gemini-pro", Some("gemini"))
        .unwrap();
    assert_eq!(
        (google.id.as_str(), google.provider.as_str()),
        ("gemini-4-argon", "google")
    );
}

#[test]
fn an_unlisted_model_takes_the_newest_rules_and_no_price() {
    let resolved = Catalogue::shipped().resolve("gpt-12", None).unwrap();
    assert_eq!(resolved.id, "gpt-12");
    assert!(!resolved.is_listed);
    assert_eq!(resolved.rules.sampling, Sampling::Unsupported);
    assert_eq!(resolved.rules.price, None);
    assert_eq!(resolved.rules.retires, None);
}

#[test]
fn a_given_provider_wins_over_the_prefix() {
    let resolved = Catalogue::shipped()
        .resolve("gpt-5.5", Some("openai-compatible"))
        .unwrap();
    assert_eq!(resolved.provider, "openai-compatible");
    assert_eq!(resolved.id, "gpt-5.5");
    assert!(!resolved.is_listed);
    assert_eq!(resolved.rules.max_output, None);
    assert!(
        Catalogue::shipped()
            .resolve("gpt-5.5", Some("nobody"))
            .is_none()
    );
    assert!(Catalogue::shipped().resolve("llama3", None).is_none());
}

#[test]
fn retired_models_are_known_with_their_date_and_successor() {
    let model = Catalogue::shipped().model("claude-sonnet-4-5").unwrap();
    assert_eq!(
        model.lifecycle("2026-11-22".parse().unwrap()),
        Lifecycle::Retiring("2026-11-30".parse().unwrap())
    );
    assert_eq!(model.successor.as_deref(), Some("claude-sonnet-5-5"));
    let gone = Catalogue::shipped().model("claude-3-5-sonnet").unwrap();
    assert!(matches!(
        gone.lifecycle("2026-11-22".parse().unwrap()),
        Lifecycle::Retired(_)
    ));
}

#[test]
fn a_user_file_changes_the_keys_it_sets_and_adds_models() {
    let merged = Catalogue::shipped()
        .merged(
            r#"
            [[model]]
            id = "claude-opus-5-5"
            price = { input = 1.0, output = 2.0 }

            [[model]]
            id = "qwen3:32b"
            provider = "openai-compatible"
            context_window = 40960
            reasoning = { style = "none" }

            [[model]]
            id = "eu.claude-opus"
            like = "opus"
            max_output = 64000
            "#,
        )
        .unwrap();
    let opus = merged.model("opus").unwrap();
    assert_eq!(opus.price.unwrap().input, 1.0);
    assert_eq!(opus.context_window, Some(1_000_000));
    let qwen = merged.resolve("qwen3:32b", None).unwrap();
    assert_eq!(
        (qwen.provider.as_str(), qwen.rules.context_window),
        ("openai-compatible", Some(40960))
    );
    let eu = merged.model("eu.claude-opus").unwrap();
    assert_eq!(
        (eu.max_output, eu.reasoning.clamp(Effort::Minimal)),
        (Some(64000), Some(Effort::Low))
    );
    assert_eq!(eu.price, None);
}

fn check_error(text: &str, expect: Expect) {
    let error = Catalogue::shipped().merged(text).unwrap_err();
    expect.assert_eq(&error.to_string());
}

#[test]
fn errors_name_the_entry_and_what_to_do() {
    check_error(
        "[[model]]\nid = \"x\"\n",
        expect!["model `x` has no provider; set `provider` or `like`"],
    );
    check_error(
        "[[model]]\nid = \"x\"\nprovider = \"acme\"\n",
        expect![
            "model `x` names the unknown provider `acme`; known providers: anthropic, openai, google, openai-compatible"
        ],
    );
    check_error(
        "[[model]]\nid = \"x\"\nlike = \"y\"\n",
        expect!["`x` refers to the unknown model `y` in `like`"],
    );
    check_error(
        "[[model]]\nid = \"gpt-x\"\naliases = [\"opus\"]\n",
        expect![
            "the name `opus` belongs to both `claude-opus-5-5` and `gpt-x`; names of models must be unique"
        ],
    );
    check_error(
        "[[model]]\nid = \"gpt-x\"\ncontext = 5\n",
        expect![[r#"
        invalid model catalogue: TOML parse error at line 3, column 1
          |
        3 | context = 5
          | ^^^^^^^
        unknown field `context`, expected one of `id`, `like`, `provider`, `name`, `summary`, `aliases`, `context_window`, `max_input`, `max_output`, `input`, `tools`, `streaming`, `structured_output`, `structured_output_with_tools`, `sampling`, `reasoning`, `cache`, `price`, `released`, `retires`, `successor`
    "#]],
    );
}

/// A date of verification is one of a price, and not in the future of the file's newest model.
#[test]
fn verified_prices_have_a_date() {
    let catalogue = Catalogue::shipped();
    let verified = |id: &str| catalogue.model(id).unwrap().price.unwrap().verified;
    assert_eq!(verified("claude-opus-5-5"), Date::new(2026, 11, 23));
    assert_eq!(verified("gpt-4.1"), None);
}
