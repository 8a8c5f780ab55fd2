//! A run that another process works on: its events, and answers to its questions.

use std::path::PathBuf;
use std::time::Duration;

use attractor_client::{AnswerOutcome, EventStream, Retries, Server};
use attractor_run::{Answer, ControlRequest, Event, JournalTail, owner_of, post};
use tokio::sync::mpsc;

use crate::commands::answer::REPLY_TIMEOUT;
use crate::error::Error;

/// How often a journal is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Events that are read ahead.
const AHEAD: usize = 64;

/// A run of this machine, or of a server.
pub enum WatchedRun {
    /// In this folder.
    Local(PathBuf),
    /// On a server.
    Remote(Server, String),
}

/// Where events come from.
enum Source {
    Local {
        directory: PathBuf,
        tail: JournalTail,
    },
    Remote(Box<EventStream>),
}

impl WatchedRun {
    /// Its events, past ones first, until it is over or nobody works on it. They are read by a task of their own: a
    /// request is not begun again because a key was typed.
    pub fn events(&self) -> mpsc::Receiver<Result<Vec<Event>, Error>> {
        let mut source = match self {
            Self::Local(directory) => Source::Local {
                tail: JournalTail::new(directory),
                directory: directory.clone(),
            },
            Self::Remote(server, run) => {
                Source::Remote(Box::new(server.follow(run, 0, Retries::Few)))
            }
        };
        let (sender, receiver) = mpsc::channel(AHEAD);
        tokio::spawn(async move {
            while let Some(events) = source.next().await.transpose() {
                let is_last = events.is_err();
                if sender.send(events).await.is_err() || is_last {
                    break;
                }
            }
        });
        receiver
    }

    /// Answers a question; why the answer was not taken.
    pub async fn answer(&self, question: &str, answer: Answer) -> Result<(), String> {
        match self {
            Self::Local(directory) => {
                let request = ControlRequest::Answer {
                    question: question.to_owned(),
                    answer,
                };
                let directory = directory.clone();
                let posted =
                    tokio::task::spawn_blocking(move || post(&directory, &request, REPLY_TIMEOUT));
                match posted.await {
                    Ok(Ok(reply)) if reply.accepted => Ok(()),
                    Ok(Ok(reply)) => Err(reply.reason.unwrap_or_default()),
                    Ok(Err(error)) => Err(error.to_string()),
                    Err(error) => Err(error.to_string()),
                }
            }
            Self::Remote(server, run) => {
                let text = answer.text.as_deref();
                match server.answer(run, question, &answer.choice, text).await {
                    Ok(AnswerOutcome::Accepted) => Ok(()),
                    Ok(AnswerOutcome::Late { by }) => Err(format!("{by} answered first")),
                    Err(error) => Err(error.to_string()),
                }
            }
        }
    }
}

impl Source {
    /// The next events; none at the end.
    async fn next(&mut self) -> Result<Option<Vec<Event>>, Error> {
        match self {
            Self::Local { directory, tail } => loop {
                // Before the journal is read: a process that has ended by now has written everything.
                let is_alive = owner_of(directory).is_some();
                let events = tail.read()?;
                if !events.is_empty() {
                    return Ok(Some(events));
                }
                if !is_alive {
                    return Ok(None);
                }
                tokio::time::sleep(POLL_INTERVAL).await;
            },
            Self::Remote(events) => match events.next().await {
                Some(event) => Ok(Some(vec![event?])),
                None => Ok(None),
            },
        }
    }
}
