//! `[models]` of the configuration: what holds where neither node nor stylesheet says it.

use attractor_tests::{MockProvider, Project, Reply};
use serde_json::json;

use super::{TWO, events, run};

/// The models that answered, in the order of the nodes.
fn answered_by(attributes: &str, configuration: &str) -> Vec<String> {
    let dot = TWO.replace("MODEL\"", &format!("sonnet\"{attributes}"));
    let project = Project::with("rivers.dot", dot);
    project.write(".attractor/config.toml", configuration);
    let refusal =
        json!({"type": "error", "error": {"type": "billing_error", "message": "no credit"}});
    let refusal = Reply::Answer(402, vec![], "application/json", refusal.to_string());
    let provider = MockProvider::start(vec![refusal, Reply::Says("The Rhine.")]);
    let output = run(
        &project,
        &provider,
        ["run", "rivers.dot", "--format", "events"],
    );
    let completed = events(&output, "stage_completed").into_iter();
    let models = completed.filter_map(|event| event["model"]["model"].as_str().map(str::to_owned));
    models.collect()
}

#[test]
fn fallback_models_of_the_configuration_apply_where_a_node_names_none() {
    let configured = "[models]\nfallback_models = [\"gpt-6-luna\"]\n";
    let none: [&str; 0] = [];
    assert_eq!(answered_by("", ""), none);
    assert_eq!(
        answered_by("", configured),
        ["gpt-6-luna", "claude-sonnet-5-5"]
    );
    assert_eq!(
        answered_by(", fallback_models=\"gemini-flash\"", configured),
        ["gemini-3.8-flash", "claude-sonnet-5-5"]
    );
}

#[test]
fn config_shows_how_models_are_called() {
    let project = Project::with(
        ".attractor/config.toml",
        "[models]\nfallback_models = [\"gpt-6-luna\"]\nidle_timeout = \"90s\"\n",
    );
    let output = project.run(["config"]).expect_code(0);
    assert!(output.stdout.contains("models.fallback_models"), "{output}");
    assert!(output.stdout.contains("1m30s"), "{output}");
}
