//! Questions of a session to a person.

use async_trait::async_trait;

/// A question to a person: a permission, or what a model asks by the tool `ask_user`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonQuestion {
    /// The call that asks; stable, so that a resumed session finds the answer it already has.
    pub id: String,
    /// The question.
    pub text: String,
    /// The answers to choose from; empty for free text.
    pub options: Vec<String>,
}

/// What the person answered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PersonAnswer {
    /// An option, or free text.
    Text(String),
    /// There is nobody to ask; with the reason.
    Nobody(String),
}

/// Asks a person. A pipeline makes it a durable question of its run; the terminal asks at once.
#[async_trait]
pub trait Person: Send + Sync {
    /// Asks, and waits for the answer.
    async fn ask(&self, question: PersonQuestion) -> PersonAnswer;

    /// Whether a person can be asked, as far as that is known before a question.
    fn is_there(&self) -> bool {
        true
    }
}

/// Nobody can be asked.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPerson;

#[async_trait]
impl Person for NoPerson {
    fn is_there(&self) -> bool {
        false
    }

    async fn ask(&self, _: PersonQuestion) -> PersonAnswer {
        PersonAnswer::Nobody("this session is not interactive".to_owned())
    }
}
