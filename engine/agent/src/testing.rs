//! A model that plays a script and checks every request, and tools without effects.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use attractor_exec::{LocalEnvironment, Redactor};
use attractor_llm::{
    Client, ContentPart, Error, ErrorKind, EventStream, Finish, FinishReason, Message,
    ProviderAdapter, Request, Response, RetryPolicy, StreamEvent, TokenUsage, ToolCallContent,
    ToolDefinition,
};
use futures::StreamExt;
use serde_json::{Value, json};

use crate::budget::{Budget, Limits};
use crate::clock::FixedClock;
use crate::event::{AgentEvent, AgentEventKind, AgentEvents};
use crate::person::NoPerson;
use crate::policy::AllowAll;
use crate::session::{SessionConfig, SessionSetup};
use crate::shared::SharedWorker;
use crate::tool::{Access, Tool, ToolCall, ToolContext, ToolRegistry, ToolResult};
use crate::workspace::{FileChange, Workspace};

/// One answer of the model.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    Text(String),
    Calls(String, Vec<(String, String)>),
    /// Cut off at the output limit, within the last call if there is one.
    Cut(String, Vec<(String, String)>),
    Error(ErrorKind),
    /// Text, then the stream breaks off.
    Breaks(String),
    /// Text, then nothing.
    Hangs(String),
}

pub(crate) fn says(text: &str) -> Reply {
    Reply::Text(text.to_owned())
}

pub(crate) fn calls(calls: &[(&str, Value)]) -> Reply {
    Reply::Calls(String::new(), arguments(calls))
}

pub(crate) fn cut(text: &str, calls: &[(&str, Value)]) -> Reply {
    Reply::Cut(text.to_owned(), arguments(calls))
}

fn arguments(calls: &[(&str, Value)]) -> Vec<(String, String)> {
    let written = |arguments: &Value| match arguments {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    calls
        .iter()
        .map(|(name, arguments)| ((*name).to_owned(), written(arguments)))
        .collect()
}

/// The model. The last answer repeats.
#[derive(Debug, Default)]
pub(crate) struct Script {
    replies: Vec<Reply>,
    sent: Mutex<Vec<Request>>,
    ids: AtomicU64,
}

impl Script {
    pub(crate) fn of(replies: Vec<Reply>) -> Arc<Self> {
        Arc::new(Self {
            replies,
            ..Self::default()
        })
    }

    pub(crate) fn sent(&self) -> Vec<Request> {
        self.sent.lock().unwrap().clone()
    }

    /// The messages of the last request, as lines.
    pub(crate) fn conversation(&self) -> String {
        let sent = self.sent.lock().unwrap();
        sent.last()
            .map(|request| drawn(&request.messages))
            .unwrap_or_default()
    }

    fn events(&self, reply: &Reply) -> Vec<Result<StreamEvent, Error>> {
        let start = StreamEvent::StreamStart {
            provider: "anthropic".to_owned(),
            model: "claude-sonnet-5-5".to_owned(),
            id: "msg_1".to_owned(),
            usage: None,
            warnings: Vec::new(),
            rate_limit: None,
        };
        let mut events = vec![Ok(start)];
        let (text, calls, end) = match reply {
            Reply::Text(text) => (text.as_str(), &[][..], Some(FinishReason::Stop)),
            Reply::Calls(text, calls) => {
                (text.as_str(), calls.as_slice(), Some(FinishReason::ToolUse))
            }
            Reply::Cut(text, calls) => {
                (text.as_str(), calls.as_slice(), Some(FinishReason::Length))
            }
            Reply::Breaks(text) | Reply::Hangs(text) => (text.as_str(), &[][..], None),
            Reply::Error(kind) => {
                let error = Error::new(*kind, "scripted").of("anthropic", "claude-sonnet-5-5");
                return vec![Err(error)];
            }
        };
        if !text.is_empty() {
            events.push(Ok(StreamEvent::TextDelta {
                part: 0,
                text: text.to_owned(),
            }));
        }
        for (index, (name, arguments)) in calls.iter().enumerate() {
            let id = format!("c{}", self.ids.fetch_add(1, Ordering::Relaxed) + 1);
            events.push(Ok(StreamEvent::ToolCallEnd {
                part: index + 1,
                tool_call: ToolCallContent::parse(id, name, arguments),
            }));
        }
        events.push(if let Some(reason) = end {
            Ok(StreamEvent::Finish {
                finish: Finish::new(reason, "raw"),
                usage: TokenUsage {
                    input_tokens: 100,
                    output_tokens: 10,
                    ..TokenUsage::default()
                },
                latency_ms: 1.0,
                metadata: serde_json::Map::new(),
            })
        } else {
            let error = Error::new(ErrorKind::Stream, "the stream broke off");
            Err(error.of("anthropic", "claude-sonnet-5-5"))
        });
        events
    }
}

/// What every provider requires: a call has its result right after it, a result has its call.
fn check(request: &Request) {
    let mut open: Vec<String> = Vec::new();
    for message in &request.messages {
        let mut results = Vec::new();
        for part in &message.content {
            if let ContentPart::ToolResult(result) = part {
                results.push(result.tool_call_id.clone());
            }
        }
        assert!(
            open.is_empty() || !results.is_empty(),
            "calls without result: {open:?}"
        );
        for id in results {
            let index = open.iter().position(|call| *call == id);
            open.remove(index.expect("a result without call"));
        }
        let calls = message.tool_calls().into_iter();
        open.extend(calls.map(|call| call.tool_call_id.clone()));
    }
    assert!(open.is_empty(), "calls without result: {open:?}");
}

#[async_trait]
impl ProviderAdapter for Script {
    fn provider_name(&self) -> &'static str {
        "anthropic"
    }

    fn detect_model(&self, _: &str) -> bool {
        true
    }

    async fn complete(&self, _: &Request) -> Result<Response, Error> {
        unreachable!("sessions stream")
    }

    async fn stream(&self, request: &Request) -> Result<EventStream, Error> {
        check(request);
        let number = {
            let mut sent = self.sent.lock().unwrap();
            sent.push(request.clone());
            sent.len() - 1
        };
        let reply = self.replies.get(number).or(self.replies.last());
        let reply = reply.expect("an answer");
        let mut events = self.events(reply);
        if let Reply::Error(_) = reply {
            return Err(events.remove(0).unwrap_err());
        }
        if matches!(reply, Reply::Hangs(_)) {
            events.pop();
            let waiting = futures::stream::pending();
            return Ok(futures::stream::iter(events).chain(waiting).boxed());
        }
        Ok(futures::stream::iter(events).boxed())
    }
}

/// A client of the script.
pub(crate) fn client(script: &Arc<Script>) -> Client {
    let adapter: Arc<dyn ProviderAdapter> = Arc::<Script>::clone(script);
    let builder = Client::builder().retry(RetryPolicy::persistent());
    builder.adapter(adapter).build().unwrap()
}

/// A tool by function.
pub(crate) struct TestTool {
    pub(crate) name: &'static str,
    pub(crate) access: fn(&Value) -> Access,
    pub(crate) run: fn(&ToolCall) -> ToolResult,
}

#[async_trait]
impl Tool for TestTool {
    fn definition(&self) -> ToolDefinition {
        let schema = json!({
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        });
        ToolDefinition::new(self.name, "A tool of tests.", schema)
    }

    fn access(&self, arguments: &Value) -> Access {
        (self.access)(arguments)
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        if call.arguments["text"] == "wait" {
            context.output.piece("waiting");
            context.cancel.cancelled().await;
            return ToolResult::error("error: cancelled");
        }
        (self.run)(&call)
    }
}

fn text(call: &ToolCall) -> String {
    call.arguments["text"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// `echo` reads, `write` changes the file `text`, `shell` runs and fails on `false`, `boom` panics.
pub(crate) fn tools() -> ToolRegistry {
    let mut tools = ToolRegistry::default();
    let all = [
        TestTool {
            name: "echo",
            access: |_| Access::Read(Vec::new()),
            run: |call| ToolResult::ok(text(call)),
        },
        TestTool {
            name: "write",
            access: |arguments| {
                let path = arguments["text"].as_str().unwrap_or_default();
                Access::Write(vec![PathBuf::from(path)])
            },
            run: |call| ToolResult {
                changes: vec![FileChange {
                    path: PathBuf::from(text(call)),
                    mode: None,
                    before: None,
                    after: Some(Vec::new()),
                }],
                ..ToolResult::ok("written")
            },
        },
        TestTool {
            name: "shell",
            access: |arguments| {
                Access::Execute(arguments["text"].as_str().unwrap_or_default().to_owned())
            },
            run: |call| match text(call).as_str() {
                "false" => ToolResult::error("exit code 1"),
                other => ToolResult::ok(format!("ran {other}")),
            },
        },
        TestTool {
            name: "boom",
            access: |_| Access::Other("boom".to_owned()),
            run: |_| panic!("a defect"),
        },
    ];
    for tool in all {
        tools.register(Arc::new(tool));
    }
    tools
}

/// What a session of the script is started with, in a folder of its own.
pub(crate) fn setup(script: &Arc<Script>, folder: &tempfile::TempDir) -> SessionSetup {
    SessionSetup {
        config: SessionConfig {
            model_id: "sonnet".to_owned(),
            max_subagent_depth: 0,
            ..SessionConfig::default()
        },
        client: client(script),
        request: Request::default(),
        system_prompt: "You are tested.".to_owned(),
        update: None,
        tools: tools(),
        policy: Arc::new(AllowAll),
        hooks: Arc::default(),
        person: Arc::new(NoPerson),
        workspace: Arc::new(Workspace::open(folder.path()).unwrap()),
        environment: Arc::new(LocalEnvironment),
        redactor: Arc::new(Redactor::default()),
        budget: Budget::new(Limits::default()),
        shared: SharedWorker::default(),
        journal: None,
        clock: Arc::new(FixedClock(1.0)),
        run: "test".to_owned(),
        step: "1".to_owned(),
    }
}

/// Messages as lines.
pub(crate) fn drawn(messages: &[Message]) -> String {
    let line = |message: &Message| {
        let parts = message.content.iter().map(|part| match part {
            ContentPart::Text(text) => format!("{:?}", text.text),
            ContentPart::ToolCall(call) => {
                format!(
                    "{}({}) = {}",
                    call.tool_name, call.arguments_json, call.tool_call_id
                )
            }
            ContentPart::ToolResult(result) => {
                let error = if result.is_error { " error" } else { "" };
                format!("{}{error}: {:?}", result.tool_call_id, result.content)
            }
            other => other.kind().to_owned(),
        });
        let parts: Vec<String> = parts.collect();
        format!("{:?}: {}", message.role, parts.join(", "))
    };
    messages.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// All events until the session is closed.
pub(crate) async fn all(mut events: AgentEvents) -> Vec<AgentEvent> {
    let mut all = Vec::new();
    while let Some(event) = events.recv().await {
        all.push(event);
    }
    all
}

/// Events as lines, those of usage and progress left out.
pub(crate) fn lines(events: &[AgentEvent]) -> String {
    let shown = events.iter().filter(|event| {
        !matches!(
            event.kind,
            AgentEventKind::ModelUsage { .. } | AgentEventKind::Progress(_)
        )
    });
    let line = |event: &AgentEvent| {
        let value = serde_json::to_value(&event.kind).unwrap();
        format!("{} {}", value["type"].as_str().unwrap(), value["data"])
    };
    shown.map(line).collect::<Vec<_>>().join("\n")
}
