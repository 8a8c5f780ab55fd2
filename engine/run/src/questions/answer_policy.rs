//! Who answers the questions of a run.
//!
//! The rule is: fail closed. A question that no person can answer is never approved silently;
//! it takes the pipeline's own default choice or the run fails and says why.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use attractor_machine::question::prepared_answer::{approve, by_default};
use attractor_machine::question::{Answer, Question};

use crate::questions::interviewer::Interviewer;

/// Who is there to be asked.
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum AnswerPolicy {
    /// Answers come through the run's handle, now or later; questions stay open.
    Ask,
    /// Every question is approved, and the journal says by whom.
    AutoApprove,
    /// Prepared answers by node, used in order; the last one repeats.
    Scripted(BTreeMap<String, Vec<String>>),
    /// This interviewer is asked; an answer may also come through the run's handle.
    Interviewer(Arc<dyn Interviewer>),
    /// No one. A question without a default choice fails the run.
    #[default]
    Unattended,
    /// No one. Questions are approved, each with a warning in the output of its node.
    ApproveWithWarning,
}

impl fmt::Debug for AnswerPolicy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ask => out.write_str("Ask"),
            Self::AutoApprove => out.write_str("AutoApprove"),
            Self::Scripted(answers) => out.debug_tuple("Scripted").field(answers).finish(),
            Self::Interviewer(who) => out.debug_tuple("Interviewer").field(&who.name()).finish(),
            Self::Unattended => out.write_str("Unattended"),
            Self::ApproveWithWarning => out.write_str("ApproveWithWarning"),
        }
    }
}

/// What to do with a question.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Leave it open.
    Wait,
    /// This is the answer.
    Answer(Answer),
    /// No person can answer it.
    Refuse(String),
}

impl AnswerPolicy {
    /// Whether a question of this node may be answered, as far as that is known before it is asked.
    pub(crate) fn can_ask(&self, node: &str) -> bool {
        match self {
            Self::Scripted(script) => script.contains_key(node),
            Self::Unattended => false,
            Self::Ask | Self::AutoApprove | Self::Interviewer(_) | Self::ApproveWithWarning => true,
        }
    }

    /// What becomes of `question`; `asked` is how often its node has asked before.
    pub fn decide(&self, question: &Question, asked: u32) -> Verdict {
        match self {
            Self::Ask | Self::Interviewer(_) => Verdict::Wait,
            Self::AutoApprove => approve_or_refuse(question, "auto-approve"),
            Self::ApproveWithWarning => {
                approve_or_refuse(question, "nobody (approve_with_warning)")
            }
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

fn approve_or_refuse(question: &Question, by: &str) -> Verdict {
    match approve(question) {
        Some(answer) => Verdict::Answer(answer.by(by)),
        None => Verdict::Refuse(format!(
            "`{}` wants text, which cannot be given without asking",
            question.node
        )),
    }
}

pub(crate) fn default_or_refuse(question: &Question, why: &str) -> Verdict {
    by_default(question).map_or_else(
        || {
            Verdict::Refuse(format!(
                "`{}` asks “{}”, and {why}: answer it in an editor or a terminal, prepare an answer, \
                 or set `human.default_choice` on it",
                question.node, question.text
            ))
        },
        Verdict::Answer,
    )
}
