//! Asks a person about calls whose policy says so, and remembers what holds for the whole session.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::{Decision, PermissionRequest, SessionScope, ToolPolicy};
use crate::person::{Person, PersonAnswer, PersonQuestion};
use crate::tool::Access;

/// The answers to a question for permission.
pub const ALLOW_ONCE: &str = "Allow once";
/// See [`ALLOW_ONCE`]. What follows it says which calls.
pub const ALLOW_SESSION: &str = "Allow for this session";
/// See [`ALLOW_ONCE`].
pub const DENY: &str = "Deny";

/// What the id of a question for permission begins with.
pub const PERMISSION: &str = "permission-";

/// How often a question is asked whose answers cannot be used.
const ASKED: usize = 20;

/// What the answers mean.
const EXPLANATION: &str = "y allows this call once, a allows it for this session, n denies it; what follows n is the \
                           reason that the model gets";

/// A policy, and whom it asks.
pub struct PermissionGate {
    policy: Arc<dyn ToolPolicy>,
    person: Arc<dyn Person>,
    allowed: Mutex<AllowedForSession>,
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
        let granted = self.allowed().rules.clone();
        let decision = self
            .policy
            .check_granting(tool, access, arguments, &granted);
        let PermissionRequest {
            text: question,
            scope,
        } = match decision {
            Decision::Allow => return Ok(()),
            Decision::Deny(reason) => return Err(reason),
            Decision::Ask(request) => request,
        };
        // It takes input and outlives the call: an answer about the other one does not hold for it.
        let question = if arguments["background"] == true {
            format!("{question}, in the background")
        } else {
            question
        };
        if self.allowed().calls.contains(&question) {
            return Ok(());
        }
        let mut text = format!("Allow this? {question}");
        for number in 1..=ASKED {
            // Each is a question of its own.
            let id = match number {
                1 => format!("{PERMISSION}{call_id}"),
                number => format!("{PERMISSION}{call_id}-{number}"),
            };
            let covered = match &scope {
                SessionScope::Rule(rule) => format!("all that `{rule}` asks about"),
                SessionScope::Tool => format!("all calls of `{tool}`"),
                SessionScope::Call => "the same call".to_owned(),
            };
            let asked = PersonQuestion {
                id,
                text: text.clone(),
                options: vec![
                    ALLOW_ONCE.to_owned(),
                    format!("{ALLOW_SESSION}: {covered}"),
                    DENY.to_owned(),
                ],
            };
            let answer = match self.person.ask(asked).await {
                PersonAnswer::Text(answer) => answer,
                PersonAnswer::Nobody(reason) => {
                    return Err(format!(
                        "not allowed without a person to ask: {question}; {reason}"
                    ));
                }
            };
            match Permission::read(&answer) {
                Permission::Once => return Ok(()),
                Permission::Session => {
                    let mut allowed = self.allowed();
                    match scope {
                        SessionScope::Rule(rule) => allowed.rules.insert(rule),
                        // The question of a tool names nothing else.
                        SessionScope::Tool | SessionScope::Call => allowed.calls.insert(question),
                    };
                    return Ok(());
                }
                Permission::Denied(None) => return Err(format!("a person denied it: {question}")),
                Permission::Denied(Some(reason)) => {
                    return Err(format!(
                        "a person denied it: {question}; they say: {reason}"
                    ));
                }
                Permission::Unclear(answer) => {
                    text = format!(
                        "Allow this? {question}\n{}{EXPLANATION}.",
                        unusable(&answer)
                    );
                }
            }
        }
        Err(format!("not allowed without a usable answer: {question}"))
    }

    fn allowed(&self) -> std::sync::MutexGuard<'_, AllowedForSession> {
        self.allowed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was allowed for the whole session.
#[derive(Default)]
struct AllowedForSession {
    /// The questions about single calls.
    calls: HashSet<String>,
    /// The rules that asked.
    rules: BTreeSet<String>,
}

/// What an answer means.
enum Permission {
    Once,
    Session,
    Denied(Option<String>),
    /// It is asked again.
    Unclear(String),
}

impl Permission {
    fn read(answer: &str) -> Self {
        let answer = answer.trim();
        let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(answer));
        if is(&[ALLOW_ONCE, "y", "yes"]) {
            return Self::Once;
        }
        if is(&["a", "always"]) || answer.starts_with(ALLOW_SESSION) {
            return Self::Session;
        }
        if is(&[DENY, "n", "no"]) {
            return Self::Denied(None);
        }
        let reason = answer.split_once([' ', ':', ',']).filter(|(word, _)| {
            [DENY, "n", "no"]
                .iter()
                .any(|no| no.eq_ignore_ascii_case(word))
        });
        match reason.map(|(_, reason)| reason.trim_start_matches([':', ',', ' ']).to_owned()) {
            Some(reason) => Self::Denied(Some(reason)),
            None => Self::Unclear(answer.to_owned()),
        }
    }
}

/// What precedes the explanation.
fn unusable(answer: &str) -> String {
    match answer {
        "" | "?" => String::new(),
        answer => format!("`{answer}` is not one of the answers: "),
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;
    use attractor_permissions::{Level, Rule};

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
            error.ends_with("this session is not interactive"),
            "{error}"
        );
    }

    #[tokio::test]
    async fn an_answer_for_the_session_is_remembered_for_the_same_call() {
        let gate = gate(Answers(Mutex::new(vec![
            ALLOW_ONCE,
            ALLOW_SESSION,
            DENY,
            "n use just",
        ])));
        assert_eq!(run(&gate, "make").await, Ok(()));
        assert_eq!(run(&gate, "make").await, Ok(()));
        assert_eq!(run(&gate, "make").await, Ok(()));
        let denied = run(&gate, "make install").await.unwrap_err();
        assert!(denied.starts_with("a person denied it"), "{denied}");
        let denied = run(&gate, "make install").await.unwrap_err();
        assert!(denied.ends_with("they say: use just"), "{denied}");
    }

    #[tokio::test]
    async fn an_answer_for_the_session_holds_for_the_rule_that_asked() {
        let rule = |text| Rule::parse(text, Level::Ask).unwrap();
        let rules = ["write", "write(secrets/**)", "shell", "shell(make *)"].map(rule);
        let policy = Permissions::new(std::path::Path::new("/w")).user(rules.into_iter().collect());
        let person = Arc::new(Answers(Mutex::default()));
        let gate = PermissionGate::new(Arc::new(policy), Arc::clone(&person) as Arc<dyn Person>);
        for (call, answer, expected) in [
            ("write a.rs", Some("a"), true),
            ("write b.rs", None, true),
            // A rule that is more specific still asks, and so does what other programs run on their own.
            ("write secrets/key", Some("n"), false),
            ("write .envrc", Some("a"), true),
            ("write .vscode/tasks.json", Some("n"), false),
            ("run make all", Some("a"), true),
            ("run make test", None, true),
            // A rule about all commands is answered for the same one only.
            ("run ls", Some("a"), true),
            ("run ls", None, true),
            ("run make all; rm -r x", Some("n"), false),
        ] {
            person.0.lock().unwrap().extend(answer);
            let access = match call.split_once(' ').unwrap() {
                ("write", path) => Access::Write(vec![path.into()]),
                (_, command) => Access::Execute(command.to_owned()),
            };
            let result = gate.permit("c1", "tool", &access, &Value::Null).await;
            assert_eq!(result.is_ok(), expected, "{call}: {result:?}");
            assert!(
                person.0.lock().unwrap().is_empty(),
                "{call} was not asked about"
            );
        }
    }

    #[tokio::test]
    async fn anything_but_an_answer_is_asked_again() {
        for (answers, allowed) in [
            (vec!["", "?", "what", "y"], true),
            (vec!["YES"], true),
            (vec!["  a "], true),
            (vec!["maybe", "n"], false),
            (vec!["No, not now"], false),
        ] {
            let gate = gate(Answers(Mutex::new(answers.clone())));
            let result = run(&gate, "make").await;
            assert_eq!(result.is_ok(), allowed, "{answers:?}: {result:?}");
        }
        assert_eq!(unusable("what"), "`what` is not one of the answers: ");
    }
}
