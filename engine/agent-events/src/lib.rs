//! What an agent reports of its tools and of its work: the types that its events, those of a run and their readers share.

mod hook;
mod plan;
mod progress;
mod tool_call;

pub use hook::{HookOutcome, HookReport, HookTime};
pub use plan::{AgentPlan, PlanStep, StepStatus};
pub use progress::AgentProgress;
pub use tool_call::{ToolCallEnd, ToolCallStart};
