//! The owner of a session: takes operations one after another, and works on one input at a time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use attractor_llm::{Message, ReasoningEffort};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep};

use super::completion::{Completion, Ending};
use super::input::SessionInput;
use super::work::work;
use super::worker::Worker;
use crate::budget::Limits;
use crate::error::AgentError;
use crate::event::AgentEventKind;
use crate::state::StateMachine;
use attractor_agent_events::AgentProgress;

/// What a session can be asked to do.
#[derive(Debug)]
pub(super) enum Operation {
    Submit {
        input: SessionInput,
        reply: oneshot::Sender<Completion>,
    },
    FollowUp(String),
    Steer(String),
    Interrupt(String),
    Cancel,
    SetReasoningEffort(Option<ReasoningEffort>),
    SetLimits(Limits),
    Compact(oneshot::Sender<bool>),
    Shutdown(oneshot::Sender<()>),
}

/// What the owner and the handle of a session share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    machine: Mutex<StateMachine>,
    history: Mutex<Vec<Message>>,
}

impl Shared {
    pub(super) fn machine(&self) -> MutexGuard<'_, StateMachine> {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn history(&self) -> MutexGuard<'_, Vec<Message>> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The owner.
pub(super) struct Owner {
    pub(super) worker: Worker,
    pub(super) operations: mpsc::UnboundedReceiver<Operation>,
    pub(super) shared: Arc<Shared>,
    pub(super) messages: Vec<Message>,
    pub(super) queue: Queue,
}

/// The inputs that wait, and whether the session ends.
#[derive(Default)]
pub(super) struct Queue {
    inputs: VecDeque<(SessionInput, oneshot::Sender<Completion>)>,
    follow_ups: VecDeque<String>,
    compactions: Vec<oneshot::Sender<bool>>,
    closed: Vec<oneshot::Sender<()>>,
    is_closed: bool,
}

impl Owner {
    /// Works until the session is shut down or its handle dropped.
    pub(super) async fn run(mut self) {
        while !self.queue.is_closed {
            for reply in std::mem::take(&mut self.queue.compactions) {
                let is_shorter = self.worker.compact_on_request(&mut self.messages);
                self.shared.history().clone_from(&self.messages);
                // The caller may have gone.
                let _ = reply.send(is_shorter);
            }
            if let Some((input, reply)) = self.queue.inputs.pop_front() {
                let completion = self.input(input).await;
                // The caller may have gone.
                let _ = reply.send(completion);
                continue;
            }
            let operation = self.operations.recv().await;
            apply(&self.worker, &mut self.queue, operation);
        }
        // An error in a machine that is already disposed has nothing to say.
        let _ = self.shared.machine().dispose();
        close_subagents(&self.worker).await;
        let ended = self.worker.background.end_all().await;
        // What subagents left after the last input.
        self.settle(&mut Completion::default()).await;
        if ended > 0 {
            self.set_aside(&mut Completion::default()).await;
        }
        self.worker.events.emit(AgentEventKind::SessionEnd {
            state: self.state(),
            ending: None,
            reason: None,
        });
        self.worker.events.close();
        // A caller that waits for the end may end the process: what the environment removes is removed before.
        drop(self.worker);
        for reply in self.queue.closed {
            let _ = reply.send(());
        }
    }

    fn state(&self) -> String {
        let state = self.shared.machine().state();
        state.public().as_str().to_owned()
    }

    /// Works on an input and on the messages that follow it.
    async fn input(&mut self, input: SessionInput) -> Completion {
        self.worker.controls.begin();
        let transitions = {
            let mut machine = self.shared.machine();
            machine.initialize().and_then(|()| machine.start())
        };
        debug_assert!(transitions.is_ok(), "{transitions:?}");
        self.worker.events.emit(AgentEventKind::SessionStart {
            state: self.state(),
        });
        let mut completion = self.work(input).await;
        while completion.ending == Ending::Done
            && let Some(next) = self.next_message()
        {
            // Each message is an input of its own.
            self.end_input(&completion);
            self.worker.events.emit(AgentEventKind::SessionStart {
                state: self.state(),
            });
            let earlier = std::mem::replace(&mut completion, self.work(next.into()).await);
            completion.add_earlier(&earlier);
        }
        if !self.worker.environment.keeps_started() {
            self.worker.background.end_all().await;
        }
        self.settle(&mut completion).await;
        self.set_aside(&mut completion).await;
        {
            let mut machine = self.shared.machine();
            let ended = match &completion.ending {
                Ending::Failed(error) => {
                    machine.fail(&error.message).and_then(|()| machine.finish())
                }
                _ => machine.complete().and_then(|()| machine.finish()),
            };
            debug_assert!(ended.is_ok(), "{ended:?}");
        }
        if !self.queue.is_closed {
            self.end_input(&completion);
        }
        completion
    }

    /// Ends what commands left running, and undoes what was changed of write-protected files since the last one: that
    /// fails the input.
    async fn settle(&self, completion: &mut Completion) {
        let worker = &self.worker;
        let settled = worker.environment.settle(&worker.run, &worker.step).await;
        let Some(error) = AgentError::unsettled(&settled) else {
            return;
        };
        worker.events.emit(AgentEventKind::Error {
            error: error.message.clone(),
            phase: "sandbox".to_owned(),
        });
        match completion.ending {
            Ending::Cancelled => completion.warnings.push(error.message),
            _ => completion.ending = Ending::Failed(error),
        }
    }

    /// Reports that the work on an input has ended.
    fn end_input(&self, completion: &Completion) {
        self.worker.events.emit(AgentEventKind::SessionEnd {
            state: self.state(),
            ending: Some(completion.ending.as_str().to_owned()),
            reason: completion.ending.reason().map(str::to_owned),
        });
    }

    /// Moves what commands created and other programs would run on their own.
    async fn set_aside(&self, completion: &mut Completion) {
        let environment = Arc::clone(&self.worker.environment);
        let moved = tokio::task::spawn_blocking(move || environment.set_aside()).await;
        for one in moved.unwrap_or_default() {
            let path = one.path.display();
            let message = match &one.folder {
                Some(folder) => format!(
                    "set aside: `{path}`, which other programs would run, is in `{}` now",
                    folder.display()
                ),
                None => {
                    format!("other programs would run `{path}`, and it cannot be moved; look at it")
                }
            };
            self.worker.events.emit(AgentEventKind::Warning {
                message: message.clone(),
            });
            completion.warnings.push(message);
        }
    }

    /// What follows an input that is done: a follow-up, or messages that arrived too late for its last tool round.
    fn next_message(&mut self) -> Option<String> {
        while let Ok(operation) = self.operations.try_recv() {
            apply(&self.worker, &mut self.queue, Some(operation));
        }
        if self.queue.is_closed {
            return None;
        }
        self.queue.follow_ups.pop_front().or_else(|| {
            let late = self.worker.controls.take_steering();
            (!late.is_empty()).then(|| late.join("\n\n"))
        })
    }

    /// Works on one input, and takes operations meanwhile.
    async fn work(&mut self, input: SessionInput) -> Completion {
        let Self {
            worker,
            operations,
            shared,
            messages,
            queue,
        } = self;
        let every = worker.config.progress_every;
        let mut progress = interval_at(Instant::now() + every, every);
        progress.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut activity = Activity::new(worker);
        let time_left = worker.budget.time_left();
        let time_is_over = async {
            match time_left {
                Some(left) => sleep(left).await,
                None => std::future::pending().await,
            }
        };
        tokio::pin!(time_is_over);
        let completion = {
            let working = work(worker, messages, input);
            tokio::pin!(working);
            loop {
                tokio::select! {
                    biased;
                    completion = &mut working => break completion,
                    operation = operations.recv(), if !queue.is_closed => {
                        apply(worker, queue, operation);
                    }
                    _ = progress.tick() => worker.events.emit(activity.progress(worker)),
                    () = &mut time_is_over, if !worker.controls.is_stopped() => worker.controls.stop(),
                }
            }
        };
        if completion.ending == Ending::Cancelled {
            close_subagents(worker).await;
        }
        shared.history().clone_from(messages);
        completion
    }
}

async fn close_subagents(worker: &Worker) {
    if let Some(subagents) = &worker.subagents {
        subagents.close_all().await;
    }
}

/// Does what an operation says. No operation: the handle is gone.
fn apply(worker: &Worker, queue: &mut Queue, operation: Option<Operation>) {
    match operation {
        Some(Operation::Submit { input, reply }) => queue.inputs.push_back((input, reply)),
        Some(Operation::FollowUp(text)) => queue.follow_ups.push_back(text),
        Some(Operation::Steer(text)) => worker.controls.steer(text),
        Some(Operation::Interrupt(text)) => worker.controls.interrupt(text),
        Some(Operation::Cancel) => worker.controls.stop(),
        Some(Operation::SetReasoningEffort(effort)) => worker.controls.set_effort(effort),
        Some(Operation::SetLimits(limits)) => worker.budget.set_limits(limits),
        Some(Operation::Compact(reply)) => queue.compactions.push(reply),
        Some(Operation::Shutdown(reply)) => {
            queue.closed.push(reply);
            queue.is_closed = true;
            worker.controls.stop();
        }
        None => {
            queue.is_closed = true;
            worker.controls.stop();
        }
    }
}

/// When something last happened.
struct Activity {
    count: u64,
    at: Instant,
}

impl Activity {
    fn new(worker: &Worker) -> Self {
        Self {
            count: worker.events.count(),
            at: Instant::now(),
        }
    }

    fn progress(&mut self, worker: &Worker) -> AgentEventKind {
        let count = worker.events.count();
        if count != self.count {
            *self = Self::new(worker);
        }
        let spent = worker.budget.spent();
        AgentEventKind::Progress(AgentProgress {
            turns: spent.turns,
            tool_calls: spent.tool_calls,
            tokens: spent.tokens(),
            cost: spent.cost,
            idle_seconds: self.at.elapsed().as_secs_f64(),
            tool: worker.running.first(),
            plan: worker.plan_in_a_line(),
        })
    }
}
