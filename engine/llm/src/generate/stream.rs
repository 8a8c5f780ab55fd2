//! The tool loop as a stream.

use std::pin::Pin;

use futures::{Stream, StreamExt};

use super::{After, GenerateRequest, Generation, Loop};
use crate::client::Client;
use crate::collector::StreamCollector;
use crate::content::ToolResultContent;
use crate::error::Error;
use crate::event::{EventStream, StreamEvent};

/// A tool loop in progress. An error is its last item. Dropping it ends the loop and closes its connection.
pub type GenerationStream = Pin<Box<dyn Stream<Item = Result<GenerationEvent, Error>> + Send>>;

/// One event of a tool loop.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "almost every event is of the large variant"
)]
#[non_exhaustive]
pub enum GenerationEvent {
    /// An event of the answer in progress. Each answer begins with `StreamStart` and ends with `Finish`.
    Stream(StreamEvent),
    /// A tool was executed.
    ToolResult(ToolResultContent),
    /// The loop is complete. Always the last event of a loop without error.
    Done(Box<Generation>),
}

struct Runner {
    client: Client,
    looped: Loop,
    state: StreamState,
    ready: Vec<GenerationEvent>,
}

enum StreamState {
    Call,
    Streaming(EventStream, Box<StreamCollector>),
    Done,
}

impl Client {
    /// [`generate`](Self::generate) as a stream: the events of every answer, and the results of its tools between
    /// them.
    pub fn stream_generate(&self, input: impl Into<GenerateRequest>) -> GenerationStream {
        let looped = Loop::new(input.into());
        let runner = Runner {
            client: self.clone(),
            looped,
            state: StreamState::Call,
            ready: Vec::new(),
        };
        futures::stream::unfold(runner, |mut runner| async move {
            let item = runner.next().await.transpose()?;
            if item.is_err() {
                runner.state = StreamState::Done;
            }
            Some((item, runner))
        })
        .boxed()
    }
}

impl Runner {
    async fn next(&mut self) -> Result<Option<GenerationEvent>, Error> {
        loop {
            if !self.ready.is_empty() {
                return Ok(Some(self.ready.remove(0)));
            }
            match &mut self.state {
                StreamState::Done => return Ok(None),
                StreamState::Call => {
                    let stream = self
                        .client
                        .stream(self.looped.input.request.clone())
                        .await?;
                    self.state = StreamState::Streaming(stream, Box::default());
                }
                StreamState::Streaming(stream, collector) => {
                    if let Some(event) = stream.next().await.transpose()? {
                        collector.process_event(&event);
                        return Ok(Some(GenerationEvent::Stream(event)));
                    }
                    let response = collector.to_response();
                    match self.looped.after(response).await? {
                        After::Continue(results) => {
                            self.ready
                                .extend(results.into_iter().map(GenerationEvent::ToolResult));
                            self.state = StreamState::Call;
                        }
                        After::Done(generation) => {
                            self.state = StreamState::Done;
                            return Ok(Some(GenerationEvent::Done(generation)));
                        }
                    }
                }
            }
        }
    }
}
