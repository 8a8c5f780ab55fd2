//! The run that is debugged: its history, the moment that is shown, and where its nodes are in files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use attractor_ide::position::Position;
use attractor_machine::context::View;
use attractor_machine::frame::FrameId;
use attractor_machine::plan::NodeRef;
use attractor_machine::transition::{Frame, Phase, State};
use attractor_run::{Event, EventKind, History, NodeAttempt, node_point};

use crate::places::{Places, read_file};

/// The run that is debugged.
pub(crate) struct Debuggee {
    pub(crate) history: History,
    pub(crate) directory: PathBuf,
    /// Whether a process works on it.
    pub(crate) is_live: bool,
    /// The file of each pipeline; that of the one that was started under the empty name.
    files: BTreeMap<String, PathBuf>,
    /// The places of the files as the run began with them.
    places: BTreeMap<PathBuf, Places>,
    /// Every visit, in order.
    visits: Vec<Visit>,
    /// Steps whose visits are known.
    scanned: usize,
    moment: Moment,
    shown: State,
    /// The frames at the last node, where the run has ended without any.
    last: Option<BTreeMap<FrameId, Frame>>,
}

/// The beginning of a visit.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    /// Steps up to the one that began it.
    pub(crate) steps: usize,
    pub(crate) at: NodeAttempt,
}

/// What of the run is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// How it is now, or was at its end.
    Now,
    /// The beginning of a visit, by its position.
    Past(usize),
}

impl Debuggee {
    pub(crate) fn new(history: History, directory: PathBuf, is_live: bool) -> Self {
        let root = history.plan().root().name.clone();
        let mut files = BTreeMap::new();
        let mut places = BTreeMap::new();
        for file in history.files() {
            for pipeline in attractor_model::Pipeline::from_text(&file.text) {
                let name = pipeline.name.clone();
                files.entry(name).or_insert_with(|| file.path.clone());
            }
            let own = Places::of(&file.text, Some(&root));
            places.entry(file.path.clone()).or_insert(own);
        }
        if let Some(first) = history.files().first() {
            files.insert(String::new(), first.path.clone());
        }
        let mut debuggee = Self {
            shown: history.state().clone(),
            history,
            directory,
            is_live,
            files,
            places,
            visits: Vec::new(),
            scanned: 0,
            moment: Moment::Now,
            last: None,
        };
        debuggee.scan();
        debuggee.show(Moment::Now);
        debuggee
    }

    /// Takes in what the history has more than before.
    pub(crate) fn scan(&mut self) {
        let steps = self.history.steps();
        self.scanned = self.scanned.min(steps.len());
        let scanned = self.scanned;
        self.visits.retain(|visit| visit.steps <= scanned);
        for (index, step) in steps.iter().enumerate().skip(self.scanned) {
            let begun = step.events.iter().filter_map(visit_of);
            self.visits.extend(begun.map(|at| Visit {
                steps: index + 1,
                at: at.clone(),
            }));
        }
        // The last step may not have all of its events yet: the next scan rereads it.
        self.scanned = steps.len().saturating_sub(1);
    }

    pub(crate) fn visits(&self) -> &[Visit] {
        &self.visits
    }

    pub(crate) fn moment(&self) -> Moment {
        self.moment
    }

    /// Goes to a moment that is shown later.
    pub(crate) fn mark(&mut self, moment: Moment) {
        self.moment = moment;
    }

    /// Shows a moment.
    pub(crate) fn show(&mut self, moment: Moment) {
        self.moment = moment;
        let visit = match moment {
            Moment::Now => None,
            Moment::Past(index) => self.visits.get(index),
        };
        self.shown = match visit {
            Some(visit) => self.history.state_after(visit.steps),
            None => self.history.state().clone(),
        };
        let left_none = |state: &State| state.end.as_ref().is_some_and(|end| end.frames.is_empty());
        let last = self.visits.last().filter(|_| left_none(&self.shown));
        self.last = last.map(|visit| self.history.state_after(visit.steps).frames);
    }

    /// The state of the moment.
    pub(crate) fn state(&self) -> &State {
        &self.shown
    }

    /// Steps up to the moment.
    pub(crate) fn steps_shown(&self) -> usize {
        match self.moment {
            Moment::Now => self.history.steps().len(),
            Moment::Past(index) => self.visits.get(index).map_or(0, |visit| visit.steps),
        }
    }

    /// The frames at the moment; of a run that has ended, those at its end or else at its last node.
    pub(crate) fn frames(&self) -> &BTreeMap<FrameId, Frame> {
        if let Some(last) = &self.last {
            return last;
        }
        let ended = self.shown.end.as_ref();
        ended.map_or(&self.shown.frames, |end| &end.frames)
    }

    pub(crate) fn frame(&self, id: FrameId) -> Option<&Frame> {
        self.frames().get(&id)
    }

    /// The node a frame is at, or is held before.
    pub(crate) fn node_ref(&self, frame: &Frame) -> Option<NodeRef<'_>> {
        let plan = self.history.plan();
        plan.node_ref(frame.graph.as_deref(), node_of(frame))
    }

    /// The context as a frame sees it.
    pub(crate) fn view<'v>(&'v self, frame: &Frame) -> Option<View<'v>> {
        let plan = self.history.plan();
        let pipeline = match frame.graph.as_deref() {
            None => Some(plan.root()),
            Some(graph) => plan.called(graph),
        };
        let view = self.shown.contexts.view(frame.scope, pipeline?);
        Some(view.with_large_values(plan.large_values()))
    }

    /// Whether the plan has a node, by its point.
    pub(crate) fn has_node(&self, point: &str) -> bool {
        let (graph, node) = match point.rsplit_once('/') {
            Some((graph, node)) => (Some(graph), node),
            None => (None, point),
        };
        self.history.plan().node_ref(graph, node).is_some()
    }

    /// The name of the pipeline that was started.
    pub(crate) fn root(&self) -> &str {
        &self.history.plan().root().name
    }

    /// The places of a file when the run began.
    pub(crate) fn places_of(&self, path: &Path) -> Option<&Places> {
        self.places.get(path)
    }

    /// Where a node is: in its file as it is now, else as the run began with it.
    pub(crate) fn locate(&self, graph: Option<&str>, node: &str) -> Option<(PathBuf, Position)> {
        let path = self.files.get(graph.unwrap_or_default())?;
        let point = node_point(graph, node);
        let now = read_file(path).map(|text| Places::of(&text, Some(self.root())));
        let now = now.and_then(|places| places.node(&point));
        let position = now.or_else(|| self.places.get(path)?.node(&point));
        Some((path.clone(), position?))
    }
}

/// The node a frame is at, or is held before.
pub(crate) fn node_of(frame: &Frame) -> &str {
    match &frame.phase {
        Phase::Held { node, .. } => node,
        _ => &frame.node,
    }
}

fn visit_of(event: &Event) -> Option<&NodeAttempt> {
    match &event.kind {
        EventKind::StageStarted { at, .. } if at.attempt == 1 => Some(at),
        _ => None,
    }
}
