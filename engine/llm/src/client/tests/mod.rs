mod server;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use secrecy::SecretString;
use serde_json::{Value, json};

use self::server::{Reply, Server};
use super::Client;
use crate::collector::StreamCollector;
use crate::error::{Error, ErrorKind};
use crate::event::{EventStream, StreamEvent};
use crate::http::{Endpoint, HttpOptions, Timeouts};
use crate::middleware::{
    HookMiddleware, Middleware, Next, RequestHooks, RetryMiddleware, TokenTrackingMiddleware,
};
use crate::request::Request;
use crate::response::Response;
use crate::retry::RetryPolicy;

const KEY: &str = "sk-ant-secret-0123456789";
const MODEL: &str = "claude-haiku-4-5";

const START: &str = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m1\",\"model\":\"claude-haiku-4-5\",\"content\":[],\"usage\":{\"input_tokens\":3,\"output_tokens\":1}}}\n\n";
const TEXT: &str = "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"hello\"}}\n\n";
const END: &str = "data: {\"type\":\"content_block_stop\",\"index\":0}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":5}}\n\ndata: {\"type\":\"message_stop\"}\n\n";
const OVERLOADED: &str = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";

fn quick() -> RetryPolicy {
    RetryPolicy {
        base_delay: Duration::from_millis(1),
        jitter: None,
        ..RetryPolicy::default()
    }
}

fn http(idle: Duration) -> HttpOptions {
    HttpOptions {
        timeouts: Timeouts {
            idle,
            ..Timeouts::default()
        },
        clock: Arc::new(|| "2026-11-22T12:00:00Z".parse().unwrap()),
        ..HttpOptions::default()
    }
}

fn builder(url: &str) -> super::ClientBuilder {
    Client::builder()
        .http(http(Duration::from_secs(30)))
        .retry(quick())
        .endpoint(
            "anthropic",
            Endpoint::new(url, Some(SecretString::from(KEY))),
        )
}

fn client(url: &str) -> Client {
    builder(url).build().unwrap()
}

fn request() -> Request {
    Request {
        max_tokens: Some(100),
        ..Request::prompt(MODEL, "hi")
    }
}

fn answer() -> Value {
    json!({"id": "m1", "model": MODEL, "content": [{"type": "text", "text": "hello"}], "stop_reason": "end_turn", "usage": {"input_tokens": 3, "output_tokens": 5}})
}

fn whole() -> Reply {
    Reply::json(200, &answer())
}

fn api_error(status: u16, kind: &str) -> Reply {
    Reply::json(
        status,
        &json!({"type": "error", "error": {"type": kind, "message": "no"}}),
    )
}

#[tokio::test]
async fn a_call_sends_the_key_and_returns_the_answer() {
    let server = Server::start(vec![
        whole().with("anthropic-ratelimit-requests-remaining", "7"),
    ])
    .await;
    let response = client(&server.url).complete(request()).await.unwrap();
    assert_eq!(
        (response.text().as_str(), response.usage.total_tokens()),
        ("hello", 8)
    );
    assert_eq!(
        response.rate_limit.unwrap().requests.unwrap().remaining,
        Some(7)
    );
    let sent = &server.requests()[0];
    assert!(
        sent.starts_with("POST /v1/messages ") && sent.contains(&format!("x-api-key: {KEY}")),
        "{sent}"
    );
}

#[tokio::test]
async fn failures_are_retried_and_others_are_not() {
    let server = Server::start(vec![
        api_error(529, "overloaded_error"),
        api_error(429, "rate_limit_error").with("retry-after-ms", "1"),
        whole(),
    ])
    .await;
    let response = client(&server.url).complete(request()).await.unwrap();
    assert_eq!(response.metadata["retries"], 2);
    assert_eq!(server.requests().len(), 3);
    let server = Server::start(vec![api_error(401, "authentication_error")]).await;
    let error = client(&server.url).complete(request()).await.unwrap_err();
    assert_eq!(
        (error.kind(), server.requests().len()),
        (ErrorKind::Authentication, 1)
    );
}

#[tokio::test]
async fn a_delay_longer_than_allowed_is_returned_with_the_time_of_its_end() {
    let server = Server::start(vec![
        api_error(429, "rate_limit_error").with("retry-after", "20400"),
    ])
    .await;
    let error = client(&server.url).complete(request()).await.unwrap_err();
    assert_eq!(server.requests().len(), 1);
    assert_eq!(
        error.available_at().unwrap().to_string(),
        "2026-11-22T17:40:00Z"
    );
    assert!(
        error
            .to_string()
            .contains("available at 2026-11-22T17:40:00Z"),
        "{error}"
    );
}

#[tokio::test]
async fn the_providers_advice_against_a_retry_is_followed() {
    let server = Server::start(vec![
        api_error(500, "api_error").with("x-should-retry", "false"),
        whole(),
    ])
    .await;
    assert!(client(&server.url).complete(request()).await.is_err());
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_stream_is_retried_until_content_arrives() {
    let broken = Reply::Stream(format!("{START}{OVERLOADED}"));
    let server = Server::start(vec![broken, Reply::Stream(format!("{START}{TEXT}{END}"))]).await;
    let stream = client(&server.url).stream(request()).await.unwrap();
    let response = StreamCollector::collect(stream).await.unwrap();
    assert_eq!(
        (response.text().as_str(), server.requests().len()),
        ("hello", 2)
    );
}

#[tokio::test]
async fn a_stream_is_not_retried_after_content() {
    for broken in [
        format!("{START}{TEXT}{OVERLOADED}"),
        format!("{START}{TEXT}"),
    ] {
        let server = Server::start(vec![
            Reply::Stream(broken),
            Reply::Stream(format!("{START}{TEXT}{END}")),
        ])
        .await;
        let stream = client(&server.url).stream(request()).await.unwrap();
        let items: Vec<Result<StreamEvent, Error>> = stream.collect().await;
        assert_eq!(server.requests().len(), 1);
        assert!(
            items
                .iter()
                .any(|item| matches!(item, Ok(StreamEvent::TextDelta { .. })))
        );
        assert!(items.last().unwrap().as_ref().unwrap_err().is_retryable());
    }
}

/// A client whose layer makes it persistent.
fn persistent(url: &str) -> (Client, RetryMiddleware) {
    let policy = RetryPolicy {
        base_delay: Duration::from_millis(1),
        ..RetryPolicy::persistent()
    };
    let layer = RetryMiddleware::new(Some(policy));
    let client = builder(url).middleware(Arc::new(layer.clone()));
    (client.build().unwrap(), layer)
}

#[tokio::test]
async fn a_persistent_stream_begins_again_after_content() {
    let broken = |end: &str| Reply::Stream(format!("{START}{TEXT}{end}"));
    let server = Server::start(vec![
        broken(OVERLOADED),
        broken(""),
        api_error(529, "overloaded_error").with("retry-after-ms", "1"),
        Reply::Stream(format!("{START}{TEXT}{END}")),
    ])
    .await;
    let (client, layer) = persistent(&server.url);
    let items: Vec<_> = client.stream(request()).await.unwrap().collect().await;
    let mut collector = StreamCollector::default();
    let mut names = Vec::new();
    for item in items {
        let event = item.unwrap();
        names.push(event.name());
        collector.process_event(&event);
    }
    let response = collector.to_response();
    assert_eq!(
        names.join(" "),
        "stream_start text_delta retry stream_start text_delta retry retry stream_start text_delta part_end finish"
    );
    assert_eq!(
        (response.text().as_str(), layer.last_attempt()),
        ("hello", 3)
    );
    // What the two broken answers used counts: three tokens of input each, two of output by estimate.
    assert_eq!(
        (response.usage.input_tokens, response.usage.output_tokens),
        (9, 9)
    );
    assert!(response.usage.estimated);
}

#[tokio::test]
async fn the_error_of_a_persistent_stream_is_its_last_item() {
    let server = Server::start(vec![api_error(401, "authentication_error")]).await;
    let (client, _) = persistent(&server.url);
    let items: Vec<_> = client.stream(request()).await.unwrap().collect().await;
    assert_eq!(items.len(), 1);
    let error = items[0].as_ref().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Authentication);
}

#[tokio::test]
async fn an_answer_that_is_complete_is_not_requested_again() {
    // The connection breaks after the reason, before the last event.
    let complete = "data: {\"type\":\"content_block_stop\",\"index\":0}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":5}}\n\n";
    let server = Server::start(vec![Reply::Hang(format!("{START}{TEXT}{complete}"))]).await;
    let client = builder(&server.url).http(http(Duration::from_millis(50)));
    let client = client.endpoint("anthropic", Endpoint::new(&server.url, None));
    let stream = client.build().unwrap().stream(request()).await.unwrap();
    let response = StreamCollector::collect(stream).await.unwrap();
    assert_eq!(response.text(), "hello");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn reasoning_that_a_provider_refuses_to_show_is_left_out() {
    let refusal = Reply::json(
        400,
        &json!({"error": {"message": "Your organization must be verified to generate reasoning summaries.", "type": "invalid_request_error", "param": "reasoning.summary", "code": "unsupported_value"}}),
    );
    let answer = json!({"id": "r", "model": "gpt-6-astra", "status": "completed", "output": [{"type": "message", "content": [{"type": "output_text", "text": "hello"}]}], "usage": {"input_tokens": 1, "output_tokens": 1}});
    let server = Server::start(vec![refusal, Reply::json(200, &answer)]).await;
    let client = Client::builder()
        .endpoint("openai", Endpoint::new(&server.url, None))
        .build()
        .unwrap();
    let request = || Request {
        show_reasoning: true,
        ..Request::prompt("gpt-6-astra", "hi")
    };
    for _ in 0..2 {
        assert_eq!(client.complete(request()).await.unwrap().text(), "hello");
    }
    let asked = server.requests();
    let asked: Vec<bool> = asked.iter().map(|body| body.contains("summary")).collect();
    assert_eq!(asked, [true, false, false]);
}

#[tokio::test]
async fn a_stream_that_stalls_or_drips_ends_with_a_timeout() {
    for reply in [Reply::Hang(START.to_owned()), Reply::Drip] {
        let server = Server::start(vec![reply]).await;
        let client = Client::builder()
            .http(http(Duration::from_millis(50)))
            .retry(RetryPolicy::none())
            .endpoint("anthropic", Endpoint::new(&server.url, None))
            .build()
            .unwrap();
        let error = client.stream(request()).await.err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    }
}

#[tokio::test]
async fn dropping_or_cancelling_a_stream_closes_its_connection() {
    let mut server = Server::start(vec![Reply::Hang(format!("{START}{TEXT}"))]).await;
    let client = client(&server.url);
    drop(client.stream(request()).await.unwrap());
    server.hang_up().await;
    let request = request();
    let cancel = request.cancel.clone();
    let mut stream = client.stream(request).await.unwrap();
    while let Some(Ok(event)) = stream.next().await {
        if matches!(event, StreamEvent::TextDelta { .. }) {
            cancel.cancel();
        }
    }
    server.hang_up().await;
    assert!(stream.next().await.is_none());
}

#[tokio::test]
async fn a_page_instead_of_an_answer_is_an_error_that_says_so() {
    let page = Reply::Answer {
        status: 200,
        headers: vec![("content-type", "text/html".to_owned())],
        body: "<html><title>Log in</title><body>Please log in</body></html>".to_owned(),
    };
    let server = Server::start(vec![page]).await;
    let client = client(&server.url);
    for error in [
        client.complete(request()).await.err(),
        client.stream(request()).await.err(),
    ] {
        let error = error.unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidResponse);
        assert!(error.to_string().contains("Please log in"), "{error}");
    }
}

#[tokio::test]
async fn a_redirect_to_another_server_is_not_followed() {
    let other = Server::start(vec![whole()]).await;
    let redirect = Reply::Answer {
        status: 307,
        headers: vec![("location", other.url.clone())],
        body: String::new(),
    };
    let server = Server::start(vec![redirect]).await;
    let error = client(&server.url).complete(request()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert_eq!(other.requests().len(), 0);
    let same = Reply::Answer {
        status: 307,
        headers: vec![("location", "/v1/messages".to_owned())],
        body: String::new(),
    };
    let server = Server::start(vec![same, whole()]).await;
    assert!(client(&server.url).complete(request()).await.is_ok());
}

#[tokio::test]
async fn no_key_is_ever_in_a_message() {
    let echo = json!({"type": "error", "error": {"type": "authentication_error", "message": format!("invalid key {KEY}")}});
    let server = Server::start(vec![Reply::json(401, &echo)]).await;
    let client = client(&server.url);
    let error = client.complete(request()).await.unwrap_err();
    let all = format!("{error} {error:?} {client:?} {:?}", error.data().raw);
    assert!(!all.contains(KEY), "{all}");
    assert!(all.contains("invalid key [redacted]"), "{all}");
}

#[test]
fn insecure_and_invalid_base_urls_are_refused() {
    let build = |url: &str| builder(url).build();
    for url in [
        "http://example.com",
        "ftp://example.com",
        "not a url",
        "http://127.0.0.1.example.com",
    ] {
        assert_eq!(
            build(url).unwrap_err().kind(),
            ErrorKind::Configuration,
            "{url}"
        );
    }
    for url in [
        "https://example.com",
        "http://127.0.0.1:1",
        "http://localhost:1",
        "http://[::1]:1",
    ] {
        assert!(build(url).is_ok(), "{url}");
    }
}

#[test]
fn a_provider_is_found_by_name_then_by_model_then_by_default() {
    let set = |name: &str| match name {
        "ANTHROPIC_API_KEY" => Some("a".to_owned()),
        "GEMINI_API_KEY" => Some("g2".to_owned()),
        "GOOGLE_API_KEY" => Some(" ".to_owned()),
        "OPENAI_COMPATIBLE_BASE_URL" => Some("http://localhost:11434/v1".to_owned()),
        _ => None,
    };
    let client = Client::builder()
        .from_variables(&set)
        .default_provider("openai-compatible")
        .build()
        .unwrap();
    assert_eq!(
        client.providers(),
        ["anthropic", "google", "openai-compatible"]
    );
    let found = |model: &str, provider| {
        client
            .detect_provider(model, provider)
            .map(|adapter| adapter.provider_name().to_owned())
    };
    assert_eq!(found("opus", None).unwrap(), "anthropic");
    assert_eq!(found("gemini-9", Some("gemini")).unwrap(), "google");
    assert_eq!(
        found("claude-x", Some("openai-compatible")).unwrap(),
        "openai-compatible"
    );
    assert_eq!(found("llama3", None).unwrap(), "openai-compatible");
    let error = found("gpt-5.5", None).unwrap_err();
    assert!(error.to_string().contains("set OPENAI_API_KEY"), "{error}");
    let without = Client::builder()
        .from_variables(&|_| None)
        .build()
        .unwrap_err();
    assert!(
        without.to_string().contains("set ANTHROPIC_API_KEY"),
        "{without}"
    );
}

#[tokio::test]
async fn another_model_is_called_while_the_first_is_not_available() {
    let server = Server::start(vec![api_error(529, "overloaded_error"), whole()]).await;
    let client = builder(&server.url)
        .retry(RetryPolicy::none())
        .build()
        .unwrap();
    let request = Request {
        fallback_models: vec!["claude-opus-4-5".into()],
        ..request()
    };
    let response = client.complete(request.clone()).await.unwrap();
    assert_eq!(response.warnings[0].code, "fallback_model");
    assert!(server.requests()[1].contains("claude-opus-4-5"));
    let server = Server::start(vec![api_error(400, "invalid_request_error"), whole()]).await;
    let client = builder(&server.url)
        .retry(RetryPolicy::none())
        .build()
        .unwrap();
    assert!(client.complete(request.clone()).await.is_err());
    assert_eq!(server.requests().len(), 1);
    let streams = vec![
        api_error(529, "overloaded_error"),
        Reply::Stream(format!("{START}{TEXT}{END}")),
    ];
    let server = Server::start(streams).await;
    let client = builder(&server.url)
        .retry(RetryPolicy::none())
        .build()
        .unwrap();
    let response = StreamCollector::collect(client.stream(request).await.unwrap())
        .await
        .unwrap();
    assert_eq!(
        (response.text().as_str(), response.warnings[0].code.as_str()),
        ("hello", "fallback_model")
    );
}

/// Writes down when it is passed.
struct Recorder(&'static str, Arc<Mutex<Vec<String>>>);

#[async_trait]
impl Middleware for Recorder {
    async fn complete(
        &self,
        request: Request,
        next: Next<'_, Response>,
    ) -> Result<Response, Error> {
        self.1.lock().unwrap().push(format!("{} in", self.0));
        let result = next.complete(request).await;
        self.1.lock().unwrap().push(format!("{} out", self.0));
        result
    }

    async fn stream(
        &self,
        request: Request,
        next: Next<'_, EventStream>,
    ) -> Result<EventStream, Error> {
        self.1.lock().unwrap().push(format!("{} stream", self.0));
        next.stream(request).await
    }
}

struct Louder;

#[async_trait]
impl RequestHooks for Louder {
    async fn before_request(&self, mut request: Request) -> Result<Request, Error> {
        request.system_prompt = "LOUD".to_owned();
        Ok(request)
    }
}

#[tokio::test]
async fn layers_are_passed_in_order_and_back() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let server = Server::start(vec![whole(), Reply::Stream(format!("{START}{TEXT}{END}"))]).await;
    let client = builder(&server.url)
        .middleware(Arc::new(Recorder("a", Arc::clone(&seen))))
        .middleware(Arc::new(HookMiddleware(Louder)))
        .middleware(Arc::new(Recorder("b", Arc::clone(&seen))))
        .build()
        .unwrap();
    client.complete(request()).await.unwrap();
    StreamCollector::collect(client.stream(request()).await.unwrap())
        .await
        .unwrap();
    assert_eq!(
        *seen.lock().unwrap(),
        ["a in", "b in", "b out", "a out", "a stream", "b stream"]
    );
    assert!(server.requests().iter().all(|sent| sent.contains("LOUD")));
}

#[tokio::test]
async fn tokens_and_cost_of_dropped_streams_count_and_budgets_hold() {
    let server = Server::start(vec![whole(), Reply::Hang(format!("{START}{TEXT}"))]).await;
    let catalogue = Arc::new(attractor_models::Catalogue::shipped().clone());
    let tracking = TokenTrackingMiddleware::new(catalogue);
    let client = builder(&server.url)
        .middleware(Arc::new(tracking.clone()))
        .build()
        .unwrap();
    client.complete(request()).await.unwrap();
    let totals = tracking.totals();
    assert_eq!((totals.usage.total_tokens(), totals.calls), (8, 1));
    assert_eq!(format!("{:.7}", totals.cost), "0.0000280");
    let mut stream = client.stream(request()).await.unwrap();
    assert!(stream.next().await.is_some());
    drop(stream);
    let totals = tracking.totals();
    assert!(totals.usage.estimated);
    assert_eq!((totals.usage.input_tokens, totals.calls), (6, 2));
    assert_eq!(totals.usage.total_tokens(), 12);
}

#[tokio::test]
async fn a_hundred_streams_run_at_once() {
    let server = Server::start(vec![Reply::Stream(format!("{START}{TEXT}{END}"))]).await;
    let client = client(&server.url);
    let calls = (0..100).map(|_| async {
        StreamCollector::collect(client.stream(request()).await.unwrap())
            .await
            .unwrap()
            .text()
    });
    let texts = futures::future::join_all(calls).await;
    assert_eq!(texts, vec!["hello"; 100]);
}

#[tokio::test]
async fn a_long_answer_is_streamed_although_it_is_waited_for() {
    let server = Server::start(vec![Reply::Stream(format!("{START}{TEXT}{END}"))]).await;
    let response = client(&server.url)
        .complete(Request::prompt(MODEL, "hi"))
        .await
        .unwrap();
    assert_eq!(response.text(), "hello");
    assert!(server.requests()[0].contains("\"stream\":true"));
}
