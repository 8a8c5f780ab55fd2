//! Follows a run on the terminal, from its first event to its report.
//!
//! One task does all of it: events are printed in order, the oldest open question is asked, a line typed
//! is its answer, Ctrl-C cancels the run, TERM or a closed terminal interrupts it, and a second signal ends it at once.
//! A question that is answered elsewhere is withdrawn, and the next one asked.

use std::time::Duration;

use attractor_run::{RunHandle, RunReport};
use futures::StreamExt;

use super::keys::Keys;
use super::line_editor::Edit;
use super::progress_printer::{FollowOptions, ProgressPrinter};
use super::signals::{SignalAction, Signals};
use crate::error::Error;
use crate::exit::Exit;
use crate::type_ahead::NoEcho;

/// How often the status row is updated.
const TICK: Duration = Duration::from_millis(120);

/// Follows a run to its end. Gives the exit code.
pub async fn follow(run: &RunHandle, follow_options: FollowOptions) -> Result<Exit, Error> {
    let mut signals = Signals::new()?;
    let mut keys = Keys::default();
    let mut printer = ProgressPrinter::new(follow_options);
    let mut interrupts = 0_u32;
    let mut tick = tokio::time::interval(TICK);
    let mut events = Box::pin(run.subscribe(0));
    let _no_echo = printer.is_live().then(NoEcho::enter).flatten();
    let mut asked = None;
    loop {
        tokio::select! {
            event = events.next() => {
                let Some(event) = event else { break };
                printer.on_event(&event);
                let asks = printer.asked().map(str::to_owned);
                if asks != asked {
                    // Before the prompt is drawn: a key that is typed at it counts, and none is echoed.
                    if !keys.restart(asks.is_some()) {
                        return abandon(run, &mut printer).await;
                    }
                    asked = asks;
                }
                printer.draw();
            }
            action = signals.next() => {
                match action {
                    SignalAction::Redraw => {
                        printer.draw();
                        continue;
                    }
                    SignalAction::Continue => {
                        keys.renew();
                        printer.draw_below();
                        continue;
                    }
                    SignalAction::Cancel | SignalAction::Interrupt(_) => {}
                }
                interrupts += 1;
                if interrupts > 1 {
                    printer.stopped(run);
                    return Ok(Exit::Cancelled);
                }
                match action {
                    SignalAction::Cancel => {
                        printer.remark("cancelling; press Ctrl-C again to stop immediately");
                        run.cancel(&attractor_run::person_at_terminal());
                    }
                    SignalAction::Interrupt(signal) => run.interrupt(signal),
                    SignalAction::Redraw | SignalAction::Continue => {}
                }
            }
            key = keys.next(), if printer.takes_keys() => {
                let edit = key.map_or(Some(Edit::Closed), |key| printer.key(key));
                match edit {
                    Some(Edit::Closed) => {
                        keys.close();
                        return abandon(run, &mut printer).await;
                    }
                    Some(Edit::Submitted(line)) => {
                        if let Some((question, answer)) = printer.answer(&line) {
                            let answered = run.answer(&question, answer).await;
                            printer.answered(if answered.accepted {
                                Ok(())
                            } else {
                                Err(answered.reason.unwrap_or_default())
                            });
                        }
                        printer.draw();
                    }
                    Some(Edit::Changed) => printer.draw(),
                    None => {}
                }
            }
            _ = tick.tick() => {
                if keys.is_lost() {
                    keys.close();
                    return abandon(run, &mut printer).await;
                }
                printer.tick();
            }
        }
    }
    drop(keys);
    let report = run.wait().await;
    end(run, &mut printer, &report)?;
    Ok(Exit::of(&report))
}

/// Standard input is closed while a question is open: cancels the run, which can be resumed.
async fn abandon(run: &RunHandle, printer: &mut ProgressPrinter) -> Result<Exit, Error> {
    printer.remark("standard input is closed and a question is open; cancelling the run");
    run.cancel(&attractor_run::person_at_terminal());
    let report = run.wait().await;
    end(run, printer, &report)?;
    Ok(Exit::Unanswerable)
}

fn end(run: &RunHandle, printer: &mut ProgressPrinter, report: &RunReport) -> Result<(), Error> {
    printer.end(run, report);
    printer.write_junit(run, report)
}
