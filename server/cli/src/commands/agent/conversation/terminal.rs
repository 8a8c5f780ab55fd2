//! The terminal of a conversation: what is said, the live rows below it, keys and signals.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use attractor::StartedAgent;
use attractor_agent::{
    AgentError, AgentEvent, AgentEventKind, AgentEvents, Completion, Session, Spent,
};
use attractor_run::{EntryRole, edit_lines};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;

use super::attachments::Attachments;
use super::input::Input;
use super::next::Next;
use super::open_question::{Answer, OpenQuestion};
use super::path_completion;
use super::session_screen::SessionScreen;
use super::slash_command;
use crate::columns::wrapped;
use crate::commands::agent::completion::last_line;
use crate::commands::agent::print::{SessionView, first_line, show};
use crate::commands::agent::waiting::Waiting;
use crate::console;
use crate::error::Error;
use crate::follow::keys::{Keys, Typed};
use crate::follow::line_editor::Edit;
use crate::follow::signals::{SignalAction, Signals};
use crate::render::{counted, messages};
use crate::style::{ATTENTION, BAD, FAINT, GOOD, PERSON, STRONG, paint};

/// How often the live rows are drawn again.
const TICK: Duration = Duration::from_millis(120);
/// Lines of what was said in a session that is continued.
const RECALLED: usize = 400;
/// Rows of a line that is being written.
const PENDING: usize = 10;
/// Rows of the input.
const INPUT: usize = 12;
/// Rows of candidates of a completion.
const CANDIDATES: usize = 8;
/// Asks a terminal to mark what is pasted, and not to.
const MARK_PASTES: &str = "\x1b[?2004h";
const FORGET_PASTES: &str = "\x1b[?2004l";

/// The work on an input.
type Work<'s> = Pin<Box<dyn Future<Output = Result<Completion, AgentError>> + 's>>;

/// The terminal of a conversation.
pub struct ConversationTerminal<'h> {
    pub(super) here: &'h Path,
    keys: Keys,
    pub(super) signals: Signals,
    input: Input,
    questions: VecDeque<OpenQuestion>,
    pub(super) shown: SessionScreen,
    /// Whether the next Ctrl-C leaves.
    leaves: bool,
    /// The arguments of the calls that are open, by their ids.
    calls: BTreeMap<String, Value>,
    moves_cursor: bool,
    /// What a completion can become, until the next key.
    candidates: Vec<String>,
    pub(super) spent: Spent,
    pub(super) model: Option<String>,
    /// How much the model thinks, if a command has set it.
    pub(super) effort: Option<String>,
    /// What the session may do.
    pub(super) permissions: String,
    pub(super) attachments: Attachments,
    /// Messages that the model has not read yet.
    queued: usize,
    /// The number of the last change of a file before the last input.
    pub(super) changes_before: u64,
}

impl<'h> ConversationTerminal<'h> {
    /// Takes the terminal.
    pub fn open(here: &'h Path) -> Result<Self, Error> {
        let mut talk = Self {
            here,
            keys: Keys::default(),
            signals: Signals::new()?,
            input: Input::default(),
            questions: VecDeque::new(),
            shown: SessionScreen::new(),
            calls: BTreeMap::new(),
            leaves: false,
            moves_cursor: console::moves_cursor(),
            candidates: Vec::new(),
            spent: Spent::default(),
            model: None,
            effort: None,
            permissions: String::new(),
            attachments: Attachments::default(),
            queued: 0,
            changes_before: 0,
        };
        talk.take_keys();
        Ok(talk)
    }

    /// Gives the terminal back.
    pub fn close(&mut self) {
        self.shown.screen.clear();
        self.give_keys();
    }

    /// Says which session it is, after what was said in it, if it `recalls` that.
    pub fn greet(&mut self, started: &StartedAgent, recalls: bool) {
        self.shown.redactor = Arc::clone(&started.redactor);
        self.changes_before = 0;
        self.queued = 0;
        if recalls {
            let history = started.session.conversation_history();
            let columns = console::width();
            let lines = messages::lines(&history, columns, console::styles(), &started.redactor);
            let skipped = lines.len().saturating_sub(RECALLED);
            if skipped > 0 {
                let id = &started.id;
                let note = format!("… {skipped} lines before: `attractor sessions show {id}`");
                self.shown.line(paint(FAINT, note));
            }
            for line in lines.into_iter().skip(skipped) {
                self.shown.line(line);
            }
        }
        let title = format!(
            "session {} · {} · /help lists the commands",
            started.id, self.permissions
        );
        self.shown.line(paint(FAINT, title));
    }

    /// Says what the end of a session ends.
    pub fn report_background(&mut self, session: &Session) {
        let running = session.background_commands();
        if running > 0 {
            let commands = counted(running, "command");
            let line = format!("{commands} in the background ended with the session");
            self.shown.line(paint(ATTENTION, line));
        }
    }

    /// Shows that something went wrong.
    pub fn complain(&mut self, problem: &str) {
        for line in problem.lines() {
            self.shown.line(first_line(BAD, line));
        }
    }

    /// Talks with a session until the person leaves or wants another one.
    pub async fn follow(
        &mut self,
        started: &mut StartedAgent,
        asked: &mut UnboundedReceiver<OpenQuestion>,
    ) -> Result<Next, Error> {
        let StartedAgent {
            id,
            session,
            events,
            ..
        } = started;
        let session: &Session = session;
        let mut work: Option<Work<'_>> = None;
        let mut ticks = tokio::time::interval(TICK);
        loop {
            self.draw(work.is_some());
            tokio::select! {
                event = events.recv() => match event {
                    Some(event) => self.event(&event, session)?,
                    None => return Ok(Next::Leave),
                },
                Some(question) = asked.recv() => {
                    // The call that it asks about is known.
                    for event in events.drain() {
                        self.event(&event, session)?;
                    }
                    // What was typed until now does not answer it.
                    self.keys.restart(true);
                    self.questions.push_back(question);
                }
                completion = completed(&mut work) => {
                    work = None;
                    self.end(completion, events, session)?;
                }
                typed = self.keys.next_typed() => {
                    let step = match typed {
                        Some(typed) => self.typed(typed, session, id, &mut work).await,
                        None => Some(Next::Leave),
                    };
                    if let Some(next) = step {
                        return Ok(next);
                    }
                }
                signal = self.signals.next() => match signal {
                    SignalAction::Cancel if self.interrupted(work.is_some(), session) => {
                        return Ok(Next::Leave);
                    }
                    SignalAction::Interrupt(_) => return Ok(Next::Leave),
                    SignalAction::Continue => {
                        self.keys.renew();
                        self.shown.screen.leave();
                        if self.moves_cursor {
                            console::control(MARK_PASTES);
                        }
                    }
                    SignalAction::Cancel | SignalAction::Redraw => {}
                },
                _ = ticks.tick() => {
                    if self.keys.is_lost() {
                        return Ok(Next::Leave);
                    }
                }
            }
        }
    }

    fn event(&mut self, event: &AgentEvent, session: &Session) -> Result<(), Error> {
        match &event.kind {
            AgentEventKind::ModelUsage { model, .. } => self.model = Some(model.clone()),
            AgentEventKind::SteeringInjected { .. } => {
                self.queued = self.queued.saturating_sub(1);
            }
            AgentEventKind::ToolCallStart(call) => {
                let (id, arguments) = (call.tool_call_id.clone(), call.arguments.clone());
                self.calls.insert(id, arguments);
            }
            AgentEventKind::ToolCallEnd { call, .. } => {
                self.calls.remove(&call.tool_call_id);
            }
            _ => {}
        }
        self.shown.waiting.event(&event.kind);
        let redactor = Arc::clone(&self.shown.redactor);
        show(&event.kind, session.changes(), &redactor, &mut self.shown)
    }

    /// The work on an input has ended.
    fn end(
        &mut self,
        completion: Result<Completion, AgentError>,
        events: &mut AgentEvents,
        session: &Session,
    ) -> Result<(), Error> {
        for event in events.drain() {
            self.event(&event, session)?;
        }
        // Nothing waits for their answers any more.
        self.questions.clear();
        self.calls.clear();
        self.queued = 0;
        match completion {
            Ok(completion) => {
                self.spent.add(&completion.spent);
                for row in wrapped(
                    &last_line(&completion, &self.shown.redactor),
                    console::width(),
                ) {
                    self.shown.line(paint(FAINT, row));
                }
            }
            Err(error) => self.complain(&error.to_string()),
        }
        Ok(())
    }

    /// Ctrl-C: stops the work, clears the line, or leaves when it is pressed twice. Whether it leaves.
    fn interrupted(&mut self, works: bool, session: &Session) -> bool {
        if works {
            // A session that has ended needs no cancellation.
            let _ = session.cancel();
            if self.queued > 0 {
                let hint = "what you have sent and it has not read goes with your next message";
                self.shown.line(paint(FAINT, hint));
            }
        } else if !self.input.is_empty() {
            self.input.take();
        } else if std::mem::replace(&mut self.leaves, true) {
            return true;
        } else {
            let hint = "press Ctrl-C again to leave";
            self.shown.line(paint(FAINT, hint));
        }
        false
    }

    async fn typed<'s>(
        &mut self,
        typed: Typed,
        session: &'s Session,
        id: &str,
        work: &mut Option<Work<'s>>,
    ) -> Option<Next> {
        self.leaves = false;
        self.candidates.clear();
        let key = match typed {
            Typed::Paste(text) => {
                self.input.paste(&text);
                return None;
            }
            Typed::Key(key) => key,
        };
        if let Some(question) = self.questions.pop_front() {
            return self.answer(question, key);
        }
        match key.code {
            KeyCode::Esc if key.kind != KeyEventKind::Release => {
                self.stop(session, work.is_some());
                return None;
            }
            KeyCode::Tab => {
                let here = self.here;
                self.candidates = self.input.complete(|word| {
                    let mut found = slash_command::completions(word);
                    found.extend(path_completion::completions(here, word));
                    found
                });
                return None;
            }
            _ => {}
        }
        match self.input.key(key) {
            Edit::Changed => None,
            Edit::Closed => Some(Next::Leave),
            Edit::Submitted(line) => self.submitted(line.trim(), session, id, work).await,
        }
    }

    fn answer(&mut self, question: OpenQuestion, key: KeyEvent) -> Option<Next> {
        match question.key(key) {
            Answer::Open(question) => self.questions.push_front(question),
            Answer::Given(answer) => {
                self.shown.line(first_line(PERSON, &format!("> {answer}")));
            }
            Answer::Closed => return Some(Next::Leave),
        }
        None
    }

    /// Esc: stops what runs; what has been typed, and what waits, is said at once.
    fn stop(&mut self, session: &Session, works: bool) {
        if !works {
            return;
        }
        let text = self.input.take();
        let is_silent = text.trim().is_empty();
        // A session that has ended needs no message.
        let _ = if is_silent && self.queued == 0 {
            session.cancel()
        } else if is_silent {
            session.interrupt("")
        } else {
            self.echo(&text);
            session.interrupt(self.attachments.message(text.trim(), self.here))
        };
    }

    async fn submitted<'s>(
        &mut self,
        line: &str,
        session: &'s Session,
        id: &str,
        work: &mut Option<Work<'s>>,
    ) -> Option<Next> {
        if line.is_empty() {
            return None;
        }
        self.echo(line);
        if let Some(command) = line.strip_prefix('!') {
            if work.is_some() {
                self.complain("not while the agent works; Esc stops it");
            } else {
                self.run_program(command.trim()).await;
            }
            return None;
        }
        match slash_command::parse(line) {
            Err(problem) => self.complain(&problem),
            Ok(Some(command)) => {
                let works = work.is_some();
                return self.command(command, session, id, works).await;
            }
            // It is read after the tool call that runs.
            Ok(None) if work.is_some() => {
                let message = self.attachments.message(line, self.here);
                match session.steer(message) {
                    Ok(()) => self.queued += 1,
                    Err(error) => self.complain(&error.to_string()),
                }
            }
            Ok(None) => {
                self.shown.waiting = Waiting::hidden();
                let changes = session.changes().changes();
                self.changes_before = changes.last().map_or(0, |change| change.number);
                let message = self.attachments.message(line, self.here);
                *work = Some(Box::pin(session.submit(message)));
            }
        }
        None
    }

    /// Shows what was typed; on a terminal that cannot move its cursor, that is there already.
    fn echo(&mut self, text: &str) {
        let echoed = if self.moves_cursor { text } else { "" };
        for (index, line) in echoed.lines().enumerate() {
            let lead = if index == 0 { "> " } else { "  " };
            self.shown
                .line(first_line(PERSON, &format!("{lead}{line}")));
        }
    }

    pub(super) fn take_keys(&mut self) {
        self.keys.restart(true);
        if self.moves_cursor {
            console::control(MARK_PASTES);
        }
    }

    fn give_keys(&mut self) {
        if self.moves_cursor {
            console::control(FORGET_PASTES);
        }
        self.keys.close();
    }

    /// Shows the first question in full, with what its call changes, in lines that stay: the live rows may be too few.
    fn show_question(&mut self, columns: usize) {
        let Some(question) = self.questions.front_mut() else {
            return;
        };
        if !question.begins() {
            return;
        }
        let arguments = question.call().and_then(|id| self.calls.get(id));
        let changes = arguments.map(edit_lines).unwrap_or_default();
        let redactor = Arc::clone(&self.shown.redactor);
        for row in question.rows(columns, &redactor) {
            self.shown.line(row);
        }
        for change in changes {
            let style = match change.role {
                EntryRole::Added => GOOD,
                EntryRole::Removed => BAD,
                _ => FAINT,
            };
            let text = redactor.text(&change.text);
            // Nothing of it is cut: a person decides by it.
            for row in wrapped(&console::plain(&text), columns.saturating_sub(2)) {
                self.shown.line(paint(style, format!("  {row}")));
            }
        }
    }

    /// Draws the live rows.
    fn draw(&mut self, works: bool) {
        let columns = console::size().0.saturating_sub(1).max(2);
        self.show_question(columns);
        let mut rows = Vec::new();
        if self.moves_cursor {
            let pending = self.shown.text.pending(columns, &self.shown.redactor);
            rows.extend(pending.into_iter().rev().take(PENDING).rev());
            if works && self.questions.is_empty() {
                rows.push(paint(FAINT, self.shown.waiting.row()));
            }
        } else if works && self.questions.is_empty() && self.input.is_empty() {
            // What is written there stays: only a line that is typed is worth it.
            return;
        }
        let candidates = self.candidates.iter().take(CANDIDATES);
        rows.extend(candidates.map(|one| first_line(FAINT, &format!("  {one}"))));
        let above = rows.len();
        let (lead, typed, (row, column)) = if let Some(question) = self.questions.front() {
            let (lead, typed, column) = question.input(columns);
            (lead, vec![typed], (0, column))
        } else {
            let most = console::size().1.saturating_sub(2).min(INPUT);
            let input = self.input.rows(columns.saturating_sub(3), most);
            let (row, column) = input.cursor;
            ("> ", input.rows, (row, 2 + column))
        };
        for (index, typed) in typed.iter().enumerate() {
            let lead = if index == 0 {
                paint(STRONG, lead)
            } else {
                "  ".to_owned()
            };
            rows.push(format!("{lead}{}", console::plain(typed)));
        }
        self.shown.screen.draw(&rows, Some((above + row, column)));
    }
}

impl Drop for ConversationTerminal<'_> {
    /// The terminal is given back however the conversation ends.
    fn drop(&mut self) {
        self.close();
    }
}

/// The end of the work; pending where there is none.
async fn completed(work: &mut Option<Work<'_>>) -> Result<Completion, AgentError> {
    match work {
        Some(work) => work.await,
        None => std::future::pending().await,
    }
}
