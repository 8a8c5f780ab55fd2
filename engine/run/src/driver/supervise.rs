//! When supervisors look at their sub-pipelines, and messages to nodes.

use std::time::Duration;

use attractor_machine::question::Answered;
use attractor_machine::transition::{InputKind, Phase, Supervision};
use tokio::time::Instant;

use super::looks::Looks;
use super::run_task::RunTask;
use crate::error::RunError;

impl RunTask {
    /// When a supervisor looks next. In a dry run nothing takes time, and none does; nor while the run is paused.
    pub(super) fn next_look(&mut self) -> Option<Instant> {
        if self.context.script.is_some() || self.context.state.is_paused() {
            return None;
        }
        let state = &self.context.state;
        let plan = &self.context.plan;
        let supervised = state.frames.iter().filter_map(|(id, frame)| {
            let Phase::Calling { child, .. } = &frame.phase else {
                return None;
            };
            let node_ref = plan.node_ref(frame.graph.as_deref(), &frame.node)?;
            Some((*id, *child, Supervision::of(node_ref)?))
        });
        let supervised: Vec<_> = supervised.collect();
        self.looks.retain(|looks| {
            let mut current = supervised.iter();
            current.any(|(frame, child, _)| (looks.frame, looks.child) == (*frame, *child))
        });
        for (frame, child, supervision) in supervised {
            let is_known = |looks: &Looks| (looks.frame, looks.child) == (frame, child);
            if !self.looks.iter().any(is_known) {
                self.looks.push(Looks {
                    frame,
                    child,
                    supervision,
                    next: Some(Instant::now() + Duration::from_millis(supervision.interval)),
                });
            }
        }
        self.looks.iter().filter_map(|looks| looks.next).min()
    }

    /// The looks that are due.
    pub(super) fn look(&mut self) -> Result<(), RunError> {
        let now = Instant::now();
        let mut due = Vec::new();
        for looks in &mut self.looks {
            if looks.next.is_some_and(|next| next <= now) {
                let interval = Duration::from_millis(looks.supervision.interval);
                looks.next = looks.supervision.waits.then(|| now + interval);
                due.push((looks.frame, looks.child));
            }
        }
        let snapshot = self.context.handle.snapshot();
        for (frame, child) in due {
            let name = self.context.state.frames.get(&frame);
            let name = name.and_then(attractor_machine::transition::Frame::child_run);
            let run = name.and_then(|name| child_named(&snapshot, &name));
            if let Some(run) = run {
                let report = Box::new(crate::runs::status_report::status_report(run));
                self.apply(InputKind::Observed {
                    frame,
                    child,
                    report,
                })?;
            }
        }
        Ok(())
    }

    /// Hands a message to a node that runs and reads messages, else keeps it for the next prompt of the node.
    pub(super) fn steer_or_keep(
        &mut self,
        node: &str,
        message: &str,
        by: String,
    ) -> Result<Answered, RunError> {
        let delivered = self.steer(node, message, by.clone())?;
        if delivered.accepted {
            return Ok(delivered);
        }
        let (graph, id) = match node.rsplit_once('/') {
            Some((graph, id)) => (Some(graph), id),
            None => (None, node),
        };
        let found = self.context.plan.node_ref(graph, id);
        let reason = match found {
            None => Some(attractor_machine::transition::reasons::no_such_node(
                id, graph,
            )),
            Some(found) if !found.node.kind.calls_model() => {
                Some(crate::handlers::reasons::no_prompt(id))
            }
            Some(_) => None,
        };
        if reason.is_none() {
            self.apply(InputKind::Steered {
                node: node.to_owned(),
                message: self.redactor.text(message).into_owned(),
                by,
            })?;
        }
        Ok(reason.map_or_else(Answered::accepted, Answered::refused))
    }
}

/// The run of a sub-pipeline, however deep.
fn child_named<'s>(run: &'s crate::RunSnapshot, name: &str) -> Option<&'s crate::RunSnapshot> {
    let own = run.children.get(name).map(|child| &child.run);
    own.or_else(|| {
        let mut children = run.children.values();
        children.find_map(|child| child_named(&child.run, name))
    })
}
