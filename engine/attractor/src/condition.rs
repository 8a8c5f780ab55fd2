//! Conditions, outside of a run.

use attractor_lang::condition::{Facts, evaluate, parse};
use attractor_lang::{Lookup, Status};

use crate::context::PipelineContext;

/// A condition that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}, at byte {at} of `{condition}`")]
pub struct ConditionError {
    /// The condition.
    pub condition: String,
    /// What was found and what was expected.
    pub message: String,
    /// Where, in bytes.
    pub at: usize,
}

/// Whether a condition holds in a context; an empty one does. `outcome` is the key of that name, else `success`.
///
/// ```
/// use attractor::{PipelineContext, evaluate_condition};
///
/// let context: PipelineContext = [("exit_code", 0), ("score", 91)].into_iter().collect();
/// assert_eq!(evaluate_condition("exit_code == 0 and score > 90", &context), Ok(true));
/// assert!(evaluate_condition("exit_code ==", &context).is_err());
/// ```
///
/// # Errors
/// The condition has a syntax error.
pub fn evaluate_condition(
    condition: &str,
    context: &PipelineContext,
) -> Result<bool, ConditionError> {
    let (parsed, errors) = parse(condition);
    if let Some(error) = errors.into_iter().next() {
        return Err(ConditionError {
            condition: condition.to_owned(),
            message: error.message,
            at: error.range.start,
        });
    }
    let outcome = Lookup::get(context, "outcome").map(|value| value.to_string());
    let facts = Facts {
        context,
        status: outcome.map_or(Status::Success, Status::from),
        retries_left: false,
        labels: &[],
    };
    Ok(evaluate(&parsed, &facts).value)
}

/// What is wrong with a condition; `None` when nothing is.
pub fn validate_condition_syntax(condition: &str) -> Option<ConditionError> {
    evaluate_condition(condition, &PipelineContext::new()).err()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn conditions_see_tables_and_the_outcome() {
        let mut context = PipelineContext::new();
        context.set("report", json!({"tests": {"failed": 2}}));
        context.set("outcome", "fail");
        for (condition, holds) in [
            ("", true),
            ("report.tests.failed == 2", true),
            ("report.tests.passed == 2", false),
            ("outcome = fail", true),
            ("on_success", false),
            ("not missing", true),
        ] {
            assert_eq!(
                evaluate_condition(condition, &context),
                Ok(holds),
                "{condition}"
            );
        }
        let error = validate_condition_syntax("f(x) == 1").unwrap().to_string();
        assert!(error.ends_with("of `f(x) == 1`"), "{error}");
    }
}
