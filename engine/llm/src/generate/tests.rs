use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures::StreamExt;
use serde_json::{Value, json};
use tokio::sync::Barrier;

use super::{
    GenerateRequest, GenerationEvent, ObjectEvent, ObjectSchema, ToolError, ToolExecutor,
    ToolOutput,
};
use crate::adapter::ProviderAdapter;
use crate::client::Client;
use crate::content::{ContentPart, ToolCallContent};
use crate::error::{Error, ErrorKind};
use crate::event::{EventStream, StreamEvent};
use crate::message::{Message, Role};
use crate::request::Request;
use crate::response::{Finish, FinishReason, Response};
use crate::tool::ToolDefinition;
use crate::usage::TokenUsage;

/// A provider that answers as it is scripted, and checks that every call has its result.
#[derive(Default)]
struct Scripted {
    answers: Mutex<VecDeque<Response>>,
    requests: Mutex<Vec<Request>>,
}

impl Scripted {
    fn next(&self, request: &Request) -> Response {
        let calls: Vec<&str> = parts(request)
            .filter_map(|part| match part {
                ContentPart::ToolCall(call) => Some(call.tool_call_id.as_str()),
                _ => None,
            })
            .collect();
        let results: Vec<&str> = parts(request)
            .filter_map(|part| match part {
                ContentPart::ToolResult(result) => Some(result.tool_call_id.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(calls, results);
        self.requests.lock().unwrap().push(request.clone());
        self.answers
            .lock()
            .unwrap()
            .pop_front()
            .expect("another answer")
    }
}

fn parts(request: &Request) -> impl Iterator<Item = &ContentPart> {
    request.messages.iter().flat_map(|message| &message.content)
}

#[async_trait]
impl ProviderAdapter for Scripted {
    fn provider_name(&self) -> &'static str {
        "scripted"
    }

    fn detect_model(&self, model: &str) -> bool {
        model == "script"
    }

    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        Ok(self.next(request))
    }

    async fn stream(&self, request: &Request) -> Result<EventStream, Error> {
        let response = self.next(request);
        let mut events = vec![StreamEvent::StreamStart {
            provider: "scripted".into(),
            model: "script".into(),
            id: String::new(),
            usage: None,
            warnings: Vec::new(),
            rate_limit: None,
        }];
        for (part, content) in response.message.content.iter().enumerate() {
            match content {
                ContentPart::ToolCall(call) => events.push(StreamEvent::ToolCallEnd {
                    part,
                    tool_call: call.clone(),
                }),
                ContentPart::Text(text) => {
                    for piece in text.text.split_inclusive(' ') {
                        events.push(StreamEvent::TextDelta {
                            part,
                            text: piece.to_owned(),
                        });
                    }
                }
                other => events.push(StreamEvent::PartEnd {
                    part,
                    content: other.clone(),
                }),
            }
        }
        events.push(StreamEvent::Finish {
            finish: response.finish,
            usage: response.usage,
            latency_ms: 0.0,
            metadata: serde_json::Map::new(),
        });
        Ok(futures::stream::iter(events.into_iter().map(Ok)).boxed())
    }
}

fn answer(parts: Vec<ContentPart>, reason: FinishReason, raw: &str) -> Response {
    let usage = TokenUsage {
        input_tokens: 10,
        output_tokens: 1,
        ..TokenUsage::default()
    };
    let message = Message::new(Role::Assistant, parts);
    Response {
        message,
        finish: Finish::new(reason, raw),
        usage,
        ..Response::empty("scripted", "script")
    }
}

fn says(text: &str) -> Response {
    answer(vec![ContentPart::text(text)], FinishReason::Stop, "stop")
}

fn calls(calls: &[(&str, &str, &str)]) -> Response {
    let parts = calls
        .iter()
        .map(|(id, name, json)| ContentPart::ToolCall(ToolCallContent::parse(*id, *name, *json)));
    answer(parts.collect(), FinishReason::ToolUse, "tool_use")
}

fn script(answers: Vec<Response>) -> (Client, Arc<Scripted>) {
    let adapter = Arc::new(Scripted {
        answers: Mutex::new(answers.into()),
        requests: Mutex::default(),
    });
    let client = Client::builder()
        .adapter(Arc::clone(&adapter) as Arc<dyn ProviderAdapter>)
        .build()
        .unwrap();
    (client, adapter)
}

/// Adds two numbers; waits until `together` calls are in progress.
struct Adder {
    barrier: Barrier,
    executed: AtomicUsize,
}

impl Adder {
    fn new(together: usize) -> Arc<Self> {
        Arc::new(Self {
            barrier: Barrier::new(together),
            executed: AtomicUsize::new(0),
        })
    }
}

#[async_trait]
impl ToolExecutor for Adder {
    async fn execute(&self, call: &ToolCallContent) -> Result<ToolOutput, ToolError> {
        self.executed.fetch_add(1, Ordering::Relaxed);
        self.barrier.wait().await;
        let number = |name: &str| {
            call.arguments
                .get(name)
                .and_then(Value::as_i64)
                .unwrap_or_default()
        };
        match number("a") {
            13 => Err(ToolError::RespondToModel("thirteen is unlucky".into())),
            14 => Err(ToolError::Fatal(Error::new(
                ErrorKind::InvalidToolCall,
                "stop everything",
            ))),
            a => Ok((a + number("b")).to_string().into()),
        }
    }
}

fn add() -> ToolDefinition {
    ToolDefinition::new(
        "add",
        "adds",
        json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}),
    )
}

fn request() -> Request {
    Request {
        tools: vec![add()],
        ..Request::prompt("script", "go")
    }
}

#[tokio::test]
async fn tools_of_one_answer_run_at_the_same_time_and_results_keep_their_order() {
    let (client, adapter) = script(vec![
        calls(&[
            ("1", "add", "{\"a\":1,\"b\":2}"),
            ("2", "add", "{\"a\":13}"),
            ("3", "add", "{\"a\":5}"),
        ]),
        says("done"),
    ]);
    let generation = client
        .generate(GenerateRequest::new(request(), Adder::new(3)))
        .await
        .unwrap();
    assert_eq!(generation.text(), "done");
    let results: Vec<(String, bool)> = generation.steps[0]
        .results
        .iter()
        .map(|one| (one.content.clone(), one.is_error))
        .collect();
    assert_eq!(
        results,
        [
            ("3".into(), false),
            ("thirteen is unlucky".into(), true),
            ("5".into(), false)
        ]
    );
    assert_eq!(
        (generation.usage.input_tokens, generation.steps.len()),
        (20, 2)
    );
    assert_eq!(adapter.requests.lock().unwrap()[1].messages.len(), 3);
    assert_eq!(generation.messages().len(), 3);
}

#[tokio::test]
async fn calls_that_cannot_be_executed_are_answered_with_an_error() {
    let (client, _) = script(vec![
        calls(&[
            ("1", "nope", "{}"),
            ("2", "add", "{\"a\":"),
            ("3", "add", "{\"a\":\"x\"}"),
        ]),
        says("sorry"),
    ]);
    let adder = Adder::new(1);
    let generation = client
        .generate(GenerateRequest::new(request(), adder.clone()))
        .await
        .unwrap();
    let results = &generation.steps[0].results;
    assert!(
        results[0]
            .content
            .contains("unknown tool `nope`; available tools: add"),
        "{results:?}"
    );
    assert!(results[1].content.contains("not valid JSON"), "{results:?}");
    assert!(
        results[2].content.contains("do not fit its schema"),
        "{results:?}"
    );
    assert!(results.iter().all(|result| result.is_error));
    assert_eq!(adder.executed.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn the_loop_ends_after_the_last_round_or_a_fatal_error() {
    let call = || calls(&[("1", "add", "{\"a\":1}")]);
    let (client, _) = script(vec![call(), call(), call()]);
    let input = GenerateRequest {
        max_tool_rounds: 2,
        ..GenerateRequest::new(request(), Adder::new(1))
    };
    let generation = client.generate(input).await.unwrap();
    assert_eq!(
        (generation.steps.len(), generation.response.finish.reason),
        (3, FinishReason::ToolUse)
    );
    let (client, _) = script(vec![calls(&[("1", "add", "{\"a\":14}")])]);
    let error = client
        .generate(GenerateRequest::new(request(), Adder::new(1)))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidToolCall);
    let (client, _) = script(vec![call()]);
    assert_eq!(client.generate(request()).await.unwrap().steps.len(), 1);
}

#[tokio::test]
async fn a_paused_answer_is_continued() {
    let paused = answer(
        vec![ContentPart::text("wait")],
        FinishReason::Other,
        "pause_turn",
    );
    let (client, adapter) = script(vec![paused, says("done")]);
    assert_eq!(client.generate(request()).await.unwrap().text(), "done");
    assert_eq!(
        adapter.requests.lock().unwrap()[1]
            .messages
            .last()
            .unwrap()
            .text(),
        "wait"
    );
}

#[tokio::test]
async fn cancelling_ends_tools_in_progress() {
    let (client, _) = script(vec![calls(&[("1", "add", "{\"a\":1}")])]);
    let request = request();
    let cancel = request.cancel.clone();
    // Two must be in progress and only one is: without the cancellation this would wait without end.
    let adder = Adder::new(2);
    let running = client.generate(GenerateRequest::new(request, adder.clone()));
    let (result, ()) = tokio::join!(running, async {
        while adder.executed.load(Ordering::Relaxed) == 0 {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
    });
    assert_eq!(result.unwrap_err().kind(), ErrorKind::Cancelled);
}

#[tokio::test]
async fn the_loop_streams_its_answers_and_results() {
    let (client, _) = script(vec![calls(&[("1", "add", "{\"a\":1}")]), says("all done")]);
    let stream = client.stream_generate(GenerateRequest::new(request(), Adder::new(1)));
    let events: Vec<GenerationEvent> = stream.map(Result::unwrap).collect().await;
    let names: Vec<&str> = events
        .iter()
        .map(|event| match event {
            GenerationEvent::Stream(event) => event.name(),
            GenerationEvent::ToolResult(_) => "tool_result",
            GenerationEvent::Done(_) => "done",
        })
        .collect();
    assert_eq!(
        names,
        [
            "stream_start",
            "tool_call_end",
            "finish",
            "tool_result",
            "stream_start",
            "text_delta",
            "text_delta",
            "finish",
            "done"
        ]
    );
    let Some(GenerationEvent::Done(generation)) = events.last() else {
        panic!("no end")
    };
    assert_eq!(
        (generation.text().as_str(), generation.usage.total_tokens()),
        ("all done", 22)
    );
}

fn schema() -> ObjectSchema {
    ObjectSchema::new(
        json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}),
    )
}

#[tokio::test]
async fn an_object_is_parsed_and_checked() {
    let object = async |text: &str| {
        script(vec![says(text)])
            .0
            .generate_object(request(), &schema())
            .await
    };
    assert_eq!(object("{\"n\": 1}").await.unwrap().value, json!({"n": 1}));
    assert_eq!(
        object("```json\n{\"n\": 1}\n```").await.unwrap().value,
        json!({"n": 1})
    );
    for (text, part) in [
        ("nothing", "not valid JSON"),
        ("{\"n\": \"x\"}", "does not fit the schema at `/n`"),
        ("{}", "required"),
    ] {
        let error = object(text).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoObjectGenerated);
        assert!(error.to_string().contains(part), "{error}");
        assert_eq!(error.data().raw, Some(json!(text)));
    }
    let cut = answer(
        vec![ContentPart::text("{\"n\": 1}")],
        FinishReason::Length,
        "max_tokens",
    );
    let error = script(vec![cut])
        .0
        .generate_object(request(), &schema())
        .await
        .unwrap_err();
    assert!(error.to_string().contains("output limit"), "{error}");
}

#[tokio::test]
async fn an_object_streams_ever_more_complete_values() {
    let (client, _) = script(vec![says("{\"t\": \"a b\", \"n\": 2}")]);
    let stream = client.stream_object(request(), &schema()).await.unwrap();
    let events: Vec<ObjectEvent> = stream.map(Result::unwrap).collect().await;
    let partial: Vec<&Value> = events
        .iter()
        .filter_map(|event| match event {
            ObjectEvent::Partial(value) => Some(value),
            ObjectEvent::Complete(_) => None,
        })
        .collect();
    assert_eq!(
        partial,
        [
            &json!({}),
            &json!({"t": "a "}),
            &json!({"t": "a b"}),
            &json!({"t": "a b", "n": 2})
        ]
    );
    assert!(matches!(events.last(), Some(ObjectEvent::Complete(object)) if object.value["n"] == 2));
}
