//! A run on the terminal, from its first event to its report.
//!
//! One task does all of it: events are printed in order, the oldest open question is asked, a line typed
//! is its answer, Ctrl-C cancels the run, TERM or a closed terminal interrupts it, and a second signal ends it at once.
//! Somebody else may answer first; then the question is withdrawn and the next one asked.

use std::collections::VecDeque;
use std::time::Duration;

use attractor_run::{Event, EventKind, Question, RunHandle, RunReport};
use clap::ValueEnum;
use futures::StreamExt;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::detail::Detail;
use super::output::Output;
use super::progress::Progress;
use super::status::StatusLine;
use super::{question, summary};
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::style::{ATTENTION, paint};

/// How a run is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: a line per node, questions, a closing table
    #[default]
    Human,
    /// The report as JSON, at the end
    Json,
    /// One engine event per line, as in the journal
    Events,
}

/// How often the line of what is at work moves.
const TICK: Duration = Duration::from_millis(120);

/// Follows a run to its end and says how the program ends.
pub async fn follow(run: &RunHandle, format: Format, detail: Detail) -> Result<Exit, Error> {
    let mut teller = Teller::new(format, detail);
    let mut signals = Signals::new()?;
    let mut typed = Typed::Nobody;
    let mut interrupts = 0_u32;
    let mut tick = tokio::time::interval(TICK);
    let mut events = Box::pin(run.subscribe(0));
    loop {
        if !teller.questions.is_empty() {
            match typed {
                Typed::Nobody => typed = Typed::Lines(typed_lines()),
                Typed::Lines(_) => {}
                Typed::Closed => return abandon(run, &mut teller).await,
            }
        }
        tokio::select! {
            event = events.next() => {
                let Some(event) = event else { break };
                teller.tell(&event);
            }
            told = signals.next() => {
                interrupts += 1;
                if interrupts > 1 {
                    teller.remark("stopped at once");
                    return Ok(Exit::Cancelled);
                }
                match told {
                    Told::Cancel => {
                        teller.remark("cancelling; once more to stop at once");
                        run.cancel(&attractor_run::person_at_terminal());
                    }
                    Told::End(signal) => run.interrupt(signal),
                }
            }
            line = typed.next() => match line {
                Some(line) => teller.answer(run, &line).await,
                None => typed = Typed::Closed,
            },
            _ = tick.tick() => teller.status.draw(),
        }
    }
    let report = run.wait().await;
    teller.end(&report);
    Ok(Exit::of(&report))
}

/// A question is open and nobody can answer it any more: the run stops, and can be resumed.
async fn abandon(run: &RunHandle, teller: &mut Teller) -> Result<Exit, Error> {
    teller.remark("nobody is left to answer, so the run is cancelled");
    run.cancel(&attractor_run::person_at_terminal());
    let report = run.wait().await;
    teller.end(&report);
    Ok(Exit::Unanswerable)
}

/// Prints what happens, and keeps the questions that are open.
struct Teller {
    format: Format,
    detail: Detail,
    progress: Progress,
    questions: VecDeque<Question>,
    can_ask: bool,
    status: StatusLine,
    output: Output,
}

impl Teller {
    fn new(format: Format, detail: Detail) -> Self {
        Self {
            format,
            detail,
            progress: Progress::new(detail, console::width()),
            questions: VecDeque::new(),
            can_ask: console::can_ask(),
            status: StatusLine::new(),
            output: Output::default(),
        }
    }

    fn tell(&mut self, event: &Event) {
        let lines = self.progress.lines(event);
        match self.format {
            Format::Human => {
                for line in lines {
                    self.status.wipe();
                    self.output.write(|| console::line(&line));
                }
            }
            Format::Events => self.output.write(|| console::json_line(event)),
            Format::Json => {}
        }
        match &event.kind {
            EventKind::InterviewStarted { question, .. } if self.can_ask => {
                self.questions.push_back(question.clone());
                if self.questions.len() == 1 {
                    self.ask();
                }
            }
            EventKind::InterviewCompleted { question, .. }
            | EventKind::InterviewTimeout { question, .. } => self.close(question),
            kind if kind.is_end() => self.questions.clear(),
            _ => {}
        }
        // Whoever is typing is not disturbed.
        let running = if self.questions.is_empty() {
            self.progress.running()
        } else {
            &[]
        };
        self.status.set(running);
    }

    /// A question is closed, whoever answered it; the next one is asked.
    fn close(&mut self, id: &str) {
        let asked = self.questions.front().is_some_and(|front| front.id == id);
        self.questions.retain(|one| one.id != id);
        if asked {
            self.ask();
        }
    }

    fn ask(&mut self) {
        if let Some(front) = self.questions.front() {
            self.status.wipe();
            console::prompt(&format!("{}\n> ", question::ask(front).join("\n")));
        }
    }

    async fn answer(&self, run: &RunHandle, line: &str) {
        let Some(front) = self.questions.front() else {
            return;
        };
        let answered = run.answer(&front.id, question::answer(front, line)).await;
        if let (false, Some(reason)) = (answered.accepted, answered.reason) {
            console::prompt(&format!("  {}\n> ", console::plain(&reason)));
        }
    }

    fn remark(&mut self, text: &str) {
        self.status.wipe();
        console::remark(&paint(ATTENTION, text));
    }

    fn end(&mut self, report: &RunReport) {
        self.status.wipe();
        match self.format {
            Format::Human => self
                .output
                .write(|| console::print(&summary::text(report, self.detail))),
            Format::Json => self.output.write(|| console::json(report)),
            Format::Events => {}
        }
    }
}

/// What a signal wants.
enum Told {
    /// The person stops the run.
    Cancel,
    /// The system ends the program; nobody said anything about the run.
    End(&'static str),
}

/// The signals that ask a program to stop.
struct Signals([Signal; 3]);

impl Signals {
    fn new() -> Result<Self, Error> {
        let wanted = |kind| signal(kind).map_err(Error::NoRuntime);
        Ok(Self([
            wanted(SignalKind::interrupt())?,
            wanted(SignalKind::terminate())?,
            wanted(SignalKind::hangup())?,
        ]))
    }

    async fn next(&mut self) -> Told {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => Told::Cancel,
            _ = terminate.recv() => Told::End("SIGTERM"),
            _ = hangup.recv() => Told::End("SIGHUP"),
        }
    }
}

/// Lines typed at the terminal. The thread that reads them ends with the program: nothing can interrupt
/// a read from a terminal.
fn typed_lines() -> UnboundedReceiver<String> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Who sits at the terminal.
enum Typed {
    /// Nobody was needed yet.
    Nobody,
    /// Somebody who types.
    Lines(UnboundedReceiver<String>),
    /// Somebody who has left.
    Closed,
}

impl Typed {
    /// The next line typed; `None` when there will be no more. Never, while nobody sits there.
    async fn next(&mut self) -> Option<String> {
        match self {
            Self::Lines(lines) => lines.recv().await,
            Self::Nobody | Self::Closed => std::future::pending().await,
        }
    }
}
