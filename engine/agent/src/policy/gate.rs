//! Asks a person about calls whose policy says so, and remembers what holds for the whole session.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::{Decision, ToolPolicy};
use crate::person::{Person, PersonAnswer, PersonQuestion};
use crate::tool::Access;

/// The answers to a question for permission.
pub const ALLOW_ONCE: &str = "Allow once";
/// See [`ALLOW_ONCE`].
pub const ALLOW_SESSION: &str = "Allow for this session";
/// See [`ALLOW_ONCE`].
pub const DENY: &str = "Deny";

/// A policy, and whom it asks.
pub struct PermissionGate {
    policy: Arc<dyn ToolPolicy>,
    person: Arc<dyn Person>,
    /// Questions that were answered for the whole session.
    allowed: Mutex<HashSet<String>>,
}

impl PermissionGate {
    /// A gate before every call.
    pub fn new(policy: Arc<dyn ToolPolicy>, person: Arc<dyn Person>) -> Self {
        Self {
            policy,
            person,
            allowed: Mutex::default(),
        }
    }

    /// Decides about a call, and waits for a person where the policy asks.
    ///
    /// # Errors
    /// It may not run: the reason, for the model and the event. Nobody to ask is such a reason.
    pub async fn permit(
        &self,
        call_id: &str,
        tool: &str,
        access: &Access,
        arguments: &Value,
    ) -> Result<(), String> {
        let question = match self.policy.check(tool, access, arguments) {
            Decision::Allow => return Ok(()),
            Decision::Deny(reason) => return Err(reason),
            Decision::Ask(question) => question,
        };
        if self.allowed().contains(&question) {
            return Ok(());
        }
        let answer = self.person.ask(PersonQuestion {
            id: format!("permission-{call_id}"),
            text: format!("Allow this? {question}"),
            options: [ALLOW_ONCE, ALLOW_SESSION, DENY]
                .map(str::to_owned)
                .to_vec(),
        });
        match answer.await {
            PersonAnswer::Text(answer) if answer == ALLOW_ONCE => Ok(()),
            PersonAnswer::Text(answer) if answer == ALLOW_SESSION => {
                self.allowed().insert(question);
                Ok(())
            }
            PersonAnswer::Text(answer) if answer == DENY => {
                Err(format!("a person denied it: {question}"))
            }
            PersonAnswer::Text(answer) => Err(format!(
                "a person denied it: {question}; they say: {answer}"
            )),
            PersonAnswer::Nobody(reason) => Err(format!(
                "not allowed without a person to ask: {question}; {reason}"
            )),
        }
    }

    fn allowed(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.allowed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;
    use crate::person::NoPerson;
    use crate::policy::Permissions;

    /// Answers in turn, and counts the questions.
    struct Answers(Mutex<Vec<&'static str>>);

    #[async_trait]
    impl Person for Answers {
        async fn ask(&self, _: PersonQuestion) -> PersonAnswer {
            PersonAnswer::Text(self.0.lock().unwrap().remove(0).to_owned())
        }
    }

    fn gate(person: impl Person + 'static) -> PermissionGate {
        let policy = Permissions::new(std::path::Path::new("/w"));
        PermissionGate::new(Arc::new(policy), Arc::new(person))
    }

    async fn run(gate: &PermissionGate, command: &str) -> Result<(), String> {
        let access = Access::Execute(command.to_owned());
        gate.permit("c1", "shell", &access, &Value::Null).await
    }

    #[tokio::test]
    async fn with_nobody_to_ask_a_call_is_denied_at_once() {
        let error = run(&gate(NoPerson), "make").await.unwrap_err();
        assert!(
            error.starts_with("not allowed without a person to ask: `shell` runs `make`"),
            "{error}"
        );
        assert!(
            error.ends_with("nobody can be asked in this session"),
            "{error}"
        );
    }

    #[tokio::test]
    async fn an_answer_for_the_session_is_remembered_for_the_same_call() {
        let gate = gate(Answers(Mutex::new(vec![
            ALLOW_ONCE,
            ALLOW_SESSION,
            DENY,
            "use just",
        ])));
        assert_eq!(run(&gate, "make").await, Ok(()));
        assert_eq!(run(&gate, "make").await, Ok(()));
        assert_eq!(run(&gate, "make").await, Ok(()));
        let denied = run(&gate, "make install").await.unwrap_err();
        assert!(denied.starts_with("a person denied it"), "{denied}");
        let denied = run(&gate, "make install").await.unwrap_err();
        assert!(denied.ends_with("they say: use just"), "{denied}");
    }
}
