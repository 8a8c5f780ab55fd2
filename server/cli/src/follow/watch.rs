//! Shows a run of another process on the terminal, and takes answers to its questions. Leaving does not end the run.

use std::time::Duration;

use attractor_run::{EventKind, RunReport, RunSnapshot, figures};
use crossterm::event::KeyCode;

use super::keys::Keys;
use super::line_editor::Edit;
use super::progress_printer::{FollowOptions, Format, ProgressPrinter};
use super::signals::{SignalAction, Signals};
use super::watched_run::WatchedRun;
use crate::error::Error;
use crate::exit::Exit;
use crate::render::run_state::with_mark;

/// How often the status row is updated.
const TICK: Duration = Duration::from_millis(120);

/// Watches a run until it is over or the person leaves. Gives the exit code of the run, or of leaving.
pub async fn watch(run: WatchedRun, options: FollowOptions) -> Result<Exit, Error> {
    let mut signals = Signals::new()?;
    let mut keys = Keys::default();
    let is_human = options.format == Format::Human;
    let mut printer = ProgressPrinter::new(options);
    if printer.is_live() {
        keys.restart(true);
    }
    let mut snapshot = RunSnapshot::default();
    let mut tick = tokio::time::interval(TICK);
    let mut open = None;
    let mut events = run.events();
    let left = loop {
        tokio::select! {
            read = events.recv() => {
                let Some(read) = read else { break None };
                for event in &read? {
                    snapshot.apply(event);
                    // As the run has counted it: steps that end in a pause count.
                    if let EventKind::PipelineCompleted { duration_ms, .. }
                    | EventKind::PipelineFailed { duration_ms, .. } = &event.kind
                    {
                        snapshot.duration_ms = Some(*duration_ms);
                    }
                    printer.on_event(event);
                }
                let asks = printer.asked().map(str::to_owned);
                if asks != open && (asks.is_some() || printer.is_live()) {
                    // What was typed until now does not answer it.
                    keys.restart(true);
                }
                open = asks;
                printer.draw();
                if snapshot.state.is_end() {
                    break None;
                }
            }
            action = signals.next() => match action {
                SignalAction::Redraw => printer.draw(),
                SignalAction::Continue => {
                    keys.renew();
                    printer.draw_below();
                }
                SignalAction::Cancel | SignalAction::Interrupt(_) => break Some(Exit::Cancelled),
            },
            key = keys.next(), if printer.takes_keys() => {
                // Without input, it is watched on.
                let Some(key) = key else {
                    keys.close();
                    continue;
                };
                match printer.key(key) {
                    Some(Edit::Submitted(line)) => {
                        if let Some((question, answer)) = printer.answer(&line) {
                            let answered = run.answer(&question, answer).await;
                            printer.answered(answered);
                        }
                        printer.draw();
                    }
                    Some(Edit::Changed) => printer.draw(),
                    Some(Edit::Closed) => break Some(Exit::Success),
                    None if key.code == KeyCode::Char('q') => break Some(Exit::Success),
                    None => {}
                }
            }
            _ = tick.tick() => {
                if keys.is_lost() {
                    break Some(Exit::Cancelled);
                }
                printer.tick();
            }
        }
    };
    drop(keys);
    if let Some(exit) = left {
        printer.leave("left; the run continues");
        return Ok(exit);
    }
    if is_human {
        printer.leave(&ending(&snapshot));
    }
    let report = RunReport {
        status: snapshot.state,
        failure: snapshot.failure,
        ..RunReport::invalid(snapshot.pipeline, Vec::new())
    };
    Ok(Exit::of(&report))
}

/// How a run is when it is not watched any more, in a line.
fn ending(snapshot: &RunSnapshot) -> String {
    let state = if snapshot.state.is_end() {
        with_mark(snapshot.state, snapshot.reality)
    } else {
        "no process works on it any more; `attractor resume` continues it".to_owned()
    };
    let mut parts = vec![state];
    parts.extend(snapshot.duration_ms.map(figures::duration));
    parts.extend(figures::usage(&snapshot.usage));
    parts.push(format!("run {}", snapshot.run));
    parts.join(" · ")
}
