//! Tells a run: prints what happens, keeps the questions that are open, and sums up at the end.

use std::collections::{BTreeMap, VecDeque};
use std::io::IsTerminal;
use std::path::PathBuf;

use attractor_run::{
    Event, EventKind, Place, Question, RunHandle, RunReport, bare_label, stage_directory,
};
use clap::ValueEnum;
use crossterm::event::KeyEvent;

use super::detail::Detail;
use super::github;
use super::junit;
use super::line_editor::Edit;
use super::progress::Progress;
use super::prompt::Prompt;
use super::question;
use super::screen::Screen;
use super::status::StatusLine;
use super::summary::{self, Ending};
use crate::console;
use crate::error::Error;
use crate::project;
use crate::style::{ATTENTION, FAINT, paint};

/// How a run is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: a line per node, questions, a summary
    #[default]
    Human,
    /// The report as JSON, at the end
    Json,
    /// One engine event per line, as in the journal
    Events,
    /// For people, with failures as annotations of GitHub Actions
    Github,
}

impl Format {
    fn is_for_people(self) -> bool {
        matches!(self, Self::Human | Self::Github)
    }
}

/// How a run is told, and what about its pipeline helps to tell it.
#[derive(Debug, Default)]
pub struct Telling {
    /// In which form.
    pub format: Format,
    /// How much.
    pub detail: Detail,
    /// What is not real, in a sentence.
    pub note: Option<String>,
    /// The pipeline's file.
    pub file: PathBuf,
    /// The nodes of the pipeline with the lines they are declared in, from 1.
    pub nodes: BTreeMap<String, u32>,
    /// Where to write a `JUnit` report.
    pub junit: Option<PathBuf>,
}

/// Prints what happens.
pub struct Teller {
    telling: Telling,
    progress: Progress,
    can_ask: bool,
    /// Whether both streams are the terminal, so that a live row belongs between the lines.
    is_live: bool,
    /// Questions that are open, the oldest first, without the one being asked.
    waiting: VecDeque<Question>,
    prompt: Option<Prompt>,
    /// The question whose answer from here was accepted; it closes with the next events.
    answered: Option<String>,
    status: StatusLine,
    screen: Screen,
    /// The last result of a node that says something.
    made: Option<(String, String)>,
    failed_at: Option<Place>,
}

impl Teller {
    /// Tells a run.
    pub fn new(telling: Telling) -> Self {
        Self {
            progress: Progress::new(telling.detail, telling.note.clone()),
            can_ask: console::can_ask(),
            is_live: telling.format.is_for_people()
                && telling.detail != Detail::Quiet
                && std::io::stdout().is_terminal(),
            waiting: VecDeque::new(),
            prompt: None,
            answered: None,
            status: StatusLine::new(),
            screen: Screen::new(),
            made: None,
            failed_at: None,
            telling,
        }
    }

    /// Whether a question is being asked.
    pub fn is_asking(&self) -> bool {
        self.prompt.is_some()
    }

    /// Whether an event opens a question that is asked here.
    pub fn will_ask(&self, event: &Event) -> bool {
        self.can_ask && matches!(event.kind, EventKind::InterviewStarted { .. })
    }

    /// Whether keys are for the question being asked: not while its answer is on its way.
    pub fn takes_keys(&self) -> bool {
        self.answered.is_none()
    }

    /// Tells one event.
    pub fn tell(&mut self, event: &Event) {
        match self.telling.format {
            Format::Human | Format::Github => self.tell_people(event),
            Format::Events => match serde_json::to_string(event) {
                Ok(line) => self.screen.print(&format!("{line}\n")),
                Err(error) => self
                    .screen
                    .remark(&format!("attractor: an event cannot be written: {error}")),
            },
            Format::Json => {}
        }
        match &event.kind {
            EventKind::InterviewStarted { question, .. } if self.can_ask => {
                self.waiting.push_back(question.clone());
                self.ask_next();
            }
            EventKind::InterviewCompleted {
                question,
                answer,
                text,
                by,
                ..
            } => {
                let answer = bare_label(answer);
                let text = text
                    .as_ref()
                    .map_or_else(String::new, |text| format!(": {text}"));
                self.close(question, &format!("{answer}{text} ({by})"));
            }
            EventKind::InterviewTimeout { question, .. } => {
                self.close(question, "no answer in time");
            }
            EventKind::StageCompleted { at, summary, .. } if !summary.is_empty() => {
                self.made = Some((at.node.clone(), summary.clone()));
            }
            EventKind::StageFailed { at, .. } => self.failed_at = Some(at.clone()),
            kind if kind.is_end() => {
                self.waiting.clear();
                self.prompt = None;
            }
            _ => {}
        }
        let running = self.progress.running().to_vec();
        self.status.set(&running);
        self.draw();
    }

    fn tell_people(&mut self, event: &Event) {
        let lines = self.progress.lines(event, console::width());
        let annotation = (self.telling.format == Format::Github)
            .then(|| github::annotation(event, &self.telling.file, &self.telling.nodes))
            .flatten();
        if self.telling.detail == Detail::Quiet {
            return;
        }
        for line in lines.into_iter().chain(annotation) {
            self.screen.print(&format!("{line}\n"));
        }
    }

    /// Draws the live area: the question being asked, else what is at work.
    pub fn draw(&mut self) {
        if let Some(prompt) = &self.prompt {
            let (rows, cursor) = prompt.rows(console::size().0);
            self.screen.draw(&rows, Some(cursor));
        } else {
            self.tick();
        }
    }

    /// Moves the row of what is at work.
    pub fn tick(&mut self) {
        if self.prompt.is_some() || !self.is_live {
            return;
        }
        match self.status.row() {
            Some(row) => self.screen.draw(&[row], None),
            None => self.screen.clear(),
        }
    }

    fn ask_next(&mut self) {
        if self.prompt.is_some() {
            return;
        }
        let Some(next) = self.waiting.pop_front() else {
            return;
        };
        let evidence = next.evidence.as_ref().map(question::evidence);
        for line in evidence.unwrap_or_default() {
            self.screen.remark(&line);
        }
        self.prompt = Some(Prompt::new(next));
    }

    /// A question is closed, whoever answered it; the next one is asked.
    fn close(&mut self, id: &str, how: &str) {
        let is_asked = |prompt: &Prompt| prompt.question.id == id;
        if let Some(prompt) = self.prompt.take_if(|prompt| is_asked(prompt)) {
            let withdrawn = self.answered.take().as_deref() != Some(id);
            for line in question::heading(&prompt.question, console::size().0) {
                self.screen.remark(&line);
            }
            let how = console::plain(how);
            self.screen.remark(&if withdrawn {
                paint(ATTENTION, format!("  withdrawn: {how}"))
            } else {
                paint(FAINT, format!("  {how}"))
            });
        } else if self.waiting.iter().any(|one| one.id == id) {
            self.waiting.retain(|one| one.id != id);
        }
        self.ask_next();
    }

    /// Takes a key; `None` when no question is being asked.
    pub fn key(&mut self, key: KeyEvent) -> Option<Edit> {
        Some(self.prompt.as_mut()?.line.key(key))
    }

    /// Takes a complete line.
    pub async fn submit(&mut self, run: &RunHandle, line: &str) {
        let Some(prompt) = &mut self.prompt else {
            return;
        };
        if let Some(answer) = prompt.submit(line) {
            let id = prompt.question.id.clone();
            self.answered = Some(id.clone());
            let answered = run.answer(&id, answer).await;
            if !answered.accepted {
                self.answered = None;
                let reason = answered.reason.unwrap_or_default();
                prompt.refused(&reason);
            }
        }
        self.draw();
    }

    /// Says something beside the run.
    pub fn remark(&mut self, text: &str) {
        self.screen.remark(&paint(ATTENTION, text));
        self.draw();
    }

    /// The program ends before the run does.
    pub fn stopped_at_once(&mut self, run: &RunHandle) {
        self.prompt = None;
        let resume = project::resume_command(run.directory());
        self.screen.remark(&paint(
            ATTENTION,
            format!("stopped at once; continue with: {resume}"),
        ));
    }

    /// Sums up.
    pub fn end(&mut self, run: &RunHandle, report: &RunReport) {
        self.prompt = None;
        self.screen.clear();
        match self.telling.format {
            Format::Human | Format::Github => {
                let text = summary::text(report, &self.ending(run));
                if self.telling.detail == Detail::Quiet {
                    if let Some(line) = summary::failure_line(report) {
                        self.screen.remark(&line);
                    }
                } else {
                    self.screen.print(&text);
                }
            }
            Format::Json => match serde_json::to_string_pretty(report) {
                Ok(text) => self.screen.print(&format!("{text}\n")),
                Err(error) => self
                    .screen
                    .remark(&format!("attractor: the report cannot be written: {error}")),
            },
            Format::Events => {}
        }
    }

    fn ending(&self, run: &RunHandle) -> Ending {
        let directory = Some(run.directory()).filter(|directory| directory.is_dir());
        let failed = directory.zip(self.failed_at.as_ref());
        let stage = failed.map(|(directory, at)| stage_directory(directory, at));
        let log = stage
            .filter(|stage| stage.is_dir())
            .or_else(|| directory.map(std::path::Path::to_path_buf));
        Ending {
            detail: self.telling.detail,
            made: self.made.clone(),
            log: log.map(|log| project::shown(&log)),
            resume: directory.map(project::resume_command),
        }
    }

    /// Writes the `JUnit` report that was asked for.
    pub fn write_junit(&self, run: &RunHandle, report: &RunReport) -> Result<(), Error> {
        let Some(path) = &self.telling.junit else {
            return Ok(());
        };
        let text = junit::report(report, &run.snapshot(), self.telling.nodes.keys());
        std::fs::write(path, text)
            .map_err(|cause| Error::unwritable(path.display().to_string(), cause))
    }
}
