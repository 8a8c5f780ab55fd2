//! The whole state of a run: plain data that serialises to the same bytes for the same history.
//!
//! A run is a set of *frames*. The main frame walks the pipeline; a parallel node or a sub-pipeline puts
//! its frame on hold and opens further ones. Nodes are named by id, never by position, so that a state
//! outlives an edited file.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::node_question::NodeQuestion;
use super::pausing::Pausing;
use super::record::NodeRecord;
use super::steering::Steering;
use super::timer::Timer;
use super::unmerged::Unmerged;
use crate::context::Contexts;
use crate::control::SteeringMessage;
use crate::event::NodeAttempt;
use crate::frame::{FrameId, Ticket, Worktree};
use crate::outcome::{Failure, FailureClass, Limits, Outcome, Status, StopPlace, Usage};
use crate::question::Question;
use attractor_model::RunState;

/// The state of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The run's id; empty before the start.
    pub run: String,
    /// Limits given from outside the pipeline.
    pub limits: Limits,
    /// Active milliseconds at the last input.
    pub clock: u64,
    /// The wall clock at the last input, milliseconds since 1970.
    #[serde(default)]
    pub now: i64,
    /// Nodes executed.
    pub steps: u64,
    /// What has been spent.
    pub usage: Usage,
    /// What walks.
    pub frames: BTreeMap<FrameId, Frame>,
    /// The next frame's id.
    pub next_frame: FrameId,
    /// The next step's number.
    pub next_step: u64,
    /// The blackboard, in layers.
    pub contexts: Contexts,
    /// What is known of nodes, by [`Frame::key`].
    pub nodes: BTreeMap<String, NodeRecord>,
    /// How often edges with a limit were taken, by the key of what they look like.
    pub edges: BTreeMap<String, u32>,
    /// Every node that was executed, with any result, in order.
    #[serde(default)]
    pub path: Vec<String>,
    /// Those of them that completed: in success or partial success.
    pub completed: Vec<String>,
    /// The latest nodes that were done with, for the workflow block of a prompt.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    pub latest: VecDeque<LeftNode>,
    /// Model turns since the run went to another node.
    #[serde(default)]
    pub turns: u32,
    /// Messages that wait for a prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steering: Vec<Steering>,
    /// Limits that have been warned about.
    pub warned: BTreeSet<String>,
    /// Nodes whose work is scripted, whatever their kind.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub scripted: BTreeSet<String>,
    /// Whether nothing is real: what nodes would set is not there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry: bool,
    /// Whether gates show the files the run has changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub compares_files: bool,
    /// Whether a model that a node called was simulated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simulated: bool,
    /// The latest folders of branches that nobody needs any more. The process may have ended before it removed them.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    pub unneeded: VecDeque<Worktree>,
    /// Where it pauses, and whether it is paused.
    #[serde(default, skip_serializing_if = "Pausing::is_default")]
    pub pausing: Pausing,
    /// How the run ended.
    pub end: Option<End>,
}

/// How many of them are kept.
const MAX_UNNEEDED: usize = 64;

/// A node that was done with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftNode {
    /// The sub-pipeline it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
    /// The parallel branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The id of the node.
    pub node: String,
    /// Whether it failed.
    pub failed: bool,
    /// Why it escalated, when it is an escalation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How many of them are kept.
const MAX_LATEST: usize = 40;

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// The state it ended in.
    pub status: RunState,
    /// Why it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// What walked when the run failed or was stopped, to continue from.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub frames: BTreeMap<FrameId, Frame>,
}

/// One walker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Who waits for this frame; none for the main frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<FrameId>,
    /// The sub-pipeline it walks; none for the pipeline that was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
    /// The layer of the context it writes to.
    pub scope: u32,
    /// The parallel branch, for display.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The folder it works in; none for that of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree: Option<Worktree>,
    /// What its branches changed in folders of their own, until it is merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmerged: Option<Box<Unmerged>>,
    /// Nodes where it stops instead of entering: the join of its split.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub stops: BTreeSet<String>,
    /// Where it is.
    pub node: String,
    /// The visit of that node.
    pub visit: u32,
    /// The attempt within the visit.
    pub attempt: u32,
    /// How many attempts of this visit ended at a rate limit that the node waits for; they count for nothing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub limited: u32,
    /// When the attempt began, active milliseconds.
    pub since: u64,
    /// How often a goal gate sent it back.
    pub redirects: u32,
    /// Failed attempts of nodes since their last result.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub retries: BTreeMap<String, u32>,
    /// Rounds of the counted loops it is in, by `loop_id`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub loops: BTreeMap<String, u32>,
    /// What the edge it came by says about the conversation: `fidelity`, `thread_id`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub carried: BTreeMap<String, String>,
    /// What its last node produced.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub output: Value,
    /// The result a person is shown: that of the last node that did work; empty when it had none to show.
    /// Absent until a node of this frame did work, and then the frame it was opened by has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Value>,
    /// The node whose result `shown` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_by: Option<String>,
    /// The outcome of its node while the postconditions are verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unchecked: Option<Box<Outcome>>,
    /// The result of this visit of its node, from the moment it is recorded until the next node is entered. Other
    /// branches may be at the same node, so the record of the node does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Status>,
    /// Messages to its node, for the prompt of its attempt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<SteeringMessage>,
    /// Those that the work of its node has not read before it ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<SteeringMessage>,
    /// The questions that the work of its node has asked.
    #[serde(rename = "inquiries", default, skip_serializing_if = "Vec::is_empty")]
    pub node_questions: Vec<NodeQuestion>,
    /// The last message of its node, a supervisor, to the sub-pipeline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steered: Option<String>,
    /// When that was sent, active milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steered_at: Option<u64>,
    /// What it is doing.
    pub phase: Phase,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// What a frame is doing. `step` distinguishes late messages from current ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Phase {
    /// A handler runs.
    Executing {
        /// The step that messages must name.
        step: u64,
    },
    /// The next attempt is due.
    Backoff {
        /// The step that messages must name.
        step: u64,
        /// When it is due.
        #[serde(flatten)]
        timer: Timer,
    },
    /// A wait node lets time pass.
    Waiting {
        /// The step that messages must name.
        step: u64,
        /// When it is due.
        #[serde(flatten)]
        timer: Timer,
        /// Its `timeout` comes first.
        times_out: bool,
    },
    /// A person is asked.
    Asking {
        /// The step that messages must name.
        step: u64,
        /// The question.
        question: Question,
        /// What the answer is for.
        purpose: Purpose,
    },
    /// The run is paused before the frame continues.
    Held {
        /// The node that it continues with.
        node: String,
        /// Whether another attempt of the node it is at begins, not a visit.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        again: bool,
    },
    /// Branches run.
    #[serde(rename = "forked")]
    Split {
        /// The branches, and how far they are.
        #[serde(rename = "fork")]
        split: Split,
    },
    /// A sub-pipeline runs in `child`.
    Calling {
        /// The frame of the sub-pipeline.
        child: FrameId,
        /// Which iteration it is, from 1.
        iteration: u32,
        /// What was set in the context for the call alone.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        shadowed: BTreeMap<String, ShadowedKey>,
        /// The step of its deadline, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline: Option<u64>,
    },
}

/// A key that is set for the length of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShadowedKey {
    /// What it was before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<Value>,
    /// What it was set to.
    pub(crate) given: Value,
}

/// Why a question is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The node is a human gate.
    Gate,
    /// An `at_most_once` node was interrupted: run it again, or take it as done?
    Unknown,
}

/// The branches of a parallel node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// Where branches meet, if they do.
    pub(crate) stops: BTreeSet<String>,
    /// The branches, in order.
    pub(crate) branches: Vec<Branch>,
    /// The name of the folder that holds those of its branches, where they do not share the files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) worktrees: Option<String>,
    /// Where the run continues, once a branch has got there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) join: Option<String>,
    /// The step of its deadline, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) deadline: Option<u64>,
}

/// One branch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Branch {
    /// The prefix of its keys.
    pub(crate) name: String,
    /// Its first node.
    pub(crate) node: String,
    /// Its item, for `for_each`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) item: Option<Value>,
    /// How far it is.
    pub(crate) progress: BranchProgress,
}

/// How far a branch is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum BranchProgress {
    /// Waits for a free place.
    Queued,
    /// Runs.
    Running { frame: FrameId },
    /// Is done; its layer of the context is kept until all are.
    Done {
        status: Status,
        scope: u32,
        output: Value,
    },
    /// Was stopped, or never begun, because the others decided.
    Dropped,
}

impl State {
    /// The frame of a ticket, if the ticket is current.
    pub fn holder(&self, ticket: Ticket) -> Option<&Frame> {
        let frame = self.frames.get(&ticket.frame)?;
        (frame.step() == Some(ticket.step)).then_some(frame)
    }

    /// Notes that a frame is done with its node.
    pub(crate) fn leave(&mut self, frame: &Frame, failed: bool, reason: Option<String>) {
        self.path.push(frame.node.clone());
        if self.latest.len() == MAX_LATEST {
            self.latest.pop_front();
        }
        self.latest.push_back(LeftNode {
            graph: frame.graph.clone(),
            branch: frame.branch.clone(),
            node: frame.node.clone(),
            failed,
            reason,
        });
    }

    /// Notes that folders of branches are not needed any more.
    pub(super) fn note_unneeded(&mut self, worktrees: &[Worktree]) {
        self.unneeded.extend(worktrees.iter().cloned());
        let surplus = self.unneeded.len().saturating_sub(MAX_UNNEEDED);
        self.unneeded.drain(..surplus);
    }

    /// The nodes that have succeeded, in order.
    pub fn succeeded_nodes(&self) -> Vec<String> {
        let succeeded = |node: &&String| {
            let status = self.nodes.get(*node).and_then(|node| node.status.as_ref());
            status.is_none_or(|status| !status.is_failure())
        };
        self.completed.iter().filter(succeeded).cloned().collect()
    }

    /// The node the main frame runs next. When the run has ended that is the node that failed; none when the last
    /// one succeeded.
    pub fn next_node(&self) -> Option<String> {
        let ended = self.end.as_ref().map(|end| &end.frames);
        let mut frames = ended.unwrap_or(&self.frames).values();
        let frame = frames.find(|frame| frame.parent.is_none())?;
        if let Phase::Held { node, .. } = &frame.phase {
            return Some(node.clone());
        }
        let status = self.nodes.get(&frame.key(&frame.node))?.status.as_ref();
        let is_done = ended.is_some() && status.is_some_and(|status| !status.is_failure());
        (!is_done).then(|| frame.node.clone())
    }

    /// Whether nothing new starts.
    pub fn is_paused(&self) -> bool {
        self.pausing.paused.is_some() && !self.is_over()
    }

    /// Whether the run is over.
    pub fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// The questions that are open: of gates, and of the work of nodes. Each has a ticket of its own.
    fn questions(&self) -> impl Iterator<Item = (Ticket, &Frame, &Question)> {
        self.frames.iter().flat_map(|(id, frame)| {
            let gate = match &frame.phase {
                Phase::Asking { step, question, .. } => Some((*step, question)),
                _ => None,
            };
            let node_questions = frame.node_questions.iter().filter(|entry| entry.is_open());
            let node_questions = node_questions.map(|entry| (entry.step, &entry.question));
            let open = gate.into_iter().chain(node_questions);
            open.map(move |(step, question)| (Ticket { frame: *id, step }, frame, question))
        })
    }

    /// The open question with this id.
    pub fn question(&self, id: &str) -> Option<(Ticket, &Question)> {
        let (ticket, _, question) = self.questions().find(|(.., open)| open.id == id)?;
        Some((ticket, question))
    }

    /// The open question with this ticket, and the frame that asks it.
    pub fn question_of(&self, ticket: Ticket) -> Option<(&Frame, &Question)> {
        let (_, frame, question) = self.questions().find(|(own, ..)| *own == ticket)?;
        Some((frame, question))
    }

    /// Whether somebody is asked something.
    pub fn is_asking(&self) -> bool {
        self.questions().next().is_some()
    }
}

impl Frame {
    /// The step it waits for, if it waits for one.
    pub(crate) fn step(&self) -> Option<u64> {
        match &self.phase {
            Phase::Executing { step }
            | Phase::Backoff { step, .. }
            | Phase::Waiting { step, .. }
            | Phase::Asking { step, .. } => Some(*step),
            Phase::Split { split } => split.deadline,
            Phase::Calling { deadline, .. } => *deadline,
            Phase::Held { .. } => None,
        }
    }

    /// Where it is, for events.
    pub fn node_attempt(&self) -> NodeAttempt {
        NodeAttempt {
            node: self.node.clone(),
            graph: self.graph.clone(),
            branch: self.branch.clone(),
            visit: self.visit,
            attempt: self.attempt,
        }
    }

    /// The key of a node of its graph in [`State::nodes`]: `NODE`, `GRAPH/NODE` in a sub-pipeline, and
    /// `BRANCH:GRAPH/NODE` in one that a branch has called, which others may call at the same time.
    pub fn key(&self, node: &str) -> String {
        match (&self.branch, &self.graph) {
            (_, None) => node.to_owned(),
            (None, Some(graph)) => format!("{graph}/{node}"),
            (Some(branch), Some(graph)) => format!("{branch}:{graph}/{node}"),
        }
    }
}

impl End {
    /// A failure of the run itself.
    pub(crate) fn failed(node: Option<String>, class: FailureClass, reason: String) -> Self {
        Self {
            status: RunState::Fail,
            failure: Some(Failure {
                node,
                stopped: None,
                reason,
                class,
            }),
            frames: BTreeMap::new(),
        }
    }

    /// A limit of the run is met.
    pub(crate) fn at_limit(stopped: Option<StopPlace>, reason: String) -> Self {
        Self {
            status: RunState::Fail,
            failure: Some(Failure::at_limit(stopped, reason)),
            frames: BTreeMap::new(),
        }
    }
}
