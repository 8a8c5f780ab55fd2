//! Which model, provider and instructions a session has: those it was begun with, when it continues.

use attractor_agent::RecordedSession;
use attractor_llm::ReasoningEffort;
use attractor_run::CodergenRequest;

/// What of an earlier process holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Continued {
    pub(super) model: String,
    pub(super) provider: Option<String>,
    pub(super) reasoning_effort: Option<ReasoningEffort>,
    /// The instructions, to the byte; none for a session that begins, or that continues with another model.
    pub(super) system_prompt: Option<String>,
    /// What a user should know about it.
    pub(super) warning: Option<String>,
}

impl Continued {
    /// `model` is the one that a new session would have.
    pub(super) fn of(input: &CodergenRequest, model: &str, recorded: &RecordedSession) -> Self {
        let new = Self {
            model: model.to_owned(),
            provider: input.provider.clone(),
            ..Self::default()
        };
        let Some(start) = &recorded.start else {
            let warning = (!recorded.messages.is_empty()).then(|| {
                format!("the session does not say which model it was begun with; it continues with `{model}`")
            });
            return Self { warning, ..new };
        };
        let asked = input
            .model
            .as_deref()
            .map(str::trim)
            .filter(|model| !model.is_empty());
        let is_model = asked.is_none_or(|asked| asked == start.model);
        let is_provider = input
            .provider
            .as_deref()
            .is_none_or(|asked| asked == start.provider);
        if is_model && is_provider {
            let mut efforts = ReasoningEffort::ALL.into_iter();
            let effort = start.reasoning_effort.as_deref();
            return Self {
                model: start.model.clone(),
                provider: Some(start.provider.clone()),
                reasoning_effort: efforts.find(|one| Some(one.as_str()) == effort),
                system_prompt: Some(start.system_prompt.clone()),
                warning: None,
            };
        }
        let with = input
            .provider
            .as_ref()
            .map(|provider| format!(" of `{provider}`"));
        Self {
            warning: Some(format!(
                "the session was begun with `{}` of `{}`; it continues with `{model}`{}, without the reasoning of earlier \
                 turns, and sends that model the whole conversation",
                start.model,
                start.provider,
                with.unwrap_or_default()
            )),
            ..new
        }
    }

    /// Why the session cannot continue, for people.
    pub(super) fn unavailable(&self, problem: &str) -> String {
        match (&self.system_prompt, &self.provider) {
            (Some(_), Some(provider)) => format!(
                "the session was begun with `{}` of `{provider}`: {problem}; or name another model",
                self.model
            ),
            _ => problem.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use attractor_agent::SessionStart;

    use super::*;

    fn continued(model: Option<&str>, provider: Option<&str>) -> Continued {
        let input = CodergenRequest {
            model: model.map(str::to_owned),
            provider: provider.map(str::to_owned),
            ..CodergenRequest::default()
        };
        let recorded = RecordedSession {
            start: Some(SessionStart {
                model: "luna".to_owned(),
                provider: "openai".to_owned(),
                reasoning_effort: Some("high".to_owned()),
                system_prompt: "Work.".to_owned(),
            }),
            messages: Vec::new(),
        };
        Continued::of(&input, model.unwrap_or("newest"), &recorded)
    }

    #[test]
    fn another_model_is_a_decision() {
        let same = continued(None, None);
        assert_eq!(
            (same.model.as_str(), same.provider.as_deref()),
            ("luna", Some("openai"))
        );
        assert_eq!(same.reasoning_effort, Some(ReasoningEffort::High));
        assert_eq!(same.system_prompt.as_deref(), Some("Work."));
        assert_eq!(continued(Some("luna"), Some("openai")), same);
        let other = continued(Some("sonnet"), None);
        assert_eq!(
            (other.model.as_str(), other.provider.as_deref()),
            ("sonnet", None)
        );
        assert_eq!(other.system_prompt, None);
        let warning = other.warning.unwrap();
        assert!(
            warning.starts_with("the session was begun with `luna` of `openai`"),
            "{warning}"
        );
        assert!(continued(None, Some("google")).warning.is_some());
    }
}
