//! Errors of the agent: each has a category, says whether another attempt may help, and carries details.

use attractor_exec::SettledWork;
use serde::Serialize;
use serde_json::{Map, Value};

/// What kind of thing failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorCategory {
    /// The model's answer: empty, malformed.
    Llm,
    /// The provider: rate limit, network, authentication.
    Provider,
    /// A tool: not found, timed out, failed.
    Tool,
    /// A limit on tokens, cost or time.
    Budget,
    /// A user or the system stopped it.
    Cancellation,
    /// The policy refused a tool.
    Permission,
    /// A setting is missing or invalid.
    Configuration,
    /// A defect of the agent.
    Internal,
}

impl ErrorCategory {
    /// Whether errors of this category may pass by themselves.
    pub const fn is_retryable(self) -> bool {
        matches!(self, Self::Llm | Self::Provider)
    }
}

/// Why a session or a tool failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize)]
#[error("{message}")]
pub struct AgentError {
    /// What kind of thing failed.
    pub category: ErrorCategory,
    /// For people: what happened and what to do.
    pub message: String,
    /// Whether another attempt may help; by default as the category says.
    pub retryable: bool,
    /// Further facts by name: `provider`, `status_code`, `tool_name`, `limit`.
    pub details: Map<String, Value>,
}

impl AgentError {
    /// An error that is retryable as its category says.
    pub fn new(category: ErrorCategory, message: impl Into<String>) -> Self {
        Self {
            category,
            message: message.into(),
            retryable: category.is_retryable(),
            details: Map::new(),
        }
    }

    /// Adds a detail.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }
    /// The same, which another attempt does not help.
    #[must_use]
    pub fn permanent(self) -> Self {
        Self {
            retryable: false,
            ..self
        }
    }

    /// An unusable answer of the model: empty, malformed.
    pub fn llm(message: impl Into<String>) -> Self {
        Self::new(ErrorCategory::Llm, message)
    }

    /// A failure of the provider: rate limit, network, authentication.
    pub fn provider(provider: &str, status_code: Option<u16>, message: impl Into<String>) -> Self {
        Self::new(ErrorCategory::Provider, message)
            .with("provider", provider)
            .with("status_code", status_code)
    }

    /// A tool that failed.
    pub fn tool(tool_name: &str, message: impl Into<String>) -> Self {
        Self::new(ErrorCategory::Tool, message).with("tool_name", tool_name)
    }

    /// A tool that does not exist.
    pub fn tool_not_found(tool_name: &str, available: &[&str]) -> Self {
        let names = available.join(", ");
        let message = format!("unknown tool `{tool_name}`; available tools: {names}");
        Self::tool(tool_name, message).with("kind", "tool_not_found")
    }

    /// A tool that took too long.
    pub fn tool_timeout(tool_name: &str, timeout: std::time::Duration) -> Self {
        let milliseconds = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
        let message = format!("`{tool_name}` did not end within {milliseconds} ms");
        Self::tool(tool_name, message)
            .with("kind", "tool_timeout")
            .with("timeout_ms", milliseconds)
    }

    /// A limit on tokens, cost or time is reached.
    pub fn budget_exhausted(limit: &str, message: impl Into<String>) -> Self {
        Self::new(ErrorCategory::Budget, message).with("limit", limit)
    }

    /// A user or the system stopped it.
    pub fn cancelled(message: impl Into<String>) -> Self {
        Self::new(ErrorCategory::Cancellation, message)
    }

    /// Commands changed write-protected files, found after the last one had ended, or left something running that cannot
    /// be ended. None without either.
    pub fn unsettled(settled: &SettledWork) -> Option<Self> {
        let named = |is_restored: bool| {
            let paths = settled
                .changes
                .iter()
                .filter(|one| one.is_restored == is_restored);
            let paths: Vec<String> = paths
                .map(|one| format!("`{}`", one.path.display()))
                .collect();
            (!paths.is_empty()).then(|| paths.join(", "))
        };
        let undone = named(true).map(|paths| {
            format!("undone: something that a command left running changed {paths}, which is write-protected")
        });
        let lost = named(false).map(|paths| {
            format!("cannot undo: a command changed {paths}, which is write-protected")
        });
        let survivor = settled.has_survivor.then(|| {
            "a process that the agent left running renews itself and cannot be ended: end it by hand, and look at what it changed".to_owned()
        });
        let parts: Vec<String> = undone.into_iter().chain(lost).chain(survivor).collect();
        (!parts.is_empty()).then(|| {
            Self::new(ErrorCategory::Permission, parts.join("; ")).with("kind", "access_denied")
        })
    }

    /// A setting is missing or invalid.
    pub fn configuration(message: impl Into<String>) -> Self {
        Self::new(ErrorCategory::Configuration, message)
    }

    /// A defect of the agent.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorCategory::Internal, message)
    }

    /// A detail, if it is a text.
    pub fn detail(&self, name: &str) -> Option<&str> {
        self.details.get(name)?.as_str()
    }
}

impl From<&attractor_llm::Error> for AgentError {
    /// The error of a call, with the kind of the client in the detail `kind`.
    fn from(error: &attractor_llm::Error) -> Self {
        use attractor_llm::ErrorKind as Kind;
        let data = error.data();
        let category = match data.kind {
            Kind::Configuration | Kind::NotFound | Kind::NotRecorded => {
                ErrorCategory::Configuration
            }
            Kind::NoObjectGenerated | Kind::InvalidToolCall | Kind::InvalidResponse => {
                ErrorCategory::Llm
            }
            Kind::BudgetExceeded => ErrorCategory::Budget,
            Kind::Cancelled => ErrorCategory::Cancellation,
            _ => ErrorCategory::Provider,
        };
        let mut details = Map::new();
        details.insert("kind".to_owned(), data.kind.as_str().into());
        let texts = [("provider", &data.provider), ("model", &data.model)];
        for (name, value) in texts {
            if let Some(value) = value {
                details.insert(name.to_owned(), value.as_str().into());
            }
        }
        if let Some(status) = data.status {
            details.insert("status_code".to_owned(), status.into());
        }
        if let Some(wait) = data.retry_after {
            details.insert("retry_after".to_owned(), wait.as_secs_f64().into());
        }
        Self {
            category,
            message: error.to_string(),
            retryable: error.is_retryable(),
            details,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_answer_and_the_provider_are_retryable() {
        let errors = [
            AgentError::llm("empty"),
            AgentError::provider("openai", Some(500), "failed"),
            AgentError::tool("shell", "failed"),
            AgentError::tool_not_found("sh", &["shell"]),
            AgentError::tool_timeout("shell", std::time::Duration::from_secs(1)),
            AgentError::budget_exhausted("max_cost", "spent"),
            AgentError::cancelled("stopped"),
            AgentError::configuration("no key"),
            AgentError::internal("defect"),
        ];
        let lines = errors.map(|error| {
            let details = Value::Object(error.details.clone());
            format!("{:?} {} {error} {details}", error.category, error.retryable)
        });
        expect_test::expect![[r#"
            Llm true empty {}
            Provider true failed {"provider":"openai","status_code":500}
            Tool false failed {"tool_name":"shell"}
            Tool false unknown tool `sh`; available tools: shell {"tool_name":"sh","kind":"tool_not_found"}
            Tool false `shell` did not end within 1000 ms {"tool_name":"shell","kind":"tool_timeout","timeout_ms":1000}
            Budget false spent {"limit":"max_cost"}
            Cancellation false stopped {}
            Configuration false no key {}
            Internal false defect {}"#]]
        .assert_eq(&lines.join("\n"));
    }
}
