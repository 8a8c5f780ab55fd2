//! A run step by step: its journal replayed, so that its state at every moment can be seen.
//!
//! Nothing is executed. Memory grows with the journal without the output of steps, and with one stored state for every
//! [`SPACING`] steps: any other one is at most so many steps away.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_machine::event::{Event, EventKind};
use attractor_machine::plan::Plan;
use attractor_machine::transition::{Effect, Input, State, next};

use super::changes::plan_of;
use super::recover::base;
use crate::error::RunError;
use crate::launch::ModeName;
use crate::replay::steps::mismatch;
use crate::store::journal_tail::JournalTail;
use crate::store::{Layout, Manifest, Record};

/// Steps between two stored states.
const SPACING: usize = 64;

/// A run step by step.
pub struct History {
    run: String,
    mode: ModeName,
    plan: Plan,
    files: Vec<RunFile>,
    journal: PathBuf,
    tail: JournalTail,
    /// Events before the first step: those of before a change of the pipeline.
    skipped: u64,
    /// The state then.
    beginning: State,
    /// The last event that was read.
    last: u64,
    steps: Vec<HistoryStep>,
    /// The states before the steps 0, [`SPACING`], twice that and so on.
    states: Vec<State>,
    state: State,
}

/// One input of the machine and the events that followed from it, without the output of steps.
#[derive(Debug, Clone)]
pub struct HistoryStep {
    /// The input.
    pub input: Input,
    /// The events.
    pub events: Vec<Event>,
}

/// A DOT file of a run, as the run began with it.
#[derive(Debug, Clone)]
pub struct RunFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its text, secrets masked.
    pub text: Arc<str>,
}

impl History {
    /// Reads the run in `directory`.
    ///
    /// # Errors
    /// There is no run, its journal is damaged before its end, or does not follow from its pipeline.
    pub fn open(directory: &Path) -> Result<Self, RunError> {
        let layout = Layout::new(directory.to_owned());
        let manifest = Manifest::load(&layout)?;
        let (state, skipped) = match base(&layout) {
            Some((base, _)) => (base.state, base.seq),
            None => (State::default(), 0),
        };
        let mut history = Self {
            plan: plan_of(&manifest, &layout)?,
            files: files_of(&manifest, &layout),
            run: manifest.run,
            mode: manifest.mode,
            journal: layout.journal(),
            tail: JournalTail::new(directory),
            skipped,
            last: 0,
            steps: Vec::new(),
            states: Vec::new(),
            beginning: state.clone(),
            state,
        };
        history.read()?;
        Ok(history)
    }

    /// Reads what the journal has more than before, and gives its events in order, with the output of steps.
    ///
    /// # Errors
    /// As [`History::open`].
    pub fn read(&mut self) -> Result<Vec<Event>, RunError> {
        let records = self.tail.read_records()?;
        let mut events = Vec::with_capacity(records.len());
        if records
            .first()
            .is_some_and(|first| first.event.seq <= self.last)
        {
            // A crash has cost the last events, and the run was resumed.
            self.steps.clear();
            self.states.clear();
            self.state = self.beginning.clone();
        }
        for record in records {
            self.last = record.event.seq;
            events.push(record.event.clone());
            if record.event.seq > self.skipped {
                self.add(record)?;
            }
        }
        Ok(events)
    }

    fn add(&mut self, record: Record) -> Result<(), RunError> {
        if let Some(input) = record.input.clone() {
            if self.steps.len().is_multiple_of(SPACING) {
                self.states.push(self.state.clone());
            }
            let state = std::mem::take(&mut self.state);
            let (state, effects) = next(&self.plan, state, input.clone());
            self.state = state;
            let mut emitted = effects.iter().filter_map(|effect| match effect {
                Effect::Emit(kind) => Some(kind.as_ref()),
                _ => None,
            });
            let first = emitted.next();
            if first != Some(&record.event.kind) && !record.event.kind.is_from_driver() {
                return Err(mismatch(&self.journal, &record, first));
            }
            self.steps.push(HistoryStep {
                input,
                events: Vec::new(),
            });
        }
        let is_output = matches!(record.event.kind, EventKind::StageOutput { .. });
        if let Some(step) = self.steps.last_mut().filter(|_| !is_output) {
            step.events.push(record.event);
        }
        Ok(())
    }

    /// The id of the run.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// How real it is.
    pub fn mode(&self) -> ModeName {
        self.mode
    }

    /// What it walks.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Its DOT files: that of the pipeline that was started first.
    pub fn files(&self) -> &[RunFile] {
        &self.files
    }

    /// The steps.
    pub fn steps(&self) -> &[HistoryStep] {
        &self.steps
    }

    /// The state after the last step.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Shows every step, with the state before it.
    pub fn walk(&self, mut show: impl FnMut(&State, &HistoryStep)) {
        let mut state = self.beginning.clone();
        for step in &self.steps {
            show(&state, step);
            state = next(&self.plan, state, step.input.clone()).0;
        }
    }

    /// The state after the first `count` steps.
    pub fn state_after(&self, count: usize) -> State {
        if count >= self.steps.len() {
            return self.state.clone();
        }
        let stored = count / SPACING;
        let state = self.states.get(stored).cloned().unwrap_or_default();
        let from = stored * SPACING;
        let steps = self.steps.get(from..count).unwrap_or_default();
        steps.iter().fold(state, |state, step| {
            next(&self.plan, state, step.input.clone()).0
        })
    }
}

fn files_of(manifest: &Manifest, layout: &Layout) -> Vec<RunFile> {
    let path = &manifest.source.path;
    let folder = path.parent().unwrap_or(Path::new(""));
    let called = manifest.sources.iter().map(|source| {
        let name = source.path.to_string_lossy();
        (folder.join(&source.path), layout.file(&name))
    });
    let copies = std::iter::once((path.clone(), layout.pipeline())).chain(called);
    copies
        .filter_map(|(path, copy)| {
            let text = fs::read_to_string(copy).ok()?.into();
            Some(RunFile { path, text })
        })
        .collect()
}
