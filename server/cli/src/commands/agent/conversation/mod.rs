//! `attractor agent` without a task: a conversation in the terminal.
//!
//! What has been said is ordinary output above; the last rows are live: what is being written, what the session does, a
//! question, and the line that is typed. One task does all of it. What is typed while the session works is given to the
//! model after the tool call that runs.

mod attachments;
mod command_effects;
mod input;
mod input_rows;
mod next;
mod open_question;
mod path_completion;
mod person;
mod session_screen;
mod slash_command;
mod terminal;
mod text_stream;
mod user_command;

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
/// The attribute with how much the model thinks.
const EFFORT: &str = "reasoning_effort";
/// The attribute with what the session may do.
const PERMISSIONS: &str = "permissions";

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
        let most = self.attribute(MAX_COST).and_then(|cost| cost.parse().ok());
        let mut recalls = self.options.from != StartFrom::Nothing;
        loop {
            let given = self.attribute(PERMISSIONS);
            given
                .unwrap_or(slash_command::DEFAULT_PERMISSIONS)
                .clone_into(&mut talk.permissions);
            talk.greet(&started, recalls);
            let next = talk.follow(&mut started, &mut asked).await;
            talk.report_background(&started.session);
            started.session.shutdown().await;
            let (from, change) = match next {
                Ok(Next::Start { from, change }) => (from, change),
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
            recalls = is_other;
            // Another session continues with its own model.
            if change.model.is_some() || is_other {
                self.options.provider = None;
                self.options.model = change.model;
            }
            if !is_other {
                self.set_attribute(EFFORT, talk.effort.take());
            }
            self.set_attribute(PERMISSIONS, change.permissions);
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
        self.set_attribute(MAX_COST, Some((most - spent).max(0.0).to_string()));
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.options.attributes.iter();
        let (_, value) = attributes.find(|(one, _)| one == name)?;
        Some(value)
    }

    /// Sets an attribute, if there is a value for it.
    fn set_attribute(&mut self, name: &str, value: Option<String>) {
        let Some(value) = value else {
            return;
        };
        let attributes = &mut self.options.attributes;
        attributes.retain(|(one, _)| one != name);
        attributes.push((name.to_owned(), value));
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
