//! Prepared answers, in order.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use attractor_machine::question::{Answer, Question};
use futures::FutureExt;
use futures::future::{BoxFuture, ready};

use super::Interviewer;

/// One queue of answers for all questions of a run, whichever node asks. Clones share it.
///
/// A question takes the next answer. When there is none left, it has no answer.
#[derive(Debug, Clone, Default)]
pub struct Queue {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    answers: VecDeque<Answer>,
    messages: Vec<String>,
}

impl Queue {
    /// A queue of these answers: what a person would type.
    pub fn new<A: Into<Answer>>(answers: impl IntoIterator<Item = A>) -> Self {
        let queue = Self::default();
        for answer in answers {
            queue.push(answer);
        }
        queue
    }

    /// Adds an answer at the end.
    pub fn push(&self, answer: impl Into<Answer>) {
        self.with(|shared| shared.answers.push_back(answer.into()));
    }

    /// How many answers are left.
    pub fn len(&self) -> usize {
        self.with(|shared| shared.answers.len())
    }

    /// Whether no answer is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the runs have reported.
    pub fn messages(&self) -> Vec<String> {
        self.with(|shared| shared.messages.clone())
    }

    fn with<T>(&self, work: impl FnOnce(&mut Shared) -> T) -> T {
        work(&mut self.shared.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Interviewer for Queue {
    fn name(&self) -> String {
        "queue".to_owned()
    }

    fn ask(&self, _: Question) -> BoxFuture<'_, Option<Answer>> {
        ready(self.with(|shared| shared.answers.pop_front())).boxed()
    }

    fn inform(&self, message: String) -> BoxFuture<'_, ()> {
        self.with(|shared| shared.messages.push(message));
        ready(()).boxed()
    }
}
