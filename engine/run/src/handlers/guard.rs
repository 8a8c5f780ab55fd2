//! Calls a handler, and sees to it that its node has an outcome whatever it does: panic, block, hang, or return more
//! than a run can store.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use attractor_machine::outcome::{FailureClass, Outcome};
use futures::future::BoxFuture;

use super::codergen;
use super::execution::Kind;
use super::handler::NodeHandler;
use super::input::NodeInput;
use super::work::{Prepared, Task};
use crate::handlers::reasons;

/// How long a handler has to end after it was cancelled. Then its task is dropped.
const GRACE: Duration = Duration::from_secs(2);

/// The largest outcome a handler may return, in bytes of text and JSON.
const LARGEST: usize = 16 * 1024 * 1024;

/// Calls a handler. `limit` is the time of the node.
pub(super) fn execute(
    name: &str,
    handler: &dyn NodeHandler,
    input: NodeInput<'_>,
    limit: Option<Duration>,
) -> Prepared {
    let Ok(execution) = catch_unwind(AssertUnwindSafe(|| handler.execute(input))) else {
        return Prepared::ready(panicked(name));
    };
    match execution.0 {
        Kind::BuiltIn(prepared) => prepared,
        Kind::Done(outcome) => Prepared::ready(bounded(name, *outcome)),
        Kind::Run(task) => Prepared::Task(guarded(name.to_owned(), task, limit)),
    }
}

fn guarded(name: String, task: Task, limit: Option<Duration>) -> Task {
    Box::new(move |env| -> BoxFuture<'static, Outcome> {
        Box::pin(async move {
            let (stop, time) = (env.stop.clone(), env.time.clone());
            // In a task of its own, so that one that blocks its thread is left behind in time.
            let mut work = tokio::spawn(async move { task(env).await });
            let ended = tokio::select! {
                ended = &mut work => ended,
                () = time.over(limit) => {
                    work.abort();
                    return codergen::timed_out(limit);
                }
                () = stop.cancelled() => {
                    let Ok(ended) = tokio::time::timeout(GRACE, &mut work).await else {
                        work.abort();
                        return Outcome::fail(FailureClass::Canceled, "stopped");
                    };
                    ended
                }
            };
            match ended {
                Ok(outcome) => bounded(&name, outcome),
                Err(_) => panicked(&name),
            }
        })
    })
}

fn panicked(name: &str) -> Outcome {
    Outcome::fail(FailureClass::Internal, reasons::handler_panicked(name))
}

/// An outcome that is too large for a run is a failure.
fn bounded(name: &str, outcome: Outcome) -> Outcome {
    let size = size(&outcome);
    if size <= LARGEST {
        return outcome;
    }
    Outcome::fail(
        FailureClass::Deterministic,
        reasons::outcome_too_large(name, size, LARGEST),
    )
}

/// The bytes of an outcome. Counting does not copy it.
fn size(outcome: &Outcome) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, outcome) {
        Ok(()) => count.0,
        Err(_) => usize::MAX,
    }
}
