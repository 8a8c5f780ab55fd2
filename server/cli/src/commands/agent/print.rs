//! The events of a session, for people or as JSON lines.

use attractor_agent::{AgentEvent, AgentEventKind, HookOutcome, Session};

use super::format::AgentFormat;
use super::waiting::Waiting;
use crate::console;
use crate::error::Error;
use crate::follow::tool_call::subject;
use crate::style::{ATTENTION, BAD, FAINT, GOOD, paint};

/// How many lines of a failed call are shown: the last ones, which say what is wrong.
const ERROR_LINES: usize = 6;

/// How many lines of a difference are shown.
const DIFF_LINES: usize = 24;

/// How much of a line is shown, in characters.
const COLUMNS: usize = 200;

/// Prints events.
pub struct Printer<'s> {
    format: AgentFormat,
    session: &'s Session,
    waiting: Waiting,
}

impl<'s> Printer<'s> {
    /// A printer of that format.
    pub fn new(format: AgentFormat, session: &'s Session) -> Self {
        let waiting = match format {
            AgentFormat::Human => Waiting::of(session),
            AgentFormat::Json | AgentFormat::Events => Waiting::hidden(),
        };
        Self {
            format,
            session,
            waiting,
        }
    }

    /// Prints an event.
    pub fn event(&mut self, event: &AgentEvent) -> Result<(), Error> {
        match self.format {
            AgentFormat::Events => console::json_line(event),
            AgentFormat::Human => {
                self.waiting.event(&event.kind);
                self.human(&event.kind)
            }
            AgentFormat::Json => Ok(()),
        }
    }

    /// Shows that the session works, from time to time.
    pub fn tick(&mut self) {
        self.waiting.draw();
    }

    fn human(&mut self, event: &AgentEventKind) -> Result<(), Error> {
        match event {
            AgentEventKind::AssistantTextDelta { text } => self.text(text)?,
            AgentEventKind::AssistantTextEnd { text } if !text.ends_with('\n') => {
                self.text("\n")?;
            }
            AgentEventKind::ToolCallStart(call) => {
                let subject = subject(&call.arguments);
                self.remark(FAINT, &format!("→ {} {subject}", call.tool_name));
            }
            AgentEventKind::ToolCallEnd { call, .. } if call.is_error => {
                self.failure(&call.tool_name, &call.output);
            }
            AgentEventKind::ToolHook(report) if report.outcome != HookOutcome::Passed => {
                let (hook, tool, output) = (&report.hook, &report.tool_name, &report.output);
                self.remark(BAD, &format!("✗ hook `{hook}` of {tool}: {output}"));
            }
            AgentEventKind::FilesChanged { paths, .. } => self.difference(paths),
            AgentEventKind::Warning { message } => {
                self.remark(ATTENTION, &format!("warning: {message}"));
            }
            AgentEventKind::LoopDetection { warning } => {
                self.remark(ATTENTION, &format!("warning: {warning}"));
            }
            AgentEventKind::SteeringInjected { text } => self.remark(FAINT, &format!("› {text}")),
            // An error ends the work: the last line says it.
            _ => {}
        }
        Ok(())
    }

    /// Text of the model, on standard output.
    fn text(&mut self, text: &str) -> Result<(), Error> {
        self.waiting.clear();
        self.waiting.is_mid_line = !text.ends_with('\n');
        console::print(&console::plain(text))
    }

    /// What failed, by its last lines: they have the error, the exit code or the time that was over.
    fn failure(&mut self, tool: &str, output: &str) {
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
        self.remark(BAD, &head);
        for line in rest {
            self.remark(BAD, &format!("  {line}"));
        }
    }

    /// The difference that a call made.
    fn difference(&mut self, paths: &[String]) {
        let diff = self.session.changes().latest_diff(paths);
        let lines: Vec<&str> = diff
            .lines()
            .filter(|line| !line.starts_with("--- "))
            .collect();
        for line in lines.iter().take(DIFF_LINES) {
            let style = match line.as_bytes().first() {
                Some(b'+') if !line.starts_with("+++ ") => GOOD,
                Some(b'-') => BAD,
                _ => FAINT,
            };
            self.remark(style, &format!("  {line}"));
        }
        if let Some(more) = lines.len().checked_sub(DIFF_LINES).filter(|more| *more > 0) {
            self.remark(FAINT, &format!("  … {more} more lines"));
        }
    }

    /// The first line of a text, on standard error.
    fn remark(&mut self, style: anstyle::Style, text: &str) {
        self.waiting.clear();
        let line = text.lines().next().unwrap_or_default();
        let shown: String = console::plain(line).chars().take(COLUMNS).collect();
        console::remark(&paint(style, shown));
    }
}

impl Drop for Printer<'_> {
    fn drop(&mut self) {
        self.waiting.clear();
    }
}
