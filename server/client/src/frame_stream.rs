//! The server-sent events of one connection.

use std::collections::VecDeque;
use std::time::Duration;

use attractor_llm::{ServerSentEvent, SseDecoder};
use reqwest::{RequestBuilder, Response};
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::connection::{Connection, disconnected, invalid};
use crate::error::{ClientError, root_cause};

/// A connection without a byte for so long is dead: the server sends a comment every 15 seconds.
const SILENCE: Duration = Duration::from_secs(45);

/// An open connection that sends server-sent events.
pub(crate) struct FrameStream {
    connection: Connection,
    answer: Response,
    decoder: SseDecoder,
    frames: VecDeque<ServerSentEvent>,
}

impl FrameStream {
    /// Sends a request whose answer is such a stream.
    pub(crate) async fn open(
        connection: &Connection,
        request: RequestBuilder,
    ) -> Result<Self, ClientError> {
        Ok(Self {
            connection: connection.clone(),
            answer: connection.send(request).await?,
            decoder: SseDecoder::default(),
            frames: VecDeque::new(),
        })
    }

    /// The next frame; `None` at the end of the connection.
    pub(crate) async fn next(&mut self) -> Result<Option<ServerSentEvent>, ClientError> {
        let address = &self.connection.address;
        loop {
            if let Some(frame) = self.frames.pop_front() {
                return Ok(Some(frame));
            }
            let chunk = timeout(SILENCE, self.answer.chunk()).await;
            let chunk = chunk.map_err(|_| disconnected(address, "it is silent".to_owned()))?;
            let chunk = chunk.map_err(|error| disconnected(address, root_cause(&error)))?;
            let Some(bytes) = chunk else {
                return Ok(None);
            };
            let mut frames = Vec::new();
            let read = self.decoder.push(&bytes, &mut frames);
            read.map_err(|error| invalid(address, error.to_string()))?;
            self.frames.extend(frames);
        }
    }

    /// The data of a frame.
    pub(crate) fn read<T: DeserializeOwned>(
        &self,
        frame: &ServerSentEvent,
    ) -> Result<T, ClientError> {
        let data = serde_json::from_str(&frame.data);
        data.map_err(|error| invalid(&self.connection.address, error.to_string()))
    }

    /// The error that the connection has ended before it should.
    pub(crate) fn ended(&self) -> ClientError {
        let reason = "the connection has ended".to_owned();
        disconnected(&self.connection.address, reason)
    }
}
