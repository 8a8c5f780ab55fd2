//! `attractor agent` without a task: a conversation in the terminal.
//!
//! What has been said is ordinary output above; the last rows are live: what is being written, what the session does, a
//! question, and the line that is typed. One task does all of it. What is typed while the session works is given to the
//! model after the tool call that runs.

mod command_effects;
mod input;
mod next;
mod open_question;
mod path_completion;
mod person;
mod session_screen;
mod slash_command;
mod terminal;
mod text_stream;

use std::path::Path;
use std::sync::Arc;

use attractor::{AgentOptions, AgentSettings, Providers, StartFrom, StartedAgent};
use attractor_agent::Person;
use attractor_config::Configuration;
use tokio::sync::mpsc;

use self::next::Next;
use self::person::ConversationPerson;
use self::terminal::ConversationTerminal;
use super::model_name::check_model;
use super::start::start;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::style::{FAINT, paint};
use crate::type_ahead;

/// The attribute with what may be spent.
const MAX_COST: &str = "max_cost";

/// A conversation in a folder.
pub struct Conversation<'c> {
    pub here: &'c Path,
    pub providers: &'c Providers,
    pub settings: &'c AgentSettings,
    pub configuration: &'c Configuration,
    pub options: AgentOptions,
}

impl Conversation<'_> {
    /// Talks until the person leaves.
    pub async fn run(mut self) -> Result<Exit, Error> {
        let (questions, mut asked) = mpsc::unbounded_channel();
        let person: Arc<dyn Person> = Arc::new(ConversationPerson(questions));
        let mut started = self.start(&person).await?;
        let mut talk = ConversationTerminal::open(self.here)?;
        let mut attributes = self.options.attributes.iter();
        let most = attributes.find(|(name, _)| name == MAX_COST);
        let most = most.and_then(|(_, cost)| cost.parse().ok());
        loop {
            talk.greet(&started);
            let next = talk.follow(&mut started, &mut asked).await;
            started.session.shutdown().await;
            let (from, model) = match next {
                Ok(Next::Start { from, model }) => (from, model),
                ended => {
                    talk.close();
                    // What was typed is not for the shell.
                    type_ahead::discard();
                    console::remark(&paint(
                        FAINT,
                        format!(
                            "session {id}; continue it with `attractor agent --session {id}`",
                            id = started.id
                        ),
                    ));
                    return ended.map(|_| Exit::Success);
                }
            };
            // It is released for the next one, which may be the same.
            let id = started.id.clone();
            drop(started);
            self.leave_cost(most, talk.spent.cost);
            let before = self.options.clone();
            self.options.from = from;
            let is_other = matches!(&self.options.from, StartFrom::Session(other) if *other != id);
            // Another session continues with its own model.
            if model.is_some() || is_other {
                self.options.provider = None;
                self.options.model = model;
            }
            let checked = check_model(self.options.model.as_deref(), None, self.configuration);
            let again = match checked {
                Ok(()) => self.start(&person).await,
                Err(error) => Err(error),
            };
            started = match again {
                Ok(started) => started,
                Err(error) => {
                    talk.complain(&error.to_string());
                    self.options = AgentOptions {
                        from: StartFrom::Session(id),
                        ..before
                    };
                    self.start(&person).await?
                }
            };
        }
    }

    /// What may be spent holds for the whole conversation.
    fn leave_cost(&mut self, most: Option<f64>, spent: f64) {
        let Some(most) = most else {
            return;
        };
        let left = (most - spent).max(0.0).to_string();
        for (name, value) in &mut self.options.attributes {
            if name == MAX_COST {
                value.clone_from(&left);
            }
        }
    }

    async fn start(&self, person: &Arc<dyn Person>) -> Result<StartedAgent, Error> {
        start(
            self.providers,
            self.settings,
            self.here,
            self.options.clone(),
            person,
        )
        .await
    }
}
