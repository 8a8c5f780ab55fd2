//! News of runs for people who are elsewhere: when a run asks a question, and when it ends.
//!
//! A notification is a JSON object, given to a program or posted to an address, as the person's configuration says
//! (`[notify]`). It is made from the events of the run, in which secrets are masked. Sending never delays a run: it is
//! tried again for a while, and where too many wait, new ones are dropped with a warning.

mod send;

use std::sync::Arc;
use std::time::Duration;

use attractor_config::{Configuration, NotifiedRuns, NotifyEvent, NotifySettings, NotifyTarget};
use attractor_exec::secret_environment;
use attractor_run::{Event, EventKind, RunHandle, RunState};
use futures::StreamExt;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

use crate::error::Error;
use send::Sender;

/// The most notifications that wait or are being sent.
const MOST: usize = 256;

/// Sends notifications about runs. Cheap to clone.
#[derive(Clone)]
pub struct Notifier {
    sender: Arc<Sender>,
    events: Arc<[NotifyEvent]>,
    places: Arc<Semaphore>,
    /// What follows runs and sends.
    tasks: TaskTracker,
}

impl Notifier {
    /// What the configuration says of runs that are started somewhere; `None` where it names no notifications of them.
    ///
    /// # Errors
    /// The address cannot be read, or the variable with the key of the signature is not set.
    pub fn of(configuration: &Configuration, runs: NotifiedRuns) -> Result<Option<Self>, Error> {
        let settings = configuration.notify();
        let settings = settings.filter(|settings| settings.runs.contains(&runs));
        settings.as_ref().map(Self::new).transpose()
    }

    fn new(settings: &NotifySettings) -> Result<Self, Error> {
        let refused = |reason: String| Error::Notify { reason };
        let sender = match &settings.target {
            NotifyTarget::Command(argv) => Sender::command(argv.clone()),
            NotifyTarget::Webhook {
                url,
                secret_variable,
            } => {
                let key = secret_environment::variable(secret_variable).ok_or_else(|| {
                    refused(format!(
                        "`notify.secret_variable` names {secret_variable}, which is not set"
                    ))
                })?;
                Sender::webhook(url, key).map_err(refused)?
            }
        };
        Ok(Self {
            sender: Arc::new(sender),
            events: settings.events.clone().into(),
            places: Arc::new(Semaphore::new(MOST)),
            tasks: TaskTracker::new(),
        })
    }

    /// Notifies of what happens in a run that has just been started, resumed or forked; what happened in it before is
    /// not sent. Returns at once.
    pub fn follow(&self, run: &RunHandle) {
        let (notifier, run) = (self.clone(), run.clone());
        // A run may have asked by now, so it is not followed from its last event on.
        let mut events = Box::pin(run.subscribe(run.inherited()));
        self.tasks.spawn(async move {
            while let Some(event) = events.next().await {
                let notification = notification(&run, &event);
                let wanted = notification.filter(|(kind, _)| notifier.events.contains(kind));
                if let Some((_, body)) = wanted {
                    notifier.send(body);
                }
            }
        });
    }

    /// Waits until everything is sent, of runs that have ended; `false` when that takes longer than `patience`.
    pub async fn finish(&self, patience: Duration) -> bool {
        self.tasks.close();
        timeout(patience, self.tasks.wait()).await.is_ok()
    }

    fn send(&self, body: Value) {
        let Ok(place) = self.places.clone().try_acquire_owned() else {
            tracing::warn!("a notification is dropped: {MOST} others are waiting");
            return;
        };
        let sender = self.sender.clone();
        self.tasks.spawn(async move {
            if let Err(reason) = sender.deliver(&body).await {
                tracing::warn!("a notification cannot be sent: {reason}");
            }
            drop(place);
        });
    }
}

/// What an event is to someone who waits for questions and ends.
fn notification(run: &RunHandle, event: &Event) -> Option<(NotifyEvent, Value)> {
    let end = |state: RunState| (NotifyEvent::End, json!({ "state": state.name() }));
    let (kind, fields) = match &event.kind {
        EventKind::InterviewStarted { at, question } => {
            let options = question.options.iter();
            let options: Vec<Value> = options
                .map(|option| json!({ "key": option.key, "label": option.label }))
                .collect();
            let asked = json!({
                "node": at.node,
                "question": { "id": question.id, "text": question.text, "options": options },
            });
            (NotifyEvent::Question, asked)
        }
        EventKind::PipelineCompleted { .. } => end(RunState::Success),
        EventKind::PipelineFailed { failure, .. } => {
            let fields = json!({ "state": RunState::Fail.name(), "reason": failure.reason });
            (NotifyEvent::End, fields)
        }
        EventKind::PipelineCancelled { .. } => end(RunState::Cancelled),
        EventKind::Escalated {
            reason, ends: true, ..
        } => {
            let fields = json!({ "state": RunState::Escalated.name(), "reason": reason });
            (NotifyEvent::End, fields)
        }
        _ => return None,
    };
    let mut body = json!({
        "event": kind.name(),
        "id": format!("{}-{}", event.run, event.seq),
        "run": event.run,
        "pipeline": run.snapshot().pipeline,
        "time": event.time,
    });
    if let (Some(body), Value::Object(fields)) = (body.as_object_mut(), fields) {
        body.extend(fields);
    }
    Some((kind, body))
}
