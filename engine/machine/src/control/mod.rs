//! What users and supervisors ask of a run: where it pauses, and messages to its nodes.

mod pause;
mod steering_message;

pub use pause::{
    FailurePoint, PausePoints, PauseReason, PointCondition, StepDepth, StepFrom, Visits,
    edge_point, node_point,
};
pub use steering_message::SteeringMessage;
