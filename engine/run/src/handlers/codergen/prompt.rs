//! The text of a prompt.

use attractor_lang::referred_file;

use crate::handlers::Work;
use crate::handlers::workflow::{self, with_workflow};

/// The prompt with everything that belongs to it.
pub(super) fn of(work: Work<'_>) -> Result<String, String> {
    let action = action(work)?;
    let prompt = with_additions(work, action.clone());
    Ok(with_workflow(work, action, prompt))
}

/// What the node is to do.
fn action(work: Work<'_>) -> Result<String, String> {
    let node_ref = work.node_ref;
    Ok(match node_ref.written("prompt_file") {
        Some(path) => match work.file(path) {
            Some(content) => attractor_machine::context::text::plain(work.view, content),
            None => {
                return Err(format!(
                    "`{}` reads its prompt from `{path}`, which cannot be read",
                    work.frame.node
                ));
            }
        },
        None => match node_ref.written("prompt") {
            Some(text) if referred_file(text).is_some_and(|path| work.file(path).is_none()) => {
                return Err(format!(
                    "`{}` reads its prompt from `{text}`, which cannot be read",
                    work.frame.node
                ));
            }
            Some(text) => work.fill(text),
            None => work.fill(node_ref.node.label()),
        },
    })
}

/// The prompt after the action: instructions, values, feedback, messages.
fn with_additions(work: Work<'_>, mut prompt: String) -> String {
    let node_ref = work.node_ref;
    let extra = work.text("user_instructions");
    if let Some(extra) = extra.filter(|extra| !workflow::shows_hint(work, extra)) {
        prompt.push_str("\n\n");
        prompt.push_str(&extra);
    }
    for key in node_ref.node.attributes.list("context_keys") {
        if let Some(value) = work.view.text(&key) {
            prompt.extend(["\n\n## ", &key, "\n", &value]);
        }
    }
    if let Some(node) = node_ref.written("feedback_from") {
        let feedback = ["response", "output"]
            .iter()
            .find_map(|kind| work.view.text(&format!("{kind}.{node}")));
        if let Some(feedback) = feedback {
            prompt.extend(["\n\n## Feedback from ", node, "\n", &feedback]);
        }
    }
    for message in &work.frame.messages {
        prompt.extend(["\n\n## Message\n", &message.text]);
    }
    prompt
}
