//! Runs from the editor: trust, events, progress, gates, failures, cancel.

use expect_test::expect;
use serde_json::{Value, json};

use crate::Settings;
use crate::testing::TestClient;

const ECHO: &str = r#"digraph echo {
  start [shape=Mdiamond]
  hello [type=tool, command="echo hello from the tool"]
  done [shape=Msquare]
  start -> hello -> done
}
"#;

const GATED: &str = r#"digraph release {
  start [shape=Mdiamond]
  gate [type=human_gate, prompt="Ship it?"]
  ship [type=tool, command="echo shipped > shipped.txt"]
  done [shape=Msquare]
  start -> gate
  gate -> ship [label="[A] Approve"]
  gate -> done [label="[R] Reject"]
  ship -> done
}
"#;

const SLOW: &str = r#"digraph slow {
  start [shape=Mdiamond]
  sleep [type=tool, command="sleep 300"]
  done [shape=Msquare]
  start -> sleep -> done
}
"#;

const BROKEN: &str = r#"digraph broken {
  start [shape=Mdiamond]
  fails [type=tool, command="echo the reason >&2; exit 3"]
  done [shape=Msquare]
  start -> fails -> done
}
"#;

/// The user's configuration in the folder of a project; most tests have none.
pub(super) const USER_CONFIG: &str = "user.toml";

/// A client with a project in a temporary folder.
pub(super) struct Project {
    pub(super) client: TestClient,
    pub(super) folder: tempfile::TempDir,
    pub(super) uri: String,
}

impl Project {
    pub(super) async fn new(text: &str, capabilities: Value) -> Self {
        Self::with_options(text, capabilities, Value::Null).await
    }

    pub(super) async fn with_options(text: &str, capabilities: Value, options: Value) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("it.dot");
        std::fs::write(&file, text).expect("written");
        let settings = Settings {
            state_dir: Some(folder.path().join("state")),
            user_config: Some(folder.path().join(USER_CONFIG)),
            ..Settings::default()
        };
        let mut client = TestClient::raw(settings);
        let root = lsp_types::Uri::from_file_path(folder.path()).expect("absolute");
        let params = json!({
            "processId": null,
            "clientInfo": { "name": "Visual Studio Code" },
            "workspaceFolders": [{ "uri": root, "name": "it" }],
            "capabilities": capabilities,
            "initializationOptions": options,
        });
        client
            .request("initialize", params)
            .await
            .expect("it initialises");
        client.notify("initialized", json!({})).await;
        let uri = lsp_types::Uri::from_file_path(&file)
            .expect("absolute")
            .as_str()
            .to_owned();
        client.open_as(&uri, text).await;
        Self {
            client,
            folder,
            uri,
        }
    }

    /// The client leaves, and comes back to a new server with this text of the document.
    async fn restarted(self, text: &str) -> Self {
        let Self {
            client,
            folder,
            uri,
        } = self;
        client.leave().await;
        let mut client = TestClient::raw(Settings {
            state_dir: Some(folder.path().join("state")),
            ..Settings::default()
        });
        let root = lsp_types::Uri::from_file_path(folder.path()).expect("absolute");
        let params = json!({
            "processId": null,
            "workspaceFolders": [{ "uri": root, "name": "it" }],
            "capabilities": drawing(),
        });
        client
            .request("initialize", params)
            .await
            .expect("it initialises");
        client.notify("initialized", json!({})).await;
        client.open_as(&uri, text).await;
        Self {
            client,
            folder,
            uri,
        }
    }

    pub(super) async fn command(
        &mut self,
        command: &str,
        mut argument: Value,
    ) -> Result<Value, Value> {
        if argument.get("uri").is_none() && argument.get("run").is_none() {
            argument["uri"] = json!(self.uri);
        }
        let params = json!({ "command": command, "arguments": [argument] });
        self.client
            .request("workspace/executeCommand", params)
            .await
    }

    pub(super) async fn trusted(&mut self) {
        let trusted = self
            .command("attractor.trust", json!({ "decision": "folder" }))
            .await
            .expect("trusted");
        assert_eq!(trusted, json!({ "trusted": true }));
    }

    pub(super) async fn run(&mut self) -> String {
        let started = self
            .command("attractor.run", json!({}))
            .await
            .expect("it starts");
        started["run"].as_str().expect("an id").to_owned()
    }

    /// Waits until the run of this document is in a state.
    pub(super) async fn state(&mut self, state: &str) -> Value {
        let wanted = |params: &Value| params["state"] == state;
        self.client
            .notification_where("attractor/runState", wanted)
            .await
    }

    pub(super) async fn lenses(&mut self) -> Vec<String> {
        let about = json!({ "textDocument": { "uri": self.uri } });
        let lenses = self
            .client
            .request("textDocument/codeLens", about)
            .await
            .expect("lenses");
        let lenses = lenses.as_array().expect("a list").iter();
        lenses
            .map(|lens| {
                lens["command"]["title"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect()
    }

    /// Waits for published diagnostics of a source; gives the first as `LINE code message`.
    async fn finding(&mut self, code: &'static str) -> String {
        let is_it = move |item: &Value| item["code"] == code;
        let wanted = move |params: &Value| {
            params["diagnostics"]
                .as_array()
                .is_some_and(|all| all.iter().any(is_it))
        };
        let published = self
            .client
            .notification_where("textDocument/publishDiagnostics", wanted)
            .await;
        let found = published["diagnostics"]
            .as_array()
            .expect("a list")
            .iter()
            .find(|item| is_it(item))
            .cloned();
        let found = found.expect("it is there");
        let source = found["source"].as_str().unwrap_or_default().to_owned();
        format!(
            "{} {source} {}",
            found["range"]["start"]["line"],
            found["message"].as_str().unwrap_or_default()
        )
    }
}

/// A client that draws runs.
pub(super) fn drawing() -> Value {
    json!({
        "window": { "workDoneProgress": true },
        "workspace": { "codeLens": { "refreshSupport": true } },
        "experimental": { "attractor": { "events": true, "humanGate": true, "runState": true } },
    })
}

/// A client that draws runs.
pub(super) fn plain() -> Value {
    json!({ "experimental": { "attractor": { "runState": true } } })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_version_1_gets_its_words_for_states() {
    let mut capabilities = drawing();
    capabilities["experimental"]["attractor"]["protocol"] = json!(1);
    let mut project = Project::new(ECHO, capabilities).await;
    project.trusted().await;
    project.run().await;
    let ended = project.state("succeeded").await;
    assert_eq!(ended["nodes"]["hello"]["state"], "succeeded");
    let listed = project
        .command("attractor.runs", json!({}))
        .await
        .expect("runs");
    assert_eq!(listed["runs"][0]["state"], "succeeded");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_sends_every_event_in_order() {
    let mut project = Project::new(ECHO, drawing()).await;
    project.trusted().await;
    let run = project.run().await;
    let first = project.client.notification("attractor/runState").await;
    assert_eq!(first["state"], "running");
    let ended = project.state("success").await;
    assert_eq!(ended["run"], run);
    assert_eq!(ended["nodes"]["hello"]["state"], "success");

    let mut sequence = Vec::new();
    let mut kinds = Vec::new();
    loop {
        let event = project.client.notification("attractor/event").await;
        sequence.push(event["seq"].as_u64().expect("a number"));
        let kind = event["event"]["type"].as_str().expect("a type").to_owned();
        let last = kind == "pipeline_completed";
        if kind == "stage_started" && event["event"]["node"] == "hello" {
            assert_eq!(event["entry"]["text"], "tool");
            assert_eq!(event["entry"]["node"], "hello");
        }
        kinds.push(kind);
        if last {
            break;
        }
    }
    let expected: Vec<u64> = (1..=sequence.len() as u64).collect();
    assert_eq!(sequence, expected, "from 1 without holes");
    assert_eq!(kinds.first().map(String::as_str), Some("pipeline_started"));

    let missed = project
        .command("attractor.events", json!({ "run": run, "after": 2 }))
        .await
        .expect("events");
    assert_eq!(missed["events"][0]["seq"], 3);
    assert_eq!(missed["last"], json!(sequence.len()));
    let missed = missed["events"].as_array().expect("a list");
    let last = missed.last().expect("an event");
    assert_eq!(last["entry"]["glyph"], "✓");
    assert_eq!(last["entry"]["role"], "success");
    let listed = project
        .command("attractor.runs", json!({}))
        .await
        .expect("runs");
    assert_eq!(listed["runs"][0]["run"], run);
    assert_eq!(listed["runs"][0]["state"], "success");
    let log = project
        .command("attractor.log", json!({ "run": run, "node": "hello" }))
        .await
        .expect("a log");
    let path = log["uri"]
        .as_str()
        .and_then(|uri| uri.strip_prefix("file://"))
        .expect("a file")
        .to_owned();
    assert!(
        std::fs::read_to_string(path)
            .expect("readable")
            .contains("hello from the tool")
    );
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_announced_nothing_is_sent_nothing_of_ours() {
    let mut project = Project::new(ECHO, json!({})).await;
    project.trusted().await;
    let run = project.run().await;
    loop {
        let listed = project
            .command("attractor.runs", json!({ "uri": project.uri }))
            .await
            .expect("runs");
        if listed["runs"][0]["run"] == run && listed["runs"][0]["state"] == "success" {
            break;
        }
        tokio::task::yield_now().await;
    }
    let ours: Vec<_> = project
        .client
        .methods_seen()
        .into_iter()
        .filter(|method| method.starts_with("attractor/"))
        .collect();
    assert!(ours.is_empty(), "{ours:?}");
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_run_needs_consent() {
    let mut project = Project::new(ECHO, plain()).await;
    project.client.reply(
        "window/showMessageRequest",
        json!({ "title": "Always for this version" }),
    );
    let answer = project.command("attractor.run", json!({})).await;
    assert_eq!(answer, Ok(json!({ "asked": true })));
    let asked = project
        .client
        .notification("window/showMessageRequest")
        .await;
    expect![[
        r#""Run the pipeline “echo”? It can run 1 command. “Show what it runs” lists everything.""#
    ]]
    .assert_eq(&asked["message"].to_string());
    assert_eq!(
        buttons(&asked),
        [
            "Show what it runs",
            "Run once",
            "Always for this version",
            "Always in this folder",
            "Cancel"
        ]
    );
    project.state("success").await;

    project.run().await;
    project.state("success").await;
    project.client.leave().await;
}

/// The titles of the buttons of a question.
fn buttons(asked: &Value) -> Vec<&str> {
    let actions = asked["actions"].as_array().expect("buttons").iter();
    actions.filter_map(|it| it["title"].as_str()).collect()
}

const HOOKED: &str = r#"digraph hooked {
  tool_hooks.pre="audit --all"
  start [shape=Mdiamond]
  build [type=tool, command="@run.sh", shell="./evilsh -e", post_hook="curl example.org"]
  done [shape=Msquare]
  start -> build -> done
}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn consent_document_can_be_read_before_the_decision() {
    let capabilities = json!({ "window": { "showDocument": { "support": true } } });
    let mut project = Project::new(HOOKED, capabilities).await;
    let long = format!("echo {}\nrm -rf build\u{1b}[8m\n", "x".repeat(500));
    std::fs::write(project.folder.path().join("run.sh"), &long).expect("written");
    project.client.reply(
        "window/showMessageRequest",
        json!({ "title": "Show what it runs" }),
    );
    project
        .client
        .reply("window/showDocument", json!({ "success": true }));
    let answer = project.command("attractor.run", json!({})).await;
    assert_eq!(answer, Ok(json!({ "asked": true })));
    let asked = "window/showMessageRequest";
    project.client.notification(asked).await;
    let shown = project.client.notification("window/showDocument").await;
    project.client.reply(asked, json!({ "title": "Cancel" }));
    // With the document in view, it is not offered again.
    let again = project.client.notification(asked).await;
    assert_eq!(
        buttons(&again),
        [
            "Run once",
            "Always for this version",
            "Always in this folder",
            "Cancel"
        ]
    );
    let question = again["message"].as_str().expect("a question");
    assert!(!question.contains("Show what it runs"), "{question}");
    let uri: lsp_types::Uri = shown["uri"]
        .as_str()
        .expect("a URI")
        .parse()
        .expect("a URI");
    let path = crate::paths::path_of(&uri).expect("a file");
    let text = std::fs::read_to_string(path).expect("it is there");
    for part in [
        "audit --all",
        "`./evilsh` `-e` `-c` (`command`, from `run.sh`)",
        &"x".repeat(500),
        "rm -rf build⟨U+001B⟩[8m",
        "curl example.org",
    ] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    let consent = project
        .command("attractor.consent", json!({}))
        .await
        .expect("a document");
    assert_eq!(consent["uri"], shown["uri"]);
    assert_eq!(consent["trusted"], false);
    assert_eq!(consent.get("diffSinceApproved"), None);
    let listed = project.command("attractor.runs", json!({})).await;
    assert_eq!(listed.expect("runs")["runs"], json!([]));
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configuration_that_is_not_understood_refuses_the_run() {
    let mut project = Project::new(ECHO, plain()).await;
    let folder = project.folder.path().join(".attractor");
    std::fs::create_dir_all(&folder).expect("created");
    std::fs::write(
        folder.join("config.toml"),
        "[permissions]\nshell = \"deny\"\n",
    )
    .expect("written");
    project
        .client
        .notify(
            "workspace/didChangeConfiguration",
            json!({ "settings": {} }),
        )
        .await;
    let changed = json!({ "changes": [{ "uri": "file:///x/.attractor/config.toml", "type": 1 }] });
    project
        .client
        .notify("workspace/didChangeWatchedFiles", changed)
        .await;
    let refused = project
        .command("attractor.run", json!({}))
        .await
        .expect_err("it is refused");
    assert_eq!(refused["data"]["code"], "configuration");
    let message = refused["message"].as_str().unwrap_or_default();
    assert!(
        message.ends_with(
            "config.toml:1:2: `permissions` is not supported by this version and would have no effect; remove it"
        ),
        "{message}"
    );
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_run_does_not_start_and_a_change_asks_again() {
    let mut project = Project::new(ECHO, plain()).await;
    project
        .client
        .reply("window/showMessageRequest", json!({ "title": "Cancel" }));
    let answer = project.command("attractor.run", json!({})).await;
    assert_eq!(answer, Ok(json!({ "asked": true })));
    project
        .client
        .notification("window/showMessageRequest")
        .await;
    let listed = project
        .command("attractor.runs", json!({}))
        .await
        .expect("runs");
    assert_eq!(listed["runs"], json!([]));

    project
        .command("attractor.trust", json!({ "decision": "version" }))
        .await
        .expect("trusted");
    let other = ECHO.replace("hello from", "something else from");
    let changes = json!({
        "textDocument": { "uri": project.uri, "version": 2 },
        "contentChanges": [{ "text": other }],
    });
    project
        .client
        .notify("textDocument/didChange", changes)
        .await;
    let answer = project.command("attractor.run", json!({})).await;
    assert_eq!(
        answer,
        Ok(json!({ "asked": true })),
        "it is another pipeline now"
    );
    let asked = project
        .client
        .notification("window/showMessageRequest")
        .await;
    let question = asked["message"].as_str().expect("a text");
    assert!(question.contains("It has changed since"), "{question}");
    let consent = project
        .command("attractor.consent", json!({}))
        .await
        .expect("a document");
    let diff = consent["diffSinceApproved"].as_str().expect("a diff");
    assert!(
        diff.contains("-echo hello from the tool\n+echo something else from the tool\n"),
        "{diff}"
    );
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_runs_in_a_restricted_workspace_but_a_dry_run_does() {
    let mut project = Project::with_options(GATED, plain(), json!({ "trusted": false })).await;
    project
        .command("attractor.trust", json!({ "decision": "folder" }))
        .await
        .expect("taken");
    let refused = project
        .command("attractor.run", json!({}))
        .await
        .expect_err("it is restricted");
    assert_eq!(refused["data"], json!({ "code": "untrusted" }));
    project
        .command("attractor.run", json!({ "mode": "dryRun" }))
        .await
        .expect("it walks");
    project.state("success").await;
    assert!(!project.folder.path().join("shipped.txt").exists());
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pipeline_with_errors_is_refused_with_the_first_of_them() {
    let mut project = Project::new(&ECHO.replace("type=tool", "type=tol"), plain()).await;
    let refused = project
        .command("attractor.run", json!({}))
        .await
        .expect_err("it has an error");
    assert_eq!(refused["data"]["code"], "invalidPipeline");
    assert_eq!(refused["data"]["diagnostics"][0]["rule"], "unknown_handler");
    assert_eq!(refused["data"]["diagnostics"][0]["line"], 3);
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lenses_say_what_can_be_done_now() {
    let mut project = Project::new(SLOW, drawing()).await;
    project.trusted().await;
    assert_eq!(
        project.lenses().await,
        ["▶ Run pipeline", "▶ Dry run", "◫ Preview"]
    );
    let run = project.run().await;
    let sleeping = |params: &Value| params["nodes"]["sleep"]["state"] == "running";
    project
        .client
        .notification_where("attractor/runState", sleeping)
        .await;
    let lenses = project.lenses().await;
    assert!(lenses.contains(&"■ Cancel".to_owned()), "{lenses:?}");
    let twice = project
        .command("attractor.run", json!({}))
        .await
        .expect_err("it runs already");
    assert_eq!(
        twice["data"],
        json!({ "code": "alreadyRunning", "run": run })
    );
    let cancelled = project
        .command("attractor.cancel", json!({ "run": run }))
        .await
        .expect("it stops");
    assert_eq!(cancelled, json!({ "run": run, "state": "running" }));
    project.state("cancelled").await;
    let lenses = project.lenses().await;
    assert!(lenses.contains(&"▶ Run pipeline".to_owned()), "{lenses:?}");
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_can_be_cancelled_and_never_goes_back() {
    let mut project = Project::new(SLOW, drawing()).await;
    project.trusted().await;
    project.run().await;
    let created = project
        .client
        .notification("window/workDoneProgress/create")
        .await;
    let begin = project.client.notification("$/progress").await;
    assert_eq!(begin["value"]["kind"], "begin");
    assert_eq!(begin["value"]["cancellable"], true);
    let at_work = |params: &Value| params["value"]["message"] == "sleep";
    project
        .client
        .notification_where("$/progress", at_work)
        .await;
    project
        .client
        .notify(
            "window/workDoneProgress/cancel",
            json!({ "token": created["token"] }),
        )
        .await;
    let ended = |params: &Value| params["value"]["kind"] == "end";
    let end = project.client.notification_where("$/progress", ended).await;
    assert_eq!(end["value"]["message"], "cancelled");
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gate_is_shown_everywhere_and_the_first_answer_counts() {
    let mut project = Project::new(GATED, drawing()).await;
    project.trusted().await;
    let run = project.run().await;
    let open = project.client.notification("attractor/question").await;
    assert_eq!(open["range"]["start"]["line"], 2);
    let question = open["question"]["id"].clone();
    let keys: Vec<_> = open["question"]["options"]
        .as_array()
        .expect("choices")
        .iter()
        .map(|it| it["key"].clone())
        .collect();
    assert!(
        keys.contains(&json!("A")) && keys.contains(&json!("R")),
        "{keys:?}"
    );
    let finding = project.finding("waiting_for_answer").await;
    assert!(
        finding.starts_with("2 attractor run") && finding.contains("Ship it?"),
        "{finding}"
    );
    let lenses = project.lenses().await;
    assert!(lenses.contains(&"[A] Approve".to_owned()), "{lenses:?}");

    let wrong = json!({ "run": run, "question": question, "answer": "perhaps" });
    let wrong = project
        .command("attractor.answer", wrong)
        .await
        .expect_err("no choice");
    assert_eq!(wrong["data"]["code"], "badAnswer");
    let unanswered = json!({ "run": run, "question": question });
    let unanswered = project
        .command("attractor.answer", unanswered)
        .await
        .expect_err("nothing said");
    assert!(
        unanswered["message"]
            .as_str()
            .is_some_and(|text| text.contains("A (Approve)")),
        "{unanswered}"
    );

    let answer = json!({ "run": run, "question": question, "answer": "A" });
    let first = project
        .command("attractor.answer", answer.clone())
        .await
        .expect("it counts");
    assert_eq!(first, json!({ "accepted": true }));
    let closed = project
        .client
        .notification("attractor/questionClosed")
        .await;
    assert_eq!(closed["question"], question);
    let by = closed["by"].as_str().unwrap_or_default();
    assert_eq!(by, attractor_run::person_using("Visual Studio Code"));
    let second = project.command("attractor.answer", answer).await;
    let late = match &second {
        Ok(result) => result["accepted"] == false,
        Err(error) => error["data"]["code"] == "notWaiting",
    };
    assert!(late, "{second:?}");
    project.state("success").await;
    assert!(project.folder.path().join("shipped.txt").exists());
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gate_can_be_answered_in_the_message_of_a_plain_client() {
    let mut project = Project::new(GATED, plain()).await;
    project.trusted().await;
    project
        .client
        .reply("window/showMessageRequest", json!({ "title": "Reject" }));
    project.run().await;
    project.state("success").await;
    assert!(!project.folder.path().join("shipped.txt").exists());
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_a_diagnostic_until_its_node_is_edited() {
    let mut project = Project::new(BROKEN, plain()).await;
    project.trusted().await;
    project.run().await;
    project.state("fail").await;
    let finding = project.finding("node_failed").await;
    assert!(finding.starts_with("2 attractor run"), "{finding}");
    assert!(
        finding.contains('3') && finding.contains("the reason"),
        "{finding}"
    );

    let fixed = BROKEN.replace("exit 3", "exit 0");
    let changes = json!({
        "textDocument": { "uri": project.uri, "version": 2 },
        "contentChanges": [{ "text": fixed }],
    });
    project
        .client
        .notify("textDocument/didChange", changes)
        .await;
    let of_version = |params: &Value| params["version"] == 2;
    let published = project
        .client
        .notification_where("textDocument/publishDiagnostics", of_version)
        .await;
    assert!(
        !published.to_string().contains("node_failed"),
        "{published}"
    );
    project.client.leave().await;
}

/// The editor is closed while the run waits at its gate, and opened again; asked, the user says this.
async fn reopened(answer: Value) -> Project {
    let mut project = Project::new(GATED, drawing()).await;
    project.trusted().await;
    project.run().await;
    project.client.notification("attractor/question").await;
    let mut project = project.restarted(GATED).await;
    project.client.reply("window/showMessageRequest", answer);
    let offer = project
        .client
        .notification("window/showMessageRequest")
        .await;
    expect![[r#""Pipeline `release` was interrupted at `gate`, with 1 of 4 nodes done.""#]]
        .assert_eq(&offer["message"].to_string());
    project
}

impl Project {
    /// The newest run in the list.
    async fn listed(&mut self) -> Value {
        let listed = self.command("attractor.runs", json!({})).await;
        listed.expect("runs")["runs"][0].clone()
    }

    /// Answers the open gate; the run ends.
    async fn release(mut self) {
        let open = self.client.notification("attractor/question").await;
        let run = self.listed().await["run"].clone();
        let answer = json!({ "run": run, "question": open["question"]["id"], "answer": "R" });
        self.command("attractor.answer", answer)
            .await
            .expect("it counts");
        self.state("success").await;
        self.client.leave().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_ends_interrupts_its_runs_and_the_next_one_offers_to_resume() {
    let mut project = reopened(json!({ "title": "Resume" })).await;
    project.state("waiting").await;
    project.release().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_run_can_be_resumed_later_from_its_lens() {
    let mut project = reopened(json!({ "title": "Not now" })).await;
    let listed = project.listed().await;
    assert_eq!(listed["state"], "interrupted");
    let lenses = project.lenses().await;
    assert!(
        lenses
            .iter()
            .any(|title| title.starts_with("⟲ Resume from gate")),
        "{lenses:?}"
    );
    project
        .command("attractor.resume", json!({ "run": listed["run"] }))
        .await
        .expect("it resumes");
    project.release().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_pipeline_is_resumed_after_confirmation() {
    let mut project = Project::new(GATED, drawing()).await;
    project.trusted().await;
    let run = project.run().await;
    project.client.notification("attractor/question").await;
    let changed = GATED.replace("echo shipped", "echo sent");
    let mut project = project.restarted(&changed).await;

    let resume = json!({ "run": run, "changes": "refuse" });
    let refused = project
        .command("attractor.resume", resume)
        .await
        .expect_err("it has changed");
    assert_eq!(refused["data"]["code"], "pipelineChanged");
    let diff = refused["data"]["diff"].as_str().unwrap_or_default();
    assert!(diff.contains("echo sent"), "{diff}");

    project.client.reply(
        "window/showMessageRequest",
        json!({ "title": "Resume with changes" }),
    );
    let answer = project
        .command("attractor.resume", json!({ "run": run }))
        .await;
    assert_eq!(answer, Ok(json!({ "asked": true })));
    let about_changes = |params: &Value| {
        let text = params["message"].as_str().unwrap_or_default();
        text.starts_with("The pipeline has changed since run ") && text.contains("echo sent")
    };
    project
        .client
        .notification_where("window/showMessageRequest", about_changes)
        .await;
    let open = project.client.notification("attractor/question").await;
    let answer = json!({ "run": run, "question": open["question"]["id"], "answer": "A" });
    project
        .command("attractor.answer", answer)
        .await
        .expect("it counts");
    project.state("success").await;
    let shipped = std::fs::read_to_string(project.folder.path().join("shipped.txt"));
    assert_eq!(shipped.expect("written"), "sent\n");
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn command_errors_are_readable() {
    let mut project = Project::new(ECHO, plain()).await;
    let cases = [
        ("attractor.fly", json!({}), "unknownCommand"),
        ("attractor.run", json!({ "uri": 7 }), "badArgument"),
        (
            "attractor.run",
            json!({ "uri": "file:///no/such/file.dot" }),
            "unreadable",
        ),
        ("attractor.run", json!({ "graph": "nope" }), "unknownGraph"),
        ("attractor.cancel", json!({ "run": "nope" }), "unknownRun"),
        (
            "attractor.answer",
            json!({ "run": "nope", "question": "q" }),
            "unknownRun",
        ),
        ("attractor.resume", json!({ "run": "nope" }), "unknownRun"),
        (
            "attractor.explain",
            json!({ "name": "nope" }),
            "unknownName",
        ),
    ];
    for (command, argument, code) in cases {
        let refused = project.command(command, argument).await.expect_err(command);
        assert_eq!(refused["data"]["code"], code, "{command}: {refused}");
    }
    let page = project
        .command("attractor.explain", json!({ "name": "human_gate" }))
        .await
        .expect("a page");
    assert!(
        page["markdown"]
            .as_str()
            .is_some_and(|page| page.contains("human_gate"))
    );
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn graph_command_returns_data_and_clean_dot() {
    let mut project = Project::new(ECHO, plain()).await;
    let graph = project
        .command("attractor.graph", json!({}))
        .await
        .expect("a graph");
    assert_eq!(graph["nodes"][1]["id"], "hello");
    assert_eq!(graph["nodes"][1]["kind"], "tool");
    assert_eq!(graph["nodes"][1]["range"]["start"]["line"], 2);
    assert_eq!(graph["edges"][0]["from"], "start");
    assert!(
        graph["dot"]
            .as_str()
            .is_some_and(|dot| dot.starts_with("digraph"))
    );
    project.client.leave().await;
}

#[tokio::test]
async fn a_failed_run_is_reported_once() {
    let mut project = Project::new(BROKEN, json!({})).await;
    project.trusted().await;
    project.run().await;
    let message = project.client.notification("window/showMessage").await;
    let message = message["message"].as_str().expect("a line");
    assert!(
        message.starts_with("✗ broken failed at `fails`: ") && message.contains('3'),
        "{message}"
    );
    project.client.leave().await;

    let mut project = Project::new(BROKEN, drawing()).await;
    project.trusted().await;
    project.run().await;
    let state = project.state("fail").await;
    assert_eq!((&state["done"], &state["total"]), (&json!(2), &json!(3)));
    let lenses = project.lenses().await;
    assert!(
        lenses.contains(&"⟲ Resume from fails (2/3)".to_owned()),
        "{lenses:?}"
    );
    project.client.leave().await;
}

#[tokio::test]
async fn run_state_is_shown_after_a_restart() {
    let mut project = Project::new(BROKEN, drawing()).await;
    project.trusted().await;
    project.run().await;
    project.state("fail").await;
    let mut project = project.restarted(BROKEN).await;
    let state = project.client.notification("attractor/runState").await;
    assert_eq!(
        [&state["state"], &state["nodes"]["fails"]["state"]],
        ["fail", "fail"]
    );
    assert_eq!(
        state["taken"],
        json!([{ "from": "start", "to": "fails" }]),
        "{state}"
    );
    let finding = project.finding("node_failed").await;
    assert!(finding.contains("the reason"), "{finding}");
    let lenses = project.lenses().await;
    assert!(
        lenses.contains(&"⟲ Resume from fails (2/3)".to_owned()),
        "{lenses:?}"
    );
    let graph = project
        .command("attractor.graph", json!({}))
        .await
        .expect("a graph");
    let states: Vec<_> = graph["nodes"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|node| node["state"].as_str().unwrap_or("-"))
        .collect();
    assert_eq!(states, ["success", "fail", "-"]);
    project.client.leave().await;
}
