//! Keys of providers that the editor keeps: used by the next run, and written nowhere.

use std::path::Path;

use attractor_tests::{KEY, MockProvider, Reply};
use serde_json::{Value, json};

use super::runs::{Project, USER_CONFIG, drawing};

const PROMPT: &str = r#"digraph ask {
  start [shape=Mdiamond]
  name [type=prompt, model="gpt-6-luna", prompt="Name a river."]
  done [shape=Msquare]
  start -> name -> done
}
"#;

/// A project whose user calls the mock provider.
async fn project(provider: &MockProvider) -> Project {
    let mut project = Project::new(PROMPT, drawing()).await;
    let address = provider.variables();
    let (_, address) = address
        .iter()
        .find(|(name, _)| *name == "OPENAI_BASE_URL")
        .expect("an address");
    let config = format!("[providers.openai]\nbase_url = \"{address}\"\n");
    std::fs::write(project.folder.path().join(USER_CONFIG), config).expect("written");
    project.trusted().await;
    project
}

impl Project {
    async fn keys(&mut self, keys: Value) {
        let params = json!({ "keys": keys });
        self.client.notify("attractor/apiKeys", params).await;
    }

    async fn key_of_openai(&mut self) -> Value {
        let answer = self.command("attractor.providers", json!({})).await;
        let answer = answer.expect("providers");
        let providers = answer["providers"].as_array().expect("a list");
        let openai = providers.iter().find(|one| one["id"] == "openai");
        openai.expect("it is in the catalogue").clone()
    }
}

fn contains(folder: &Path, text: &str) -> bool {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries.flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return contains(&path, text);
        }
        let content = std::fs::read(&path).expect("readable");
        String::from_utf8_lossy(&content).contains(text)
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_run_uses_the_key_and_nothing_contains_it() {
    let provider = MockProvider::start(vec![Reply::Says("The Elbe.")]);
    let mut project = project(&provider).await;
    let openai = project.key_of_openai().await;
    assert_eq!(openai["keyVariable"], "OPENAI_API_KEY");
    assert_eq!(openai.get("key"), None, "{openai}");

    project.keys(json!({ "openai": KEY })).await;
    assert_eq!(project.key_of_openai().await["key"], "editor");
    let first = project.run().await;
    project.state("success").await;
    let header = format!("authorization: bearer {KEY}");
    let sent = provider.sent();
    assert_eq!(sent.len(), 1);
    assert!(sent[0].headers.to_lowercase().contains(&header));
    assert!(!contains(project.folder.path(), KEY));
    let events = project
        .command("attractor.events", json!({ "run": first }))
        .await
        .expect("events");
    let events = events.to_string();
    assert!(events.contains("The Elbe.") && !events.contains(KEY));

    // Another key is used at once, and without a key the model is simulated again.
    let other = KEY.replace("sk-test", "sk-next");
    project.keys(json!({ "openai": other })).await;
    project.run().await;
    let ended = |params: &Value| params["state"] == "success" && params["run"] != first.as_str();
    project
        .client
        .notification_where("attractor/runState", ended)
        .await;
    assert!(provider.sent()[1].headers.contains(&other));
    project.keys(json!({})).await;
    assert_eq!(project.key_of_openai().await.get("key"), None);
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_cannot_be_read_are_not_repeated_in_the_message() {
    let mut project = Project::new(PROMPT, drawing()).await;
    for keys in [json!(KEY), json!({ "openai": { "key": KEY } })] {
        project.keys(keys).await;
        let shown = project.client.notification("window/showMessage").await;
        let message = shown["message"].as_str().expect("a sentence");
        assert!(
            message.starts_with("Invalid attractor/apiKeys: expected") && !message.contains(KEY),
            "{message}"
        );
    }
    project.client.leave().await;
}
