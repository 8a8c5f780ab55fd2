//! What a handler gives back: an outcome at once, or work that leads to one.

use std::future::Future;

use attractor_machine::outcome::Outcome;

use super::env::HandlerEnv;
use super::work::{Prepared, Task};

/// The work of one attempt of a node.
pub struct Execution(pub(super) Kind);

/// How the work is done.
pub(super) enum Kind {
    BuiltIn(Prepared),
    Done(Box<Outcome>),
    Run(Task),
}

impl Execution {
    /// Nothing that takes time.
    pub fn done(outcome: Outcome) -> Self {
        Self(Kind::Done(Box::new(outcome)))
    }

    /// Work for a task of its own. It ends when its future does; a cancelled one has two seconds for that (see
    /// [`HandlerEnv::cancelled`]).
    pub fn run<F>(work: impl FnOnce(HandlerEnv) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Outcome> + Send + 'static,
    {
        Self(Kind::Run(Box::new(move |env| Box::pin(work(env)))))
    }

    pub(super) fn built_in(prepared: Prepared) -> Self {
        Self(Kind::BuiltIn(prepared))
    }
}

impl From<Outcome> for Execution {
    fn from(outcome: Outcome) -> Self {
        Self::done(outcome)
    }
}
