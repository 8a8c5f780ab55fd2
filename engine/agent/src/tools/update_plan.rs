//! `update_plan`: the steps that the model intends to take, for the people who watch.

use async_trait::async_trait;
use attractor_agent_events::{AgentPlan, StepStatus};
use attractor_llm::ToolDefinition;
use serde_json::{Value, json};

use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, parse};

/// Most steps of a plan.
const STEPS: usize = 50;

/// How much of a step is kept, in characters.
const STEP: usize = 200;

/// Replaces the plan of the session.
#[derive(Debug, Clone, Copy)]
pub struct UpdatePlan;

#[async_trait]
impl Tool for UpdatePlan {
    fn definition(&self) -> ToolDefinition {
        let states = StepStatus::ALL.map(StepStatus::name);
        Parameters::new()
            .required_schema(
                "steps",
                json!({
                    "type": "array",
                    "minItems": 1,
                    "maxItems": STEPS,
                    "items": {
                        "type": "object",
                        "properties": {
                            "step": {"type": "string", "description": "What is to be done, in a few words."},
                            "status": {"type": "string", "enum": states},
                        },
                        "required": ["step", "status"],
                        "additionalProperties": false,
                    },
                    "description": "All steps of the plan, in order, with their states.",
                }),
            )
            .define(
                "update_plan",
                "Shows your plan to the person you work for, and how far you are. Use it for work of more than two steps: \
                 call it with all steps before the first one, and again, with all of them, when a step begins or is done. One \
                 step is `in_progress` at a time. It changes nothing else: make the call together with the calls of the step.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[("plan", "steps"), ("todos", "steps")]
    }

    fn access(&self, _: &Value) -> Access {
        Access::Other("plan".to_owned())
    }

    fn can_run_again(&self) -> bool {
        true
    }

    async fn call(&self, call: ToolCall, _: &ToolContext) -> ToolResult {
        let plan: AgentPlan = match parse(self, &call.arguments) {
            Ok(plan) => plan,
            Err(result) => return result,
        };
        let plan = plan.map(one_line);
        ToolResult {
            output: format!("The plan is shown: {}.", plan.summary()),
            plan: Some(plan),
            ..ToolResult::default()
        }
    }
}

/// A step as a line of bounded length.
fn one_line(step: &str) -> String {
    let words: Vec<&str> = step.split_whitespace().collect();
    words.join(" ").chars().take(STEP).collect()
}
