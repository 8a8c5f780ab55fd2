//! What agents of other programs share.

use attractor_model::HookTime;
use attractor_run::CodergenRequest;

/// That the hooks of a node do not run, since another program calls the tools.
pub(crate) fn without_hooks(request: &CodergenRequest, label: &str) -> Option<String> {
    let names: Vec<String> = request
        .hooks
        .iter()
        .map(|hook| format!("`{}`", hook.name))
        .collect();
    let refuses = request
        .hooks
        .iter()
        .any(|hook| hook.when == HookTime::Before);
    let means = if refuses { ", and refuse none" } else { "" };
    (!names.is_empty()).then(|| {
        format!(
            "hooks do not run for the tool calls of {label}{means}: {}; use `backend=native`, or the hooks of that program",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use attractor_run::ToolHookCommand;

    use super::*;

    #[test]
    fn hooks_that_do_not_run_are_a_warning() {
        let hook = |name: &str, when| ToolHookCommand {
            name: name.to_owned(),
            when,
            tool: None,
            argv: vec!["audit".to_owned()],
            environment: Vec::new(),
            directory: None,
            timeout: std::time::Duration::from_secs(1),
        };
        let mut request = CodergenRequest::default();
        assert_eq!(without_hooks(&request, "Codex"), None);
        request.hooks = vec![hook("audit", HookTime::After)];
        assert_eq!(
            without_hooks(&request, "Codex").unwrap(),
            "hooks do not run for the tool calls of Codex: `audit`; use `backend=native`, or the hooks of that program"
        );
        request.hooks.push(hook("no-push", HookTime::Before));
        let warning = without_hooks(&request, "Codex").unwrap();
        assert!(
            warning.contains("and refuse none: `audit`, `no-push`"),
            "{warning}"
        );
    }
}
