//! Prints a run: its events as they happen, its open questions, and a summary at the end.

use std::collections::{BTreeMap, VecDeque};
use std::io::IsTerminal;
use std::path::PathBuf;

use attractor_run::{
    Answer, Event, EventKind, Evidence, NodeAttempt, NodeState, Question, RunHandle, RunReport,
    RunSnapshot, bare_label, stage_directory,
};
use attractor_scenario::Way;
use clap::ValueEnum;
use crossterm::event::KeyEvent;
use serde_json::Value;

use super::github;
use super::junit;
use super::line_editor::Edit;
use super::progress::Progress;
use super::prompt::Prompt;
use super::question;
use super::screen::Screen;
use super::status::{LiveStatus, RunProgress};
use super::summary::{self, SummaryDetails};
use super::verbosity::Verbosity;
use crate::console;
use crate::error::Error;
use crate::project;
use crate::render::ways;
use crate::style::{ATTENTION, paint};

/// The output format of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A line per node, questions and a summary
    #[default]
    Human,
    /// A JSON report at the end
    Json,
    /// Engine events as JSON Lines, as in the journal
    Events,
    /// As `human`, with failures as GitHub Actions annotations
    Github,
}

impl Format {
    fn is_human(self) -> bool {
        matches!(self, Self::Human | Self::Github)
    }
}

/// How a run is printed, and what is needed of its pipeline for it.
#[derive(Debug, Default)]
pub struct FollowOptions {
    /// The output format.
    pub format: Format,
    /// How much is printed.
    pub detail: Verbosity,
    /// What is simulated, in a sentence.
    pub note: Option<String>,
    /// Where and how real the run is resumed: `resumed at test · real`.
    pub resumed: Option<String>,
    /// Whether models are simulated although nothing requests it.
    pub unrequested_simulation: bool,
    /// The pipeline's file.
    pub file: PathBuf,
    /// The nodes of the pipeline with the lines they are declared in, from 1.
    pub nodes: BTreeMap<String, u32>,
    /// Where to write a `JUnit` report.
    pub junit: Option<PathBuf>,
    /// The ways of a dry run.
    pub ways: Vec<Way>,
}

/// Prints the events of a run.
pub struct ProgressPrinter {
    follow_options: FollowOptions,
    progress: Progress,
    /// How many nodes the pipeline has.
    total: usize,
    can_ask: bool,
    /// Whether both streams are the terminal, so that a status row is drawn.
    is_live: bool,
    /// Open questions, oldest first, without the one being asked.
    waiting: VecDeque<Question>,
    prompt: Option<Prompt>,
    /// What was shown with the last question.
    shown_evidence: Option<Evidence>,
    /// The question that was answered here; it closes with the next events.
    answered: Option<String>,
    status: LiveStatus,
    screen: Screen,
    /// The last node with a summary of its result, and the summary.
    last_result: Option<(String, String)>,
    failed_at: Option<NodeAttempt>,
    /// The last attempt of each node of the pipeline itself.
    attempts: BTreeMap<String, NodeAttempt>,
    /// Where the run went from each node of the pipeline itself.
    next: BTreeMap<String, String>,
    /// The branches that failed, each with its parallel node.
    failed_branches: Vec<(NodeAttempt, String)>,
    /// The goals that were not met at the end.
    unmet_goals: Vec<String>,
}

impl ProgressPrinter {
    /// A printer that has not printed anything.
    pub fn new(follow_options: FollowOptions) -> Self {
        Self {
            progress: Progress::new(
                follow_options.detail,
                follow_options.resumed.clone(),
                follow_options.note.clone(),
            ),
            total: follow_options.nodes.len(),
            can_ask: console::can_ask(),
            is_live: follow_options.format.is_human()
                && follow_options.detail != Verbosity::Quiet
                && console::moves_cursor()
                && std::io::stdout().is_terminal(),
            waiting: VecDeque::new(),
            prompt: None,
            shown_evidence: None,
            answered: None,
            status: LiveStatus::new(),
            screen: Screen::new(),
            last_result: None,
            failed_at: None,
            attempts: BTreeMap::new(),
            next: BTreeMap::new(),
            failed_branches: Vec::new(),
            unmet_goals: Vec::new(),
            follow_options,
        }
    }

    /// Whether rows are redrawn on a terminal.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    /// The id of the question being asked.
    pub fn asked(&self) -> Option<&str> {
        let prompt = self.prompt.as_ref()?;
        Some(&prompt.dialogue.question.id)
    }

    /// Whether keys go to the question being asked: not while its answer is being sent.
    pub fn takes_keys(&self) -> bool {
        self.answered.is_none()
    }

    /// Prints one event. The live area is as before, until it is drawn.
    pub fn on_event(&mut self, event: &Event) {
        match self.follow_options.format {
            Format::Human | Format::Github => self.print_event(event),
            Format::Events => match serde_json::to_string(event) {
                Ok(line) => self.screen.print(&format!("{line}\n")),
                Err(error) => self
                    .screen
                    .remark(&format!("error: could not serialize an event: {error}")),
            },
            Format::Json => {}
        }
        match &event.kind {
            EventKind::PipelineStarted { nodes, .. } if self.follow_options.nodes.is_empty() => {
                self.total = *nodes as usize;
            }
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
                self.close(question, &format!("answered: {answer}{text}, by {by}"));
            }
            EventKind::InterviewTimeout { question, .. } => {
                self.close(question, "withdrawn: no answer in time");
            }
            EventKind::InterviewWithdrawn {
                question, reason, ..
            } => self.close(question, &format!("withdrawn: {reason}")),
            EventKind::StageCompleted { at, summary, .. } if !summary.is_empty() => {
                self.last_result = Some((at.node.clone(), summary.clone()));
            }
            EventKind::StageStarted { at, .. } if at.graph.is_none() => {
                self.attempts.insert(at.node.clone(), at.clone());
            }
            EventKind::StageFailed { at, .. } => self.failed_at = Some(at.clone()),
            EventKind::EdgeSelected {
                from,
                to,
                graph: None,
                ..
            } => {
                self.next.insert(from.clone(), to.clone());
            }
            EventKind::GoalGateUnmet {
                unmet,
                redirect: None,
            } => self.unmet_goals.clone_from(unmet),
            // It may have been reached before.
            EventKind::ParallelStarted { at, .. } => {
                let is_other =
                    |before: &NodeAttempt| (&before.graph, &before.node) != (&at.graph, &at.node);
                self.failed_branches.retain(|(before, _)| is_other(before));
            }
            EventKind::ParallelBranchCompleted {
                at, name, status, ..
            } if status.is_failure() => {
                self.failed_branches.push((at.clone(), name.clone()));
            }
            kind if kind.is_end() => {
                self.waiting.clear();
                self.prompt = None;
            }
            _ => {}
        }
        let progress = RunProgress {
            done: self.progress.ended_nodes(),
            nodes: self.total.max(self.progress.ended_nodes()),
            cost: self.progress.cost(),
        };
        self.status.set(progress, self.progress.running());
    }

    fn print_event(&mut self, event: &Event) {
        let lines = self.progress.lines(event, console::width());
        if self.follow_options.detail == Verbosity::Quiet {
            return;
        }
        let is_github = self.follow_options.format == Format::Github;
        for line in lines {
            // What a model or a command printed is not a workflow command.
            let guard = if is_github && line.starts_with("::") {
                " "
            } else {
                ""
            };
            self.screen.print(&format!("{guard}{line}\n"));
        }
    }

    /// Draws the live area: the question being asked, else the running nodes.
    pub fn draw(&mut self) {
        if let Some(prompt) = &self.prompt {
            let (rows, cursor) = prompt.rows(console::size().0);
            let last = rows.len().saturating_sub(1);
            self.screen.draw(&rows, Some((last, cursor)));
        } else {
            self.tick();
        }
    }

    /// Draws the live area again, below what was written to the terminal meanwhile.
    pub fn draw_below(&mut self) {
        self.screen.leave();
        self.draw();
    }

    /// Updates the row of running nodes.
    pub fn tick(&mut self) {
        if self.prompt.is_some() || !self.is_live {
            return;
        }
        let rows = self.status.rows();
        if rows.is_empty() {
            self.screen.clear();
        } else {
            self.screen.draw(&rows, None);
        }
    }

    fn ask_next(&mut self) {
        if self.prompt.is_some() {
            return;
        }
        let Some(next) = self.waiting.pop_front() else {
            return;
        };
        if let Some(evidence) = &next.evidence {
            let is_new = self.shown_evidence.replace(evidence.clone()).as_ref() != Some(evidence);
            for line in question::evidence(evidence, is_new) {
                self.screen.remark(&line);
            }
        }
        self.prompt = Some(Prompt::new(next));
    }

    /// Closes a question that was answered, here or elsewhere, and asks the next one. `how` says what became of it.
    fn close(&mut self, id: &str, how: &str) {
        let is_asked = |prompt: &Prompt| prompt.dialogue.question.id == id;
        if let Some(prompt) = self.prompt.take_if(|prompt| is_asked(prompt)) {
            let is_elsewhere = self.answered.take().as_deref() != Some(id);
            for line in question::heading(&prompt.dialogue.question, console::size().0) {
                self.screen.remark(&line);
            }
            // An answer that was given here is in the line of the node, which follows.
            if is_elsewhere {
                let how = console::plain(how);
                self.screen.remark(&paint(ATTENTION, format!("  {how}")));
            }
        } else if self.waiting.iter().any(|one| one.id == id) {
            self.waiting.retain(|one| one.id != id);
        }
        self.ask_next();
    }

    /// Takes a key; `None` when no question is being asked.
    pub fn key(&mut self, key: KeyEvent) -> Option<Edit> {
        Some(self.prompt.as_mut()?.line.key(key))
    }

    /// Takes a complete line: the question it answers, and the answer, once it is one. Then [`Self::answered`] is called.
    pub fn answer(&mut self, line: &str) -> Option<(String, Answer)> {
        let prompt = self.prompt.as_mut()?;
        let answer = prompt.dialogue.submit(line)?;
        let id = prompt.dialogue.question.id.clone();
        self.answered = Some(id.clone());
        Some((id, answer))
    }

    /// What became of an answer: taken, or refused for a reason.
    pub fn answered(&mut self, answered: Result<(), String>) {
        if let Err(reason) = answered {
            self.answered = None;
            if let Some(prompt) = &mut self.prompt {
                prompt.dialogue.refused(&reason);
            }
        }
    }

    /// Prints how the run is when the program leaves it.
    pub fn leave(&mut self, text: &str) {
        self.prompt = None;
        self.screen.remark(&paint(ATTENTION, text));
    }

    /// Prints a message that is not part of the run.
    pub fn remark(&mut self, text: &str) {
        self.screen.remark(&paint(ATTENTION, text));
        self.draw();
    }

    /// Prints that the program ends before the run does.
    pub fn stopped(&mut self, run: &RunHandle) {
        self.prompt = None;
        let resume = project::resume_command(run.directory());
        self.screen
            .remark(&paint(ATTENTION, format!("stopped; to resume: {resume}")));
    }

    /// Prints the summary or report.
    pub fn end(&mut self, run: &RunHandle, report: &RunReport) {
        self.prompt = None;
        self.screen.clear();
        let is_quiet = self.follow_options.detail == Verbosity::Quiet;
        if self.follow_options.format == Format::Github && !is_quiet {
            let FollowOptions { file, nodes, .. } = &self.follow_options;
            let annotations = github::annotations(report, &run.snapshot(), file, nodes);
            self.screen.print(&annotations);
        }
        match self.follow_options.format {
            Format::Human | Format::Github => {
                let details = self.ending(run, report);
                let text = summary::text(report, &details);
                if is_quiet {
                    if let Some(line) = summary::failure_line(report, &details) {
                        self.screen.remark(&line);
                    }
                } else {
                    self.screen.print(&text);
                    let ways = ways::table_of(&self.follow_options.ways);
                    if let Some(ways) = ways {
                        self.screen.print(&ways);
                    }
                }
            }
            Format::Json => match self.json(report) {
                Ok(text) => self.screen.print(&format!("{text}\n")),
                Err(error) => self
                    .screen
                    .remark(&format!("error: could not serialize the report: {error}")),
            },
            Format::Events => {}
        }
    }

    /// The report, with the ways of a dry run.
    fn json(&self, report: &RunReport) -> serde_json::Result<String> {
        let mut value = serde_json::to_value(report)?;
        if let (Value::Object(fields), false) = (&mut value, self.follow_options.ways.is_empty()) {
            let ways = ways::json_of(&self.follow_options.ways);
            fields.insert("ways".to_owned(), ways);
        }
        serde_json::to_string_pretty(&value)
    }

    fn ending(&self, run: &RunHandle, report: &RunReport) -> SummaryDetails {
        let directory = Some(run.directory()).filter(|directory| directory.is_dir());
        let failed = directory.zip(self.failed_at(report));
        let stage = failed.map(|(directory, at)| stage_directory(directory, at));
        let log = stage
            .filter(|stage| stage.is_dir())
            .or_else(|| directory.map(std::path::Path::to_path_buf));
        SummaryDetails {
            detail: self.follow_options.detail,
            failed_branches: self
                .failed_branches
                .iter()
                .map(|(_, name)| name.clone())
                .collect(),
            failed_nodes: failed_nodes(&run.snapshot()),
            unmet_goals: self.unmet_goals.clone(),
            last_result: self.last_result.clone(),
            unrequested_simulation: self.follow_options.unrequested_simulation,
            log: log.map(|log| project::shown(&log)),
            resume: directory.map(project::resume_command),
        }
    }

    /// The attempt that the run failed at; what failed on the way there, or to a success, is not what it ended with.
    fn failed_at(&self, report: &RunReport) -> Option<&NodeAttempt> {
        let node = report.failure.as_ref()?.node.as_deref()?;
        let last = self.failed_at.as_ref();
        last.filter(|at| at.node == node)
            .or_else(|| self.attempts.get(node))
    }

    /// Writes the `JUnit` report that was asked for.
    pub fn write_junit(&self, run: &RunHandle, report: &RunReport) -> Result<(), Error> {
        let Some(path) = &self.follow_options.junit else {
            return Ok(());
        };
        let nodes = self.follow_options.nodes.keys();
        let text = junit::report(report, &run.snapshot(), nodes, &self.next);
        std::fs::write(path, text)
            .map_err(|cause| Error::unwritable(path.display().to_string(), cause))
    }
}

/// The nodes that failed when they were reached last.
fn failed_nodes(snapshot: &RunSnapshot) -> Vec<String> {
    let nodes = snapshot.nodes.iter();
    let failed = nodes.filter(|(_, node)| node.state == NodeState::Fail);
    failed.map(|(id, _)| id.clone()).collect()
}
