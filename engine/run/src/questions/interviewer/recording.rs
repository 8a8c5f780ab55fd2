//! Notes the answers of another interviewer, to play them back later.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use attractor_machine::question::{Answer, Question};
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use serde::{Deserialize, Serialize};

use super::Interviewer;

/// Asks another interviewer and notes what it answers. Clones share the notes.
#[derive(Clone)]
pub struct Recording {
    inner: Arc<dyn Interviewer>,
    answers: Arc<Mutex<Vec<RecordedAnswer>>>,
}

/// An answer with its question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedAnswer {
    /// The question's id.
    pub question: String,
    /// The node that asked.
    pub node: String,
    /// The answer.
    pub answer: Answer,
}

/// Gives recorded answers: to each question the answer it had.
#[derive(Debug, Clone, Default)]
pub struct Playback {
    answers: BTreeMap<String, Answer>,
}

impl Recording {
    /// Records the answers of `inner`.
    pub fn of(inner: impl Interviewer + 'static) -> Self {
        Self {
            inner: Arc::new(inner),
            answers: Arc::default(),
        }
    }

    /// The answers so far, in order.
    pub fn answers(&self) -> Vec<RecordedAnswer> {
        let answers = self.answers.lock();
        answers.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// An interviewer that gives the answers so far.
    pub fn playback(&self) -> Playback {
        Playback::new(self.answers())
    }

    /// Writes the answers so far as JSON.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        fs::write(path, serde_json::to_vec_pretty(&self.answers())?)
    }

    fn note(&self, question: (String, String), answer: Option<&Answer>) {
        let (question, node) = question;
        let Some(answer) = answer.cloned() else {
            return;
        };
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.push(RecordedAnswer {
            question,
            node,
            answer,
        });
    }
}

impl Playback {
    /// Gives these answers.
    pub fn new(answers: impl IntoIterator<Item = RecordedAnswer>) -> Self {
        let answers = answers.into_iter();
        Self {
            answers: answers.map(|one| (one.question, one.answer)).collect(),
        }
    }

    /// Reads answers that [`Recording::save`] has written.
    ///
    /// # Errors
    /// The file cannot be read, or does not hold answers.
    pub fn load(path: &Path) -> io::Result<Self> {
        let answers: Vec<RecordedAnswer> = serde_json::from_slice(&fs::read(path)?)?;
        Ok(Self::new(answers))
    }
}

impl Interviewer for Recording {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn ask(&self, question: Question) -> BoxFuture<'_, Option<Answer>> {
        let of = (question.id.clone(), question.node.clone());
        Box::pin(async move {
            let answer = self.inner.ask(question).await;
            self.note(of, answer.as_ref());
            answer
        })
    }

    fn confirm(&self, question: Question) -> BoxFuture<'_, Option<Answer>> {
        let of = (question.id.clone(), question.node.clone());
        Box::pin(async move {
            let answer = self.inner.confirm(question).await;
            self.note(of, answer.as_ref());
            answer
        })
    }

    fn inform(&self, message: String) -> BoxFuture<'_, ()> {
        self.inner.inform(message)
    }
}

impl Interviewer for Playback {
    fn name(&self) -> String {
        "playback".to_owned()
    }

    fn ask(&self, question: Question) -> BoxFuture<'_, Option<Answer>> {
        ready(self.answers.get(&question.id).cloned()).boxed()
    }
}
