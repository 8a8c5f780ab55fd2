//! Hands the questions of a session to its conversation.

use async_trait::async_trait;
use attractor_agent::{Person, PersonAnswer, PersonQuestion};
use tokio::sync::{mpsc, oneshot};

use super::open_question::OpenQuestion;

/// Hands questions to the conversation.
pub struct ConversationPerson(pub mpsc::UnboundedSender<OpenQuestion>);

#[async_trait]
impl Person for ConversationPerson {
    async fn ask(&self, question: PersonQuestion) -> PersonAnswer {
        let (reply, answer) = oneshot::channel();
        let asked = OpenQuestion::new(question, reply);
        let closed = || PersonAnswer::Nobody("the conversation has ended".to_owned());
        match self.0.send(asked) {
            Ok(()) => answer.await.unwrap_or_else(|_| closed()),
            Err(_) => closed(),
        }
    }
}
