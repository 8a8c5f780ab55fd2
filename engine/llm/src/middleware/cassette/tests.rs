use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use futures::StreamExt;

use super::super::CacheMiddleware;
use super::{Cassette, Normaliser};
use crate::adapter::ProviderAdapter;
use crate::client::Client;
use crate::collector::StreamCollector;
use crate::content::ContentPart;
use crate::error::{Error, ErrorKind};
use crate::event::{EventStream, StreamEvent};
use crate::message::Message;
use crate::redact::Redactor;
use crate::request::Request;
use crate::response::{Finish, Response};
use crate::retry::RetryPolicy;
use crate::usage::TokenUsage;

/// Answers with the last word of the prompt; the word `fail` fails.
#[derive(Default)]
struct Echo(AtomicUsize);

fn word(request: &Request) -> Result<String, Error> {
    let text = request
        .messages
        .last()
        .map(Message::text)
        .unwrap_or_default();
    match text.split_whitespace().last() {
        Some("fail") => Err(Error::new(ErrorKind::AccessDenied, "no")),
        word => Ok(word.unwrap_or_default().to_owned()),
    }
}

#[async_trait]
impl ProviderAdapter for Echo {
    fn provider_name(&self) -> &'static str {
        "echo"
    }

    fn detect_model(&self, _: &str) -> bool {
        true
    }

    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let message = Message::assistant(word(request)?);
        Ok(Response {
            message,
            ..Response::empty("echo", "echo")
        })
    }

    async fn stream(&self, request: &Request) -> Result<EventStream, Error> {
        let content = ContentPart::text(word(request)?);
        let finish = StreamEvent::Finish {
            finish: Finish::default(),
            usage: TokenUsage::default(),
            latency_ms: 0.0,
            metadata: serde_json::Map::new(),
        };
        let events = [StreamEvent::PartEnd { part: 0, content }, finish];
        Ok(futures::stream::iter(events.map(Ok)).boxed())
    }
}

fn client(cassette: Arc<Cassette>) -> Client {
    Client::builder()
        .adapter(Arc::new(Echo::default()))
        .retry(RetryPolicy::none())
        .middleware(cassette)
        .build()
        .unwrap()
}

fn normaliser(workspace: &str) -> Normaliser {
    Normaliser::new(Redactor::default()).replace(workspace, "workspace")
}

fn request(text: &str) -> Request {
    Request::prompt("echo", text)
}

async fn record(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("calls.jsonl");
    let client = client(Arc::new(
        Cassette::record(&path, normaliser("/home/one/project")).unwrap(),
    ));
    client.complete(request("at 2026-11-22T10:00:00Z in /home/one/project, key sk-abcdefghijklmnopqrstuvwx: /home/one/project/a.rs")).await.unwrap();
    StreamCollector::collect(client.stream(request("say streamed")).await.unwrap())
        .await
        .unwrap();
    client.complete(request("please fail")).await.unwrap_err();
    path
}

#[tokio::test]
async fn calls_are_replayed_in_another_folder_at_another_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = record(&folder).await;
    let text = std::fs::read_to_string(&path).unwrap();
    for secret in ["/home/one", "sk-abcdefghijkl", "2026-11-22T10"] {
        assert!(!text.contains(secret), "{text}");
    }
    let cassette = Arc::new(Cassette::replay(&path, normaliser("/srv/two")).unwrap());
    let client = client(Arc::clone(&cassette));
    let failed = client.complete(request("please fail")).await.unwrap_err();
    assert_eq!(failed.kind(), ErrorKind::AccessDenied);
    let response = client
        .complete(request(
            "at 2027-01-01T00:00:00Z in /srv/two, key sk-zyxwvutsrqponmlkjihgfedc: /srv/two/a.rs",
        ))
        .await
        .unwrap();
    assert_eq!(response.text(), "/srv/two/a.rs");
    let streamed = StreamCollector::collect(client.stream(request("say streamed")).await.unwrap())
        .await
        .unwrap();
    assert_eq!(
        (streamed.text().as_str(), cassette.remaining()),
        ("streamed", 0)
    );
}

#[tokio::test]
async fn a_request_without_recording_shows_the_nearest_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = record(&folder).await;
    let client = client(Arc::new(
        Cassette::replay(&path, normaliser("/srv/two")).unwrap(),
    ));
    let error = client
        .complete(request("say something else"))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotRecorded);
    let message = error.to_string();
    assert!(
        message.contains("-          \"text\": \"say streamed\"")
            && message.contains("+          \"text\": \"say something else\""),
        "{message}"
    );
}

#[tokio::test]
async fn a_cassette_that_is_torn_or_changed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = record(&folder).await;
    let text = std::fs::read_to_string(&path).unwrap();
    let changed = text.replace("streamed", "screamed");
    for broken in [
        &text[..text.len() - 1],
        &text[..text.len() / 2],
        &text[1..],
        &changed,
        "",
    ] {
        std::fs::write(&path, broken).unwrap();
        let error = Cassette::replay(&path, Normaliser::default()).unwrap_err();
        assert!(error.to_string().contains("is damaged at line"), "{error}");
    }
}

#[tokio::test]
async fn a_repeated_request_is_answered_from_the_cache() {
    let echo = Arc::new(Echo::default());
    let adapter = Arc::clone(&echo) as Arc<dyn ProviderAdapter>;
    let client = Client::builder()
        .adapter(adapter)
        .middleware(Arc::new(CacheMiddleware::new(1)))
        .build()
        .unwrap();
    for _ in 0..2 {
        assert_eq!(client.complete(request("a")).await.unwrap().text(), "a");
    }
    assert_eq!(echo.0.load(Ordering::Relaxed), 1);
    client.complete(request("b")).await.unwrap();
    client.complete(request("a")).await.unwrap();
    assert_eq!(echo.0.load(Ordering::Relaxed), 3);
}

/// Answers with one piece of text, and with the rest when it is released.
struct Slow(tokio::sync::Semaphore);

#[async_trait]
impl ProviderAdapter for Arc<Slow> {
    fn provider_name(&self) -> &'static str {
        "slow"
    }

    fn detect_model(&self, _: &str) -> bool {
        true
    }

    async fn complete(&self, _: &Request) -> Result<Response, Error> {
        Ok(Response::empty("slow", "slow"))
    }

    async fn stream(&self, _: &Request) -> Result<EventStream, Error> {
        let released = Arc::clone(self);
        let text = StreamEvent::TextDelta {
            part: 0,
            text: "first".to_owned(),
        };
        let end = async move {
            let _permit = released.0.acquire().await.unwrap();
            Ok(StreamEvent::Finish {
                finish: Finish::default(),
                usage: TokenUsage::default(),
                latency_ms: 0.0,
                metadata: serde_json::Map::new(),
            })
        };
        let first = futures::stream::once(async move { Ok(text) });
        Ok(first.chain(futures::stream::once(end)).boxed())
    }
}

#[tokio::test]
async fn recording_does_not_hold_back_a_stream() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("slow.tape");
    let slow = Arc::new(Slow(tokio::sync::Semaphore::new(0)));
    let record = Cassette::record(&path, normaliser("/w")).unwrap();
    let recorder = Client::builder()
        .adapter(Arc::new(Arc::clone(&slow)))
        .middleware(Arc::new(record))
        .build()
        .unwrap();
    let request = || Request::prompt("slow", "x");
    let mut stream = recorder.stream(request()).await.unwrap();
    // The end is not generated yet.
    let first = stream.next().await.unwrap().unwrap();
    assert_eq!(first.name(), "text_delta");
    slow.0.add_permits(1);
    assert_eq!(stream.next().await.unwrap().unwrap().name(), "finish");
    // A stream that nobody reads to its end is recorded as far as it was read.
    let mut stream = recorder.stream(request()).await.unwrap();
    stream.next().await.unwrap().unwrap();
    drop(stream);

    let replayed = client(Arc::new(Cassette::replay(&path, normaliser("/w")).unwrap()));
    let names = |items: Vec<Result<StreamEvent, Error>>| -> Vec<String> {
        let name = |item: &Result<StreamEvent, Error>| match item {
            Ok(event) => event.name().to_owned(),
            Err(error) => error.kind().to_string(),
        };
        items.iter().map(name).collect()
    };
    let first = replayed.stream(request()).await.unwrap().collect().await;
    assert_eq!(names(first), ["text_delta", "finish"]);
    let second = replayed.stream(request()).await.unwrap().collect().await;
    assert_eq!(names(second), ["text_delta", "cancelled"]);
}

/// A session with one tool call, another session with the same tool between its calls, and what continues neither.
#[tokio::test]
async fn a_conversation_is_followed_without_its_tools() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let recording = client(Arc::new(
        Cassette::record(&path, Normaliser::default()).unwrap(),
    ));
    let session = |name: &str| Request {
        system_prompt: format!("Work in /home/{name}."),
        ..request(&format!("{name} calls"))
    };
    let continued = |name: &str| {
        let mut request = session(name);
        request.messages.push(Message::assistant("calls"));
        request
            .messages
            .push(Message::tool_result("1", "done", false));
        request.messages.push(Message::user(name));
        request
    };
    for name in ["one", "two"] {
        recording.complete(session(name)).await.unwrap();
    }
    for name in ["two", "one"] {
        recording.complete(continued(name)).await.unwrap();
    }
    let cassette = Cassette::replay(&path, Normaliser::default()).unwrap();
    let is_last = |answer: &Response| answer.text() != "calls";
    let first = |name: &str| Request {
        system_prompt: "Work in /srv.".to_owned(),
        ..session(name)
    };
    let answers = cassette.conversation(&first("one"), is_last).unwrap();
    let texts: Vec<String> = answers.iter().map(Response::text).collect();
    assert_eq!(texts, ["calls", "one"]);
    assert_eq!(cassette.remaining(), 2);
    let again = cassette.conversation(&first("one"), is_last).unwrap_err();
    assert_eq!(again.kind(), ErrorKind::NotRecorded);
    let message = again.to_string();
    assert!(
        message.contains("+          \"text\": \"one calls\""),
        "{message}"
    );
    let endless = cassette.conversation(&first("two"), |_| false).unwrap_err();
    let message = endless.to_string();
    assert!(message.contains("after answer 2"), "{message}");
}

/// Answers with the last word of the prompt, a character a delta.
struct Spelling;

#[async_trait]
impl ProviderAdapter for Spelling {
    fn provider_name(&self) -> &'static str {
        "echo"
    }

    fn detect_model(&self, _: &str) -> bool {
        true
    }

    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        Err(Error::new(ErrorKind::Server, word(request)?))
    }

    async fn stream(&self, request: &Request) -> Result<EventStream, Error> {
        let word = word(request)?;
        let deltas = word.chars().map(|letter| StreamEvent::TextDelta {
            part: 0,
            text: letter.to_string(),
        });
        let end = StreamEvent::PartEnd {
            part: 0,
            content: ContentPart::text(word.clone()),
        };
        let finish = StreamEvent::Finish {
            finish: Finish::default(),
            usage: TokenUsage::default(),
            latency_ms: 0.0,
            metadata: serde_json::Map::new(),
        };
        let events: Vec<StreamEvent> = deltas.chain([end, finish]).collect();
        Ok(futures::stream::iter(events.into_iter().map(Ok)).boxed())
    }
}

#[tokio::test]
async fn a_secret_of_the_caller_is_not_recorded_and_the_request_is_found_again() {
    const SECRET: &str = "Qz7Kp2Wm9Xr4";
    let asked = |text: &str| Request {
        redactor: Redactor::knowing([SECRET]),
        ..request(text)
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let client = |cassette: Cassette| {
        Client::builder()
            .adapter(Arc::new(Spelling))
            .retry(RetryPolicy::none())
            .middleware(Arc::new(cassette))
            .build()
            .unwrap()
    };
    let recorded = client(Cassette::record(&path, normaliser("/one")).unwrap());
    let prompt = format!("say <{SECRET}>");
    let stream = recorded.stream(asked(&prompt)).await.unwrap();
    let answer = StreamCollector::collect(stream).await.unwrap();
    assert_eq!(answer.text(), format!("<{SECRET}>"));
    recorded.complete(asked(&prompt)).await.unwrap_err();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains(SECRET) && !text.contains("\"z\""), "{text}");
    let replayed = client(Cassette::replay(&path, normaliser("/two")).unwrap());
    let stream = replayed.stream(asked(&prompt)).await.unwrap();
    let answer = StreamCollector::collect(stream).await.unwrap();
    assert_eq!(answer.text(), "<[redacted]>");
    let error = replayed.complete(asked(&prompt)).await.unwrap_err();
    assert_eq!(error.data().message, "<[redacted]>");
}
