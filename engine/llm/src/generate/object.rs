//! Answers that are JSON of a given schema.

use std::pin::Pin;

use futures::{Stream, StreamExt};
use serde_json::Value;

use super::partial_json;
use crate::client::Client;
use crate::collector::StreamCollector;
use crate::error::{Error, ErrorKind};
use crate::event::{EventStream, StreamEvent};
use crate::request::{Request, ResponseFormat};
use crate::response::{FinishReason, Response};

/// The schema of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectSchema {
    /// A name for it; some providers show it to the model.
    pub name: String,
    /// The JSON Schema; its root is an object.
    pub schema: Value,
    /// Whether the provider must ensure the fit where it can. The fit is checked in any case.
    pub strict: bool,
}

impl ObjectSchema {
    /// A strict schema named `response`.
    pub fn new(schema: Value) -> Self {
        Self {
            name: "response".to_owned(),
            schema,
            strict: true,
        }
    }

    /// The request with this schema as the form of its answer.
    #[must_use]
    pub fn apply(&self, request: Request) -> Request {
        let (name, schema, strict) = (self.name.clone(), self.schema.clone(), self.strict);
        Request {
            response_format: Some(ResponseFormat::JsonSchema {
                name,
                schema,
                strict,
            }),
            ..request
        }
    }

    /// The object of an answer, if it is one and fits.
    pub fn read(&self, response: Response) -> Result<GeneratedObject, Error> {
        let text = response.text();
        let fail = |message: String| {
            let mut error = Error::new(ErrorKind::NoObjectGenerated, message)
                .of(&response.provider, &response.model);
            error.data_mut().raw = Some(Value::String(text.clone()));
            Err(error)
        };
        match response.finish.reason {
            FinishReason::ContentFilter => {
                let reason = response
                    .message
                    .refusal()
                    .unwrap_or("the provider blocked the answer");
                return fail(format!("no object was generated: {reason}"));
            }
            FinishReason::Length => {
                return fail(
                    "no object was generated: the answer was cut off at the output limit"
                        .to_owned(),
                );
            }
            _ => {}
        }
        let value: Value = match serde_json::from_str(without_fence(&text)) {
            Ok(value) => value,
            Err(error) => {
                return fail(format!(
                    "no object was generated: the answer is not valid JSON: {error}"
                ));
            }
        };
        match jsonschema::validator_for(&self.schema) {
            Ok(validator) => {
                if let Some(problem) = validator.iter_errors(&value).next() {
                    let path = problem.instance_path().to_string();
                    return fail(format!(
                        "no object was generated: the answer does not fit the schema at `{path}`: {problem}"
                    ));
                }
            }
            Err(error) => {
                return Err(Error::new(
                    ErrorKind::InvalidRequest,
                    format!("invalid JSON Schema: {error}"),
                ));
            }
        }
        Ok(GeneratedObject { value, response })
    }
}

/// An object and the answer it is from.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneratedObject {
    /// The object.
    pub value: Value,
    /// The answer.
    pub response: Response,
}

/// An object in progress. An error is its last item.
pub type ObjectStream = Pin<Box<dyn Stream<Item = Result<ObjectEvent, Error>> + Send>>;

/// One event of an object in progress.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ObjectEvent {
    /// The object so far, without what is cut off. It need not fit the schema yet.
    Partial(Value),
    /// The object is complete and fits. Always the last event of a stream without error.
    Complete(Box<GeneratedObject>),
}

struct ObjectReader {
    schema: ObjectSchema,
    stream: Option<EventStream>,
    collector: StreamCollector,
    text: String,
    last: Option<Value>,
}

impl Client {
    /// Asks for JSON of a schema, and checks that it fits.
    pub async fn generate_object(
        &self,
        request: Request,
        schema: &ObjectSchema,
    ) -> Result<GeneratedObject, Error> {
        schema.read(self.complete(schema.apply(request)).await?)
    }

    /// The same as a stream of ever more complete values.
    pub async fn stream_object(
        &self,
        request: Request,
        schema: &ObjectSchema,
    ) -> Result<ObjectStream, Error> {
        let stream = Some(self.stream(schema.apply(request)).await?);
        let schema = schema.clone();
        let reader = ObjectReader {
            schema,
            stream,
            collector: StreamCollector::default(),
            text: String::new(),
            last: None,
        };
        Ok(futures::stream::unfold(reader, |mut reader| async move {
            let item = reader.next().await?;
            Some((item, reader))
        })
        .boxed())
    }
}

impl ObjectReader {
    async fn next(&mut self) -> Option<Result<ObjectEvent, Error>> {
        while let Some(stream) = &mut self.stream {
            let event = match stream.next().await {
                Some(Ok(event)) => event,
                Some(Err(error)) => {
                    self.stream = None;
                    return Some(Err(error));
                }
                None => {
                    self.stream = None;
                    let object = self.schema.read(self.collector.to_response());
                    return Some(object.map(|object| ObjectEvent::Complete(Box::new(object))));
                }
            };
            self.collector.process_event(&event);
            if let StreamEvent::TextDelta { text, .. } = &event {
                self.text.push_str(text);
                let value = partial_json::parse(without_fence(&self.text));
                if let Some(value) = value.filter(|value| Some(value) != self.last.as_ref()) {
                    self.last = Some(value.clone());
                    return Some(Ok(ObjectEvent::Partial(value)));
                }
            }
        }
        None
    }
}

/// The text inside a Markdown code fence, which some models put around JSON.
fn without_fence(text: &str) -> &str {
    let text = text.trim_start();
    let Some(rest) = text.strip_prefix("```") else {
        return text;
    };
    let inside = rest.split_once('\n').map_or("", |(_, inside)| inside);
    inside.trim_end().strip_suffix("```").unwrap_or(inside)
}
