//! The trace of a dry run: the nodes it entered, and the edge by which it reached each.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use attractor_run::{ClauseValue, Event, EventKind, NodeAttempt, Rule, RunReport, bare_label};

/// The category of a model call that a recording has no answer to.
const NOT_RECORDED: &str = "not_recorded";

/// A run, step by step.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Every node it entered, in order.
    pub steps: Vec<Step>,
    /// Every edge it took and every jump it made, in order.
    pub crossings: Vec<Crossing>,
    /// Requests to models that the cassette has no answer to, in order: the node, and the problem.
    pub unrecorded: Vec<(String, String)>,
    /// How it ended.
    pub report: Arc<RunReport>,
}

/// A node that was entered.
#[derive(Clone, Debug)]
pub struct Step {
    /// The node.
    pub node: String,
    /// The sub-pipeline it belongs to.
    pub graph: Option<String>,
    /// The parallel branch it belongs to.
    pub branch: Option<String>,
    /// How often it has been entered, from 1.
    pub visit: u32,
    /// The attempts of this visit.
    pub attempts: u32,
    /// The number of its first attempt among all attempts of the node, from 0.
    pub first_attempt: u32,
    /// The crossing that led to it, by its place in [`Trace::crossings`].
    pub by: Option<usize>,
    /// The labels of the choices, when it asked a person.
    pub choices: Vec<String>,
    /// How it was answered.
    pub answer: Option<String>,
}

/// A way from one node to another.
#[derive(Clone, Debug)]
pub struct Crossing {
    /// From this node.
    pub from: String,
    /// To this node.
    pub to: String,
    /// The sub-pipeline both belong to.
    pub graph: Option<String>,
    /// The rule that chose it; `None` is the beginning of a parallel branch.
    pub rule: Option<Rule>,
    /// The edge's label.
    pub label: Option<String>,
    /// The edge's condition.
    pub condition: Option<String>,
    /// The comparisons that were evaluated.
    pub clauses: Vec<ClauseValue>,
    branch: Option<String>,
}

impl Trace {
    /// The trace of a run that has ended.
    pub(crate) fn of(events: &[Arc<Event>], report: Arc<RunReport>) -> Self {
        let builder = Builder::read(events);
        Self {
            steps: builder.steps,
            crossings: builder.crossings,
            unrecorded: builder.unrecorded,
            report,
        }
    }

    /// The nodes that a run entered.
    pub(crate) fn steps_of(events: &[Arc<Event>]) -> Vec<Step> {
        Builder::read(events).steps
    }

    /// How many attempts of a node there were, over all its visits.
    pub(crate) fn attempts(&self, node: &str) -> usize {
        let steps = self.steps.iter().filter(|step| step.node == node);
        steps.map(|step| step.attempts as usize).sum()
    }

    /// How often a node was entered.
    pub(crate) fn visits(&self, node: &str) -> usize {
        self.steps.iter().filter(|step| step.node == node).count()
    }

    /// The nodes it entered, in order.
    pub fn path(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| step.node.as_str())
    }

    /// The last node of the pipeline itself that it entered.
    pub fn last_node(&self) -> Option<&str> {
        let mut steps = self.steps.iter().rev();
        let step = steps.find(|step| step.graph.is_none())?;
        Some(&step.node)
    }
}

#[derive(Default)]
struct Builder {
    steps: Vec<Step>,
    crossings: Vec<Crossing>,
    unrecorded: Vec<(String, String)>,
    /// The parallel node of branches that have not entered a node yet.
    opened: BTreeMap<String, String>,
    attempts: BTreeMap<String, u32>,
    seen: BTreeSet<(Option<String>, String, u32)>,
}

impl Builder {
    fn read(events: &[Arc<Event>]) -> Self {
        let mut builder = Self::default();
        for event in events {
            builder.add(&event.kind);
        }
        builder
    }

    fn add(&mut self, event: &EventKind) {
        match event {
            EventKind::EdgeSelected {
                from,
                to,
                graph,
                branch,
                rule,
                label,
                condition,
                clauses,
                ..
            } => self.crossings.push(Crossing {
                from: from.clone(),
                to: to.clone(),
                graph: graph.clone(),
                rule: Some(*rule),
                label: label.clone(),
                condition: condition.clone(),
                clauses: clauses.clone(),
                branch: branch.clone(),
            }),
            EventKind::ParallelBranchStarted { at, name, .. } => {
                let path = match &at.branch {
                    Some(outer) => format!("{outer}/{name}"),
                    None => name.clone(),
                };
                self.opened.insert(path, at.node.clone());
            }
            EventKind::StageStarted { at, .. } => self.started(at),
            EventKind::StageFailed {
                at,
                reason,
                model: Some(model),
                ..
            } if model.category.as_deref() == Some(NOT_RECORDED) => {
                self.unrecorded.push((at.node.clone(), reason.clone()));
            }
            EventKind::InterviewStarted { at, question } => {
                if let Some(step) = self.step_mut(at) {
                    let labels = question.options.iter().map(|option| option.label.clone());
                    step.choices = labels.collect();
                }
            }
            EventKind::InterviewCompleted { at, answer, .. } => {
                if let Some(step) = self.step_mut(at) {
                    step.answer = Some(bare_label(answer).to_owned());
                }
            }
            _ => {}
        }
    }

    /// The newest visit of a node.
    fn step_mut(&mut self, at: &NodeAttempt) -> Option<&mut Step> {
        let mut steps = self.steps.iter_mut().rev();
        steps.find(|step| step.node == at.node && step.graph == at.graph)
    }

    fn started(&mut self, at: &NodeAttempt) {
        let attempts = self.attempts.entry(at.node.clone()).or_default();
        let first_attempt = *attempts;
        *attempts += 1;
        if !self
            .seen
            .insert((at.graph.clone(), at.node.clone(), at.visit))
        {
            if let Some(step) = self.step_mut(at) {
                step.attempts += 1;
            }
            return;
        }
        let from = at
            .branch
            .as_ref()
            .and_then(|branch| self.opened.remove(branch));
        if let Some(from) = from {
            self.crossings.push(Crossing {
                from,
                to: at.node.clone(),
                graph: at.graph.clone(),
                rule: None,
                label: None,
                condition: None,
                clauses: Vec::new(),
                branch: at.branch.clone(),
            });
        }
        let by = self.crossings.iter().rposition(|crossing| {
            crossing.to == at.node && crossing.graph == at.graph && crossing.branch == at.branch
        });
        self.steps.push(Step {
            node: at.node.clone(),
            graph: at.graph.clone(),
            branch: at.branch.clone(),
            visit: at.visit,
            attempts: 1,
            first_attempt,
            by,
            choices: Vec::new(),
            answer: None,
        });
    }
}
