//! Real runs, and a collector that decodes what they send.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

use std::sync::Arc;
use std::time::Duration;

use attractor_model::Pipeline;
use attractor_otel::{ExportReport, FLUSH, TraceExporter};
use attractor_run::{Launch, RunState, Source, start};
use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use tokio::net::TcpListener;
use tokio::sync::Mutex;

const DOT: &str = r#"digraph work {
    s [shape=Mdiamond]; e [shape=Msquare]
    flaky [command="test -e tried || { touch tried; exit 1; }", max_retries=1, retry_delay="1ms"]
    write [shape=note, prompt="Write it."]
    s -> flaky -> write -> e
}"#;

type Received = Arc<Mutex<Vec<ExportTraceServiceRequest>>>;

/// A collector; its address, and the requests it got.
async fn collector() -> (String, Received) {
    let received = Received::default();
    let requests = received.clone();
    let accept = move |headers: HeaderMap, body: Bytes| async move {
        assert_eq!(headers["content-type"], "application/x-protobuf");
        let request = ExportTraceServiceRequest::decode(body).unwrap();
        requests.lock().await.push(request);
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = axum::Router::new().route("/v1/traces", post(accept));
    tokio::spawn(async move { axum::serve(listener, app).await });
    (format!("http://{address}/v1/traces"), received)
}

/// Runs a pipeline, and says how it ended and what became of its spans.
async fn traced(endpoint: &str, flush: Duration) -> (RunState, ExportReport) {
    let folder = tempfile::tempdir().unwrap();
    let source = Source {
        path: folder.path().join("work.dot"),
        text: DOT.into(),
    };
    let pipeline = Pipeline::from_text(DOT).remove(0);
    let run = start(Launch::new(pipeline, source)).await.unwrap();
    let export = TraceExporter::to(endpoint).unwrap().follow(&run);
    let status = run.wait().await.status;
    (status, export.finish(flush).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn run_arrives_at_the_collector() {
    let (endpoint, received) = collector().await;
    let (status, report) = traced(&endpoint, FLUSH).await;
    assert_eq!(status, RunState::Success);
    assert_eq!((report.lost, report.error), (0, None));
    let requests = received.lock().await;
    let resources = requests.iter().flat_map(|request| &request.resource_spans);
    let resources: Vec<_> = resources.collect();
    let service = resources[0].resource.as_ref().unwrap().attributes.iter();
    assert!(service.clone().any(|one| one.key == "service.name"));
    let scopes = resources.iter().flat_map(|resource| &resource.scope_spans);
    let spans: Vec<&Span> = scopes.flat_map(|scope| &scope.spans).collect();
    assert_eq!(spans.len(), report.sent);
    let root = spans
        .iter()
        .find(|span| span.parent_span_id.is_empty())
        .unwrap();
    assert_eq!(root.name, "invoke_workflow work");
    let child = |parent: &Span, name: &str| -> &Span {
        let mut all = spans.iter();
        let is = |span: &&&Span| span.parent_span_id == parent.span_id && span.name == name;
        all.find(is)
            .unwrap_or_else(|| panic!("no `{name}` in {}", parent.name))
    };
    let flaky = child(root, "node flaky");
    let failed = child(flaky, "attempt 1 of flaky");
    let status = failed.status.as_ref().unwrap();
    assert_eq!((status.code, &*status.message), (2, "exit code 1"));
    let second = child(flaky, "attempt 2 of flaky");
    assert_eq!(second.status.as_ref().map_or(0, |status| status.code), 0);
    let chat = child(
        child(child(root, "node write"), "attempt 1 of write"),
        "chat",
    );
    assert!(
        chat.attributes
            .iter()
            .any(|one| one.key == "gen_ai.operation.name")
    );
    for span in &spans {
        assert_eq!(span.trace_id, root.trace_id);
        let (start, end) = (span.start_time_unix_nano, span.end_time_unix_nano);
        assert!(root.start_time_unix_nano <= start && start <= end);
        assert!(end <= root.end_time_unix_nano);
    }
    assert!(failed.end_time_unix_nano <= second.start_time_unix_nano);
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_of_the_settings_are_sent() {
    let (sender, mut headers) = tokio::sync::mpsc::unbounded_channel();
    let accept = move |received: HeaderMap| async move {
        let text = |name: &str| received[name].to_str().unwrap().to_owned();
        sender
            .send((text("authorization"), text("x-team")))
            .unwrap();
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let app = axum::Router::new().route("/v1/traces", post(accept));
    tokio::spawn(async move { axum::serve(listener, app).await });
    let variables = |name: &str| match name {
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" => Some(format!("{endpoint}/v1/traces")),
        "OTEL_EXPORTER_OTLP_HEADERS" => {
            Some("Authorization=Bearer%20abc-123, x-team=blue".to_owned())
        }
        _ => None,
    };
    let exporter = TraceExporter::from_variables(&variables).unwrap().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let source = Source {
        path: folder.path().join("work.dot"),
        text: DOT.into(),
    };
    let pipeline = Pipeline::from_text(DOT).remove(0);
    let run = start(Launch::new(pipeline, source)).await.unwrap();
    let export = exporter.follow(&run);
    run.wait().await;
    export.finish(FLUSH).await;
    let sent = headers.recv().await.unwrap();
    assert_eq!(sent, ("Bearer abc-123".to_owned(), "blue".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn run_does_not_need_a_collector() {
    // Nothing listens on the port of a listener that is gone.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}/v1/traces", listener.local_addr().unwrap());
    drop(listener);
    let (status, report) = traced(&endpoint, FLUSH).await;
    assert_eq!(status, RunState::Success);
    assert_eq!(report.sent, 0);
    assert!(report.lost > 0 && report.error.is_some(), "{report:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn run_does_not_wait_for_a_collector_that_never_answers() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}/v1/traces", listener.local_addr().unwrap());
    let (status, report) = traced(&endpoint, Duration::from_millis(50)).await;
    assert_eq!(status, RunState::Success);
    assert_eq!(report.sent, 0);
    let error = report.error.unwrap_or_default();
    assert!(error.contains("did not answer"), "{error}");
    drop(listener);
}
