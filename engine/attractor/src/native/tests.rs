//! The backend against adapters that answer as they are scripted.

use std::sync::Mutex;

use attractor_config::Configuration;
use attractor_run::{FailureClass, RemainingBudget};
use expect_test::expect;

use super::*;

fn providers(variables: &'static [(&'static str, &'static str)]) -> Providers {
    let variable = |name: &str| {
        let mut variables = variables.iter();
        variables
            .find(|(known, _)| *known == name)
            .map(|(_, value)| (*value).to_owned())
    };
    Providers::configure(&Configuration::default(), &variable)
}

fn prompt(model: Option<&str>) -> CodergenRequest {
    CodergenRequest {
        node: "n".to_owned(),
        prompt: "Name a river.".to_owned(),
        model: model.map(str::to_owned),
        agency: Agency::OneAnswer,
        ..CodergenRequest::default()
    }
}

const BOTH: &[(&str, &str)] = &[
    ("ANTHROPIC_API_KEY", "key-of-anthropic"),
    ("OPENAI_API_KEY", "key-of-openai"),
];

#[test]
fn a_node_is_answered_if_its_provider_has_a_key() {
    let backend = NativeBackend::new(
        providers(&[("OPENAI_API_KEY", "key-of-openai")]),
        AgentSettings::default(),
    );
    let agent = CodergenRequest {
        agency: Agency::Agent,
        ..prompt(Some("gpt-6-luna"))
    };
    let requested = CodergenRequest {
        backend: Some("native".to_owned()),
        ..agent.clone()
    };
    let cases = [
        prompt(Some("gpt-6-luna")),
        prompt(None),
        prompt(Some("sonnet")),
        prompt(Some("gemini-flash")),
        prompt(Some("a-name-of-nobody")),
        agent,
        requested,
    ];
    let reasons = cases.map(|request| backend.unavailable(&request).unwrap_or_default());
    expect![[r#"


        the provider `anthropic` of the model `sonnet` is not configured: set ANTHROPIC_API_KEY
        the provider `google` of the model `gemini-flash` is not configured: set GOOGLE_API_KEY or GEMINI_API_KEY
        no provider is known for the model `a-name-of-nobody`; set the provider of the request, or a default provider

    "#]].assert_eq(&reasons.join("\n"));
    let none = NativeBackend::new(providers(&[]), AgentSettings::default());
    expect!["no provider is configured (anthropic: set ANTHROPIC_API_KEY; openai: set OPENAI_API_KEY; google: set GOOGLE_API_KEY or GEMINI_API_KEY; openai-compatible: set OPENAI_COMPATIBLE_BASE_URL)"].assert_eq(&none.unavailable(&prompt(None)).unwrap_or_default());
    assert_eq!(backend.secrets(), ["key-of-openai"]);
}

fn call_of(request: &CodergenRequest) -> Result<Call, Error> {
    let providers = providers(BOTH);
    let client = providers.client().unwrap();
    let model = request::model(client, request).unwrap();
    request::call(client, request, model, Vec::new())
}

#[test]
fn a_model_is_chosen_for_a_node_that_names_none() {
    let request = |provider: Option<&str>| CodergenRequest {
        provider: provider.map(str::to_owned),
        ..prompt(None)
    };
    let model = |provider| {
        call_of(&request(provider))
            .map(|call| call.request.model)
            .unwrap()
    };
    assert_eq!(model(None), "claude-opus-5-5");
    assert_eq!(model(Some("openai")), "gpt-6-astra");
}

#[test]
fn attributes_become_fields_of_the_request() {
    let options = [
        ("reasoning_effort", "xhigh"),
        ("temperature", "0.5"),
        ("max_tokens", "many"),
        ("output_schema", r#"{"type": "object"}"#),
    ];
    let request = CodergenRequest {
        system_prompt: Some("Be brief.".to_owned()),
        options: options
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec(),
        ..prompt(Some("sonnet"))
    };
    let call = call_of(&request).unwrap();
    let shown = serde_json::to_string_pretty(&call.request).unwrap();
    expect![[r#"
        {
          "model": "sonnet",
          "system_prompt": "Be brief.",
          "messages": [
            {
              "role": "user",
              "content": [
                {
                  "kind": "text",
                  "text": "Name a river."
                }
              ]
            }
          ],
          "tool_choice": "auto",
          "temperature": 0.5,
          "reasoning_effort": "xhigh",
          "response_format": {
            "type": "json_schema",
            "name": "response",
            "schema": {
              "type": "object"
            },
            "strict": true
          },
          "cache_key": "/n"
        }"#]]
    .assert_eq(&shown);
    let warnings: Vec<_> = call
        .warnings
        .iter()
        .map(|one| one.message.as_str())
        .collect();
    assert_eq!(
        warnings,
        ["`many` is not a number; `max_tokens` is left out"]
    );
}

#[test]
fn the_budget_limits_the_output() {
    let with = |tokens: Option<u64>, cost: Option<f64>, model: &str| {
        let request = CodergenRequest {
            budget: RemainingBudget { tokens, cost },
            ..prompt(Some(model))
        };
        call_of(&request).map(|call| (call.request.max_tokens, call.budget_limit))
    };
    assert_eq!(with(None, None, "sonnet").unwrap(), (None, None));
    // Sonnet: $10 for a million tokens of output.
    let (limit, budget) = with(None, Some(0.01), "sonnet").unwrap();
    assert_eq!(limit, budget);
    assert!(
        limit.is_some_and(|limit| (900..=1000).contains(&limit)),
        "{limit:?}"
    );
    assert_eq!(
        with(Some(1_000_000), Some(50.0), "sonnet").unwrap(),
        (None, None)
    );
    assert!(
        with(Some(500), None, "sonnet")
            .unwrap()
            .1
            .is_some_and(|limit| limit < 500)
    );
    let error = with(Some(10), None, "sonnet").unwrap_err();
    assert_eq!(error.kind(), attractor_llm::ErrorKind::BudgetExceeded);
}

/// Records the text of a model.
#[derive(Default)]
struct TextRecorder(Mutex<String>);

impl Progress for TextRecorder {
    fn text(&self, text: &str) {
        self.0.lock().unwrap().push_str(text);
    }
}

/// An adapter that plays streams, and takes down the requests.
struct Scripted {
    streams: Mutex<Vec<Vec<Result<StreamEvent, Error>>>>,
    requests: Arc<Mutex<Vec<Request>>>,
}

#[async_trait::async_trait]
impl attractor_llm::ProviderAdapter for Scripted {
    fn provider_name(&self) -> &'static str {
        "anthropic"
    }

    fn detect_model(&self, _: &str) -> bool {
        true
    }

    async fn complete(&self, _: &Request) -> Result<Response, Error> {
        unreachable!("the backend streams")
    }

    async fn stream(&self, request: &Request) -> Result<attractor_llm::EventStream, Error> {
        self.requests.lock().unwrap().push(request.clone());
        let events = self.streams.lock().unwrap().remove(0);
        Ok(futures::stream::iter(events).boxed())
    }
}

fn answer_of(text: &str, reason: attractor_llm::FinishReason) -> Vec<Result<StreamEvent, Error>> {
    let start = StreamEvent::StreamStart {
        provider: "anthropic".to_owned(),
        model: "claude-sonnet-5-5".to_owned(),
        id: "msg_1".to_owned(),
        usage: None,
        warnings: Vec::new(),
        rate_limit: None,
    };
    let finish = StreamEvent::Finish {
        finish: attractor_llm::Finish::new(reason, "raw"),
        usage: attractor_llm::TokenUsage {
            input_tokens: 1_000,
            output_tokens: 100,
            cache_read_tokens: Some(600),
            ..attractor_llm::TokenUsage::default()
        },
        latency_ms: 1.0,
        metadata: serde_json::Map::new(),
    };
    let delta = StreamEvent::TextDelta {
        part: 0,
        text: text.to_owned(),
    };
    vec![Ok(start), Ok(delta), Ok(finish)]
}

async fn played(
    streams: Vec<Vec<Result<StreamEvent, Error>>>,
    input: &CodergenRequest,
) -> (Result<CodergenResponse, BackendError>, String, Vec<Request>) {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let adapter = Scripted {
        streams: Mutex::new(streams),
        requests: Arc::clone(&requests),
    };
    let client = Client::builder()
        .adapter(Arc::new(adapter))
        .build()
        .unwrap();
    let call = request::call(&client, input, "sonnet".to_owned(), Vec::new()).unwrap();
    let written = TextRecorder::default();
    let result = answer(&client, call, &written).await;
    let requests = requests.lock().unwrap().clone();
    (result, written.0.into_inner().unwrap(), requests)
}

#[tokio::test]
async fn an_answer_has_text_usage_and_the_model_that_gave_it() {
    use attractor_llm::FinishReason;
    let streams = vec![answer_of("The Rhine.", FinishReason::Stop)];
    let (result, written, _) = played(streams, &prompt(None)).await;
    let response = result.unwrap();
    assert_eq!((&*response.text, &*written), ("The Rhine.", "The Rhine."));
    assert_eq!(response.provider.as_deref(), Some("anthropic"));
    assert_eq!(response.model.as_deref(), Some("claude-sonnet-5-5"));
    assert_eq!(response.usage.cache_read_tokens, 600);
    assert!(response.usage.cost > 0.001, "{}", response.usage.cost);
}

#[tokio::test]
async fn an_invalid_answer_is_a_failure_with_its_cost() {
    use attractor_llm::FinishReason;
    for (text, reason, class, category) in [
        (
            "I",
            FinishReason::ContentFilter,
            FailureClass::Deterministic,
            "content_filter",
        ),
        (
            "",
            FinishReason::Length,
            FailureClass::BadRequest,
            "invalid_request",
        ),
    ] {
        let (result, ..) = played(vec![answer_of(text, reason)], &prompt(None)).await;
        let error = result.unwrap_err();
        assert_eq!(
            (error.class, error.category.as_deref()),
            (class, Some(category))
        );
        assert_eq!(error.provider.as_deref(), Some("anthropic"));
        assert_eq!(error.usage.output_tokens, 100);
    }
    let limited = CodergenRequest {
        budget: RemainingBudget {
            tokens: Some(500),
            cost: None,
        },
        ..prompt(None)
    };
    let (result, ..) = played(vec![answer_of("half", FinishReason::Length)], &limited).await;
    assert_eq!(result.unwrap_err().class, FailureClass::BudgetExhausted);
}

#[tokio::test]
async fn a_model_may_correct_an_answer_that_does_not_fit() {
    use attractor_llm::FinishReason;
    let schema =
        r#"{"type": "object", "required": ["river"], "properties": {"river": {"type": "string"}}}"#;
    let request = |retries: &str| CodergenRequest {
        options: vec![
            ("output_schema".to_owned(), schema.to_owned()),
            ("output_retries".to_owned(), retries.to_owned()),
        ],
        ..prompt(None)
    };
    let streams = || {
        vec![
            answer_of("the Rhine", FinishReason::Stop),
            answer_of(r#"{"river": "Rhine"}"#, FinishReason::Stop),
        ]
    };
    let (result, _, requests) = played(streams(), &request("1")).await;
    let response = result.unwrap();
    assert_eq!(response.text, r#"{"river": "Rhine"}"#);
    assert_eq!(response.usage.output_tokens, 200);
    assert_eq!(requests[1].messages.len(), 3);
    let (result, _, requests) = played(streams(), &request("0")).await;
    assert_eq!(
        result.unwrap_err().category.as_deref(),
        Some("no_object_generated")
    );
    assert_eq!(requests.len(), 1);
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_a_failure_that_may_pass() {
    let mut events = answer_of("The Rh", attractor_llm::FinishReason::Stop);
    events.pop();
    let broken = Error::new(attractor_llm::ErrorKind::Stream, "the stream broke off");
    events.push(Err(broken.of("anthropic", "claude-sonnet-5-5")));
    let (result, written, _) = played(vec![events], &prompt(None)).await;
    let error = result.unwrap_err();
    assert_eq!(error.class, FailureClass::TransientInfra);
    assert_eq!(written, "The Rh");
}
