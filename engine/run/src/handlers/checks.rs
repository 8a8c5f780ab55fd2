//! What a node promised about its result: `verify` looks at the output, `must_write` at the files.
//!
//! Where a command has a `verify`, that decides, not its exit code: a step that reproduces a bug is done
//! when the command fails as expected.

use attractor_lang::verify::{Evidence, check, parse};
use attractor_machine::outcome::{FailureClass, Outcome, Status, Verification};
use attractor_model::Files as _;
use serde_json::Value;

use super::{Prepared, Task, Work};
use crate::project::files::ProjectFiles;

/// The checks of one node.
struct Checks {
    verify: Option<String>,
    must_write: Vec<String>,
    files: ProjectFiles,
}

/// Adds the node's checks to what its handler does.
pub(super) fn checked(work: Work<'_>, prepared: Prepared) -> Prepared {
    let checks = Checks {
        verify: work.text("verify"),
        must_write: work.node_ref.node.attributes.list("must_write"),
        files: work.project_files(),
    };
    if checks.verify.is_none() && checks.must_write.is_empty() {
        return prepared;
    }
    let task: Task = match prepared {
        Prepared::Ready(outcome) => Box::new(move |_| Box::pin(async move { *outcome })),
        Prepared::Task(task) => task,
    };
    Prepared::Task(Box::new(move |env| {
        Box::pin(async move {
            let outcome = task(env).await;
            // Looking at a few files does not hold anything up.
            checks.apply(outcome)
        })
    }))
}

impl Checks {
    fn apply(&self, mut outcome: Outcome) -> Outcome {
        if let Some(verify) = &self.verify {
            self.verify(verify, &mut outcome);
        }
        if !outcome.status.is_failure()
            && let Some((class, reason)) = self.unwritten()
        {
            outcome.status = Status::Fail;
            outcome.failure_class = Some(class);
            outcome.failure_reason = Some(reason);
        }
        outcome
    }

    /// What is wrong with the files that the node should have written.
    fn unwritten(&self) -> Option<(FailureClass, String)> {
        let listed = |paths: Vec<&String>| {
            let paths: Vec<&str> = paths.into_iter().map(String::as_str).collect();
            (!paths.is_empty()).then(|| paths.join(", "))
        };
        let all = || self.must_write.iter();
        if let Some(outside) = listed(all().filter(|path| self.files.is_outside(path)).collect()) {
            let reason = format!("{outside} (`must_write`) is outside of the project");
            return Some((FailureClass::Configuration, reason));
        }
        let missing = listed(all().filter(|path| !self.files.is_there(path)).collect())?;
        let reason = format!("it should have written {missing} (`must_write`)");
        Some((FailureClass::Deterministic, reason))
    }

    fn verify(&self, written: &str, outcome: &mut Outcome) {
        let exit_code = outcome
            .context_updates
            .get("exit_code")
            .and_then(Value::as_i64);
        let ended = exit_code.is_some_and(|code| code >= 0);
        if outcome.status.is_failure() && !ended {
            return;
        }
        let text = match &outcome.output {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        // A failing command says why on its other stream.
        let both = outcome
            .context_updates
            .get("tool.output")
            .and_then(Value::as_str)
            .filter(|_| exit_code.is_some_and(|code| code != 0))
            .map_or(text, str::to_owned);
        let verdict = check(
            &parse(written).0,
            &Evidence {
                output: &both,
                exit_code,
                file_exists: &|path| self.files.is_there(path),
            },
        );
        if verdict.passed && ended && outcome.failure_class == Some(FailureClass::Deterministic) {
            outcome.status = Status::Success;
            outcome.failure_class = None;
            outcome.failure_reason = None;
        }
        outcome.verification = Some(Verification {
            check: written.to_owned(),
            passed: verdict.passed,
        });
    }
}
