//! The owner of a run: the one task that feeds the machine, writes its journal, starts its handlers and
//! publishes its events. No other code touches the run's state.
//!
//! Each turn: one input goes in; its events become durable; only then is anything done about them.

use attractor_machine::event::{Event, EventKind, NodeAttempt};
use attractor_machine::frame::Ticket;
use attractor_machine::frame::Worktree;
use attractor_machine::plan::{Plan, to_millis};
use attractor_machine::transition;
use attractor_machine::transition::{Effect, Input, InputKind, Phase, State, max_duration};
use attractor_model::Reality;
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use attractor_exec::Redactor;
use jiff::Timestamp;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::handle::{RunCommand, RunHandle};
use super::looks::Looks;
use super::message::Message;
use super::orphans::reap_orphans;
use super::output::{Rest, Sink};
use super::stopped_calls::StoppedCalls;
use crate::clock::{Clock, Rng, WorkGuard};
use crate::driver::control_server::Controlled;
use crate::driver::questions::interviews::Interviews;
use crate::driver::questions::run_questions::PendingQuestions;
use crate::error::RunError;
use crate::file_changes::Recorder;
use crate::handlers::script::Script;
use crate::handlers::{HandlerRegistry, Inbox, RunEnvironment};
use crate::questions::answer_policy::AnswerPolicy;
use crate::replay::time::{time_text, timestamp};
use crate::store::{Record, Store};
use crate::worktrees::Worktrees;

/// Steps before the first snapshot.
const FIRST_SNAPSHOT: u64 = 64;

/// Every next snapshot comes when a run has grown by one part in so many: all of them together cost as much as so
/// many of the last one, and a resume replays no more than such a part.
pub(super) const CHECKPOINT_SHARE: u64 = 4;

/// Runs this process owns.
static RUNS: AtomicUsize = AtomicUsize::new(0);

/// Everything an owner begins with.
pub(super) struct RunContext {
    pub(super) plan: Plan,
    pub(super) state: State,
    pub(super) seq: u64,
    pub(super) store: Store,
    pub(super) handle: RunHandle,
    pub(super) orders: mpsc::UnboundedReceiver<RunCommand>,
    pub(super) handlers: HandlerRegistry,
    pub(super) environment: RunEnvironment,
    pub(super) answers: AnswerPolicy,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) rng: Arc<dyn Rng>,
    pub(super) script: Option<Script>,
    pub(super) reality: Reality,
    /// The folders of branches; none in a dry run.
    pub(super) worktrees: Option<Arc<Worktrees>>,
    /// Takes snapshots of the files; none in a dry run.
    pub(super) recorder: Option<Recorder>,
    pub(super) checkpoint_dir: Option<PathBuf>,
    /// Takes requests of other processes; none in a dry run.
    pub(super) control: Option<Controlled>,
}

pub(super) struct RunTask {
    pub(super) context: RunContext,
    pub(super) redactor: Arc<Redactor>,
    pub(super) reports: mpsc::UnboundedReceiver<Message>,
    pub(super) reporter: mpsc::UnboundedSender<Message>,
    pub(super) running: HashMap<Ticket, Running>,
    /// The interviewer's side of the run.
    pub(super) interviews: Interviews,
    /// Inputs that need no waiting.
    pub(super) ready: VecDeque<InputKind>,
    /// Calls that were stopped with their branch.
    pub(super) stopped_calls: StoppedCalls,
    /// Attempts per node, for scripts.
    pub(super) attempts: HashMap<String, usize>,
    /// Active milliseconds before this process took the run.
    before: u64,
    /// When this process took the run, by its clock.
    pub(super) begun: Duration,
    /// Since when the clock of the run is stopped, by that of the process: it is paused, and no step runs.
    pub(super) still: Option<Duration>,
    /// Whether the run is paused, for its timers.
    pub(super) paused: watch::Sender<bool>,
    pub(super) quiet_since: Duration,
    pub(super) show_at: Option<Instant>,
    /// The questions of the work of nodes.
    pub(super) pending_questions: PendingQuestions,
    /// The looks of supervisors.
    pub(super) looks: Vec<Looks>,
    /// Folders of branches that are removed when nothing runs in them any more.
    pub(super) unneeded: Vec<Worktree>,
    pub(super) next_snapshot: u64,
}

/// An input whose events are durable.
pub(super) struct Recorded {
    records: Vec<Record>,
    /// What they ask for.
    effects: Vec<Effect>,
}

/// A task under way.
pub(super) struct Running {
    pub(super) stop: CancellationToken,
    pub(super) sink: Option<Arc<Sink>>,
    pub(super) at: NodeAttempt,
    /// Of a handler: what people say to it.
    pub(super) inbox: Option<Inbox>,
    /// Whether it may be calling a model: what that has used is reported when it has stopped.
    pub(super) calls_model: bool,
    /// Of a handler that does not wait for an answer: a clock that jumps waits for it.
    pub(super) work: Option<WorkGuard>,
    /// The folder of its branch.
    pub(super) worktree: Option<Worktree>,
}

impl RunTask {
    pub(super) fn new(context: RunContext) -> Self {
        let (reporter, reports) = mpsc::unbounded_channel();
        Self {
            before: context.state.clock,
            next_snapshot: context.state.steps + FIRST_SNAPSHOT,
            redactor: context.environment.redactor.clone(),
            begun: context.clock.elapsed(),
            still: None,
            paused: watch::Sender::new(context.state.is_paused()),
            quiet_since: context.clock.elapsed(),
            context,
            reports,
            reporter,
            running: HashMap::new(),
            interviews: Interviews::default(),
            ready: VecDeque::new(),
            stopped_calls: StoppedCalls::default(),
            attempts: HashMap::new(),
            show_at: None,
            pending_questions: PendingQuestions::new(),
            looks: Vec::new(),
            unneeded: Vec::new(),
        }
    }

    /// Runs the run to its end, from an input that is recorded.
    pub(super) async fn drive(mut self, first: Option<Recorded>) {
        RUNS.fetch_add(1, Ordering::SeqCst);
        let result = self.turns(first).await;
        self.shut_down().await;
        self.remove_unneeded();
        let alone = RUNS.fetch_sub(1, Ordering::SeqCst) == 1;
        let report = match result {
            Ok(()) => self.finish(),
            Err(error) => self.break_down(&error),
        };
        if self.context.script.is_none() {
            reap_orphans(self.context.handle.id().to_string(), alone).await;
        }
        self.refuse_requests();
        // Given up before anyone hears of the end: who hears of it may take the run at once.
        drop(std::mem::replace(&mut self.context.store, Store::Memory));
        let last = self.inspect();
        self.context.handle.close(report, last);
    }

    /// Refuses requests that came too late, also those of other processes.
    fn refuse_requests(&mut self) {
        self.context.orders.close();
        while self.context.orders.try_recv().is_ok() {}
        blocking(|| drop(self.context.control.take()));
    }

    async fn turns(&mut self, first: Option<Recorded>) -> Result<(), RunError> {
        let clock = self.context.clock.clone();
        let held = HeldClock(clock.as_ref());
        let mut work = clock.work();
        self.perform_all(first)?;
        while !self.context.state.is_over() {
            self.keep_clocks();
            if self.stopped_calls.is_over()
                && let Some(input) = self.ready.pop_front()
            {
                // A long run of steps without waiting must still hear who stops it.
                while let Ok(order) = self.context.orders.try_recv() {
                    self.on_command(order)?;
                }
                self.apply(input)?;
                tokio::task::consume_budget().await;
                continue;
            }
            let limit = self.time_limit();
            let next_look = self.next_look();
            work = tokio::select! {
                biased;
                (Some(order), work) = held.during(self.context.orders.recv()) => {
                    self.on_command(order)?;
                    work
                }
                (Some(message), work) = held.during(self.reports.recv()) => {
                    self.on_message(message)?;
                    work
                }
                ((), work) = held.during(at(self.show_at)) => {
                    self.show(Rest::Waits)?;
                    work
                }
                ((), work) = held.during(held.until(limit, work)) => {
                    self.time_over()?;
                    work
                }
                ((), work) = held.during(at(self.stopped_calls.until())) => {
                    self.stopped_calls.give_up();
                    work
                }
                ((), work) = held.during(at(next_look)) => {
                    self.look()?;
                    work
                }
            };
        }
        Ok(())
    }

    /// One input through the machine: durable first, then done.
    pub(super) fn apply(&mut self, kind: InputKind) -> Result<(), RunError> {
        let recorded = self.record(kind)?;
        self.perform_all(recorded)
    }

    /// Puts one input through the machine and makes its events durable; none when it changed nothing.
    pub(super) fn record(&mut self, kind: InputKind) -> Result<Option<Recorded>, RunError> {
        // A supervisor that only looks makes no progress.
        let is_look = matches!(kind, InputKind::Observed { .. });
        let input = Input {
            at: self.clock(),
            now: self.now().as_millisecond(),
            kind,
        };
        let state = std::mem::take(&mut self.context.state);
        let (state, commands) = transition::next(&self.context.plan, state, input.clone());
        self.context.state = state;
        self.end_interviews();
        let mut events = Vec::new();
        let mut effects = Vec::new();
        for command in commands {
            match command {
                Effect::Emit(kind) => events.push(*kind),
                effect => effects.push(effect),
            }
        }
        if events.is_empty() {
            return Ok(None);
        }
        if !is_look {
            self.quiet_since = self.context.clock.elapsed();
        }
        let events = self.with_reports(events);
        let mut records: Vec<Record> = events
            .into_iter()
            .map(|event| Record { event, input: None })
            .collect();
        if let Some(first) = records.first_mut() {
            first.input = Some(input);
        }
        blocking(|| self.context.store.append(&records))?;
        Ok(Some(Recorded { records, effects }))
    }

    /// Does what follows from an input that is recorded.
    fn perform_all(&mut self, recorded: Option<Recorded>) -> Result<(), RunError> {
        let Some(Recorded { records, effects }) = recorded else {
            return Ok(());
        };
        let done = self.node_done(&records);
        self.inform(&records);
        self.context
            .handle
            .publish(records.into_iter().map(|record| record.event));
        self.export(done)?;
        for effect in effects {
            self.perform(effect)?;
        }
        self.snapshot_if_due()
    }

    /// The events with their numbers and times, and a status report before each escalation.
    fn with_reports(&mut self, kinds: Vec<EventKind>) -> Vec<Event> {
        let is_escalation = |kind: &EventKind| matches!(kind, EventKind::Escalated { .. });
        if !kinds.iter().any(is_escalation) {
            return kinds.into_iter().map(|kind| self.stamp(kind)).collect();
        }
        let mut snapshot = self.context.handle.snapshot();
        // One moment for all: the report has the escalation that follows it.
        let time = time_text(self.now());
        let mut events = Vec::new();
        for kind in kinds {
            if is_escalation(&kind) {
                // As it will be: the escalation is the last of its events.
                let mut escalated = snapshot.clone();
                let next = self.context.seq + 2;
                escalated.apply(&Event {
                    time: time.clone(),
                    ..self.event(kind.clone(), next)
                });
                let report = Box::new(crate::runs::status_report::status_report(&escalated));
                events.push(Event {
                    time: time.clone(),
                    ..self.stamp(EventKind::StatusReport { report })
                });
            }
            let event = Event {
                time: time.clone(),
                ..self.stamp(kind)
            };
            snapshot.apply(&event);
            events.push(event);
        }
        events
    }

    pub(super) fn stamp(&mut self, kind: EventKind) -> Event {
        self.context.seq += 1;
        self.event(kind, self.context.seq)
    }

    fn event(&self, kind: EventKind, seq: u64) -> Event {
        Event {
            run: self.context.handle.id().to_string(),
            seq,
            time: time_text(self.now()),
            simulated: !self.context.reality.calls_models() || kind.is_simulated(),
            workflow: kind.workflow(),
            kind,
        }
    }

    pub(super) fn clock(&self) -> u64 {
        let now = self.still.unwrap_or_else(|| self.context.clock.elapsed());
        let active = now.saturating_sub(self.begun);
        self.before.saturating_add(to_millis(active))
    }

    /// The wall clock of the run.
    pub(super) fn now(&self) -> Timestamp {
        timestamp(self.context.clock.as_ref())
    }

    fn perform(&mut self, command: Effect) -> Result<(), RunError> {
        match command {
            Effect::Emit(_) => {}
            Effect::Execute(ticket) => self.execute(ticket, None)?,
            Effect::Check { ticket, outcome } => self.execute(ticket, Some(*outcome))?,
            Effect::Wait { ticket, delay } => self.wait(ticket, delay),
            Effect::Deadline { ticket, delay } => self.deadline(ticket, delay),
            Effect::CompareFiles(ticket) => self.compare_files(ticket),
            Effect::MergeFiles(ticket) => self.merge_files(ticket),
            Effect::RemoveWorktrees(worktrees) => {
                self.unneeded.extend(worktrees);
                self.remove_unneeded();
            }
            Effect::Ask(ticket) => self.ask(ticket)?,
            Effect::Reply { question, reply } => self.reply(&question, reply),
            Effect::Deliver { ticket, message } => self.deliver(ticket, message),
            Effect::Stop(ticket) => {
                if let Some(running) = self.running.get(&ticket) {
                    running.stop.cancel();
                    if running.calls_model && self.context.state.holder(ticket).is_none() {
                        self.stopped_calls.add(ticket);
                    }
                }
            }
            Effect::Keep { name } => self.keep(Some(&name))?,
        }
        Ok(())
    }

    /// When the run's time is over, or it has been quiet for too long; never while it is paused.
    fn time_limit(&self) -> Option<Duration> {
        let context = &self.context;
        if context.state.is_paused() {
            return None;
        }
        let whole = max_duration(&context.plan, context.state.limits)
            .map(|most| self.begun + Duration::from_millis(most.saturating_sub(self.before)));
        let limited = |frame: &transition::Frame| {
            // It waits for a rate limit to end.
            matches!(frame.phase, Phase::Backoff { .. }) && frame.limited > 0
        };
        let state = &context.state;
        let asking = state.is_asking() || state.frames.values().any(limited);
        let stall = context
            .plan
            .root()
            .attributes
            .duration("stall_timeout")
            .filter(|limit| !asking && !limit.is_zero())
            .map(|limit| self.quiet_since + limit);
        [whole, stall].into_iter().flatten().min()
    }

    fn time_over(&mut self) -> Result<(), RunError> {
        self.apply(InputKind::TimeIsUp)?;
        if self.context.state.is_over() {
            return Ok(());
        }
        self.apply(InputKind::Stalled)
    }
}

/// Runs something that waits for the disk without holding up other tasks of the runtime.
pub(super) fn blocking<T>(work: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Handle, RuntimeFlavor};
    match Handle::current().runtime_flavor() {
        RuntimeFlavor::MultiThread => tokio::task::block_in_place(work),
        _ => work(),
    }
}

async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// The clock while the owner waits: it jumps then, and not while the owner works on what it was woken by.
#[derive(Clone, Copy)]
struct HeldClock<'c>(&'c dyn Clock);

impl HeldClock<'_> {
    /// Waits for `event`; the clock does not jump from then on.
    async fn during<T>(self, event: impl Future<Output = T>) -> (T, WorkGuard) {
        let event = event.await;
        (event, self.0.work())
    }

    /// Until a moment; `work` ends when the clock knows of it.
    async fn until(self, moment: Option<Duration>, work: WorkGuard) {
        let Some(moment) = moment else {
            drop(work);
            return std::future::pending().await;
        };
        let sleep = self.0.sleep(moment.saturating_sub(self.0.elapsed()));
        drop(work);
        sleep.await;
    }
}
