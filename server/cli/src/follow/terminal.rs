//! A run on the terminal, from its first event to its report.
//!
//! One task does all of it: events are printed in order, the oldest open question is asked, a line typed
//! is its answer, Ctrl-C cancels the run, TERM or a closed terminal interrupts it, and a second signal ends it at once.
//! Somebody else may answer first; then the question is withdrawn and the next one asked.

use std::time::Duration;

use attractor_run::{RunHandle, RunReport};
use futures::StreamExt;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::keys::Keys;
use super::line_editor::Edit;
use super::teller::{Teller, Telling};
use crate::error::Error;
use crate::exit::Exit;

/// How often the row of what is at work moves.
const TICK: Duration = Duration::from_millis(120);

/// Follows a run to its end and says how the program ends.
pub async fn follow(run: &RunHandle, telling: Telling) -> Result<Exit, Error> {
    let mut signals = Signals::new()?;
    let mut keys = Keys::default();
    let mut teller = Teller::new(telling);
    let mut interrupts = 0_u32;
    let mut tick = tokio::time::interval(TICK);
    let mut events = Box::pin(run.subscribe(0));
    loop {
        if !keys.set_open(teller.is_asking()) {
            return abandon(run, &mut teller).await;
        }
        tokio::select! {
            event = events.next() => {
                let Some(event) = event else { break };
                // Before the prompt is drawn: what the terminal itself echoes would move it.
                if teller.will_ask(&event) && !keys.set_open(true) {
                    return abandon(run, &mut teller).await;
                }
                teller.tell(&event);
            }
            told = signals.next() => {
                if matches!(told, Told::Resized) {
                    teller.draw();
                    continue;
                }
                interrupts += 1;
                if interrupts > 1 {
                    teller.stopped_at_once(run);
                    return Ok(Exit::Cancelled);
                }
                match told {
                    Told::Cancel => {
                        teller.remark("cancelling; once more to stop at once");
                        run.cancel(&attractor_run::person_at_terminal());
                    }
                    Told::End(signal) => run.interrupt(signal),
                    Told::Resized => {}
                }
            }
            key = keys.next(), if teller.takes_keys() => {
                let edit = key.map_or(Some(Edit::Closed), |key| teller.key(key));
                match edit {
                    Some(Edit::Closed) => {
                        keys.set_open(false);
                        return abandon(run, &mut teller).await;
                    }
                    Some(Edit::Submitted(line)) => teller.submit(run, &line).await,
                    Some(Edit::Changed) => teller.draw(),
                    None => {}
                }
            }
            _ = tick.tick() => teller.tick(),
        }
    }
    drop(keys);
    let report = run.wait().await;
    end(run, &mut teller, &report)?;
    Ok(Exit::of(&report))
}

/// A question is open and nobody can answer it any more: the run stops, and can be resumed.
async fn abandon(run: &RunHandle, teller: &mut Teller) -> Result<Exit, Error> {
    teller.remark("nobody is left to answer, so the run is cancelled");
    run.cancel(&attractor_run::person_at_terminal());
    let report = run.wait().await;
    end(run, teller, &report)?;
    Ok(Exit::Unanswerable)
}

fn end(run: &RunHandle, teller: &mut Teller, report: &RunReport) -> Result<(), Error> {
    teller.end(run, report);
    teller.write_junit(run, report)
}

/// What a signal wants.
enum Told {
    /// The person stops the run.
    Cancel,
    /// The system ends the program; nobody said anything about the run.
    End(&'static str),
    /// The terminal has another size.
    Resized,
}

/// The signals that concern a run.
struct Signals([Signal; 4]);

impl Signals {
    fn new() -> Result<Self, Error> {
        let wanted = |kind| signal(kind).map_err(Error::NoRuntime);
        Ok(Self([
            wanted(SignalKind::interrupt())?,
            wanted(SignalKind::terminate())?,
            wanted(SignalKind::hangup())?,
            wanted(SignalKind::window_change())?,
        ]))
    }

    async fn next(&mut self) -> Told {
        let [interrupt, terminate, hangup, resize] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => Told::Cancel,
            _ = terminate.recv() => Told::End("SIGTERM"),
            _ = hangup.recv() => Told::End("SIGHUP"),
            _ = resize.recv() => Told::Resized,
        }
    }
}
