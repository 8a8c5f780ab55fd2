//! A question of a session, which a person answers in the input line of the conversation. Pure but for the time.

use std::time::{Duration, Instant};

use attractor_agent::{PERMISSION, PersonAnswer, PersonQuestion};
use attractor_exec::Redactor;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use tokio::sync::oneshot;

use crate::columns::{width, wrapped};
use crate::commands::agent::person::{KEYS, chosen};
use crate::console::plain;
use crate::follow::line_editor::{Edit, LineEditor};
use crate::style::{ATTENTION, paint};

/// How long a question is shown before a key answers it.
const GRACE: Duration = Duration::from_millis(400);

/// A question that waits for its answer.
pub struct OpenQuestion {
    question: PersonQuestion,
    reply: oneshot::Sender<PersonAnswer>,
    line: LineEditor,
    /// Whether it is denied, and the reason is typed.
    denies: bool,
    /// When it was shown.
    shown: Option<Instant>,
    /// When a key was typed that did not count.
    typed: Option<Instant>,
}

/// What a key did.
pub enum Answer {
    /// The question is still open.
    Open(OpenQuestion),
    /// It is answered so.
    Given(String),
    /// The end of the input.
    Closed,
}

impl OpenQuestion {
    /// A question, and where its answer goes.
    pub fn new(question: PersonQuestion, reply: oneshot::Sender<PersonAnswer>) -> Self {
        Self {
            question,
            reply,
            line: LineEditor::default(),
            denies: false,
            shown: None,
            typed: None,
        }
    }

    /// Whether it asks to allow a call: one key answers.
    fn is_permission(&self) -> bool {
        self.question.id.starts_with(PERMISSION)
    }

    /// Whether it has not been shown; from now on it has.
    pub fn begins(&mut self) -> bool {
        let is_new = self.shown.is_none();
        self.shown.get_or_insert_with(Instant::now);
        is_new
    }

    /// Whether keys count: what is typed at the moment at which it appears, and what continues it, is meant for something
    /// else.
    fn is_ready(&self) -> bool {
        let is_quiet = self.typed.is_none_or(|typed| typed.elapsed() >= GRACE);
        is_quiet && self.shown.is_some_and(|shown| shown.elapsed() >= GRACE)
    }

    /// The call that it asks about.
    pub fn call(&self) -> Option<&str> {
        self.question.id.strip_prefix(PERMISSION)
    }

    /// Handles a key.
    pub fn key(mut self, key: KeyEvent) -> Answer {
        if key.kind == KeyEventKind::Release {
            return Answer::Open(self);
        }
        if !self.is_ready() {
            self.typed = Some(Instant::now());
            return Answer::Open(self);
        }
        if self.is_permission() && !self.denies {
            return match key.code {
                KeyCode::Char(letter @ ('y' | 'a')) if key.modifiers.is_empty() => {
                    self.answer(&letter.to_string())
                }
                KeyCode::Char('n') if key.modifiers.is_empty() => {
                    self.denies = true;
                    Answer::Open(self)
                }
                _ => {
                    // The letters of a word are no answers, one by one.
                    self.typed = Some(Instant::now());
                    Answer::Open(self)
                }
            };
        }
        match self.line.key(key) {
            Edit::Changed => Answer::Open(self),
            Edit::Closed => Answer::Closed,
            Edit::Submitted(line) if self.denies => {
                let reason = line.trim();
                let answer = if reason.is_empty() {
                    "n".to_owned()
                } else {
                    format!("n: {reason}")
                };
                self.answer(&answer)
            }
            Edit::Submitted(line) if line.trim().is_empty() => Answer::Open(self),
            Edit::Submitted(line) => {
                let answer = chosen(&self.question.options, line.trim());
                self.answer(&answer)
            }
        }
    }

    fn answer(self, answer: &str) -> Answer {
        // A session that has ended needs no answer.
        let _ = self.reply.send(PersonAnswer::Text(answer.to_owned()));
        Answer::Given(answer.to_owned())
    }

    /// Its text and choices, in rows of at most `columns`.
    pub fn rows(&self, columns: usize, redactor: &Redactor) -> Vec<String> {
        let text = redactor.text(&self.question.text);
        let text = plain(&text);
        let mut rows: Vec<String> = wrapped(&text, columns.saturating_sub(2))
            .into_iter()
            .enumerate()
            .map(|(index, row)| match index {
                0 => paint(ATTENTION, format!("? {row}")),
                _ => format!("  {row}"),
            })
            .collect();
        for (index, option) in self.question.options.iter().enumerate() {
            let key = match KEYS.get(index) {
                Some(key) if self.is_permission() => (*key).to_owned(),
                _ => (index + 1).to_string(),
            };
            rows.push(format!("  {key}) {}", plain(option)));
        }
        rows
    }

    /// What precedes the input, what is typed, and the column of the cursor.
    pub fn input(&self, columns: usize) -> (&'static str, String, usize) {
        let lead = match (self.is_permission(), self.denies) {
            _ if !self.is_ready() => "… ",
            (true, false) => "[y/a/n] ",
            (true, true) => "no, because: ",
            (false, _) => "> ",
        };
        let (typed, cursor) = self.line.view(columns.saturating_sub(width(lead) + 1));
        (lead, typed, width(lead) + cursor)
    }
}
