//! The owner's tasks: starting handlers and timers, hearing what they report, showing what they write.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use attractor_machine::control::SteeringMessage;
use attractor_machine::event::{EventKind, NodeAttempt};
use attractor_machine::frame::Ticket;
use attractor_machine::frame::Worktree;
use attractor_machine::outcome::{FailureClass, Outcome};
use attractor_machine::transition;
use attractor_machine::transition::{Frame, InputKind, Phase};
use attractor_model::NodeKind;
use futures::FutureExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::message::Message;
use super::output::{Piece, Rest, Sink};
use super::pausing::PausableSleep;
use super::run_task::{RunTask, Running, blocking};
use super::worktrees::Opening;
use crate::driver::questions::run_questions::RunQuestions;
use crate::error::RunError;
use crate::file_changes::VisitRecording;
use crate::handlers::reasons;
use crate::handlers::{self, CommandRunner, HandlerEnv, Inbox, Prepared, Task, Work, WorkTime};
use crate::store::Record;
use crate::worktrees::Place;

/// Why a model stopped that calls tools.
const TOOL_USE: &str = "tool_use";

/// How often output is shown.
const SHOW_EVERY: Duration = Duration::from_millis(100);

impl RunTask {
    /// Does the work of the node a ticket's frame is at; where the machine has `done` it, only looks at what
    /// the node promised.
    pub(super) fn execute(
        &mut self,
        ticket: Ticket,
        done: Option<Outcome>,
    ) -> Result<(), RunError> {
        let context = &self.context;
        let Some(frame) = context.state.holder(ticket) else {
            return Ok(());
        };
        let Some(node_ref) = context.plan.node_ref(frame.graph.as_deref(), &frame.node) else {
            return Ok(());
        };
        let at = frame.node_attempt();
        let kind = node_ref.node.kind;
        let stage_dir = context.store.stage_path(&at);
        let place = self.place_of(frame.worktree.as_ref());
        let workdir = self.workdir_of(frame, place.workdir.clone());
        let work = Work {
            node_ref,
            frame,
            view: context
                .state
                .contexts
                .view(frame.scope, node_ref.pipeline)
                .with_large_values(context.plan.large_values()),
            latest: &context.state.latest,
            place: &context.environment,
            stage_dir: &stage_dir,
            workdir: &workdir,
            budget: transition::remaining_budget(&context.plan, &context.state),
            state: &context.state,
        };
        let prepared = match (done, &context.script) {
            (Some(done), _) => handlers::promised(work, done),
            (None, Some(script)) => {
                let past = self.attempts.entry(frame.node.clone()).or_default();
                *past += 1;
                handlers::dry(script, work, *past - 1)
            }
            (None, None) => match outside_root(work, &place) {
                Some(reason) => {
                    let refused = Outcome::fail(FailureClass::Configuration, reason);
                    Prepared::Ready(Box::new(refused))
                }
                None => handlers::prepare(&context.handlers, work),
            },
        };
        match prepared {
            Prepared::Ready(outcome) => self.finished(ticket, *outcome, Vec::new())?,
            Prepared::Task(task) => {
                let commands = work.command_runner();
                self.context.store.make_stage(&stage_dir)?;
                // A simulated agent changes nothing.
                let changes_files = self.context.reality.calls_models() || !kind.calls_model();
                let recorder = self.context.recorder.as_ref().filter(|_| changes_files);
                let worktree = frame.worktree.clone();
                let recording = recorder.and_then(|one| {
                    let recorder = self.recorder_of(one, worktree.as_ref());
                    recorder.recording(kind, &stage_dir)
                });
                let opening = self.opening(frame, work);
                self.start(
                    ticket,
                    (at, kind),
                    task,
                    commands,
                    (recording, opening, worktree),
                );
            }
        }
        Ok(())
    }

    /// Where a frame works whose files are in `base`: in the folders of the nodes that called its pipeline, the outermost first.
    fn workdir_of(&self, frame: &Frame, base: PathBuf) -> PathBuf {
        let context = &self.context;
        let callers = std::iter::successors(Some(frame), |frame| {
            context.state.frames.get(&frame.parent?)
        })
        .skip(1)
        .filter(|caller| matches!(caller.phase, Phase::Calling { .. }));
        let mut folders: Vec<String> = callers
            .filter_map(|caller| {
                let node_ref = context
                    .plan
                    .node_ref(caller.graph.as_deref(), &caller.node)?;
                let view = context.state.contexts.view(caller.scope, node_ref.pipeline);
                let written = node_ref
                    .inherited("stack.child_workdir")
                    .or_else(|| node_ref.written("working_dir"))?;
                Some(attractor_machine::context::text::plain(view, written))
            })
            .collect();
        folders.reverse();
        folders.iter().fold(base, |base, folder| base.join(folder))
    }

    fn start(
        &mut self,
        ticket: Ticket,
        (at, kind): (NodeAttempt, NodeKind),
        task: Task,
        commands: CommandRunner,
        (recording, opening, worktree): (Option<VisitRecording>, Option<Opening>, Option<Worktree>),
    ) {
        let stop = CancellationToken::new();
        let sink = Arc::new(Sink::new(self.redactor.clone(), self.reporter.clone()));
        let inbox = Inbox::default();
        let env = HandlerEnv {
            stop: stop.clone(),
            output: sink.clone(),
            inbox: inbox.clone(),
            time: WorkTime::default(),
            questions: Arc::new(RunQuestions {
                ticket,
                owner: self.reporter.clone(),
                can_ask: self.context.answers.can_ask(&at.node),
            }),
            execution: self.context.environment.execution.clone(),
            commands: Arc::new(commands),
        };
        let reporter = self.reporter.clone();
        let node = at.node.clone();
        tokio::spawn(async move {
            if let Some(opening) = opening
                && let Err(outcome) = opening.open().await
            {
                let _ = reporter.send(Message::Finished { ticket, outcome });
                return;
            }
            let before = snapshot(recording.as_ref(), VisitRecording::before).await;
            let work = std::panic::AssertUnwindSafe(async move { task(env).await });
            let outcome = work.catch_unwind().await.unwrap_or_else(|_| {
                Outcome::fail(
                    FailureClass::Internal,
                    format!("the handler of `{node}` broke down; this is a bug of the engine"),
                )
            });
            if let Some(before) = before.flatten() {
                snapshot(recording.as_ref(), move |recording| {
                    recording.after(&before);
                })
                .await;
            }
            // An owner that is gone has ended the run.
            let _ = reporter.send(Message::Finished {
                ticket,
                outcome: Box::new(outcome),
            });
        });
        let sink = Some(sink);
        let running = Running {
            stop,
            sink,
            at,
            inbox: Some(inbox),
            calls_model: kind.calls_model(),
            work: Some(self.context.clock.work()),
            worktree,
        };
        self.running.insert(ticket, running);
    }

    pub(super) fn finished(
        &mut self,
        ticket: Ticket,
        mut outcome: Outcome,
        unread: Vec<SteeringMessage>,
    ) -> Result<(), RunError> {
        outcome.redact(&self.redactor);
        blocking(|| self.context.store.move_out(&mut outcome))?;
        self.ready.push_back(InputKind::Finished {
            ticket,
            outcome: Box::new(outcome),
            jitter: self.jitter(),
            unread,
        });
        Ok(())
    }

    pub(super) fn wait(&mut self, ticket: Ticket, delay: u64) {
        if self.context.script.is_some() {
            self.ready.push_back(InputKind::Due { ticket });
            return;
        }
        let delay = Duration::from_millis(delay);
        self.frame_timer(ticket, delay, Message::Due { ticket });
    }

    /// A node that holds others has this long. In a dry run nothing takes time.
    pub(super) fn deadline(&mut self, ticket: Ticket, delay: u64) {
        if self.context.script.is_none() {
            let delay = Duration::from_millis(delay);
            self.frame_timer(ticket, delay, Message::Due { ticket });
        }
    }

    /// Reports when the time of what the frame of a ticket does is over.
    fn frame_timer(&mut self, ticket: Ticket, delay: Duration, then: Message) {
        let holder = self.context.state.holder(ticket);
        if let Some(at) = holder.map(transition::Frame::node_attempt) {
            self.timer(ticket, at, delay, then);
        }
    }

    pub(super) fn timer(
        &mut self,
        ticket: Ticket,
        at: NodeAttempt,
        delay: Duration,
        then: Message,
    ) {
        let stop = CancellationToken::new();
        let reporter = self.reporter.clone();
        let stopped = stop.clone();
        let clock = self.context.clock.clone();
        let sleep = PausableSleep::new(clock.as_ref(), delay);
        let paused = self.paused.subscribe();
        tokio::spawn(async move {
            let message = tokio::select! {
                () = sleep.wait(clock.as_ref(), paused) => Message::Timer {
                    report: Box::new(then),
                    work: clock.work(),
                },
                () = stopped.cancelled() => Message::Stopped { ticket },
            };
            let _ = reporter.send(message);
        });
        let running = Running {
            stop,
            sink: None,
            at,
            inbox: None,
            calls_model: false,
            work: None,
            worktree: None,
        };
        self.running.insert(ticket, running);
    }

    pub(super) fn on_message(&mut self, message: Message) -> Result<(), RunError> {
        match message {
            Message::Finished { ticket, outcome } => {
                self.show_one(ticket)?;
                self.stopped_calls.reported(ticket);
                if let Some(Running { at, inbox, .. }) = self.running.remove(&ticket) {
                    self.context.store.remove_empty_stage(&at);
                    let unread = inbox.map(|inbox| inbox.unread()).unwrap_or_default();
                    let is_stopped = self.context.state.holder(ticket).is_none();
                    if is_stopped && !outcome.usage.is_zero() {
                        self.ready.push_front(InputKind::Spent {
                            stage: Box::new(at),
                            usage: Box::new(outcome.usage),
                        });
                    }
                    self.finished(ticket, *outcome, unread)?;
                }
                self.remove_unneeded();
            }
            Message::FilesMerged { ticket, report } => {
                if let Some(running) = self.running.remove(&ticket) {
                    self.context.store.remove_empty_stage(&running.at);
                }
                self.ready
                    .push_back(InputKind::FilesMerged { ticket, report });
            }
            Message::Due { ticket } => {
                self.running.remove(&ticket);
                self.ready.push_back(InputKind::Due { ticket });
            }
            Message::TimedOut { ticket, question } => {
                self.running.remove(&ticket);
                self.ready.push_back(InputKind::TimedOut { question });
            }
            Message::Timer { report, work } => {
                self.on_message(*report)?;
                drop(work);
            }
            Message::Ask {
                ticket,
                question,
                reply,
            } => self.ask_for_node(ticket, *question, reply)?,
            Message::Withdrawn { question } => self.withdraw(question)?,
            Message::Interviewed { question, answer } => self.interviewed(*question, answer)?,
            Message::Stopped { ticket } => {
                self.running.remove(&ticket);
            }
            Message::Output => {
                self.quiet_since = self.context.clock.elapsed();
                self.show_soon();
            }
            Message::Progress { idle } => {
                let last = self.context.clock.elapsed().saturating_sub(idle);
                self.quiet_since = self.quiet_since.max(last);
                self.show_soon();
            }
        }
        Ok(())
    }

    fn show_soon(&mut self) {
        self.show_at
            .get_or_insert_with(|| Instant::now() + SHOW_EVERY);
    }

    /// Shows what all attempts have written.
    pub(super) fn show(&mut self, rest: Rest) -> Result<(), RunError> {
        self.show_at = None;
        let waiting: Vec<(NodeAttempt, Piece)> = self
            .running
            .values()
            .filter_map(|running| Some((running, running.sink.as_ref()?)))
            .flat_map(|(running, sink)| {
                sink.drain(rest)
                    .into_iter()
                    .map(|piece| (running.at.clone(), piece))
            })
            .collect();
        self.show_pieces(waiting)
    }

    pub(super) fn show_one(&mut self, ticket: Ticket) -> Result<(), RunError> {
        let Some(running) = self.running.get(&ticket) else {
            return Ok(());
        };
        let Some(sink) = &running.sink else {
            return Ok(());
        };
        let at = running.at.clone();
        let pieces = sink.drain(Rest::GoesOut);
        let pieces = pieces.into_iter().map(|piece| (at.clone(), piece));
        let pieces = pieces.collect();
        self.show_pieces(pieces)
    }

    pub(super) fn show_pieces(
        &mut self,
        pieces: Vec<(NodeAttempt, Piece)>,
    ) -> Result<(), RunError> {
        if pieces.is_empty() || self.context.state.is_over() {
            return Ok(());
        }
        let records: Vec<Record> = pieces
            .into_iter()
            .map(|(at, piece)| self.stamp(piece.event(at)))
            .map(|event| Record { event, input: None })
            .collect();
        self.context.store.append_lazily(&records)?;
        // An agent that has called tools calls its model again.
        let last_call = records
            .iter()
            .rev()
            .find_map(|record| match &record.event.kind {
                EventKind::AgentModelCall { at, call } => {
                    Some((at.node.clone(), call.finish_reason == TOOL_USE))
                }
                _ => None,
            });
        self.context
            .handle
            .publish(records.into_iter().map(|record| record.event));
        if let Some((node, true)) = last_call
            && let Some(turns) = self.context.handle.stale()
        {
            self.apply(InputKind::Stale { node, turns })?;
        }
        Ok(())
    }

    /// 500 to 1500, by chance.
    fn jitter(&self) -> u16 {
        500 + u16::try_from(self.context.rng.next() % 1001).unwrap_or(500)
    }
}

/// Why a node may not work in the folder it names: the folder is outside of the project.
fn outside_root(work: Work<'_>, place: &Place) -> Option<String> {
    let directory = work.directory();
    (!place.allows(&directory))
        .then(|| reasons::outside_root(&work.frame.node, &directory, &place.root))
}

/// Does something with a recording, off the threads of tasks.
async fn snapshot<T: Send + 'static>(
    recording: Option<&VisitRecording>,
    take: impl FnOnce(&VisitRecording) -> T + Send + 'static,
) -> Option<T> {
    let recording = recording?.clone();
    let taken = tokio::task::spawn_blocking(move || take(&recording)).await;
    taken.ok()
}
