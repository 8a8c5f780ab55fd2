//! What a scenario expects of its run.

use std::collections::BTreeMap;

use attractor_dot::TextRange;
use attractor_lang::condition::Condition;
use attractor_run::RunState;
use serde_json::Value;

use crate::located::Located;

/// The expectations of a scenario. A run that nothing else is said about is expected to succeed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expectation {
    /// The nodes it enters, in order.
    pub path: Option<Located<Vec<PathItem>>>,
    /// How it ends.
    pub end: Option<Located<End>>,
    /// The last node it enters.
    pub end_node: Option<Located<String>>,
    /// Text that the reason of its failure contains.
    pub reason: Option<Located<String>>,
    /// Values of the context at its end.
    pub context: BTreeMap<String, Located<Value>>,
    /// Conditions that hold at its end.
    pub conditions: Vec<Located<Condition>>,
}

/// A part of an expected path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathItem {
    /// This node, with its place in the file.
    Node(String, TextRange),
    /// Any nodes, or none: `…`.
    Gap,
}

/// How a dry run can end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// It reaches a terminal node.
    #[default]
    Success,
    /// It fails.
    Fail,
    /// It ends at an `escalate` node.
    Escalated,
}

impl End {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Success, Self::Fail, Self::Escalated];

    /// The word of the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Fail => "fail",
            Self::Escalated => "escalated",
        }
    }

    /// The end of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|end| end.name() == name)
    }

    /// How a run ended.
    pub(crate) fn of(status: RunState) -> Self {
        match status {
            RunState::Success => Self::Success,
            RunState::Escalated => Self::Escalated,
            _ => Self::Fail,
        }
    }
}
