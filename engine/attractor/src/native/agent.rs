//! A node that is worked on by an agent: a session with tools in the folder of the node.

mod activity;
mod capabilities;
mod continued;
mod hooks;
mod language_servers;
mod mcp;
mod outcome;
pub(crate) mod safety;
pub(super) mod setup;
mod skills;

pub(super) use capabilities::capabilities;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use attractor_agent::{
    AgentError, AgentEventKind, AgentEvents, Completion, Ending, PERMISSION, Person, PersonAnswer,
    PersonQuestion, Session,
};
use attractor_llm::{Client, Error, Message, ObjectSchema, Response};
use attractor_run::{
    BackendError, CodergenRequest, CodergenResponse, Progress, Question, SteeringMessage,
};
use futures::future::{Either, join, select};

use super::shared::SharedStateOfRun;
use crate::agent_settings::AgentSettings;

/// What a session is sent that continues after the engine was killed.
const CONTINUE: &str = "The work was interrupted: the program was ended and has been started again. Calls without a result may \
have had effects. Look at the state of the files, and continue.";

/// Works on a node until its agent is done.
pub(super) async fn work(
    client: Client,
    input: CodergenRequest,
    (model, fallback): (String, Vec<String>),
    settings: Arc<AgentSettings>,
    shared: SharedStateOfRun,
    progress: Arc<dyn Progress>,
) -> Result<CodergenResponse, BackendError> {
    let person = Arc::new(RunPerson(Arc::clone(&progress)));
    let call = setup::NodeCall {
        client: &client,
        input: &input,
        model: &model,
        fallback,
        settings: &settings,
        mcp_servers: &[],
        editor: None,
        shared,
    };
    let prepared = setup::prepare(call, progress.as_ref(), person).await?;
    let schema = prepared.schema;
    let is_continued = !prepared.messages.is_empty();
    let messages = if is_continued {
        prepared.messages
    } else {
        conversation(&input)
    };
    let (session, events) = Session::restore(prepared.setup, messages);
    let prompt = if is_continued {
        CONTINUE.to_owned()
    } else {
        prompt(&input, schema.as_ref())
    };
    let sent = SentMessages::default();
    let working = async {
        let steering = steer(&session, progress.as_ref(), &sent);
        let submitting = submit(&session, prompt, schema.as_ref(), prepared.corrections);
        tokio::pin!(steering, submitting);
        let mut completion = match select(submitting, steering).await {
            Either::Left((completion, _)) => completion,
            Either::Right(((), submitting)) => submitting.await,
        };
        // Messages that arrived while the last answer ended.
        while completion.ending == Ending::Done
            && let Some(text) = late(progress.as_ref())
        {
            let schema = schema.as_ref();
            let next = submit(&session, text, schema, prepared.corrections).await;
            let earlier = std::mem::replace(&mut completion, next);
            completion.add_earlier(&earlier);
        }
        session.shutdown().await;
        completion
    };
    // All events are published before the node ends.
    let (completion, ()) = join(working, publish(events, progress.as_ref(), &sent)).await;
    progress.give_back(sent.unread());
    outcome::read(completion, prepared.warnings).map_err(|error| *error)
}

/// The text that is submitted.
pub(super) fn prompt(input: &CodergenRequest, schema: Option<&ObjectSchema>) -> String {
    let mut prompt = format!("{}{}", input.preamble, input.prompt);
    if let Some(schema) = schema {
        let shown = serde_json::to_string_pretty(&schema.schema).unwrap_or_default();
        prompt.push_str(
            "\n\nYour last message must be JSON that fits this schema, and nothing else:\n\n",
        );
        prompt.push_str(&shown);
    }
    prompt
}

/// The earlier turns of the thread.
pub(super) fn conversation(input: &CodergenRequest) -> Vec<Message> {
    let turns = input.conversation.iter();
    turns
        .flat_map(|turn| {
            [
                Message::user(turn.prompt.clone()),
                Message::assistant(turn.answer.clone()),
            ]
        })
        .collect()
}

/// Submits the prompt, and asks for corrections while the last message does not fit the schema.
async fn submit(
    session: &Session,
    prompt: String,
    schema: Option<&ObjectSchema>,
    mut corrections: u32,
) -> Completion {
    let mut text = prompt;
    let mut total: Option<Completion> = None;
    loop {
        let mut completion = match session.submit(text).await {
            Ok(completion) => completion,
            Err(error) => Completion::failed(error),
        };
        if let Some(earlier) = &total {
            completion.add_earlier(earlier);
        }
        let Some(problem) = schema.and_then(|schema| problem(schema, &completion)) else {
            return completion;
        };
        if corrections == 0 {
            let message = problem.to_string();
            completion.ending = Ending::Failed(AgentError {
                retryable: false,
                ..AgentError::llm(message).with("kind", "no_object_generated")
            });
            return completion;
        }
        corrections -= 1;
        text = format!(
            "Your last message cannot be used: {}. Write it again as JSON that fits the schema, and nothing else.",
            problem.data().message
        );
        total = Some(completion);
    }
}

/// Whether the message of an answer fits the schema.
pub(super) fn fits(schema: &ObjectSchema, answer: &Response) -> bool {
    schema.read(answer.clone()).is_ok()
}

/// Why the last message does not fit the schema.
fn problem(schema: &ObjectSchema, completion: &Completion) -> Option<Error> {
    if completion.ending != Ending::Done {
        return None;
    }
    let mut response = Response::empty(
        completion.provider.as_deref().unwrap_or_default(),
        completion.model.as_deref().unwrap_or_default(),
    );
    response.message = Message::assistant(completion.text.clone());
    schema.read(response).err()
}

/// Publishes what the session does as events of the run.
async fn publish(mut events: AgentEvents, progress: &dyn Progress, sent: &SentMessages) {
    while let Some(event) = events.recv().await {
        match event.kind {
            AgentEventKind::AssistantTextDelta { text } => progress.text(&text),
            AgentEventKind::ThinkingDelta { text } => progress.thinking(&text),
            AgentEventKind::SteeringInjected { text } => sent.injected(&text),
            kind => {
                if let Some(activity) = activity::of(kind, progress) {
                    progress.activity(activity);
                }
            }
        }
    }
}

/// Gives the session the messages to the node.
async fn steer(session: &Session, progress: &dyn Progress, sent: &SentMessages) {
    loop {
        let message = progress.message().await;
        sent.add(message.clone());
        if session.steer(message.text).is_err() {
            return;
        }
    }
}

/// The messages to the node that no session has yet.
fn late(progress: &dyn Progress) -> Option<String> {
    let messages = progress.messages().into_iter();
    let texts: Vec<String> = messages.map(|message| message.text).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// The messages that a session was sent and has not put into its conversation.
#[derive(Default)]
struct SentMessages(Mutex<Vec<SteeringMessage>>);

impl SentMessages {
    fn add(&self, message: SteeringMessage) {
        self.lock().push(message);
    }

    fn injected(&self, text: &str) {
        let mut sent = self.lock();
        // The session has messages of its own too.
        if let Some(index) = sent.iter().position(|message| message.text == text) {
            sent.remove(index);
        }
    }

    fn unread(self) -> Vec<SteeringMessage> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<SteeringMessage>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The keys of the answers to a question for permission: once, for the session, not at all.
const PERMISSION_KEYS: [&str; 3] = ["Y", "A", "N"];

/// Asks the people of the run.
pub(crate) struct RunPerson(pub(crate) Arc<dyn Progress>);

#[async_trait]
impl Person for RunPerson {
    fn is_there(&self) -> bool {
        self.0.can_ask()
    }

    async fn ask(&self, question: PersonQuestion) -> PersonAnswer {
        let mut asked = if question.options.is_empty() {
            Question::freeform(question.text)
        } else {
            let is_permission = question.id.starts_with(PERMISSION);
            let labels = question.options.iter().enumerate();
            let labels = labels.map(|(index, option)| match PERMISSION_KEYS.get(index) {
                Some(key) if is_permission => format!("[{key}] {option}"),
                _ => option.clone(),
            });
            Question::choice(question.text, labels).with_text()
        };
        asked.id = question.id;
        match self.0.ask(asked.clone()).await {
            Ok(reply) => {
                let chosen = reply.keys.first().and_then(|key| {
                    let mut options = asked.options.iter().zip(&question.options);
                    options.find(|(option, _)| option.key == *key)
                });
                let chosen = chosen.map(|(_, label)| label.clone());
                PersonAnswer::Text(chosen.or(reply.text).unwrap_or_default())
            }
            Err(error) => PersonAnswer::Nobody(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_without_an_event_of_the_session_are_unread() {
        let sent = SentMessages::default();
        for text in ["one", "two", "one"] {
            sent.add(SteeringMessage::new(text, "ada"));
        }
        sent.injected("one");
        sent.injected("the same call was made 3 times");
        let unread: Vec<String> = sent.unread().into_iter().map(|one| one.text).collect();
        assert_eq!(unread, ["two", "one"]);
    }
}
