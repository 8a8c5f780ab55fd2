//! Goals that the caller of a run adds to those of the pipeline.

use crate::condition::evaluate_condition;
use crate::context::PipelineContext;
use crate::edit::PipelineEdit;
use crate::pipeline::Pipeline;
use crate::transform::Transform;

/// What must be done before a run may count as complete: nodes that succeed, and conditions that hold at the end.
///
/// It observes: a run that misses a goal ends with the event `goal_gate_unmet` and the key `_goal_gate_unmet`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoalGate {
    /// Nodes that must succeed.
    pub required_nodes: Vec<String>,
    /// Conditions that must hold at the end.
    pub context_conditions: Vec<String>,
}

impl GoalGate {
    /// Requires a node to succeed.
    #[must_use]
    pub fn node(mut self, id: impl Into<String>) -> Self {
        self.required_nodes.push(id.into());
        self
    }

    /// Requires a condition to hold at the end.
    #[must_use]
    pub fn condition(mut self, condition: impl Into<String>) -> Self {
        self.context_conditions.push(condition.into());
        self
    }

    /// Whether all requirements are met.
    pub fn check(&self, completed_nodes: &[String], context: &PipelineContext) -> bool {
        self.unmet_requirements(completed_nodes, context).is_empty()
    }

    /// The requirements that are not met, for people. A condition with a syntax error is not met.
    pub fn unmet_requirements(
        &self,
        completed_nodes: &[String],
        context: &PipelineContext,
    ) -> Vec<String> {
        let nodes = self.required_nodes.iter();
        let nodes = nodes
            .filter(|node| !completed_nodes.contains(node))
            .map(|node| format!("the required node `{node}` has not succeeded"));
        let holds = |condition: &&String| evaluate_condition(condition, context) == Ok(true);
        let conditions = self.context_conditions.iter();
        let conditions = conditions
            .filter(|condition| !holds(condition))
            .map(|condition| format!("the condition `{condition}` does not hold"));
        nodes.chain(conditions).collect()
    }
}

/// Adds the goals to the pipeline's own (`goal_required_nodes`, `goal_conditions`).
impl Transform for GoalGate {
    fn name(&self) -> &'static str {
        "goal gate"
    }

    fn apply(&self, pipeline: &Pipeline, edit: &mut PipelineEdit) -> Result<(), String> {
        let lists = [
            ("goal_required_nodes", &self.required_nodes, ", "),
            ("goal_conditions", &self.context_conditions, "; "),
        ];
        for (name, goals, separator) in lists {
            if goals.is_empty() {
                continue;
            }
            let own = pipeline.attribute(name).map(str::to_owned);
            let all: Vec<String> = own.into_iter().chain(goals.iter().cloned()).collect();
            edit.graph(name, &all.join(separator));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_that_are_not_met_are_named() {
        let gate = GoalGate::default()
            .node("test")
            .node("deploy")
            .condition("score > 1");
        let context: PipelineContext = [("score", 1)].into_iter().collect();
        let done = ["test".to_owned()];
        assert_eq!(
            gate.unmet_requirements(&done, &context),
            [
                "the required node `deploy` has not succeeded",
                "the condition `score > 1` does not hold"
            ]
        );
        assert!(!gate.check(&done, &context));
        assert!(GoalGate::default().check(&[], &context));
    }
}
