//! Answers without a person: the default choice of a question, and the option that approves.

use crate::question::{Answer, Question, QuestionKind, QuestionOption};

/// The default choice of the question, else the first that approves, else the first: what a dry run takes.
pub fn walk_through(question: &Question) -> Answer {
    by_default(question)
        .or_else(|| approve(question))
        .unwrap_or_else(|| Answer {
            choice: String::new(),
            text: Some("(dry run)".to_owned()),
            by: String::new(),
        })
        .by("dry run")
}

/// The first option that approves, else the first; for a question about text, its default.
pub fn approve(question: &Question) -> Option<Answer> {
    let mut complete = question.options.iter().filter(|option| !option.freeform);
    let option = complete
        .clone()
        .find(|option| option.approves)
        .or_else(|| complete.next());
    match option {
        Some(option) => Some(choose(option, "auto-approve")),
        None if question.kind == QuestionKind::Freeform => by_default(question),
        None => None,
    }
}

/// The default choice.
pub fn by_default(question: &Question) -> Option<Answer> {
    let default = question.default.as_deref()?;
    Some(Answer {
        choice: default.to_owned(),
        text: None,
        by: "default choice".to_owned(),
    })
}

fn choose(option: &QuestionOption, by: &str) -> Answer {
    Answer {
        choice: option.key.clone(),
        text: None,
        by: by.to_owned(),
    }
}

impl Answer {
    /// The same, given by someone else.
    #[must_use]
    pub fn by(mut self, by: &str) -> Self {
        by.clone_into(&mut self.by);
        self
    }
}
