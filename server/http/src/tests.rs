//! Requests to the paths, without a socket.

mod control;
mod files;
mod limits;
mod project;
mod run_changes;
mod sub_pipelines;

use std::net::SocketAddr;
use std::time::Duration;

use attractor::{Approvals, Engine, OnMissingInterviewer};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

use crate::{AllowedHandlers, ServeLimits, ServeOptions, Server, Submissions, Token};

const GATED: &str = r#"digraph release {
  start [shape=Mdiamond]
  build [type=tool, command="echo built"]
  review [type=human_gate, prompt="Release?"]
  done [shape=Msquare]
  start -> build -> review
  review -> done [label="[A] Approve"]
  review -> build [label="[R] Revise"]
}"#;

struct Bench {
    server: Server,
    router: Router,
    folder: TempDir,
}

struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }
}

impl Bench {
    fn new() -> Self {
        Self::with(AllowedHandlers::All)
    }

    fn with(handlers: AllowedHandlers) -> Self {
        Self::limited(handlers, ServeLimits::default())
    }

    fn limited(handlers: AllowedHandlers, limits: ServeLimits) -> Self {
        Self::at(handlers, limits, "127.0.0.1:8080".parse().unwrap())
    }

    fn at(handlers: AllowedHandlers, limits: ServeLimits, address: SocketAddr) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runs_dir = folder.path().join("runs");
        let engine = Engine::builder()
            .on_missing_interviewer(OnMissingInterviewer::Wait)
            .runs_dir(&runs_dir)
            .build()
            .unwrap();
        let options = ServeOptions {
            engine: engine.clone(),
            project: folder.path().to_owned(),
            approvals: Approvals::new(Some(&folder.path().join("state"))),
            submissions: Submissions {
                engine,
                folder: folder.path().join("submissions"),
                handlers,
            },
            runs_dir,
            hosts: Vec::new(),
            token: Token::of("secret"),
            notifier: None,
            limits,
        };
        Self::served(options, folder, address)
    }

    fn of(options: ServeOptions, folder: TempDir) -> Self {
        Self::served(options, folder, "127.0.0.1:8080".parse().unwrap())
    }

    fn served(options: ServeOptions, folder: TempDir, address: SocketAddr) -> Self {
        let server = Server::new(options, address);
        let router = server.router();
        Self {
            server,
            router,
            folder,
        }
    }

    async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        Reply {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    async fn get(&self, path: &str) -> Reply {
        self.send(request("GET", path).body(Body::empty()).unwrap())
            .await
    }

    async fn post(&self, path: &str, body: Value) -> Reply {
        let request = request("POST", path).header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap())
            .await
    }

    async fn submit(&self, dot: &str) -> String {
        let reply = self.post("/pipelines", json!({ "dot": dot })).await;
        assert_eq!(reply.status, StatusCode::CREATED, "{}", reply.text);
        let id = reply.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(reply.headers["location"], format!("/pipelines/{id}"));
        id
    }

    /// Looks at a run until it has that status.
    async fn until(&self, id: &str, status: &str) -> Value {
        for _ in 0..1000 {
            let run = self.get(&format!("/pipelines/{id}")).await.json();
            if run["status"] == status {
                return run;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        unreachable!("the run {id} is never {status}")
    }
}

fn request(method: &str, path: &str) -> axum::http::request::Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header("host", "localhost:8080")
        .header("authorization", "Bearer secret")
}

#[tokio::test]
async fn a_gated_run_from_submission_to_end() {
    let bench = Bench::new();
    let id = bench.submit(GATED).await;
    let run = bench.until(&id, "waiting").await;
    assert_eq!(run["name"], "release");
    assert_eq!(run["current"], json!(["review"]));
    assert_eq!(run["questions"], 1);

    let questions = bench
        .get(&format!("/pipelines/{id}/questions"))
        .await
        .json();
    let question = &questions["questions"][0];
    assert_eq!(question["text"], "Release?");
    let path = format!(
        "/pipelines/{id}/questions/{}/answer",
        question["id"].as_str().unwrap()
    );
    let wrong = bench.post(&path, json!({ "answer": "zzz" })).await;
    assert_eq!(
        wrong.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        wrong.text
    );
    assert_eq!(wrong.json()["accepted"], false);
    let right = bench.post(&path, json!({ "answer": "approve" })).await;
    assert_eq!(right.status, StatusCode::OK, "{}", right.text);
    let first = json!({
        "error": { "code": "conflict", "message": "the question has its answer: `[A] Approve`, by http" },
        "accepted": false, "by": "http", "answer": "[A] Approve",
    });
    let late = bench.post(&path, json!({ "answer": "revise" })).await;
    assert_eq!(
        (late.status, late.json()),
        (StatusCode::CONFLICT, first.clone())
    );

    let run = bench.until(&id, "success").await;
    let late = bench.post(&path, json!({ "answer": "revise" })).await;
    assert_eq!((late.status, late.json()), (StatusCode::CONFLICT, first));
    let unknown = path.replace("review", "other");
    let unknown = bench.post(&unknown, json!({ "answer": "approve" })).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{}", unknown.text);
    let resumed = format!("/pipelines/{id}/resume");
    let resumed = bench.post(&resumed, json!({})).await;
    assert_eq!(resumed.status, StatusCode::CONFLICT, "{}", resumed.text);
    assert_eq!(run["done"], run["total"]);
    let context = bench.get(&format!("/pipelines/{id}/context")).await.json();
    assert_eq!(context["context"]["tool.last_line"], "built");
    let checkpoint = bench
        .get(&format!("/pipelines/{id}/checkpoint"))
        .await
        .json();
    assert_eq!(checkpoint["pipeline_name"], "release");
    assert!(
        checkpoint["completed_nodes"]
            .as_array()
            .unwrap()
            .contains(&json!("review"))
    );
    let listed = bench.get("/pipelines?state=success").await.json();
    assert_eq!(listed["pipelines"][0]["id"], id);
    assert_eq!(
        bench.get("/pipelines?state=fail").await.json(),
        json!({ "pipelines": [] })
    );
    let ended = bench
        .post(&format!("/pipelines/{id}/cancel"), json!({}))
        .await;
    assert_eq!(ended.status, StatusCode::CONFLICT);
}

/// The numbers and names of the frames of a stream.
fn frames(text: &str) -> Vec<(u64, String)> {
    let frames = text.split("\n\n").filter(|frame| frame.contains("data:"));
    frames
        .map(|frame| {
            let field = |name: &str| {
                let line = frame.lines().find_map(|line| line.strip_prefix(name));
                line.unwrap_or_default().trim().to_owned()
            };
            let data: Value = serde_json::from_str(&field("data:")).unwrap();
            assert_eq!(data["type"], field("event:"));
            assert_eq!(data["seq"].to_string(), field("id:"));
            assert!(data["entry"]["glyph"].is_string(), "{data}");
            (field("id:").parse().unwrap(), field("event:"))
        })
        .collect()
}

#[tokio::test]
async fn events_are_replayed_from_any_number() {
    let bench = Bench::new();
    let id = bench
        .submit("digraph d { a [shape=Mdiamond]; b [type=tool, command=\"echo hi\"]; c [shape=Msquare]; a -> b -> c }")
        .await;
    let path = format!("/pipelines/{id}/events");
    // The stream of a run ends with it.
    let all = frames(&bench.get(&path).await.text);
    let numbers: Vec<u64> = all.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=all.len() as u64).collect::<Vec<_>>());
    assert_eq!(all.first().unwrap().1, "pipeline_started");
    assert_eq!(all.last().unwrap().1, "pipeline_completed");
    bench.until(&id, "success").await;
    for after in 0..=all.len() {
        let by_query = bench.get(&format!("{path}?after={after}")).await;
        assert_eq!(frames(&by_query.text), all[after..], "after {after}");
        let request = request("GET", &path).header("last-event-id", after.to_string());
        let by_header = bench.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(frames(&by_header.text), all[after..]);
    }
    // Who knows more than the journal begins again.
    let gap = bench.get(&format!("{path}?after={}", all.len() + 7)).await;
    let (first, rest) = gap.text.split_once("\n\n").unwrap();
    let expected = format!(
        "id: 0\nevent: gap\ndata: {{\"type\":\"gap\",\"after\":{},\"last\":{}}}",
        all.len() + 7,
        all.len()
    );
    assert_eq!(first, expected);
    assert_eq!(frames(rest), all);
    let request = request("GET", &path).header("last-event-id", "x");
    let refused = bench.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_run_is_cancelled_and_another_resumed() {
    let bench = Bench::new();
    let id = bench.submit(GATED).await;
    bench.until(&id, "waiting").await;
    let accepted = bench
        .post(&format!("/pipelines/{id}/cancel"), json!({}))
        .await;
    assert_eq!(accepted.status, StatusCode::ACCEPTED);
    bench.until(&id, "cancelled").await;
    let failing = bench
        .submit("digraph d { a [shape=Mdiamond]; b [type=tool, command=\"test -f ok\"]; c [shape=Msquare]; a -> b -> c }")
        .await;
    let run = bench.until(&failing, "fail").await;
    assert_eq!(run["failure"]["node"], "b");
    let path = format!("/pipelines/{failing}/checkpoint");
    let checkpoint = bench.get(&path).await.json();
    assert_eq!(checkpoint["next_node"], "b");
    assert_eq!(checkpoint["completed_nodes"], json!(["a"]));
    let submissions = std::fs::read_dir(bench.folder.path().join("submissions")).unwrap();
    for submission in submissions {
        std::fs::write(submission.unwrap().path().join("ok"), "").unwrap();
    }
    let path = format!("/pipelines/{failing}/resume");
    let mut resumed = bench.post(&path, json!({})).await;
    // Its first owner may still be about to let it go.
    for _ in 0..100 {
        if resumed.status == StatusCode::ACCEPTED {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
        resumed = bench.post(&path, json!({})).await;
    }
    assert_eq!(resumed.status, StatusCode::ACCEPTED, "{}", resumed.text);
    bench.until(&failing, "success").await;
}

#[tokio::test]
async fn a_run_is_forked_at_a_visit() {
    let bench = Bench::new();
    let id = bench.submit(GATED).await;
    bench.until(&id, "waiting").await;
    let path = format!("/pipelines/{id}/fork");
    let forked = bench
        .post(
            &path,
            json!({ "node": "build", "visit": 1, "set": { "extra": "x" }, "files": "keep" }),
        )
        .await;
    assert_eq!(forked.status, StatusCode::CREATED, "{}", forked.text);
    let fork = forked.json()["id"].as_str().unwrap().to_owned();
    assert_ne!(fork, id);
    assert_eq!(forked.headers["location"], format!("/pipelines/{fork}"));
    bench.until(&fork, "waiting").await;
    let context = bench
        .get(&format!("/pipelines/{fork}/context"))
        .await
        .json();
    assert_eq!(context["context"]["extra"], "x");
    assert_eq!(
        bench.get(&format!("/pipelines/{id}")).await.json()["status"],
        "waiting"
    );
    let unknown = bench.post(&path, json!({ "node": "nothing" })).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{}", unknown.text);
}

#[tokio::test]
async fn broken_pipelines_are_refused_with_their_problems() {
    let bench = Bench::new();
    for (dot, rule) in [
        ("digraph d { a [shape=Mdiamond] b [", "syntax"),
        (
            "digraph d { a [shape=Mdiamond]; b [type=tol]; a -> b }",
            "unknown_handler",
        ),
    ] {
        let reply = bench.post("/pipelines", json!({ "dot": dot })).await;
        assert_eq!(
            reply.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{}",
            reply.text
        );
        let found = reply.json()["diagnostics"].clone();
        let found = found.as_array().unwrap().iter();
        let found: Vec<&Value> = found.filter(|one| one["rule"] == rule).collect();
        assert_eq!(found.len(), 1, "{}", reply.text);
        assert_eq!(found[0]["line"], 1);
    }
    let missing = bench
        .post(
            "/pipelines",
            json!({ "dot": "digraph d { inputs=\"version\"; a [shape=Mdiamond]; b [shape=Msquare]; a -> b }" }),
        )
        .await;
    assert_eq!(
        missing.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        missing.text
    );
    assert!(missing.text.contains("version"), "{}", missing.text);
    // Nothing of them is left.
    let left = std::fs::read_dir(bench.folder.path().join("submissions"));
    assert_eq!(left.map_or(0, Iterator::count), 0);
}

#[tokio::test]
async fn a_submission_stays_in_its_folder() {
    let bench = Bench::new();
    std::fs::write(bench.folder.path().join("secret.txt"), "hidden").unwrap();
    for path in ["../../secret.txt", "/etc/hostname"] {
        let dot = format!(
            "digraph d {{ a [shape=Mdiamond]; b [type=prompt, prompt_file=\"{path}\"]; c [shape=Msquare]; a -> b -> c }}"
        );
        let reply = bench
            .post(
                "/pipelines",
                json!({ "dot": dot, "name": "../../x/y", "mode": "simulate" }),
            )
            .await;
        assert_eq!(
            reply.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{path}: {}",
            reply.text
        );
        assert!(!reply.text.contains("hidden"));
    }
    assert!(!bench.folder.path().join("x").exists());
}

#[tokio::test]
async fn commands_are_refused_where_they_are_not_allowed() {
    let bench = Bench::with(AllowedHandlers::WithoutPrograms);
    let reply = bench.post("/pipelines", json!({ "dot": GATED })).await;
    assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        reply.text.contains("the node `build` runs commands"),
        "{}",
        reply.text
    );
    // Neither in another graph of the same file.
    let hidden = "digraph main { a [shape=Mdiamond]; s [type=pipeline, sub_pipeline=inner]; z [shape=Msquare]; \
                  a -> s -> z } digraph inner { a [shape=Mdiamond]; run [type=tool, command=\"id\"]; \
                  z [shape=Msquare]; a -> run -> z }";
    let reply = bench.post("/pipelines", json!({ "dot": hidden })).await;
    assert!(
        reply.text.contains("the node `run` runs commands"),
        "{}",
        reply.text
    );
    let without = GATED.replace(
        "type=tool, command=\"echo built\"",
        "type=prompt, prompt=\"Build.\"",
    );
    let id = bench.submit(&without).await;
    bench.until(&id, "waiting").await;
}

#[tokio::test]
async fn the_graph_shows_the_state_of_nodes() {
    let bench = Bench::new();
    let evil = GATED
        .replace("Release?", "ok?")
        .replace("build [", "build [label=\"<script>\\\"x\\\"</script>\", ");
    let id = bench.submit(&evil).await;
    bench.until(&id, "waiting").await;
    let graph = bench
        .get(&format!("/pipelines/{id}/graph?format=json"))
        .await
        .json();
    let state = |id: &str| {
        let nodes = graph["nodes"].as_array().unwrap().iter();
        nodes.clone().find(|node| node["id"] == id).unwrap()["state"].clone()
    };
    assert_eq!(
        (state("build"), state("review")),
        (json!("success"), json!("waiting"))
    );
    assert_eq!(state("done"), Value::Null);
    // A drawing leads back to the nodes, and does not contain the states.
    let element = graph["nodes"][1]["element"].as_str().unwrap();
    let dot = graph["dot"].as_str().unwrap();
    assert!(
        dot.contains(&format!("id=\"{element}\"")) && !dot.contains("filled"),
        "{dot}"
    );
    assert_eq!(graph["edges"][0]["element"], "e0");
    let svg = bench.get(&format!("/pipelines/{id}/graph")).await;
    match svg.status {
        StatusCode::OK => {
            assert_eq!(svg.headers["content-type"], "image/svg+xml");
            assert!(
                svg.text.contains("&lt;script&gt;") && !svg.text.contains("<script"),
                "{}",
                svg.text
            );
        }
        status => assert_eq!(status, StatusCode::NOT_IMPLEMENTED, "{}", svg.text),
    }
}

#[tokio::test]
async fn who_may_not_ask_is_refused() {
    let bench = Bench::new();
    let plain = |method: &str, path: &str| Request::builder().method(method).uri(path);
    let cases = [
        (
            plain("GET", "/pipelines").header("host", "localhost:8080"),
            401,
        ),
        (
            plain("GET", "/pipelines")
                .header("host", "localhost:8080")
                .header("authorization", "Bearer wrong"),
            401,
        ),
        (
            plain("GET", "/pipelines?token=secret").header("host", "localhost:8080"),
            401,
        ),
        // DNS rebinding: the name of another site that resolves to this machine.
        (
            plain("GET", "/pipelines")
                .header("host", "evil.example:8080")
                .header("authorization", "Bearer secret"),
            403,
        ),
        (plain("GET", "/healthz").header("host", "evil.example"), 403),
        (
            request("GET", "/pipelines").header("origin", "https://evil.example"),
            403,
        ),
        (request("GET", "/pipelines").header("origin", "null"), 403),
        (
            request("GET", "/pipelines").header("origin", "http://localhost:8080"),
            200,
        ),
        (
            plain("GET", "/healthz").header("host", "localhost:8080"),
            200,
        ),
        (
            request("POST", "/pipelines").header("content-type", "text/plain"),
            415,
        ),
        (request("POST", "/pipelines"), 415),
        (request("DELETE", "/pipelines"), 405),
        (request("GET", "/nowhere"), 404),
        (request("GET", "/pipelines/..%2f..%2fetc"), 404),
        (request("GET", "/pipelines/01KA000000000000000000000A"), 404),
    ];
    for (request, status) in cases {
        let request = request.body(Body::empty()).unwrap();
        let shown = format!("{request:?}");
        let reply = bench.send(request).await;
        assert_eq!(reply.status.as_u16(), status, "{shown}: {}", reply.text);
        assert!(!reply.headers.contains_key("access-control-allow-origin"));
        assert_eq!(reply.headers["x-content-type-options"], "nosniff");
        assert!(!reply.text.contains("secret"), "{}", reply.text);
        if status >= 400 {
            assert!(reply.json()["error"]["message"].is_string());
        }
        if status == 405 {
            assert_eq!(reply.headers["allow"], "GET,HEAD,POST");
        }
    }
}

/// Requests as the page of the server sends them.
fn of_page(method: &str, path: &str) -> axum::http::request::Builder {
    let request = Request::builder().method(method).uri(path);
    request
        .header("host", "localhost:8080")
        .header("origin", "http://localhost:8080")
        .header("sec-fetch-site", "same-origin")
}

async fn log_in(bench: &Bench, body: Value) -> Reply {
    let request = of_page("POST", "/session").header("content-type", "application/json");
    let body = Body::from(body.to_string());
    bench.send(request.body(body).unwrap()).await
}

#[tokio::test]
async fn the_page_logs_in_by_a_ticket_and_out() {
    let bench = Bench::new();
    let ticket = bench.server.ticket().unwrap();
    let page = Request::builder().uri("/").header("host", "localhost:8080");
    let page = bench.send(page.body(Body::empty()).unwrap()).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(
        policy.contains("script-src 'self' 'wasm-unsafe-eval';"),
        "{policy}"
    );
    let again = Request::builder().uri("/").header("host", "localhost:8080");
    let again = again.header("if-none-match", &page.headers["etag"]);
    let again = bench.send(again.body(Body::empty()).unwrap()).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);

    for wrong in [
        json!({ "ticket": "0".repeat(64) }),
        json!({ "token": "other" }),
    ] {
        let refused = log_in(&bench, wrong).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.text);
        assert!(!refused.headers.contains_key("set-cookie"));
    }
    let logged_in = log_in(&bench, json!({ "ticket": ticket })).await;
    assert_eq!(logged_in.status, StatusCode::CREATED, "{}", logged_in.text);
    let used = log_in(&bench, json!({ "ticket": ticket })).await;
    assert_eq!(used.status, StatusCode::UNAUTHORIZED);
    let by_token = log_in(&bench, json!({ "token": "secret" })).await;
    assert_eq!(by_token.status, StatusCode::CREATED);

    let set = logged_in.headers["set-cookie"].to_str().unwrap();
    let cookie = set.split(';').next().unwrap();
    let send = async |request: axum::http::request::Builder| {
        let request = request.header("cookie", cookie);
        let request = request.header("content-type", "application/json");
        bench
            .send(request.body(Body::from("{}")).unwrap())
            .await
            .status
    };
    assert_eq!(send(of_page("GET", "/pipelines")).await, 200);
    assert_eq!(send(of_page("POST", "/pipelines")).await, 422);
    let id = bench.submit(GATED).await;
    let cancel = format!("/pipelines/{id}/cancel");
    // A page on another port of this machine gets the cookie, too.
    for (site, origin) in [
        ("same-site", Some("http://localhost:3000")),
        ("same-site", None),
        ("cross-site", None),
        ("same-origin", None),
    ] {
        let request = Request::builder().method("POST").uri(&cancel);
        let mut request = request
            .header("host", "localhost:8080")
            .header("sec-fetch-site", site);
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        assert_eq!(send(request).await, 403, "{site} {origin:?}");
    }
    let read = Request::builder()
        .uri("/pipelines")
        .header("host", "localhost:8080");
    assert_eq!(send(read.header("sec-fetch-site", "cross-site")).await, 403);
    assert_eq!(send(of_page("POST", &cancel)).await, 202);
    assert_eq!(
        send(of_page("GET", &format!("/pipelines/{id}/events"))).await,
        200
    );
    assert_eq!(send(of_page("DELETE", "/session")).await, 204);
    assert_eq!(send(of_page("GET", "/pipelines")).await, 401);
}

#[tokio::test]
async fn files_outside_the_page_are_not_served() {
    let bench = Bench::new();
    for path in [
        "/page/nothing.js",
        "/page/..%2f..%2fCargo.toml",
        "/page/../src/lib.rs",
        "/page/%2e%2e/%2e%2e/page/dist/index.html",
        "/page//etc/passwd",
        "/page/",
    ] {
        let request = Request::builder()
            .uri(path)
            .header("host", "localhost:8080");
        let reply = bench.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(
            reply.status,
            StatusCode::NOT_FOUND,
            "{path}: {}",
            reply.text
        );
    }
}

#[tokio::test]
async fn bodies_that_do_not_fit_are_refused() {
    let bench = Bench::new();
    let send = async |body: Body| {
        let request = request("POST", "/pipelines").header("content-type", "application/json");
        bench.send(request.body(body).unwrap()).await
    };
    for (body, status) in [
        ("{\"dot\": ", 400),
        ("nonsense", 400),
        ("[]", 422),
        ("{}", 422),
        ("{\"dot\": 1}", 422),
        ("{\"dot\": \"digraph d {}\", \"mod\": \"run\"}", 422),
    ] {
        let reply = send(Body::from(body)).await;
        assert_eq!(reply.status.as_u16(), status, "{body}: {}", reply.text);
        assert!(reply.json()["error"]["code"].is_string());
    }
    let large = send(Body::from(vec![b' '; 5 * 1024 * 1024])).await;
    assert_eq!(large.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(large.json()["error"]["code"], "payload_too_large");
    let query = bench.get("/pipelines?limit=many").await;
    assert_eq!(query.status, StatusCode::BAD_REQUEST);
    assert!(query.json()["error"]["message"].is_string());
}
