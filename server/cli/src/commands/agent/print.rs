//! The events of a session, for people or as JSON lines.

use std::sync::Arc;

use anstyle::Style;
use attractor_agent::{
    AgentEvent, AgentEventKind, FileChangeTracker, HookOutcome, Session, StepStatus,
};
use attractor_exec::Redactor;

use super::format::AgentFormat;
use super::waiting::Waiting;
use crate::columns::wrapped;
use crate::console;
use crate::error::Error;
use crate::style::{ATTENTION, BAD, FAINT, GOOD, paint};

/// How many lines of a failed call are shown: the last ones, which say what is wrong.
const ERROR_LINES: usize = 6;

/// How many lines of a difference are shown.
const DIFF_LINES: usize = 24;

/// How much of a line is shown, in characters.
const COLUMNS: usize = 200;

/// Where a session is shown to a person.
pub trait SessionView {
    /// Shows a piece of the model's text.
    fn text(&mut self, piece: &str) -> Result<(), Error>;

    /// The model's text is complete.
    fn end_text(&mut self, text: &str) -> Result<(), Error>;

    /// Shows a line about what happens. It has no escape sequences of others.
    fn line(&mut self, line: String);

    /// Shows what a tool gave, in a view that shows results.
    fn result(&mut self, _: &str) {}
}

/// Shows an event to a person, without secrets. `changes` are those of the session.
pub fn show(
    event: &AgentEventKind,
    changes: &FileChangeTracker,
    redactor: &Redactor,
    view: &mut impl SessionView,
) -> Result<(), Error> {
    // Before anything is cut: the rest of a key is not known as one.
    let clean = |text: &str| redactor.text(text).into_owned();
    match event {
        AgentEventKind::AssistantTextDelta { text } => view.text(text)?,
        AgentEventKind::AssistantTextEnd { text } => view.end_text(text)?,
        AgentEventKind::ToolCallStart(call) => {
            let subject = clean(&call.subject());
            view.line(first_line(
                FAINT,
                &format!("→ {} {subject}", call.tool_name),
            ));
        }
        AgentEventKind::ToolCallEnd { call, .. } if call.is_error => {
            failure(&call.tool_name, &clean(&call.output), view);
        }
        AgentEventKind::ToolCallEnd { call, .. } => view.result(&clean(&call.output)),
        AgentEventKind::ToolHook(report) if report.outcome != HookOutcome::Passed => {
            let (hook, tool, output) = (&report.hook, &report.tool_name, clean(&report.output));
            view.line(first_line(
                BAD,
                &format!("✗ hook `{hook}` of {tool}: {output}"),
            ));
        }
        AgentEventKind::FilesChanged { paths, .. } => {
            difference(&clean(&changes.latest_diff(paths)), DIFF_LINES, view);
        }
        AgentEventKind::Warning { message } => {
            let warning = console::plain(&clean(message)).into_owned();
            for row in wrapped(&format!("warning: {warning}"), COLUMNS) {
                view.line(paint(ATTENTION, row));
            }
        }
        AgentEventKind::LoopDetection { warning } => {
            view.line(first_line(
                ATTENTION,
                &format!("warning: {}", clean(warning)),
            ));
        }
        AgentEventKind::PlanUpdated(plan) => {
            for one in &plan.steps {
                let style = match one.status {
                    StepStatus::Completed => GOOD,
                    StepStatus::InProgress => ATTENTION,
                    StepStatus::Pending => FAINT,
                };
                let step = format!("  {} {}", one.status.glyph(), one.step);
                view.line(first_line(style, &step));
            }
        }
        AgentEventKind::SteeringInjected { text } => {
            view.line(first_line(FAINT, &format!("› {}", clean(text))));
        }
        AgentEventKind::Compacted {
            tokens_before,
            tokens_after,
            ..
        } => view.line(paint(
            FAINT,
            format!(
                "the conversation was made shorter: about {tokens_before} tokens to {tokens_after}"
            ),
        )),
        // An error ends the work: the last line says it.
        _ => {}
    }
    Ok(())
}

/// What failed, by its last lines: they have the error, the exit code or the time that was over.
fn failure(tool: &str, output: &str, view: &mut impl SessionView) {
    let lines: Vec<&str> = output
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let (head, rest): (String, &[&str]) = match lines.as_slice() {
        [one] => (format!("✗ {tool}: {one}"), &[]),
        lines => {
            let from = lines.len().saturating_sub(ERROR_LINES);
            let shown = lines.get(from..).unwrap_or_default();
            let left_out = match from {
                0 => String::new(),
                1 => " (1 line before these)".to_owned(),
                more => format!(" ({more} lines before these)"),
            };
            (format!("✗ {tool} failed{left_out}"), shown)
        }
    };
    view.line(first_line(BAD, &head));
    for line in rest {
        view.line(first_line(BAD, &format!("  {line}")));
    }
}

/// A difference in colours, at most so many lines of it.
pub fn difference(diff: &str, most: usize, view: &mut impl SessionView) {
    let lines: Vec<&str> = diff
        .lines()
        .filter(|line| !line.starts_with("--- "))
        .collect();
    for line in lines.iter().take(most) {
        let style = match line.as_bytes().first() {
            Some(b'+') if !line.starts_with("+++ ") => GOOD,
            Some(b'-') => BAD,
            _ => FAINT,
        };
        view.line(first_line(style, &format!("  {line}")));
    }
    if let Some(more) = lines.len().checked_sub(most).filter(|more| *more > 0) {
        view.line(first_line(FAINT, &format!("  … {more} more lines")));
    }
}

/// The first line of a text, in a style.
pub fn first_line(style: Style, text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let shown: String = console::plain(line).chars().take(COLUMNS).collect();
    paint(style, shown)
}

/// Prints the events of a task.
pub struct Printer<'s> {
    format: AgentFormat,
    session: &'s Session,
    lines: Lines,
}

impl<'s> Printer<'s> {
    /// A printer of that format.
    pub fn new(format: AgentFormat, session: &'s Session, redactor: Arc<Redactor>) -> Self {
        let waiting = match format {
            AgentFormat::Human => Waiting::of(session),
            AgentFormat::Json | AgentFormat::Events => Waiting::hidden(),
        };
        Self {
            format,
            session,
            lines: Lines {
                waiting,
                begun: String::new(),
                redactor,
            },
        }
    }

    /// Prints an event.
    pub fn event(&mut self, event: &AgentEvent) -> Result<(), Error> {
        match self.format {
            AgentFormat::Events => {
                let mut event = serde_json::to_value(event).unwrap_or_default();
                self.lines.redactor.value(&mut event);
                console::json_line(&event)
            }
            AgentFormat::Human => {
                self.lines.waiting.event(&event.kind);
                let redactor = Arc::clone(&self.lines.redactor);
                show(
                    &event.kind,
                    self.session.changes(),
                    &redactor,
                    &mut self.lines,
                )
            }
            AgentFormat::Json => Ok(()),
        }
    }

    /// Shows that the session works, from time to time.
    pub fn tick(&mut self) {
        self.lines.waiting.draw();
    }
}

impl Drop for Printer<'_> {
    fn drop(&mut self) {
        self.lines.waiting.clear();
    }
}

/// Text of the model on standard output, lines about it on standard error.
struct Lines {
    waiting: Waiting,
    /// The beginning of a line, which is written when it is whole: a piece of it may be one of a key, or of a command of the
    /// runner that reads the output.
    begun: String,
    redactor: Arc<Redactor>,
}

impl SessionView for Lines {
    fn text(&mut self, piece: &str) -> Result<(), Error> {
        self.begun.push_str(piece);
        let whole = self.begun.rfind('\n').map_or(0, |end| end + 1);
        let rest = self.begun.split_off(whole);
        let lines = std::mem::replace(&mut self.begun, rest);
        if lines.is_empty() {
            return Ok(());
        }
        self.waiting.clear();
        console::print(&console::plain(&self.redactor.text(&lines)))
    }

    fn end_text(&mut self, text: &str) -> Result<(), Error> {
        if text.ends_with('\n') {
            return Ok(());
        }
        self.text("\n")
    }

    fn line(&mut self, line: String) {
        self.waiting.clear();
        console::remark(&line);
    }
}
