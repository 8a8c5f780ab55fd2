//! What is too much, or not allowed.

use std::time::Duration;

use attractor::{Approvals, Engine, FilteredEnvironment};
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use super::{Bench, GATED, request};
use crate::{AllowedHandlers, ServeLimits, ServeOptions, Submissions, Token};

fn few() -> ServeLimits {
    ServeLimits {
        connections: 2,
        streams: 1,
        requests_per_second: 1,
        runs: 1,
    }
}

#[tokio::test]
async fn too_many_requests_and_runs_are_refused_for_a_while() {
    let bench = Bench::limited(AllowedHandlers::All, few());
    bench.submit(GATED).await;
    let second = bench.post("/pipelines", json!({ "dot": GATED })).await;
    assert_eq!(
        second.status,
        StatusCode::TOO_MANY_REQUESTS,
        "{}",
        second.text
    );
    assert_eq!(second.headers["retry-after"], "30");
    let third = bench.get("/pipelines").await;
    assert_eq!(
        third.status,
        StatusCode::TOO_MANY_REQUESTS,
        "{}",
        third.text
    );
    assert_eq!(third.headers["retry-after"], "1");
    assert_eq!(third.json()["error"]["code"], "too_many_requests");
}

#[tokio::test]
async fn streams_are_limited() {
    let limits = ServeLimits {
        streams: 1,
        ..ServeLimits::default()
    };
    let bench = Bench::limited(AllowedHandlers::All, limits);
    let id = bench.submit(GATED).await;
    let path = format!("/pipelines/{id}/events");
    let send = async || {
        let request = request("GET", &path).body(Body::empty()).unwrap();
        tower::ServiceExt::oneshot(bench.router.clone(), request)
            .await
            .unwrap()
    };
    let first = send().await;
    assert_eq!(first.status(), StatusCode::OK);
    assert_eq!(send().await.status(), StatusCode::TOO_MANY_REQUESTS);
    drop(first);
    assert_eq!(send().await.status(), StatusCode::OK);
}

#[tokio::test]
async fn only_listed_handlers_may_be_used() {
    let bench = Bench::with(AllowedHandlers::Only(vec!["prompt".to_owned()]));
    let submit = async |node: &str| {
        let dot = format!(
            "digraph d {{ a [shape=Mdiamond]; b [{node}]; g [type=human_gate, prompt=\"ok?\"]; c [shape=Msquare]; \
             a -> b -> g; g -> c [label=\"[Y] Yes\"] }}"
        );
        bench.post("/pipelines", json!({ "dot": dot })).await
    };
    let allowed = submit("type=prompt, prompt=\"hello\"").await;
    assert_eq!(allowed.status, StatusCode::CREATED, "{}", allowed.text);
    for (node, reason) in [
        ("type=tool, command=\"id\"", "needs the handler `tool`"),
        (
            "type=codergen, prompt=\"x\"",
            "needs the handler `codergen`",
        ),
        (
            "type=prompt, prompt=\"x\"]; c [command=\"id\"",
            "needs the handler `tool`",
        ),
        // An agent, or another program that is one, on a node that otherwise gets a text.
        (
            "type=prompt, prompt=x, agent_mode=agent_loop",
            "needs the handler `codergen`",
        ),
        (
            "type=prompt, prompt=x, backend=cli, agent_tool=claude",
            "needs the handler `codergen`",
        ),
        (
            "type=prompt, prompt=x, backend=acp",
            "needs the handler `codergen`",
        ),
        (
            "type=prompt, prompt=x, backend=\"{which}\"",
            "needs the handler `codergen`",
        ),
        (
            "type=prompt, prompt=x]; a [prompt=x",
            "needs the handler `codergen`",
        ),
        (
            "type=prompt, prompt=x]; graph [model_stylesheet=\"* { backend: cli }\"",
            "needs the handler `codergen`",
        ),
        (
            "type=prompt, prompt=x]; graph [backend=cli",
            "needs the handler `codergen`",
        ),
    ] {
        let refused = submit(node).await;
        assert_eq!(
            refused.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{}",
            refused.text
        );
        assert!(refused.text.contains(reason), "{}", refused.text);
    }
}

#[tokio::test]
async fn agents_need_commands_to_be_allowed_whatever_node_they_work_on() {
    let bench = Bench::with(AllowedHandlers::WithoutPrograms);
    for node in [
        "type=prompt, prompt=x, agent_mode=agent_loop",
        "type=codergen, prompt=x, backend=\"{which}\"",
        "type=prompt, prompt=x, backend=cli",
        "type=prompt, prompt=x]; a [prompt=x",
    ] {
        let dot = format!(
            "digraph d {{ a [shape=Mdiamond]; b [{node}]; c [shape=Msquare]; a -> b -> c }}"
        );
        let refused = bench.post("/pipelines", json!({ "dot": dot })).await;
        assert_eq!(
            refused.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{node}: {}",
            refused.text
        );
        assert!(
            refused.text.contains("runs commands or an agent"),
            "{}",
            refused.text
        );
    }
}

#[tokio::test]
async fn files_outside_of_the_folder_of_the_run_cannot_be_looked_at() {
    let bench = Bench::with(AllowedHandlers::WithoutPrograms);
    let submit = async |node: &str| {
        let dot = format!(
            "digraph d {{ a [shape=Mdiamond]; b [{node}]; g [type=human_gate, prompt=\"ok?\"]; c [shape=Msquare]; \
             a -> b -> g; g -> c [label=\"[Y] Yes\"] }}"
        );
        bench.post("/pipelines", json!({ "dot": dot })).await
    };
    let prompt = "type=prompt, prompt=x, backend=simulate";
    for attribute in [
        "verify=\"file_exists:/etc/passwd\"",
        "verify=\"{check}\"",
        "must_write=\"report.md, ../../../top.txt\"",
        "must_write=\"{file}\"",
        "loop_until_file=\"/etc/passwd\"",
        "loop_until_file_contains=\"/etc/passwd:root\"",
    ] {
        let refused = submit(&format!("{prompt}, {attribute}")).await;
        assert_eq!(
            refused.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{attribute}: {}",
            refused.text
        );
        assert!(
            refused
                .text
                .contains("expected a path in the folder of the run"),
            "{attribute}: {}",
            refused.text
        );
    }
    let gate = "type=human_gate, prompt=x, attachments=\"/etc/passwd\"]; b -> c [label=No";
    let refused = submit(gate).await;
    assert!(
        refused.text.contains("in `attachments`"),
        "{}",
        refused.text
    );
    let allowed = submit(&format!(
        "{prompt}, verify=\"output_contains:{{x}}\", must_write=\"out/report.md\""
    ))
    .await;
    assert_eq!(allowed.status, StatusCode::CREATED, "{}", allowed.text);
}

#[tokio::test]
async fn commands_see_the_listed_variables_only() {
    let folder = tempfile::tempdir().unwrap();
    let runs_dir = folder.path().join("runs");
    let engine = Engine::builder().runs_dir(&runs_dir);
    let variables = vec!["PATH".to_owned()];
    let submitted = engine.clone().execution(FilteredEnvironment { variables });
    let options = ServeOptions {
        engine: engine.build().unwrap(),
        project: folder.path().to_owned(),
        approvals: Approvals::new(None),
        submissions: Submissions {
            engine: submitted.build().unwrap(),
            folder: folder.path().join("submissions"),
            handlers: AllowedHandlers::All,
        },
        runs_dir,
        hosts: Vec::new(),
        token: Token::of("secret"),
        notifier: None,
        limits: ServeLimits::default(),
    };
    let bench = Bench::of(options, folder);
    // Cargo sets this variable for tests.
    let id = bench
        .submit("digraph d { a [shape=Mdiamond]; b [type=tool, command=\"echo $PATH,$CARGO_MANIFEST_DIR,$MINE\", tool_env=\"MINE=own\"]; c [shape=Msquare]; a -> b -> c }")
        .await;
    bench.until(&id, "success").await;
    let context = bench.get(&format!("/pipelines/{id}/context")).await.json();
    let path = std::env::var("PATH").unwrap();
    assert_eq!(context["context"]["tool.last_line"], format!("{path},,own"));
}

/// A server on a socket, and what ends it.
async fn listen(limits: ServeLimits) -> (std::net::SocketAddr, oneshot::Sender<()>, Bench) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let bench = Bench::at(AllowedHandlers::All, limits, address);
    let (stop, stopped) = oneshot::channel();
    let server = Bench::at(AllowedHandlers::All, limits, address).server;
    tokio::spawn(server.serve(listener, async {
        let _ = stopped.await;
    }));
    (address, stop, bench)
}

async fn send(address: std::net::SocketAddr, text: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may close the connection before all is sent.
    let _ = stream.write_all(text).await;
    stream
}

async fn answer(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text).await;
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test]
async fn one_connection_too_many_is_refused() {
    let (address, _stop, _bench) = listen(few()).await;
    let _open = [send(address, b"GET ").await, send(address, b"GET ").await];
    let refused = answer(&mut send(address, b"").await).await;
    assert!(
        refused.starts_with("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\n"),
        "{refused}"
    );
}

#[tokio::test]
async fn floods_of_headers_are_refused() {
    let (address, _stop, _bench) = listen(ServeLimits::default()).await;
    let head = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
    let many = "X: x\r\n".repeat(200);
    let large = format!("X: {}\r\n", "x".repeat(200_000));
    for fields in [many, large] {
        let text = format!("{head}{fields}\r\n");
        let refused = answer(&mut send(address, text.as_bytes()).await).await;
        assert!(
            refused.is_empty() || refused.starts_with("HTTP/1.1 431"),
            "{refused}"
        );
    }
    let fine = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let fine = answer(&mut send(address, fine.as_bytes()).await).await;
    assert!(fine.starts_with("HTTP/1.1 200"), "{fine}");
}

#[tokio::test(start_paused = true)]
async fn half_a_request_is_not_waited_for() {
    let (address, _stop, _bench) = listen(ServeLimits::default()).await;
    let half_head = answer(&mut send(address, b"GET /healthz HTTP/1.1\r\nHost: lo").await).await;
    assert!(
        half_head.is_empty() || half_head.starts_with("HTTP/1.1 408"),
        "{half_head}"
    );
    let half_body = format!(
        "POST /pipelines HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer secret\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{{\"dot\":"
    );
    let half_body = answer(&mut send(address, half_body.as_bytes()).await).await;
    assert!(half_body.starts_with("HTTP/1.1 408"), "{half_body}");
}

#[tokio::test]
async fn a_server_that_ends_interrupts_its_runs() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let Bench {
        server,
        router,
        folder,
    } = Bench::new();
    let bench = Bench {
        server: Bench::new().server,
        router,
        folder,
    };
    let id = bench.submit(GATED).await;
    bench.until(&id, "waiting").await;
    let events = format!(
        "GET /pipelines/{id}/events HTTP/1.1\r\nHost: localhost:8080\r\nAuthorization: Bearer secret\r\nConnection: close\r\n\r\n"
    );
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(server.serve(listener, async {
        let _ = stopped.await;
    }));
    let mut reader = send(address, events.as_bytes()).await;
    let mut first = [0; 15];
    reader.read_exact(&mut first).await.unwrap();
    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(20), serving)
        .await
        .unwrap()
        .unwrap();
    // The reader sees the end of the run.
    let seen = answer(&mut reader).await;
    assert!(seen.contains("event: pipeline_interrupted"), "{seen}");
    let after = bench.post("/pipelines", json!({ "dot": GATED })).await;
    assert_eq!(after.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(
        bench.get(&format!("/pipelines/{id}")).await.json()["status"],
        "interrupted"
    );
}

#[tokio::test]
async fn refusals_of_parts_that_have_their_own_are_like_the_others() {
    let bench = Bench::new();
    let send = async |request: axum::http::request::Builder| {
        bench.send(request.body(Body::empty()).unwrap()).await
    };
    let reply = send(request("PUT", "/mcp")).await;
    assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(reply.json()["error"]["code"], "method_not_allowed");
    let allowed = reply.headers["allow"].to_str().unwrap();
    assert!(allowed.contains("POST"), "{allowed}");
    let reply = send(request("GET", "/pipelines?limit=x")).await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
    let message = reply.json()["error"]["message"].clone();
    let message = message.as_str().unwrap();
    assert!(message.starts_with("invalid query: limit: "), "{message}");
    let reply = send(request("GET", "/pipelines").header("x-long", "x".repeat(65 * 1024))).await;
    assert_eq!(reply.status, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    assert_eq!(reply.json()["error"]["code"], "headers_too_large");
}

#[tokio::test]
async fn missing_inputs_are_named_as_the_body_has_them() {
    let bench = Bench::new();
    let dot = "digraph x { inputs=\"v, w\"; a [shape=Mdiamond]; b [type=tool, command=\"echo {v} {w}\"]; z [shape=Msquare]; a -> b -> z }";
    let reply = bench.post("/pipelines", json!({ "dot": dot })).await;
    assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        reply.json()["error"]["message"],
        "pipeline `x` requires the inputs `v`, `w`; give each in `inputs`"
    );
}
