//! Everything the machine can be given. What is not an input does not exist for it: time, chance and
//! the outside world come in here, are written to the journal, and make a replay come out the same.

use std::collections::{BTreeMap, BTreeSet};

use attractor_model::Reality;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::unmerged::MergeReport;
use crate::control::{PausePoints, SteeringMessage, StepFrom};
use crate::event::{ForkedFiles, NodeAttempt, StatusReport};
use crate::frame::{FrameId, Ticket};
use crate::outcome::{Limits, Outcome, Usage};
use crate::question::{ChangedFiles, Question, Reading};

/// One message to the machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// Active milliseconds of the run so far.
    pub at: u64,
    /// The wall clock, milliseconds since 1970: what is due at a time is due even if the engine was restarted.
    #[serde(default)]
    pub now: i64,
    /// The message.
    #[serde(flatten)]
    pub kind: InputKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum InputKind {
    /// The run begins.
    Start(Box<Begin>),
    /// A handler is done.
    Finished {
        /// The attempt it is about.
        ticket: Ticket,
        /// The outcome.
        outcome: Box<Outcome>,
        /// By how much to stretch a coming delay, in thousandths: 500 to 1500.
        jitter: u16,
        /// The messages to the node that its work has not read.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unread: Vec<SteeringMessage>,
    },
    /// An attempt that was stopped, because its branch is not needed any more, had used a model.
    Spent {
        /// The attempt.
        stage: Box<NodeAttempt>,
        /// What it used.
        usage: Box<Usage>,
    },
    /// A delay is over.
    Due {
        /// The attempt it is about.
        ticket: Ticket,
    },
    /// The files of the project have been compared with those at the start.
    FilesCompared {
        /// The attempt it is about.
        ticket: Ticket,
        /// The files that differ.
        changed: ChangedFiles,
    },
    /// What branches changed has been merged, or cannot be.
    FilesMerged {
        /// The attempt it is about.
        ticket: Ticket,
        /// What was merged, or why nothing was.
        report: Box<MergeReport>,
    },
    /// A question is answered.
    Answered {
        /// The id of the question.
        question: String,
        /// What was chosen and written.
        reading: Reading,
        /// Who, and from where.
        by: String,
    },
    /// A question was not answered in time.
    TimedOut {
        /// The id of the question.
        question: String,
    },
    /// The work of a node asks.
    Ask {
        /// The attempt it is about.
        ticket: Ticket,
        /// The question.
        question: Box<Question>,
    },
    /// The work of a node does not need an answer any more.
    Withdrawn {
        /// The id of the question.
        question: String,
    },
    /// No person can answer a question.
    Unanswerable {
        /// The id of the question.
        question: String,
        /// Why.
        reason: String,
    },
    /// Someone sends a message to a node that runs.
    Steer {
        /// The attempt it is about.
        ticket: Ticket,
        /// The text.
        message: String,
        /// Who, and from where.
        by: String,
    },
    /// The process ended and another one continues. Everything under way has an unknown outcome.
    Resumed {
        /// How real it is from here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reality: Option<Reality>,
        /// Limits that replace those of the run.
        #[serde(default, skip_serializing_if = "Limits::is_none")]
        limits: Limits,
        /// Where the run pauses by itself from here.
        #[serde(default, skip_serializing_if = "PausePoints::is_empty")]
        points: PausePoints,
    },
    /// The inputs up to here are those of another run: this one begins again at the node it was at.
    Forked {
        /// The visit that begins again; none for that of the main frame.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        visit: Option<Box<NodeAttempt>>,
        /// That run.
        from: String,
        /// Keys of the context with another value.
        set: BTreeMap<String, Value>,
        /// Which files it works on.
        files: ForkedFiles,
        /// How real it is from here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reality: Option<Reality>,
        /// Limits that replace those of the other run.
        #[serde(default, skip_serializing_if = "Limits::is_none")]
        limits: Limits,
        /// Where the run pauses by itself from here.
        #[serde(default, skip_serializing_if = "PausePoints::is_empty")]
        points: PausePoints,
    },
    /// Someone has a message for a node.
    Steered {
        /// The id of the node.
        node: String,
        /// The text.
        message: String,
        /// Who, and from where.
        by: String,
    },
    /// A supervisor looks at its sub-pipeline.
    Observed {
        /// The frame of the supervisor.
        frame: FrameId,
        /// The frame of the sub-pipeline.
        child: FrameId,
        /// The state of the sub-pipeline.
        report: Box<StatusReport>,
    },
    /// Someone pauses the run.
    Pause {
        /// Who, and from where.
        by: String,
    },
    /// Someone says where the run pauses by itself, in place of what was said before.
    PausePoints {
        /// Where.
        points: PausePoints,
        /// Who, and from where.
        by: String,
    },
    /// Someone lets a paused run continue.
    Continue {
        /// How far; without it, to the next point.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<StepFrom>,
        /// Who, and from where.
        by: String,
    },
    /// Someone changes a paused run.
    Override {
        /// The frame.
        frame: FrameId,
        /// Keys of its context with their new values.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        set: BTreeMap<String, Value>,
        /// The node that it continues with, instead of the one before which it is held.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
        /// Who, and from where.
        by: String,
    },
    /// Someone stops the run.
    Cancel {
        /// Who, and from where.
        by: String,
    },
    /// The process is asked to end: everything stops, to continue in another one.
    Interrupt {
        /// Who, and from where.
        by: String,
    },
    /// A limit of time was reached.
    TimeIsUp,
    /// Nothing happened for `stall_timeout`.
    Stalled,
    /// The agent of a node has called its model `stale_after_turns` times since the last transition, and continues.
    Stale {
        /// The id of the node.
        node: String,
        /// How many times.
        turns: u32,
    },
}

#[cfg(test)]
impl InputKind {
    /// Another process continues, of which nothing else is known.
    pub(crate) fn resumed() -> Self {
        Self::Resumed {
            reality: None,
            limits: Limits::default(),
            points: PausePoints::default(),
        }
    }
}

/// How a run begins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Begin {
    /// The run's id.
    pub run: String,
    /// The first context: inputs, or what a checkpoint holds.
    pub context: BTreeMap<String, Value>,
    /// Where to begin instead of the start node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Whether `from` is done already, so that the run continues after it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after: bool,
    /// What was done before, by a checkpoint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub completed: Vec<String>,
    /// Nodes whose outcome a script decides: they are executed, whatever their kind.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub scripted: BTreeSet<String>,
    /// Whether nothing is real.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry: bool,
    /// Whether gates show the files the run has changed: they were recorded when it started.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub compares_files: bool,
    /// Limits from outside the pipeline.
    #[serde(default)]
    pub limits: Limits,
    /// What commands of its agents run in, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    /// Where the run pauses by itself.
    #[serde(default, skip_serializing_if = "PausePoints::is_empty")]
    pub points: PausePoints,
    /// How real it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reality: Option<Reality>,
    /// What the validator warns of now that the inputs are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<RunWarning>,
}

/// A warning of the validator about a run that is to start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunWarning {
    /// The text.
    pub message: String,
    /// The lint.
    pub rule: String,
    /// The line of the file, from 1.
    pub line: u32,
}
