//! A reader of the changes of all runs.
//!
//! It keeps where it is and at most one batch of changes, so a slow reader costs nothing but itself: of what it missed it
//! gets the last row of each run.

use std::collections::VecDeque;

use futures::{Stream, stream};
use tokio::sync::watch;

use super::Runs;
use super::index::News;
use super::table::RunChange;
use crate::error::ApiError;
use crate::view::RunFrame;

/// The most changes that a reader takes at once.
const BATCH: usize = 64;

impl From<RunChange> for RunFrame {
    fn from(change: RunChange) -> Self {
        match change {
            RunChange::Changed(pipeline) => Self::Changed { pipeline },
            RunChange::Removed(id) => Self::Removed { id },
        }
    }
}

/// Gives the changes after a place in order, and the whole list where that place is unknown.
pub(crate) struct RunListReader {
    runs: Runs,
    news: watch::Receiver<News>,
    /// The last revision it has; none before its first snapshot.
    position: Option<u64>,
    /// The most runs of a snapshot.
    limit: usize,
    /// Whether it waits for new changes.
    follows: bool,
    waiting: VecDeque<(u64, RunFrame)>,
}

impl RunListReader {
    /// A reader that begins after the frame `last`, or with a snapshot of at most `limit` runs.
    pub(crate) async fn new(
        runs: Runs,
        last: Option<&str>,
        limit: usize,
        follows: bool,
    ) -> Result<Self, ApiError> {
        let own = last.and_then(|last| last.strip_prefix(&*runs.index.epoch)?.strip_prefix('-'));
        let position = own.and_then(|revision| revision.parse().ok());
        runs.refresh().await?;
        let (news, is_first) = runs.index.subscribe();
        if is_first {
            let runs = runs.clone();
            tokio::spawn(async move {
                let look = || async {
                    // A look that fails is followed by the next one.
                    let _ = runs.refresh().await;
                };
                runs.index.keep_current(look).await;
            });
        }
        Ok(Self {
            runs,
            news,
            position,
            limit,
            follows,
            waiting: VecDeque::new(),
        })
    }

    /// The frames, each with its id.
    pub(crate) fn frames(self) -> impl Stream<Item = (String, RunFrame)> + Send {
        stream::unfold(self, |mut reader| async move {
            let (revision, frame) = reader.next().await?;
            let id = format!("{}-{revision}", reader.runs.index.epoch);
            Some(((id, frame), reader))
        })
    }

    async fn next(&mut self) -> Option<(u64, RunFrame)> {
        loop {
            if let Some((revision, frame)) = self.waiting.pop_front() {
                self.position = Some(revision);
                return Some((revision, frame));
            }
            // Before the table: what is added to it afterwards wakes this reader again.
            let news = *self.news.borrow_and_update();
            self.waiting = self.newer();
            if self.waiting.is_empty()
                && (news.is_closed || !self.follows || self.news.changed().await.is_err())
            {
                return None;
            }
        }
    }

    /// The next changes, or a snapshot where it is unknown which are.
    fn newer(&self) -> VecDeque<(u64, RunFrame)> {
        let table = self.runs.index.table();
        let known = self
            .position
            .and_then(|position| table.since(position, BATCH));
        if let Some(changes) = known {
            let frames = changes.into_iter();
            return frames
                .map(|(revision, change)| (revision, change.into()))
                .collect();
        }
        let pipelines = table.newest().take(self.limit).cloned().collect();
        let total = table.len();
        let snapshot = RunFrame::Snapshot { pipelines, total };
        VecDeque::from([(table.revision(), snapshot)])
    }
}
