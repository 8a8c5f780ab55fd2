//! What the commands of a conversation do.

use attractor::{SessionSummary, StartFrom, session_summaries};
use attractor_agent::{Session, Spent, UndoScope};
use attractor_llm::ReasoningEffort;
use attractor_run::figures::dollars;
use futures::FutureExt as _;

use super::attachments::CommandOutput;
use super::next::{Next, SessionChange};
use super::slash_command::{self, SlashCommand};
use super::terminal::ConversationTerminal;
use super::user_command;
use crate::commands::agent::print::{SessionView as _, difference, first_line};
use crate::launch::record_key;
use crate::render::counted;
use crate::render::time::ago;
use crate::style::{FAINT, paint};

/// Sessions that are listed.
const SESSIONS: usize = 10;

impl ConversationTerminal<'_> {
    /// Does what a command asks for.
    pub(super) async fn command(
        &mut self,
        command: SlashCommand,
        session: &Session,
        id: &str,
        works: bool,
    ) -> Option<Next> {
        let start = |from, change| Some(Next::Start { from, change });
        let same = SessionChange::default;
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
            SlashCommand::Sessions | SlashCommand::Resume(None) => self.list_sessions(id),
            SlashCommand::Permissions(None) => {
                let word = self.permissions.clone();
                self.shown.line(first_line(FAINT, &word));
            }
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
            SlashCommand::Compact => match session.compact().await {
                Ok(true) => {}
                Ok(false) => self.shown.line(paint(FAINT, "it is short already")),
                Err(error) => self.complain(&error.to_string()),
            },
            SlashCommand::Model(model) => {
                let change = SessionChange { model, ..same() };
                return start(StartFrom::Session(id.to_owned()), change);
            }
            SlashCommand::Permissions(permissions) => {
                let change = SessionChange {
                    permissions,
                    ..same()
                };
                return start(StartFrom::Session(id.to_owned()), change);
            }
            SlashCommand::New => return start(StartFrom::Nothing, same()),
            SlashCommand::Fork => return start(StartFrom::ForkOf(id.to_owned()), same()),
            SlashCommand::Resume(Some(given)) => match self.session_named(&given) {
                Ok(other) if other == id => self.complain("this is that session"),
                Ok(other) => return start(StartFrom::Session(other), same()),
                Err(problem) => self.complain(&problem),
            },
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
            "{}, {tokens} tokens ({cache_read_tokens} from the cache), {}",
            counted(turns, "turn"),
            dollars(cost),
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
            Ok(()) => {
                self.effort = Some(level.to_owned());
                let line = format!("effort: {level}");
                self.shown.line(first_line(FAINT, &line));
            }
            Err(error) => self.complain(&error.to_string()),
        }
    }

    fn sessions(&self) -> impl Iterator<Item = SessionSummary> {
        session_summaries(self.here, &record_key())
            .into_iter()
            .take(SESSIONS)
    }

    fn list_sessions(&mut self, current: &str) {
        let all: Vec<_> = self.sessions().collect();
        for (index, session) in all.iter().enumerate() {
            let mark = if session.id == current { '*' } else { ' ' };
            let line = format!(
                "{:>2}{mark} {}  {}",
                index + 1,
                session.changed.as_deref().map(ago).unwrap_or_default(),
                session.title
            );
            let line = self.shown.redactor.text(&line).into_owned();
            self.shown.line(first_line(FAINT, &line));
        }
        let hint = "/resume NUMBER continues one of them";
        self.shown.line(paint(FAINT, hint));
    }

    /// The session at a place of the list, or whose id begins so.
    fn session_named(&self, given: &str) -> Result<String, String> {
        let place = given
            .parse::<usize>()
            .ok()
            .filter(|place| *place <= SESSIONS);
        if let Some(place) = place.and_then(|place| place.checked_sub(1)) {
            let session = self.sessions().nth(place);
            return session
                .map(|session| session.id)
                .ok_or_else(|| format!("there is no session {given}; /sessions lists them"));
        }
        let all = session_summaries(self.here, &record_key());
        let mut named = all.into_iter().filter(|one| one.id.starts_with(given));
        match (named.next(), named.next()) {
            (Some(one), None) => Ok(one.id),
            (Some(_), Some(_)) => Err(format!("several sessions begin with `{given}`")),
            (None, _) => Err(format!(
                "there is no session `{given}`; /sessions lists them"
            )),
        }
    }

    /// Runs a command of the person's own, whose output goes to the model with the next message; one that begins with
    /// another `!` has the terminal meanwhile.
    pub(super) async fn run_program(&mut self, command: &str) {
        let (command, shares_output) = match command.strip_prefix('!') {
            Some(command) => (command.trim(), false),
            None => (command, true),
        };
        self.close();
        let ended = user_command::run(command, self.here, shares_output).await;
        // Ctrl-C was for the program.
        while self.signals.next().now_or_never().is_some() {}
        self.take_keys();
        let status = match ended.status {
            Ok(status) => status,
            Err(error) => return self.complain(&format!("cannot start `sh`: {error}")),
        };
        if !status.success() {
            self.complain(&status.to_string());
        }
        if shares_output {
            self.attachments.add(CommandOutput {
                command: command.to_owned(),
                output: self.shown.redactor.text(&ended.output).into_owned(),
                ending: status.to_string(),
            });
        }
    }
}
