//! A lane comes to a node: may it run, and what is to be done?

use attractor_model::NodeKind;

use super::{Command, LaneEnd, LaneId, Phase, Task, Ticket, Turn};
use crate::event::EventKind;
use crate::file_changes::ChangedFiles;
use crate::outcome::{FailureClass, Outcome};
use crate::text;
use crate::wording;

impl Turn<'_> {
    /// Goes to a node, unless branches meet there.
    pub(super) fn enter(&mut self, id: LaneId, node: &str) {
        let Some(lane) = self.lane(id) else { return };
        if lane.stops.contains(node) {
            self.todo.push_back(Task::Leave {
                lane: id,
                end: LaneEnd::Arrived(node.to_owned()),
            });
            return;
        }
        let key = lane.key(node);
        if self.plan.site(lane.graph.as_deref(), node).is_none() {
            let graph = lane.graph.clone();
            self.fail_lane(
                id,
                FailureClass::Configuration,
                wording::no_such_node(node, graph.as_deref()),
            );
            return;
        }
        if let Some(limit) = self.run_limit() {
            self.end_by_limit(id, limit);
            return;
        }
        if let Some(limit) = self.visit_limit(id, node, &key) {
            self.fail_lane(id, FailureClass::BudgetExhausted, limit);
            return;
        }
        self.state.steps += 1;
        let record = self.record(&key);
        record.visits += 1;
        record.status = None;
        let (visit, here) = (record.visits, record.visits_here());
        if let Some(lane) = self.lane_mut(id) {
            node.clone_into(&mut lane.node);
            lane.visit = visit;
            lane.attempt = lane.retries.get(node).copied().unwrap_or(0) + 1;
        }
        self.on_entry(id, here);
        self.begin(id);
    }

    /// Context keys a node sets when it is entered for the `visit`-th time.
    fn on_entry(&mut self, id: LaneId, visit: u32) {
        let Some(lane) = self.lane(id).cloned() else {
            return;
        };
        let Some(site) = self.site(&lane) else { return };
        let attributes = &site.node.attributes;
        let own: Vec<(String, String)> = ["var.", "context."]
            .into_iter()
            .flat_map(|prefix| attributes.with_prefix(prefix))
            .map(|(name, attribute)| {
                let value = text::plain(self.view(&lane, site), attribute.value());
                (name.to_owned(), value)
            })
            .collect();
        let contexts = &mut self.state.contexts;
        for (name, value) in own {
            contexts.set(
                lane.scope,
                name,
                attractor_lang::Value::read(&value).to_json(),
            );
        }
        contexts.set(lane.scope, "current_node", lane.node.as_str());
        contexts.set(lane.scope, "internal.node_visit_count", visit);
    }

    /// Begins an attempt of the node a lane stands at.
    pub(super) fn begin(&mut self, id: LaneId) {
        let clock = self.state.clock;
        let step = self.new_step();
        let Some(lane) = self.lane_mut(id) else {
            return;
        };
        lane.since = clock;
        lane.phase = Phase::Executing { step };
        let lane = lane.clone();
        let Some(site) = self.site(&lane) else { return };
        // In a dry run nothing takes time: its script only says what would be done.
        let waits = site.node.kind == NodeKind::Wait && !self.state.dry;
        let pause = waits.then(|| self.pause(&lane, site));
        let until = pause.as_ref().and_then(|pause| {
            let pause = pause.as_ref().ok()?;
            self.time_after(pause.millis)
        });
        let retries = lane.attempt.saturating_sub(1);
        self.state.contexts.set(lane.scope, "retries", retries);
        self.emit(EventKind::StageStarted {
            at: lane.place(),
            kind: site.node.kind.name().to_owned(),
            label: site.node.label().to_string(),
            until,
        });
        let missing: Vec<String> = site
            .node
            .attributes
            .list("requires")
            .into_iter()
            .filter(|key| self.view(&lane, site).json(key).is_none())
            .collect();
        if !missing.is_empty() && !self.state.dry {
            let reason = wording::missing_keys(&lane.node, &missing);
            self.finish(id, Outcome::fail(FailureClass::Configuration, reason));
            return;
        }
        let ticket = Ticket { lane: id, step };
        if self.state.scripted.contains(&lane.node) {
            self.out.push(Command::Execute(ticket));
            return;
        }
        if let Some(pause) = pause {
            self.wait(ticket, pause);
            return;
        }
        match site.node.kind {
            NodeKind::HumanGate if self.state.compares_files => {
                self.out.push(Command::CompareFiles(ticket));
            }
            NodeKind::HumanGate => self.ask_gate(id, &lane, site, ChangedFiles::default()),
            NodeKind::Parallel => self.fork(id, &lane, site),
            NodeKind::Supervisor | NodeKind::Pipeline => self.call(id, &lane, site),
            NodeKind::Escalate => self.escalate(id, &lane, site),
            NodeKind::Start
            | NodeKind::Exit
            | NodeKind::Codergen
            | NodeKind::Prompt
            | NodeKind::Conditional
            | NodeKind::FanIn
            | NodeKind::Tool
            | NodeKind::Wait
            | NodeKind::Loop
            | NodeKind::Checkpoint
            | NodeKind::Custom => self.out.push(Command::Execute(ticket)),
        }
    }

    /// The next attempt of a node is due.
    pub(super) fn try_again(&mut self, id: LaneId) {
        self.begin(id);
    }
}
