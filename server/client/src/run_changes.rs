//! The list of runs of a server, and its changes as they come.

use attractor_run::RunSummary;
use serde::Deserialize;

use crate::address::ServerAddress;
use crate::error::ClientError;
use crate::frame_stream::FrameStream;
use crate::run_row::RunRow;

/// A change of the list.
#[derive(Debug, Clone)]
pub enum RunChange {
    /// The list as it is, newest first. It replaces what is known.
    Snapshot(Vec<RunSummary>),
    /// A run is new or has changed.
    Changed(Box<RunSummary>),
    /// A run is not stored any more.
    Removed(String),
}

/// The changes of the list over one connection.
pub struct RunChanges {
    address: ServerAddress,
    open: FrameStream,
}

/// A frame of the stream.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum RunFrame {
    Snapshot {
        pipelines: Vec<RunRow>,
    },
    Changed {
        pipeline: Box<RunRow>,
    },
    Removed {
        id: String,
    },
    /// One of a later version.
    #[serde(other)]
    Unknown,
}

impl RunChanges {
    pub(crate) fn new(address: ServerAddress, open: FrameStream) -> Self {
        Self { address, open }
    }

    /// The next change; the first one is a snapshot.
    ///
    /// # Errors
    /// The connection has ended, which is temporary, or the server sends what this version does not read.
    pub async fn next(&mut self) -> Result<RunChange, ClientError> {
        let address = &self.address;
        loop {
            let Some(frame) = self.open.next().await? else {
                return Err(self.open.ended());
            };
            return Ok(match self.open.read(&frame)? {
                RunFrame::Snapshot { pipelines } => {
                    let rows = pipelines.into_iter();
                    RunChange::Snapshot(rows.map(|row| row.summary(address)).collect())
                }
                RunFrame::Changed { pipeline } => {
                    RunChange::Changed(Box::new(pipeline.summary(address)))
                }
                RunFrame::Removed { id } => RunChange::Removed(id),
                RunFrame::Unknown => continue,
            });
        }
    }
}
