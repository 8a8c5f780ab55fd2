//! Inputs for machines in tests.

use super::{Frame, InputKind, State};
use crate::frame::FrameId;
use crate::question::{Question, QuestionKind, Reading};

/// The frames that wait for something to happen.
pub(super) fn waiting(state: &State) -> Vec<(FrameId, &Frame)> {
    let waits = state
        .frames
        .iter()
        .filter(|(_, frame)| frame.step().is_some());
    waits.map(|(id, frame)| (*id, frame)).collect()
}

/// An answer to a question: one of its options by chance, words where it asks for words.
pub(super) fn answer(question: &Question, choice: u8) -> InputKind {
    let options = &question.options;
    let option = options.get(usize::from(choice) % options.len().max(1));
    InputKind::Answered {
        question: question.id.clone(),
        reading: Reading {
            keys: option
                .map(|option| option.key.clone())
                .into_iter()
                .collect(),
            text: (question.kind == QuestionKind::Freeform).then(|| "text".to_owned()),
        },
        by: "test".to_owned(),
    }
}
