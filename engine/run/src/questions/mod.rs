//! Who answers the questions of a run: the policy, interviewers, and lines typed at a terminal.

pub(crate) mod answer_policy;
pub(crate) mod dialogue;
pub(crate) mod interviewer;
pub(crate) mod person;
