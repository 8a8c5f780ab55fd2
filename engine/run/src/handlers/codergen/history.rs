//! What a model sees of the run: a preamble, or the conversation of its thread.

use attractor_machine::outcome::Status;
use attractor_model::fidelity::{DEFAULT_THREAD, Fidelity, History, Step, preamble, turn_key};

use crate::backend::{CodergenRequest, Turn};
use crate::handlers::Work;

/// Adds what the model sees of the run, as the `fidelity` of the node says. Gives the key that this turn of a
/// conversation is kept under.
pub(super) fn add(work: Work<'_>, request: &mut CodergenRequest) -> Option<String> {
    let fidelity = request.option("fidelity").and_then(Fidelity::parse)?;
    let detail = match fidelity {
        Fidelity::Preamble(detail) => detail,
        Fidelity::Full => {
            let thread = request.option("thread_id").unwrap_or(DEFAULT_THREAD);
            let thread = thread.to_owned();
            request.conversation = conversation(work, &thread);
            return Some(turn_key(&thread, request.conversation.len() + 1));
        }
    };
    let preamble = preamble(detail, &history(work));
    if !preamble.is_empty() {
        request.preamble = format!("{preamble}\n");
    }
    None
}

/// The turns of a thread. They are in the context, so that a run that is resumed continues the conversation.
fn conversation(work: Work<'_>, thread: &str) -> Vec<Turn> {
    let turn = |number| {
        let turn = work.view.json(&turn_key(thread, number))?;
        let text = |name| Some(turn.get(name)?.as_str()?.to_owned());
        Some(Turn {
            prompt: text("prompt")?,
            answer: text("answer")?,
        })
    };
    (1..).map_while(turn).collect()
}

/// What happened in the pipeline of a node; of a node that ran several times, the last time.
fn history(work: Work<'_>) -> History {
    let goal = work.node_ref.pipeline.attributes.text("goal");
    let mut steps: Vec<Step> = Vec::new();
    for node in work.state.path.iter().rev() {
        let is_known = steps.iter().any(|step| step.node == *node);
        if is_known || work.node_ref.at(node).is_none() {
            continue;
        }
        let record = work.state.nodes.get(&work.frame.key(node));
        let status = record.and_then(|record| record.status.as_ref());
        let result = ["response", "output"]
            .iter()
            .find_map(|kind| work.view.text(&format!("{kind}.{node}")));
        steps.push(Step {
            node: node.clone(),
            status: status.map_or("done", Status::name).to_owned(),
            result: result.unwrap_or_default(),
        });
    }
    steps.reverse();
    History {
        goal: goal.map(|goal| work.fill(goal)).unwrap_or_default(),
        steps,
    }
}
