//! The output of a running attempt on its way to the run's events: whole lines, in pieces worth an event,
//! without secrets, and never more than people can read.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use attractor_exec::{Redactor, printable};
use attractor_machine::event::{AgentProgress, EventKind, NodeAttempt, Stream};
use tokio::sync::mpsc;

use super::message::Message;
use crate::backend::agent_activity::AgentActivity;
use crate::handlers::Output;

/// Bytes of output that become events, per attempt.
const SHOWN: usize = 256 * 1024;

/// A line longer than this is shown in pieces.
const LONGEST_LINE: usize = 8 * 1024;

/// Collects the output of one attempt.
pub(super) struct Sink {
    inner: Mutex<Inner>,
    redactor: Arc<Redactor>,
    owner: mpsc::UnboundedSender<Message>,
}

#[derive(Default)]
struct Inner {
    /// Bytes that wait, by stream, in the order the streams first spoke.
    waiting: Vec<(Stream, Vec<u8>)>,
    /// What is complete, in order.
    ready: Vec<Piece>,
    taken: usize,
    announced: bool,
    full: bool,
}

/// A piece of what an attempt does, worth an event.
pub(super) enum Piece {
    /// Output.
    Text(Stream, String),
    /// A tool call of an agent.
    Activity(AgentActivity),
}

impl Piece {
    /// Its event.
    pub(super) fn event(self, at: NodeAttempt) -> EventKind {
        match self {
            Self::Text(stream, text) => EventKind::StageOutput { at, stream, text },
            Self::Activity(activity) => activity.event(at),
        }
    }
}

/// Whether more output may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// Yes: an unfinished line waits.
    Waits,
    /// No: everything goes out.
    GoesOut,
}

impl Sink {
    pub(super) fn new(redactor: Arc<Redactor>, owner: mpsc::UnboundedSender<Message>) -> Self {
        Self {
            inner: Mutex::default(),
            redactor,
            owner,
        }
    }

    /// Takes out what is ready to be shown.
    pub(super) fn drain(&self, rest: Rest) -> Vec<Piece> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.announced = false;
        self.complete(&mut inner, rest);
        std::mem::take(&mut inner.ready)
    }

    /// Moves what can be shown to the pieces that are complete.
    fn complete(&self, inner: &mut Inner, rest: Rest) {
        for (stream, bytes) in &mut inner.waiting {
            let end = match rest {
                Rest::GoesOut => bytes.len(),
                Rest::Waits => bytes
                    .iter()
                    .rposition(|byte| *byte == b'\n')
                    .map_or(0, |newline| newline + 1),
            };
            let end = if end == 0 && bytes.len() > LONGEST_LINE {
                bytes.len()
            } else {
                end
            };
            let piece: Vec<u8> = bytes.drain(..end).collect();
            if !piece.is_empty() {
                let text = String::from_utf8_lossy(&piece);
                let text = printable(&self.redactor.text(&text)).into_owned();
                inner.ready.push(Piece::Text(*stream, text));
            }
        }
        inner.waiting.retain(|(_, bytes)| !bytes.is_empty());
    }

    /// How far an agent is: only the latest report is shown, also of an attempt that has written too much.
    fn progress(&self, inner: &mut Inner, progress: AgentProgress) {
        let idle = Duration::try_from_secs_f64(progress.idle_seconds).unwrap_or_default();
        let is_progress =
            |piece: &Piece| matches!(piece, Piece::Activity(AgentActivity::Progress(_)));
        inner.ready.retain(|piece| !is_progress(piece));
        inner
            .ready
            .push(Piece::Activity(AgentActivity::Progress(progress)));
        let _ = self.owner.send(Message::Progress { idle });
    }

    fn announce(&self, inner: &mut Inner) {
        if !std::mem::replace(&mut inner.announced, true) {
            // An owner that is gone has no readers either.
            let _ = self.owner.send(Message::Output);
        }
    }
}

impl Output for Sink {
    fn write(&self, stream: Stream, bytes: &[u8]) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.full {
            // It is not shown, and still is an activity.
            self.announce(&mut inner);
            return;
        }
        let length = SHOWN.saturating_sub(inner.taken).min(bytes.len());
        inner.taken += length;
        let piece = bytes.get(..length).unwrap_or_default();
        push(&mut inner.waiting, stream, piece);
        if length < bytes.len() {
            inner.full = true;
            push(
                &mut inner.waiting,
                Stream::Note,
                b"more output follows; it is in the logs of this attempt\n",
            );
        }
        self.announce(&mut inner);
    }

    fn activity(&self, activity: AgentActivity) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let AgentActivity::Progress(progress) = activity {
            self.progress(&mut inner, progress);
            return;
        }
        if inner.full && !activity.is_always_shown() {
            self.announce(&mut inner);
            return;
        }
        let activity = activity.shown(&self.redactor);
        inner.taken += activity.size();
        // The text before it precedes it.
        self.complete(&mut inner, Rest::GoesOut);
        inner.ready.push(Piece::Activity(activity));
        self.announce(&mut inner);
    }
}

fn push(waiting: &mut Vec<(Stream, Vec<u8>)>, stream: Stream, piece: &[u8]) {
    match waiting.iter_mut().find(|(known, _)| *known == stream) {
        Some((_, bytes)) => bytes.extend_from_slice(piece),
        None => waiting.push((stream, piece.to_vec())),
    }
}
