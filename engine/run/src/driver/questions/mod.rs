//! The owner's dealings with people: questions of gates and of running nodes, and the interviewer that is asked.

pub(crate) mod asking;
pub(crate) mod interviewing;
pub(crate) mod interviews;
pub(crate) mod node_questions;
pub(crate) mod run_questions;
