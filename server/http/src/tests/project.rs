//! The pipelines of the project: listed, and started by their paths.

use std::path::Path;

use super::*;

const ECHO: &str = r#"digraph echo { a [shape=Mdiamond]; b [type=tool, command="echo hi > made.txt"]; c [shape=Msquare]; a -> b -> c }"#;

impl Bench {
    fn write(&self, path: &str, text: &str) {
        let file = self.folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    /// The refusal of a path.
    async fn refused(&self, path: &str) -> Reply {
        let reply = self.post("/pipelines", json!({ "path": path })).await;
        assert!(reply.status.is_client_error(), "{path}: {}", reply.text);
        reply
    }

    /// What a person has to approve before the run starts.
    async fn unapproved(&self, body: Value) -> Value {
        let reply = self.post("/pipelines", body).await;
        assert_eq!(reply.status, StatusCode::CONFLICT, "{}", reply.text);
        assert_eq!(reply.json()["error"]["code"], "consent_required");
        reply.json()
    }

    /// The listed pipelines as `PATH GRAPH`.
    async fn listed(&self) -> Vec<String> {
        let listed = self.get("/project/pipelines").await.json();
        let pipelines = listed["pipelines"].as_array().unwrap().iter();
        let named = pipelines.map(|one| {
            let field = |name: &str| one[name].as_str().unwrap();
            format!("{} {}", field("path"), field("graph"))
        });
        named.collect()
    }
}

fn link(target: &Path, at: &Path) {
    std::os::unix::fs::symlink(target, at).unwrap();
}

#[tokio::test]
async fn pipelines_of_the_project_are_listed_with_their_inputs() {
    let bench = Bench::new();
    bench.write(
        "release.dot",
        r#"digraph release {
          label="Release"; goal="Ship it"; vars="version, count=2, api_token=abc"
          a [shape=Mdiamond]; z [shape=Msquare]; a -> z
        }"#,
    );
    let listed = bench.get("/project/pipelines").await;
    assert_eq!(listed.status, StatusCode::OK, "{}", listed.text);
    let expected = json!({ "pipelines": [{
        "path": "release.dot", "graph": "release", "label": "Release", "goal": "Ship it",
        "inputs": [
            { "name": "version", "required": true, "secret": false },
            { "name": "count", "required": false, "secret": false, "default": 2 },
            { "name": "api_token", "required": false, "secret": true },
        ],
    }] });
    assert_eq!(listed.json(), expected);
}

#[tokio::test]
async fn only_pipelines_of_the_project_are_listed() {
    let bench = Bench::new();
    let two = format!("{ECHO}\n{}", ECHO.replace("digraph echo", "digraph second"));
    bench.write("flows/two.gv", &two);
    bench.write("a.dot", ECHO);
    bench.write("drawing.dot", "digraph drawing { x -> y }");
    bench.write("broken.dot", "digraph d { a [shape=Mdiamond] b [");
    bench.write("large.dot", &format!("{ECHO}{}", " ".repeat(17 << 20)));
    bench.write("notes.txt", ECHO);
    for folder in [".git", "target", "node_modules", "runs/x", "submissions/x"] {
        bench.write(&format!("{folder}/p.dot"), ECHO);
    }
    let expected = ["a.dot echo", "flows/two.gv echo", "flows/two.gv second"];
    assert_eq!(bench.listed().await, expected);
}

#[tokio::test]
async fn an_answer_has_at_most_1000_pipelines() {
    let bench = Bench::new();
    for number in 0..501 {
        let other = ECHO.replace("digraph echo", "digraph other");
        bench.write(&format!("p{number:03}.dot"), &format!("{ECHO}\n{other}"));
    }
    let listed = bench.listed().await;
    assert_eq!(listed.len(), 1000);
    assert_eq!(listed.last().unwrap(), "p499.dot other");
}

#[tokio::test]
async fn a_file_of_the_project_works_in_the_project() {
    let bench = Bench::new();
    bench.write("flows/echo.dot", ECHO);
    let shown = bench.unapproved(json!({ "path": "flows/echo.dot" })).await;
    let approved = json!({ "path": "flows/echo.dot", "approve": shown["digest"] });
    let started = bench.post("/pipelines", approved).await;
    assert_eq!(started.status, StatusCode::CREATED, "{}", started.text);
    let id = started.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(started.headers["location"], format!("/pipelines/{id}"));
    bench.until(&id, "success").await;
    assert!(!bench.folder.path().join("submissions").exists());
    assert!(bench.folder.path().join("made.txt").exists());
}

#[tokio::test]
async fn what_nobody_has_approved_is_shown_and_not_started() {
    let bench = Bench::new();
    bench.write("echo.dot", ECHO);
    for mode in ["run", "simulate"] {
        let body = json!({ "path": "echo.dot", "mode": mode });
        let shown = bench.unapproved(body).await;
        let document = shown["document"].as_str().unwrap();
        assert!(document.contains("echo hi > made.txt"), "{document}");
        assert!(shown.get("changes").is_none(), "{shown}");
    }
    // Nothing of a dry run is executed.
    let dry = json!({ "path": "echo.dot", "mode": "dry_run" });
    let dry = bench.post("/pipelines", dry).await;
    assert_eq!(dry.status, StatusCode::CREATED, "{}", dry.text);
    assert!(!bench.folder.path().join("made.txt").exists());
}

#[tokio::test]
async fn nobody_is_asked_about_a_run_that_cannot_start() {
    let bench = Bench::new();
    let needs = ECHO.replace("digraph echo {", "digraph echo { vars=\"version\";");
    bench.write("echo.dot", &needs);
    let refused = bench.refused("echo.dot").await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    let body = json!({ "path": "echo.dot", "inputs": { "version": "1.2" } });
    bench.unapproved(body).await;
}

#[tokio::test]
async fn an_approval_is_of_one_run_of_what_was_shown() {
    let bench = Bench::new();
    bench.write("echo.dot", ECHO);
    let path = json!({ "path": "echo.dot" });
    let shown = bench.unapproved(path.clone()).await;
    let approved = json!({ "path": "echo.dot", "approve": shown["digest"] });
    bench.write("echo.dot", &ECHO.replace("echo hi", "echo changed"));
    let stale = bench.unapproved(approved.clone()).await;
    assert!(
        stale["error"]["message"].to_string().contains("changed"),
        "{stale}"
    );
    assert_ne!(stale["digest"], shown["digest"]);
    bench.write("echo.dot", ECHO);
    let started = bench.post("/pipelines", approved).await;
    assert_eq!(started.status, StatusCode::CREATED, "{}", started.text);
    assert_eq!(
        bench.unapproved(path.clone()).await["digest"],
        shown["digest"]
    );
    bench.write("echo.dot", &ECHO.replace("echo hi", "echo changed"));
    let refused = bench.unapproved(path).await;
    let changes = refused["changes"].as_str().unwrap();
    assert!(
        changes.contains("\n-echo hi > made.txt\n+echo changed"),
        "{changes}"
    );
}

#[tokio::test]
async fn a_version_that_is_always_approved_is_not_asked_about() {
    let bench = Bench::new();
    bench.write("echo.dot", ECHO);
    let folder = bench.folder.path();
    let launcher = Engine::builder()
        .build()
        .unwrap()
        .run_file(folder.join("echo.dot"));
    let key = launcher.prepare().unwrap().approval_key();
    let approvals = Approvals::new(Some(&folder.join("state")));
    approvals.approve_version(&key).unwrap();
    let started = bench
        .post("/pipelines", json!({ "path": "echo.dot" }))
        .await;
    assert_eq!(started.status, StatusCode::CREATED, "{}", started.text);
    bench.write("echo.dot", &ECHO.replace("echo hi", "echo changed"));
    bench.unapproved(json!({ "path": "echo.dot" })).await;
}

#[tokio::test]
async fn a_pipeline_is_named_by_either_a_text_or_a_path() {
    let bench = Bench::new();
    bench.write("echo.dot", ECHO);
    for body in [
        json!({}),
        json!({ "dot": ECHO, "path": "echo.dot" }),
        json!({ "path": 1 }),
    ] {
        let reply = bench.post("/pipelines", body).await;
        assert_eq!(reply.status, 422, "{}", reply.text);
        assert_eq!(reply.json()["error"]["code"], "invalid");
    }
}

#[tokio::test]
async fn a_path_that_is_not_a_file_of_the_project_is_not_found() {
    let bench = Bench::new();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("out.dot"), ECHO).unwrap();
    let project = bench.folder.path();
    bench.write("flows/in.dot", ECHO);
    bench.write("runs/x/p.dot", ECHO);
    bench.write("submissions/x/p.dot", ECHO);
    let absolute = outside.path().join("out.dot");
    let name = outside.path().file_name().unwrap().to_str().unwrap();
    let above = format!("../{name}/out.dot");
    let mut paths = vec![
        absolute.to_str().unwrap(),
        &above,
        "missing.dot",
        "flows",
        "",
        "runs/x/p.dot",
        "flows/../submissions/x/p.dot",
    ];
    link(&absolute, &project.join("link.dot"));
    link(outside.path(), &project.join("linked"));
    link(&project.join("submissions"), &project.join("texts"));
    std::fs::hard_link(&absolute, project.join("hard.dot")).unwrap();
    paths.extend(["link.dot", "linked/out.dot", "texts/x/p.dot", "hard.dot"]);
    for path in paths {
        let reply = bench.refused(path).await;
        assert_eq!(
            reply.status,
            StatusCode::NOT_FOUND,
            "{path}: {}",
            reply.text
        );
        assert_eq!(reply.json()["error"]["code"], "not_found");
    }
    assert_eq!(bench.listed().await, ["flows/in.dot echo"]);
}

#[tokio::test]
async fn a_file_is_refused_with_its_problems_and_its_own_name() {
    let bench = Bench::new();
    bench.write(
        "typo.dot",
        "digraph d { a [shape=Mdiamond]; b [type=tol]; a -> b }",
    );
    let refused = bench.refused("typo.dot").await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("unknown_handler"), "{}", refused.text);
    bench.write("echo.dot", ECHO);
    let unknown = json!({ "path": "echo.dot", "graph": "other" });
    let unknown = bench.post("/pipelines", unknown).await;
    assert_eq!(unknown.status, 422, "{}", unknown.text);
    let message = unknown.json()["error"]["message"].to_string();
    let folder = bench.folder.path().to_str().unwrap();
    assert!(
        message.contains("echo.dot") && !message.contains(folder),
        "{message}"
    );
}

#[tokio::test]
async fn files_of_the_project_use_the_allowed_handlers_only() {
    for handlers in [
        AllowedHandlers::WithoutPrograms,
        AllowedHandlers::Only(vec!["prompt".to_owned()]),
    ] {
        let bench = Bench::with(handlers);
        bench.write("echo.dot", ECHO);
        let refused = bench.refused("echo.dot").await;
        assert_eq!(refused.status, 422);
        assert!(
            refused.text.contains("cannot be named here"),
            "{}",
            refused.text
        );
        assert!(bench.listed().await.is_empty());
        assert!(!bench.folder.path().join("made.txt").exists());
    }
}
