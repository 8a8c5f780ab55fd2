//! `attractor replay`: prints the events of a finished run again, with routing reasons.
//!
//! Reads the journal and nothing else; nothing is run.

use std::path::Path;
use std::time::Duration;

use attractor_run::{Event, EventKind, RunSnapshot, check_replay, load_events};
use clap_complete::ArgValueCandidates;

use crate::console::{self, plain};
use crate::error::Error;
use crate::exit::Exit;
use crate::follow::Verbosity;
use crate::follow::progress::Progress;
use crate::launch::{MODELS_SIMULATED, SOME_SIMULATED};
use crate::project::{RunFilter, find};
use crate::render::run_state;
use crate::style::{FAINT, paint};

/// The longest pause between two events.
const MAX_PAUSE: Duration = Duration::from_secs(5);

/// Replay a run's events, with routing reasons
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor replay            why each edge of the newest run was chosen
  attractor replay --check    whether the journal gives the stored state")]
pub struct Replay {
    /// A run: id, unique prefix or folder [default: the newest]
    #[arg(add = ArgValueCandidates::new(|| RunFilter::Any.complete()))]
    run: Option<String>,
    /// Keep the pauses between events, this many times faster [default: no pauses]
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    speed: Option<f64>,
    /// Check that the journal leads to the stored state, and print nothing else; exit code 1 if it does not
    #[arg(long, conflicts_with = "speed")]
    check: bool,
}

impl Replay {
    /// Prints the lines of every event.
    pub fn run(self) -> Result<Exit, Error> {
        let directory = find(self.run.as_deref(), RunFilter::Any)?;
        if self.check {
            return check(&directory);
        }
        let events = load_events(&directory)?;
        let ending = ending(&RunSnapshot::of(&events));
        let mut progress = Progress::new(Verbosity::Verbose, None, note(&events));
        let mut before: Option<Duration> = None;
        let mut begun = None;
        for event in events {
            let at = since_1970(&event);
            let begun = *begun.get_or_insert(at);
            if let (Some(speed), Some(before)) = (self.speed, before) {
                std::thread::sleep(pause(at.saturating_sub(before), speed));
            }
            before = Some(at);
            let stamp = at.saturating_sub(begun).as_secs_f64();
            for line in progress.lines(&event, console::width()) {
                console::line(&format!("{} {line}", paint(FAINT, format!("{stamp:>9.3}"))))?;
            }
        }
        console::line(&ending)?;
        Ok(Exit::Success)
    }
}

/// How the run ended, and why: `release · fail: step limit reached`.
fn ending(run: &RunSnapshot) -> String {
    let state = run_state::with_mark(run.state, run.reality);
    let reason = run.failure.as_ref().map(ToString::to_string);
    let reason = reason.as_deref().map(plain);
    let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
    format!("{} · {state}{reason}", plain(&run.pipeline))
}

fn check(directory: &Path) -> Result<Exit, Error> {
    let checked = check_replay(directory)?;
    let events = checked.events;
    if let (Some(difference), Some(at)) = (&checked.difference, checked.compared_at) {
        console::line(&format!(
            "the stored state differs from the journal after event {at}, at {}\n  journal: {}\n  stored:  {}",
            plain(&difference.pointer),
            plain(&difference.replayed.to_string()),
            plain(&difference.stored.to_string()),
        ))?;
        return Ok(Exit::Failed);
    }
    console::line(&match checked.compared_at {
        Some(at) => {
            format!("{events} events replayed; the stored state after event {at} is the same")
        }
        None => format!("{events} events replayed; no state is stored"),
    })?;
    Ok(Exit::Success)
}

/// What was simulated.
fn note(events: &[Event]) -> Option<String> {
    let calls = events.iter().filter_map(|event| match &event.kind {
        EventKind::StageCompleted {
            model: Some(model), ..
        }
        | EventKind::StageFailed {
            model: Some(model), ..
        } => Some(model.simulated.is_some()),
        _ => None,
    });
    let calls: Vec<bool> = calls.collect();
    let simulated = calls.iter().filter(|simulated| **simulated).count();
    match simulated {
        0 => None,
        all if all == calls.len() => Some(MODELS_SIMULATED.to_owned()),
        _ => Some(SOME_SIMULATED.to_owned()),
    }
}

fn factor(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('x').parse::<f64>() {
        Ok(factor) if factor.is_finite() && factor > 0.0 => Ok(factor),
        _ => Err("expected a number above 0, like 1 or 10".to_owned()),
    }
}

fn pause(between: Duration, speed: f64) -> Duration {
    Duration::try_from_secs_f64(between.as_secs_f64() / speed)
        .unwrap_or(MAX_PAUSE)
        .min(MAX_PAUSE)
}

/// When an event was, since 1970; a time that cannot be read is the beginning.
fn since_1970(event: &Event) -> Duration {
    let time = event.time.parse::<jiff::Timestamp>().unwrap_or_default();
    Duration::from_millis(u64::try_from(time.as_millisecond()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_scaled_and_bounded() {
        assert_eq!(pause(Duration::from_secs(4), 2.0), Duration::from_secs(2));
        assert_eq!(pause(Duration::from_hours(9), 1.0), MAX_PAUSE);
        assert_eq!(pause(Duration::ZERO, 1e-300), Duration::ZERO);
        assert_eq!(pause(Duration::from_secs(1), 1e-300), MAX_PAUSE);
        assert_eq!(factor("10x"), Ok(10.0));
        assert!(factor("0").is_err() && factor("inf").is_err() && factor("fast").is_err());
    }
}
