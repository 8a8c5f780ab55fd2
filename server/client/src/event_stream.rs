//! The events of a run of a server, as they come. A connection that breaks off is opened again where it was.

use std::time::Duration;

use attractor_run::Event;
use reqwest::Method;
use tokio::time::sleep;

use crate::connection::{Connection, disconnected};
use crate::error::ClientError;
use crate::frame_stream::FrameStream;
use crate::run_row::state_of;

/// The pauses before a stream that broke off is opened again, in seconds.
const PAUSES: [u64; 5] = [1, 2, 4, 8, 16];

/// How often a stream that broke off is opened again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retries {
    /// Five times without an event in between.
    Few,
    /// Until it succeeds.
    Endless,
}

/// The events of a run. After a crash of the server the journal may lack events that were sent; then they begin again
/// with the first.
pub struct EventStream {
    connection: Connection,
    run: String,
    last: u64,
    failures: usize,
    retries: Retries,
    is_over: bool,
    open: Option<FrameStream>,
}

impl EventStream {
    pub(crate) fn new(connection: Connection, run: &str, after: u64, retries: Retries) -> Self {
        Self {
            connection,
            run: run.to_owned(),
            last: after,
            failures: 0,
            retries,
            is_over: false,
            open: None,
        }
    }

    /// The next event; `None` after the last one of the run, or when its process has ended.
    ///
    /// # Errors
    /// The server refuses, or could not be reached again. The stream ends with an error.
    pub async fn next(&mut self) -> Option<Result<Event, ClientError>> {
        while !self.is_over {
            match self.advance().await {
                Ok(Some(event)) => {
                    self.failures = 0;
                    self.last = event.seq;
                    self.is_over = event.kind.is_end();
                    return Some(Ok(event));
                }
                Ok(None) => self.is_over = true,
                Err(error) if error.is_temporary() => {
                    if !self.pause().await {
                        return Some(Err(error));
                    }
                }
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }

    async fn advance(&mut self) -> Result<Option<Event>, ClientError> {
        let open = if let Some(open) = &mut self.open {
            open
        } else {
            let opened = open(&self.connection, &self.run, self.last, true).await?;
            self.open.insert(opened)
        };
        loop {
            match open.next().await? {
                Some(frame) if frame.event == "gap" => self.last = 0,
                Some(frame) => return Ok(Some(open.read(&frame)?)),
                None => break,
            }
        }
        // The server ends the stream of a run without a process, and every stream when it stops.
        match state_of(&self.connection, &self.run).await? {
            state if state.is_live() => Err(disconnected(
                &self.connection.address,
                "the connection has ended".to_owned(),
            )),
            _ => Ok(None),
        }
    }

    /// Waits before the next attempt; `false` when there is none.
    async fn pause(&mut self) -> bool {
        self.open = None;
        let pause = PAUSES.get(self.failures).copied();
        let pause = match self.retries {
            Retries::Few => pause,
            Retries::Endless => pause.or(PAUSES.last().copied()),
        };
        self.failures += 1;
        match pause {
            Some(seconds) => sleep(Duration::from_secs(seconds)).await,
            None => self.is_over = true,
        }
        !self.is_over
    }
}

/// Opens the events of a run after a number: those so far, or also new ones.
pub(crate) async fn open(
    connection: &Connection,
    run: &str,
    after: u64,
    follow: bool,
) -> Result<FrameStream, ClientError> {
    let request = connection.request(Method::GET, &["pipelines", run, "events"]);
    let query = [("after", after.to_string()), ("follow", follow.to_string())];
    FrameStream::open(connection, request.query(&query)).await
}
