//! The questions of a run, on the side of its owner: those of gates and of running nodes, and the interviewer that is asked.

pub(crate) mod asking;
pub(crate) mod interviewing;
pub(crate) mod interviews;
pub(crate) mod node_questions;
pub(crate) mod run_questions;
