//! A question that the work of a node has asked.

use serde::{Deserialize, Serialize};

use crate::question::{Question, Reading};

/// A question of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeQuestion {
    /// Distinguishes it from what else its frame waits for.
    pub(crate) step: u64,
    pub(crate) question: Question,
    #[serde(flatten)]
    pub(crate) progress: Progress,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum Progress {
    Open,
    /// Somebody answered.
    Answered {
        reading: Reading,
        by: String,
    },
    /// Somebody answered before the attempt was run again.
    AnsweredBefore {
        reading: Reading,
        by: String,
    },
}

impl NodeQuestion {
    pub(crate) fn is_open(&self) -> bool {
        self.progress == Progress::Open
    }

    /// The answer to `question`, given before the attempt was run again.
    pub(super) fn answer_before(&self, question: &Question) -> Option<(Reading, String)> {
        match &self.progress {
            Progress::AnsweredBefore { reading, by } if self.question.asks_the_same(question) => {
                Some((reading.clone(), by.clone()))
            }
            _ => None,
        }
    }
}
