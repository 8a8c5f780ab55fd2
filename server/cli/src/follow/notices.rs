//! What is worth telling besides the work of a node: ways taken, questions, limits. An event in, lines out; nothing
//! is remembered.

use attractor_run::{Event, EventKind};

use super::cells::{NAME, duration, name};
use super::detail::Detail;
use crate::console::plain;
use crate::style::{ATTENTION, BAD, FAINT, GOOD, STRONG, paint};

/// What to say about an event; often nothing.
pub fn lines(event: &Event, detail: Detail) -> Vec<String> {
    match &event.kind {
        EventKind::PipelineResumed { .. } => vec![paint(FAINT, "resumed from its journal")],
        EventKind::StageRerun { at } => vec![format!(
            "{} {:NAME$} {}",
            paint(ATTENTION, "↻"),
            name(at),
            paint(
                ATTENTION,
                "had begun when the engine stopped and its outcome is unknown: it runs again"
            ),
        )],
        EventKind::StageRetrying {
            at,
            delay,
            max_attempts,
        } => vec![format!(
            "{} {:NAME$} attempt {} of {max_attempts} in {}",
            paint(ATTENTION, "↻"),
            name(at),
            at.attempt,
            duration(*delay),
        )],
        EventKind::EdgeSelected {
            from,
            to,
            label,
            condition,
            clauses,
            warnings,
            ..
        } => {
            let mut lines: Vec<String> = warnings
                .iter()
                .map(|text| paint(ATTENTION, format!("  ! {}", plain(text))))
                .collect();
            if detail == Detail::Verbose {
                let why = condition
                    .as_ref()
                    .or(label.as_ref())
                    .map_or("", String::as_str);
                lines.push(paint(FAINT, format!("  {from} → {to}  {}", plain(why))));
                lines.extend(clauses.iter().map(|clause| {
                    paint(
                        FAINT,
                        format!("      {} is {}", plain(&clause.text), clause.value),
                    )
                }));
            }
            lines
        }
        EventKind::Verification { at, check, passed } => {
            let said = if *passed {
                paint(GOOD, "holds")
            } else {
                paint(BAD, "does not hold")
            };
            vec![format!(
                "  {:NAME$} verify {} {said}",
                name(at),
                plain(check)
            )]
        }
        // The node's own line, which follows at once, says the answer too.
        EventKind::InterviewCompleted { .. } if detail != Detail::Verbose => Vec::new(),
        EventKind::InterviewCompleted {
            at,
            answer,
            text,
            by,
            ..
        } => {
            let text = text
                .as_ref()
                .map(|text| format!(" “{}”", plain(text)))
                .unwrap_or_default();
            vec![format!(
                "{} {:NAME$} {}{text} {}",
                paint(GOOD, "›"),
                name(at),
                plain(answer),
                paint(FAINT, format!("({})", plain(by))),
            )]
        }
        EventKind::InterviewTimeout { at, default, .. } => {
            let then = default.as_ref().map_or_else(String::new, |choice| {
                format!("; the default choice is taken: {}", plain(choice))
            });
            vec![format!(
                "{} {:NAME$} no answer{then}",
                paint(ATTENTION, "›"),
                name(at)
            )]
        }
        EventKind::GoalGateUnmet { unmet, redirect } => {
            let then = redirect
                .as_ref()
                .map(|node| format!("; back to {node}"))
                .unwrap_or_default();
            vec![paint(
                ATTENTION,
                format!("! goal not reached: {}{then}", plain(&unmet.join(", "))),
            )]
        }
        EventKind::BudgetWarning {
            limit,
            used,
            allowed,
        } => {
            vec![paint(
                ATTENTION,
                format!("! {used} of {allowed} of {limit} is used up"),
            )]
        }
        EventKind::Expired { stall_timeout_ms } => {
            vec![paint(
                BAD,
                format!("! nothing happened for {}", duration(*stall_timeout_ms)),
            )]
        }
        EventKind::Escalated {
            at, level, reason, ..
        } => {
            vec![format!(
                "{} {:NAME$} {level}: {}",
                paint(ATTENTION, "▲"),
                name(at),
                plain(reason)
            )]
        }
        EventKind::CheckpointSaved { name, .. } if detail == Detail::Verbose => {
            vec![paint(FAINT, format!("  checkpoint {}", plain(name)))]
        }
        // The beginning and the work of nodes, which `Progress` tells, the end, which the summary tells, and what needs no words.
        EventKind::PipelineStarted { .. }
        | EventKind::StageStarted { .. }
        | EventKind::StageOutput { .. }
        | EventKind::StageCompleted { .. }
        | EventKind::StageFailed { .. }
        | EventKind::PipelineCompleted { .. }
        | EventKind::PipelineFailed { .. }
        | EventKind::PipelineCancelled { .. }
        | EventKind::PipelineInterrupted { .. }
        | EventKind::ParallelStarted { .. }
        | EventKind::ParallelBranchStarted { .. }
        | EventKind::ParallelBranchCompleted { .. }
        | EventKind::ParallelCompleted { .. }
        | EventKind::InterviewStarted { .. }
        | EventKind::CheckpointSaved { .. } => Vec::new(),
    }
}

/// What to say when a run begins; `note` tells what is not real.
pub fn started(pipeline: &str, goal: &str, note: Option<&str>) -> Vec<String> {
    let mut lines = vec![paint(STRONG, plain(pipeline))];
    if !goal.is_empty() {
        lines.push(plain(goal).into_owned());
    }
    lines.extend(note.map(|note| paint(ATTENTION, note)));
    lines.push(String::new());
    lines
}
