//! The events of a session, for people or as JSON lines.

use attractor_agent::{AgentEvent, AgentEventKind, HookOutcome};

use super::format::AgentFormat;
use crate::console;
use crate::error::Error;
use crate::follow::tool_call::subject;
use crate::style::{ATTENTION, BAD, FAINT, paint};

/// Prints events.
pub struct Printer {
    format: AgentFormat,
}

impl Printer {
    /// A printer of that format.
    pub const fn new(format: AgentFormat) -> Self {
        Self { format }
    }

    /// Prints an event.
    pub fn event(&mut self, event: &AgentEvent) -> Result<(), Error> {
        match self.format {
            AgentFormat::Events => console::json_line(event),
            AgentFormat::Human => human(&event.kind),
            AgentFormat::Json => Ok(()),
        }
    }
}

fn human(event: &AgentEventKind) -> Result<(), Error> {
    match event {
        AgentEventKind::AssistantTextDelta { text } => console::print(&console::plain(text))?,
        AgentEventKind::AssistantTextEnd { text } if !text.ends_with('\n') => {
            console::print("\n")?;
        }
        AgentEventKind::ToolCallStart {
            tool_name,
            arguments,
            ..
        } => remark(FAINT, &format!("→ {tool_name} {}", subject(arguments))),
        AgentEventKind::ToolCallEnd {
            tool_name,
            output,
            is_error: true,
            ..
        } => remark(BAD, &format!("✗ {tool_name}: {output}")),
        AgentEventKind::ToolHook {
            hook,
            tool_name,
            outcome,
            output,
            ..
        } if *outcome != HookOutcome::Passed => {
            remark(BAD, &format!("✗ hook `{hook}` of {tool_name}: {output}"));
        }
        AgentEventKind::Warning { message } => remark(ATTENTION, &format!("warning: {message}")),
        AgentEventKind::LoopDetection { warning } => {
            remark(ATTENTION, &format!("warning: {warning}"));
        }
        AgentEventKind::Error { error, .. } => remark(BAD, &format!("error: {error}")),
        _ => {}
    }
    Ok(())
}

/// The first line of a text, on standard error.
fn remark(style: anstyle::Style, text: &str) {
    let line = text.lines().next().unwrap_or_default();
    let shown: String = console::plain(line).chars().take(200).collect();
    console::remark(&paint(style, shown));
}
