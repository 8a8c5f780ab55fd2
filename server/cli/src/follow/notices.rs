//! Lines for events other than the start and end of a node: routing, questions, limits. Stateless: an event in, lines
//! out.

use attractor_run::figures::duration;
use attractor_run::{Event, EventKind, MergeConflict, MergedFile, NodeAttempt, TranscriptEntry};

use super::labels::{NAME_COLUMNS, name};
use super::verbosity::Verbosity;
use crate::console::plain;
use crate::style::{ATTENTION, BAD, FAINT, GOOD, STRONG, paint};

/// The lines for an event; often none.
pub fn lines(event: &Event, detail: Verbosity) -> Vec<String> {
    match &event.kind {
        EventKind::PipelineResumed { .. } => vec![paint(FAINT, "resumed from the journal")],
        EventKind::PipelinePaused { .. }
        | EventKind::PipelineContinued { .. }
        | EventKind::ContextOverridden { .. } => {
            let entry = TranscriptEntry::of(&event.kind).into_iter();
            let line = entry.map(|entry| format!("{} {}", entry.glyph, plain(&entry.text)));
            line.map(|line| paint(ATTENTION, line)).collect()
        }
        EventKind::StageRerun { at } => vec![format!(
            "{} {:NAME_COLUMNS$} {}",
            paint(ATTENTION, "↻"),
            name(at),
            paint(
                ATTENTION,
                "was running when the engine stopped; running it again"
            ),
        )],
        EventKind::StageRetrying {
            at,
            delay,
            until: Some(until),
            waiting_for,
            ..
        } => vec![format!(
            "{} {:NAME_COLUMNS$} waiting for {} until {} (in {})",
            paint(ATTENTION, "⏳"),
            name(at),
            plain(waiting_for.as_deref().unwrap_or("the provider")),
            plain(until),
            duration(*delay),
        )],
        EventKind::StageRetrying {
            at,
            delay,
            max_attempts,
            ..
        } => vec![format!(
            "{} {:NAME_COLUMNS$} attempt {} of {max_attempts} in {}",
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
            if detail == Verbosity::Verbose {
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
        EventKind::ParallelBranchStarted {
            name: branch,
            worktree: Some(folder),
            ..
        } => vec![paint(
            FAINT,
            format!("  branch {} works in {}", plain(branch), plain(folder)),
        )],
        EventKind::FilesMerged {
            at,
            files,
            more_files,
            conflicts,
            ..
        } => merged(at, files, *more_files, conflicts, detail),
        EventKind::Verification { at, check, passed } => {
            let result = if *passed {
                paint(GOOD, "passed")
            } else {
                paint(BAD, "failed")
            };
            vec![format!(
                "  {:NAME_COLUMNS$} verify {} {result}",
                name(at),
                plain(check)
            )]
        }
        // The node's own line, which follows, has the answer too.
        EventKind::InterviewCompleted { .. } if detail != Verbosity::Verbose => Vec::new(),
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
                "{} {:NAME_COLUMNS$} {}{text} {}",
                paint(GOOD, "›"),
                name(at),
                plain(answer),
                paint(FAINT, format!("by {}", plain(by))),
            )]
        }
        EventKind::InterviewTimeout { at, default, .. } => {
            let then = default.as_ref().map_or_else(String::new, |choice| {
                format!("; using the default: {}", plain(choice))
            });
            vec![format!(
                "{} {:NAME_COLUMNS$} no answer in time{then}",
                paint(ATTENTION, "›"),
                name(at)
            )]
        }
        EventKind::InterviewWithdrawn { at, reason, .. } => vec![format!(
            "{} {:NAME_COLUMNS$} question closed: {}",
            paint(ATTENTION, "›"),
            name(at),
            plain(reason)
        )],
        EventKind::GoalGateUnmet { unmet, redirect } => {
            let then = redirect
                .as_ref()
                .map(|node| format!("; redirecting to {node}"))
                .unwrap_or_default();
            vec![paint(
                ATTENTION,
                format!("! unmet goal gates: {}{then}", plain(&unmet.join(", "))),
            )]
        }
        EventKind::ValidationWarning {
            message,
            rule,
            line,
        } => vec![paint(
            ATTENTION,
            format!("! line {line}: {} ({rule})", plain(message)),
        )],
        EventKind::BudgetWarning {
            limit,
            used,
            allowed,
        } => {
            vec![paint(
                ATTENTION,
                format!("! {limit}: {used} of {allowed} used"),
            )]
        }
        EventKind::Expired {
            stall_timeout_ms,
            stale_after_turns,
        } => {
            let stalled = stall_timeout_ms
                .map(|limit| format!("! stalled: no activity for {}", duration(limit)));
            let stale = stale_after_turns
                .map(|turns| format!("! stale: {turns} model turns without a transition"));
            let lines = stalled.into_iter().chain(stale);
            lines.map(|line| paint(BAD, line)).collect()
        }
        EventKind::Escalated {
            at, level, reason, ..
        } => {
            vec![format!(
                "{} {:NAME_COLUMNS$} {level}: {}",
                paint(ATTENTION, "▲"),
                name(at),
                plain(reason)
            )]
        }
        EventKind::SteeringInjected {
            to, message, by, ..
        } => vec![paint(
            FAINT,
            format!(
                "  message from {} to {}: {}",
                plain(by),
                plain(to),
                plain(message)
            ),
        )],
        EventKind::SteeringDeferred { at, message, .. } => vec![paint(
            FAINT,
            format!(
                "  {} ended without reading a message; it is added to the node's next prompt: {}",
                name(at),
                plain(message)
            ),
        )],
        EventKind::PipelineForked {
            from, at, files, ..
        } => {
            let (visit, files) = (format!("{}@{}", name(at), at.visit), files.summary());
            let line = format!("forked from {} at {visit}{}", plain(from), plain(&files));
            vec![paint(ATTENTION, line)]
        }
        EventKind::CheckpointSaved { name, .. } if detail == Verbosity::Verbose => {
            vec![paint(FAINT, format!("  checkpoint {}", plain(name)))]
        }
        // Printed by `Progress` or by the summary, or not at all.
        _ => Vec::new(),
    }
}

/// What became of the files that branches changed in folders of their own.
fn merged(
    at: &NodeAttempt,
    files: &[MergedFile],
    more: u64,
    conflicts: &[MergeConflict],
    detail: Verbosity,
) -> Vec<String> {
    // The failure of the node names the conflicts.
    if !conflicts.is_empty() {
        return Vec::new();
    }
    let count = more + files.len() as u64;
    let ending = if count == 1 { "" } else { "s" };
    let mut lines = vec![format!(
        "{} {:NAME_COLUMNS$} merged {count} file{ending} of its branches",
        paint(GOOD, "⑃"),
        name(at),
    )];
    if detail == Verbosity::Verbose {
        lines.extend(files.iter().map(|file| {
            let branches = file.branches.join(", ");
            paint(
                FAINT,
                format!("      {} ({})", plain(&file.path), plain(&branches)),
            )
        }));
    }
    lines
}

/// The lines at the start of a run; `note` is what is simulated, `sandbox` what commands of agents can do.
pub fn started(
    pipeline: &str,
    goal: &str,
    note: Option<&str>,
    sandbox: Option<&str>,
) -> Vec<String> {
    let mut lines = vec![paint(STRONG, plain(pipeline))];
    if !goal.is_empty() {
        lines.push(plain(goal).into_owned());
    }
    // Of a sandbox that keeps everything in there is nothing to say.
    let sandbox = sandbox.filter(|text| text.contains("they can"));
    let note = note.into_iter().chain(sandbox).flat_map(str::lines);
    lines.extend(note.map(|line| paint(ATTENTION, plain(line))));
    lines.push(String::new());
    lines
}
