//! Asks a function of the program.

use std::future::Future;

use attractor_machine::question::{Answer, Question};
use futures::future::BoxFuture;

use super::Interviewer;

/// Calls an asynchronous function for every question.
///
/// ```
/// use attractor_run::{Answer, Callback};
///
/// let callback = Callback::new(|question| async move {
///     (question.node == "review").then(|| Answer::of("approve"))
/// });
/// ```
pub struct Callback {
    answer: Box<dyn Fn(Question) -> BoxFuture<'static, Option<Answer>> + Send + Sync>,
}

impl Callback {
    /// An interviewer that calls `answer`.
    pub fn new<F>(answer: impl Fn(Question) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Option<Answer>> + Send + 'static,
    {
        Self {
            answer: Box::new(move |question| Box::pin(answer(question))),
        }
    }
}

impl Interviewer for Callback {
    fn name(&self) -> String {
        "callback".to_owned()
    }

    fn ask(&self, question: Question) -> BoxFuture<'_, Option<Answer>> {
        (self.answer)(question)
    }
}
