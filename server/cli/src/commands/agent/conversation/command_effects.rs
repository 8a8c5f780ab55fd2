//! What the commands of a conversation do.

use attractor::{StartFrom, session_summaries};
use attractor_agent::{Session, Spent, UndoScope};
use attractor_llm::ReasoningEffort;
use futures::FutureExt as _;
use tokio::process::Command as Program;

use super::next::Next;
use super::slash_command::{self, SlashCommand};
use super::terminal::ConversationTerminal;
use crate::commands::agent::print::{SessionView as _, difference, first_line};
use crate::launch::record_key;
use crate::render::counted;
use crate::style::{FAINT, paint};

/// Sessions that are listed.
const SESSIONS: usize = 10;

impl ConversationTerminal<'_> {
    /// Does what a command asks for.
    pub(super) fn command(
        &mut self,
        command: SlashCommand,
        session: &Session,
        id: &str,
        works: bool,
    ) -> Option<Next> {
        let start = |from, model| Some(Next::Start { from, model });
        match command {
            SlashCommand::Help => {
                for line in slash_command::help() {
                    self.shown.line(line);
                }
            }
            SlashCommand::Cost => self.show_cost(),
            SlashCommand::Diff => {
                let diff = session.changes().pending_diff();
                if diff.is_empty() {
                    self.shown.line(paint(FAINT, "no file was changed"));
                }
                let diff = self.shown.redactor.text(&diff).into_owned();
                difference(&diff, usize::MAX, &mut self.shown);
            }
            SlashCommand::Effort(level) => self.set_effort(&level, session),
            SlashCommand::Model(None) => {
                let model = self.model.as_deref().unwrap_or("no model has answered yet");
                self.shown.line(first_line(FAINT, model));
            }
            SlashCommand::Sessions => self.list_sessions(id),
            SlashCommand::Quit => return Some(Next::Leave),
            _ if works => self.complain("not while the agent works; Esc stops it"),
            SlashCommand::Undo(scope) => {
                self.undo(session, &scope);
            }
            SlashCommand::UndoAll => {
                let changes = session.changes().changes().into_iter().rev();
                let since = changes.take_while(|change| change.number > self.changes_before);
                let pending: Vec<u64> = since
                    .filter(|change| !change.is_undone)
                    .map(|change| change.number)
                    .collect();
                if pending.is_empty() {
                    self.undo(session, &UndoScope::Change(0));
                }
                for number in pending {
                    if !self.undo(session, &UndoScope::Change(number)) {
                        break;
                    }
                }
            }
            SlashCommand::Model(model) => return start(StartFrom::Session(id.to_owned()), model),
            SlashCommand::New => return start(StartFrom::Nothing, None),
            SlashCommand::Fork => return start(StartFrom::ForkOf(id.to_owned()), None),
            SlashCommand::Resume(other) => return start(StartFrom::Session(other), None),
        }
        None
    }

    /// Undoes changes; whether that worked.
    fn undo(&mut self, session: &Session, scope: &UndoScope) -> bool {
        match session.undo(scope) {
            Ok(undone) => {
                for change in undone {
                    self.shown.line(first_line(FAINT, &change.to_string()));
                }
                true
            }
            Err(error) => {
                self.complain(&error.to_string());
                false
            }
        }
    }

    fn show_cost(&mut self) {
        let Spent {
            turns,
            cost,
            cache_read_tokens,
            ..
        } = self.spent;
        let tokens = self.spent.tokens();
        let line = format!(
            "{}, {tokens} tokens ({cache_read_tokens} from the cache), ${cost:.2}",
            counted(turns, "turn"),
        );
        self.shown.line(paint(FAINT, line));
    }

    fn set_effort(&mut self, level: &str, session: &Session) {
        let known = ReasoningEffort::ALL;
        let Some(effort) = known.into_iter().find(|one| one.as_str() == level) else {
            let known: Vec<&str> = known.iter().map(|one| one.as_str()).collect();
            return self.complain(&format!("expected one of {}", known.join(", ")));
        };
        match session.set_reasoning_effort(Some(effort)) {
            Ok(()) => self
                .shown
                .line(first_line(FAINT, &format!("effort: {level}"))),
            Err(error) => self.complain(&error.to_string()),
        }
    }

    fn list_sessions(&mut self, current: &str) {
        let all = session_summaries(self.here, &record_key());
        for session in all.into_iter().take(SESSIONS) {
            let mark = if session.id == current { "* " } else { "  " };
            let line = format!("{mark}{}  {}", session.id, session.title);
            self.shown.line(first_line(FAINT, &line));
        }
    }

    /// Runs a command of the person's own, which has the terminal meanwhile.
    pub(super) async fn run_program(&mut self, command: &str) {
        self.close();
        let status = Program::new("sh")
            .args(["-c", command])
            .current_dir(self.here)
            .status()
            .await;
        // Ctrl-C was for the program.
        while self.signals.next().now_or_never().is_some() {}
        self.take_keys();
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => self.complain(&status.to_string()),
            Err(error) => self.complain(&format!("cannot start `sh`: {error}")),
        }
    }
}
