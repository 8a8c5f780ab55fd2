//! The loop around a session: messages of the client, the journal of the run, and what the session asks for.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use attractor_run::{Answered, History, PauseRequest, RunHandle};
use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::framing;
use crate::host::Host;
use crate::owner::Owner;
use crate::session::{Effect, Pending, Session, by};

/// How often the journal of a run is read that has not ended.
const READ_EVERY: Duration = Duration::from_millis(30);

/// How long a run that is cancelled or left has to end.
const LAST_CALL: Duration = Duration::from_secs(10);

/// How long a client may leave a message unread.
const UNREAD: Duration = Duration::from_secs(30);

/// What a task reports to the loop.
enum Report {
    /// The client sent a message; none when it is gone.
    Message(io::Result<Option<Value>>),
    /// A run has been started, or could not be. A restart says so.
    Started(Result<RunHandle, String>, Start),
}

enum Start {
    Launch,
    Restart,
}

struct Server<O> {
    output: O,
    host: Arc<dyn Host>,
    session: Session,
    /// The run, if this process owns it.
    own: Option<RunHandle>,
    reports: mpsc::UnboundedSender<Report>,
    has_ended: bool,
}

/// Serves one client until it leaves or closes its end, or `stop` is ready. A run that was launched is then interrupted, so
/// that it can be resumed, unless the client had it cancelled.
///
/// # Errors
/// The connection failed, or what the client sends is not the protocol.
pub async fn serve(
    mut input: impl AsyncBufRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin,
    host: Arc<dyn Host>,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), String> {
    let (reports, mut incoming) = mpsc::unbounded_channel();
    let mut server = Server {
        output,
        host,
        session: Session::default(),
        own: None,
        reports: reports.clone(),
        has_ended: false,
    };
    let reader = tokio::spawn(async move {
        loop {
            let message = framing::read(&mut input).await;
            let is_last = !matches!(message, Ok(Some(_)));
            if reports.send(Report::Message(message)).is_err() || is_last {
                return;
            }
        }
    });
    let mut ticks = interval(READ_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut stop = std::pin::pin!(stop);
    let mut result = Ok(());
    while !server.has_ended {
        let handled = tokio::select! {
            () = &mut stop => {
                server.has_ended = true;
                server.leave().await;
                Ok(())
            }
            Some(report) = incoming.recv() => server.report(report).await,
            _ = ticks.tick(), if server.follows() => server.read_run().await,
        };
        if let Err(error) = handled {
            result = Err(error.to_string());
            server.leave().await;
            break;
        }
    }
    reader.abort();
    server.end().await;
    result
}

impl<O: AsyncWrite + Send + Unpin> Server<O> {
    /// Whether the run has not ended, so that its journal is read.
    fn follows(&self) -> bool {
        let debuggee = self.session.debuggee.as_ref();
        debuggee.is_some_and(|debuggee| debuggee.is_live)
    }

    async fn report(&mut self, report: Report) -> io::Result<()> {
        match report {
            Report::Message(Ok(Some(message))) => self.message(message).await,
            Report::Message(Ok(None)) => {
                self.has_ended = true;
                self.leave().await;
                Ok(())
            }
            Report::Message(Err(error)) => Err(error),
            Report::Started(started, start) => self.started(started, start).await,
        }
    }

    /// The client is gone without a word.
    async fn leave(&mut self) {
        self.session.leave(false);
        let effects = self.session.take_effects();
        // Nobody reads what it has to say.
        let _ = self.perform(effects).await;
    }

    async fn message(&mut self, message: Value) -> io::Result<()> {
        if let Some((request, arguments)) = self.session.attaching(&message) {
            let host = Arc::clone(&self.host);
            let opened = arguments.and_then(|arguments| {
                let directory = host.find(&arguments.run)?;
                let history = open(&directory)?;
                Ok((arguments, history, directory))
            });
            match opened {
                Ok((arguments, history, directory)) => {
                    self.session.attach(request, &arguments, history, directory);
                }
                Err(reason) => self.session.refuse(&request, &reason),
            }
            let effects = self.session.take_effects();
            return self.perform(effects).await;
        }
        let effects = self.session.request(message);
        if let Some(launch) = self.session.launch_arguments() {
            let root = self
                .host
                .root(Path::new(&launch.program), launch.graph.as_deref());
            self.session.set_root(root);
        }
        self.perform(effects).await
    }

    /// What the journal has more than before.
    async fn read_run(&mut self) -> io::Result<()> {
        let Some(debuggee) = &mut self.session.debuggee else {
            return Ok(());
        };
        match tokio::task::block_in_place(|| debuggee.history.read()) {
            Ok(events) if events.is_empty() => {
                let is_over = self.own.is_none()
                    && attractor_run::owner_of(&debuggee.directory).is_none()
                    && !debuggee.history.state().is_over();
                if is_over {
                    debuggee.is_live = false;
                    self.session
                        .note("the process of the run is gone; `attractor resume` continues it");
                }
            }
            Ok(events) => self.session.happened(&events),
            Err(error) => {
                debuggee.is_live = false;
                self.session.note(&error.to_string());
            }
        }
        let effects = self.session.take_effects();
        Box::pin(self.perform(effects)).await
    }

    async fn perform(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        for effect in effects {
            match effect {
                Effect::Send(message) => {
                    let sent = timeout(UNREAD, framing::write(&mut self.output, &message));
                    sent.await
                        .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
                }
                Effect::Launch(arguments, points) => {
                    let launched = self.host.launch(*arguments, points);
                    let reports = self.reports.clone();
                    tokio::spawn(async move {
                        // A session that has ended drops the handle, and the run with its process.
                        let _ = reports.send(Report::Started(launched.await, Start::Launch));
                    });
                }
                Effect::Restart(restart) => {
                    let restarted = self.host.restart(restart);
                    let reports = self.reports.clone();
                    tokio::spawn(async move {
                        let _ = reports.send(Report::Started(restarted.await, Start::Restart));
                    });
                }
                Effect::Ask(request, answer) => self.ask(request, answer).await?,
                Effect::Answer(text, answer) => {
                    let answered = self.owner().answer(text).await;
                    self.reply(answered, Some(answer)).await?;
                }
                Effect::Cancel => self.owner().cancel().await,
                Effect::End => self.has_ended = true,
            }
        }
        Ok(())
    }

    async fn ask(&mut self, request: PauseRequest, answer: Option<Pending>) -> io::Result<()> {
        let answered = self.owner().ask(request).await;
        self.reply(answered, answer).await
    }

    /// Passes on what the run replied, after its journal has been read: the client looks at what has changed.
    async fn reply(&mut self, answered: Answered, to: Option<Pending>) -> io::Result<()> {
        let reason = answered.reason.filter(|_| !answered.accepted);
        match (to, reason) {
            (Some(to), None) => {
                if to.command == "setVariable" || to.command == "evaluate" {
                    self.read_run().await?;
                }
                self.session.respond(&to);
            }
            (Some(to), Some(reason)) => self.session.refuse(&to, &reason),
            (None, Some(reason)) => tracing::debug!(reason, "the run refused a request"),
            (None, None) => {}
        }
        let effects = self.session.take_effects();
        Box::pin(self.perform(effects)).await
    }

    async fn started(
        &mut self,
        started: Result<RunHandle, String>,
        start: Start,
    ) -> io::Result<()> {
        let opened = started.and_then(|run| {
            let history = open(run.directory())?;
            Ok((run, history))
        });
        match opened {
            Ok((run, history)) => {
                let directory = run.directory().to_owned();
                // The run before it can be resumed.
                if let Some(before) = self.own.replace(run) {
                    before.cancel(&by());
                }
                self.session.started(history, directory);
                self.session.begin();
            }
            Err(reason) => match start {
                Start::Launch => self.session.not_started(&reason),
                Start::Restart => self.session.not_restarted(&reason),
            },
        }
        let effects = self.session.take_effects();
        self.perform(effects).await
    }

    fn owner(&self) -> Owner {
        match (&self.own, &self.session.debuggee) {
            (Some(run), _) => Owner::This(run.clone()),
            (None, Some(debuggee)) => Owner::Other(debuggee.directory.clone()),
            (None, None) => Owner::None,
        }
    }

    /// A run of this process ends with it, and can be resumed; a paused one too.
    async fn end(&mut self) {
        if let Some(run) = self.own.take() {
            run.interrupt("the debugger's end");
            if timeout(LAST_CALL, run.wait()).await.is_err() {
                tracing::warn!("the run has not ended in time");
            }
        }
    }
}

fn open(directory: &Path) -> Result<History, String> {
    let opened = tokio::task::block_in_place(|| History::open(directory));
    opened.map_err(|error| error.to_string())
}
