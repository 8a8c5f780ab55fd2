//! Who answers the questions of a run.
//!
//! The rule is: fail closed. A question that nobody can answer is never answered with a silent yes;
//! it takes the pipeline's own default choice or the run fails and says why.

use std::collections::BTreeMap;

use crate::question::{Answer, Question, QuestionKind, QuestionOption};

/// Who is there to be asked.
#[derive(Debug, Clone, Default)]
pub enum AnswerPolicy {
    /// Somebody may answer through the run's handle, now or later; questions stay open.
    Ask,
    /// Every question is approved, and the journal says by whom.
    AutoApprove,
    /// Prepared answers by node, used in order; the last one repeats.
    Scripted(BTreeMap<String, Vec<String>>),
    /// No one. A question without a default choice fails the run.
    #[default]
    Unattended,
}

/// What to do with a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Leave it open.
    Wait,
    /// This is the answer.
    Answer(Answer),
    /// Nobody can answer it.
    Refuse(String),
}

impl AnswerPolicy {
    /// What becomes of `question`; `asked` is how often its node has asked before.
    pub fn decide(&self, question: &Question, asked: u32) -> Verdict {
        match self {
            Self::Ask => Verdict::Wait,
            Self::AutoApprove => approve(question).map_or_else(
                || {
                    Verdict::Refuse(format!(
                        "`{}` wants text, which auto-approve cannot give",
                        question.node
                    ))
                },
                Verdict::Answer,
            ),
            Self::Scripted(script) => {
                let prepared = script.get(&question.node).and_then(|answers| {
                    let index = usize::try_from(asked).unwrap_or(usize::MAX);
                    answers.get(index).or_else(|| answers.last())
                });
                match prepared {
                    Some(text) => Verdict::Answer(Answer {
                        choice: text.clone(),
                        text: None,
                        by: "prepared answers".to_owned(),
                    }),
                    None => default_or_refuse(question, "no answer is prepared for it"),
                }
            }
            Self::Unattended => default_or_refuse(question, "there is nobody to ask"),
        }
    }
}

/// The default choice of the question, else the first that approves, else the first: what a dry run takes.
pub(crate) fn walk_through(question: &Question) -> Answer {
    by_default(question)
        .or_else(|| approve(question))
        .unwrap_or_else(|| Answer {
            choice: String::new(),
            text: Some("(dry run)".to_owned()),
            by: String::new(),
        })
        .by("dry run")
}

fn approve(question: &Question) -> Option<Answer> {
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

fn by_default(question: &Question) -> Option<Answer> {
    let default = question.default.as_deref()?;
    Some(Answer {
        choice: default.to_owned(),
        text: None,
        by: "default choice".to_owned(),
    })
}

fn default_or_refuse(question: &Question, why: &str) -> Verdict {
    by_default(question).map_or_else(
        || {
            Verdict::Refuse(format!(
                "`{}` asks “{}”, and {why}: answer it in an editor or a terminal, give an answers file, \
                 set `human.default_choice` on it, or approve everything with --auto-approve",
                question.node, question.text
            ))
        },
        Verdict::Answer,
    )
}

fn choose(option: &QuestionOption, by: &str) -> Answer {
    Answer {
        choice: option.key.clone(),
        text: None,
        by: by.to_owned(),
    }
}

impl Answer {
    fn by(mut self, by: &str) -> Self {
        by.clone_into(&mut self.by);
        self
    }
}
