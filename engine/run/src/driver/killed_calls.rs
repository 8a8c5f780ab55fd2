//! What attempts had used that an engine was killed within: their calls of models are in the journal, their outcome is not.

use attractor_machine::event::{Event, EventKind, NodeAttempt};
use attractor_machine::outcome::Usage;
use attractor_machine::transition::InputKind;

/// What the calls used that count in no outcome, as inputs of the run.
pub(super) fn spent<'e>(events: impl Iterator<Item = &'e Event>) -> Vec<InputKind> {
    let mut open: Vec<(&NodeAttempt, Usage)> = Vec::new();
    for event in events {
        match &event.kind {
            EventKind::AgentModelCall { at, call } => {
                match open.iter_mut().find(|(attempt, _)| *attempt == at) {
                    Some((_, usage)) => usage.add(&call.usage),
                    None => open.push((at, call.usage)),
                }
            }
            EventKind::StageCompleted { at, .. }
            | EventKind::StageFailed { at, .. }
            | EventKind::StageStopped { at, .. } => open.retain(|(attempt, _)| *attempt != at),
            _ => {}
        }
    }
    let spent = open.into_iter().filter(|(_, usage)| !usage.is_zero());
    spent
        .map(|(at, usage)| InputKind::Spent {
            stage: Box::new(at.clone()),
            usage: Box::new(usage),
        })
        .collect()
}
