//! What users and supervisors ask of a run: where it pauses, and messages to its nodes.

pub mod pause;
pub mod steering_message;
