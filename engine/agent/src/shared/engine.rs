//! The system prompt of a worker: a prefix that is the same for all workers, then the state of the work, then its task.
//!
//! Providers cache the longest prefix that is the same to the byte. So what differs between workers follows it.

use std::fmt::Write as _;
use std::sync::Arc;

use super::context::{SharedContextState, WorkerFailure, format_failures, latest};
use super::worker_id::is_own;

/// The most references of a prompt.
const REFERENCES: usize = 20;

/// What a worker's prompt includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedContextEngineConfig {
    /// The most failures.
    pub max_failure_context: usize,
    /// Whether it says what follows from failures that occurred more than once.
    pub include_insights: bool,
    /// Whether it lists what other workers have looked at.
    pub include_references: bool,
}

impl Default for SharedContextEngineConfig {
    fn default() -> Self {
        Self {
            max_failure_context: 10,
            include_insights: true,
            include_references: true,
        }
    }
}

/// What a worker is to do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkerTask {
    /// The worker.
    pub worker: String,
    /// The task; without it, the prompt does not repeat one.
    pub goal: Option<String>,
    /// More about it: name and value.
    pub metadata: Vec<(String, String)>,
}

/// Builds the prompts of workers.
#[derive(Debug, Clone)]
pub struct SharedContextEngine {
    context: Arc<SharedContextState>,
    config: SharedContextEngineConfig,
    prefix: String,
}

impl SharedContextEngine {
    /// An engine for workers with these instructions.
    pub fn new(
        context: Arc<SharedContextState>,
        config: SharedContextEngineConfig,
        prefix: impl Into<String>,
    ) -> Self {
        Self {
            context,
            config,
            prefix: prefix.into(),
        }
    }

    /// The prompt of a worker. Its own failures are left out.
    pub fn build_worker_system_prompt(&self, task: &WorkerTask) -> String {
        let mut prompt = self.prefix.clone();
        let guidance = self.guidance(&task.worker);
        if !guidance.is_empty() {
            let _ = write!(prompt, "\n# State of the work\n\n{guidance}");
        }
        if let Some(goal) = &task.goal {
            let _ = write!(prompt, "\n# Your task\n\n{}\n", goal.trim());
            for (name, value) in &task.metadata {
                let _ = write!(prompt, "\n- {name}: {value}");
            }
            if !task.metadata.is_empty() {
                prompt.push('\n');
            }
        }
        prompt
    }

    fn guidance(&self, worker: &str) -> String {
        let mut guidance = String::new();
        let checks = self.context.check_lines(|_| true);
        if !checks.is_empty() {
            let _ = write!(guidance, "Checks that ran in this run:\n\n{checks}");
        }
        let failures = foreign(self.context.failures(), worker);
        let failures = latest(failures, self.config.max_failure_context);
        if !failures.is_empty() {
            let _ = write!(
                guidance,
                "\nCalls of others that failed, with the files as they are now:\n\n{}",
                format_failures(&failures)
            );
        }
        let insights = self.context.failure_insights();
        if self.config.include_insights && !failures.is_empty() && !insights.is_empty() {
            guidance.push('\n');
            for insight in insights {
                let _ = writeln!(guidance, "- {insight}");
            }
        }
        let references = self.context.search_references("");
        if self.config.include_references && !references.is_empty() {
            guidance.push_str("\nAlready examined:\n\n");
            for reference in references.iter().take(REFERENCES) {
                let _ = writeln!(guidance, "- {} {}", reference.kind, reference.value);
            }
        }
        guidance.trim_start_matches('\n').to_owned()
    }
}

/// The failures of workers other than this one, those it started, and earlier visits of its node.
pub(super) fn foreign(failures: Vec<WorkerFailure>, worker: &str) -> Vec<WorkerFailure> {
    let mut failures = failures;
    failures.retain(|failure| !is_own(&failure.worker, worker));
    failures
}

#[cfg(test)]
mod tests {
    use super::super::context::Reference;
    use super::*;

    fn task(worker: &str) -> WorkerTask {
        WorkerTask {
            worker: worker.to_owned(),
            goal: Some(format!("Write the tests of {worker}.")),
            metadata: vec![("worker".to_owned(), worker.to_owned())],
        }
    }

    fn engine(config: SharedContextEngineConfig) -> SharedContextEngine {
        let context = Arc::new(SharedContextState::default());
        context.record_check("repro/1-1", "make test", false);
        context.record_failure("fix/1-1", "shell deploy", "no rule to make target");
        context.record_failure("test/1-1", "shell deploy all", "no rule to make target");
        context.record_failure("test/1-1/subagent_1", "read_file x", "no such file");
        context.add_references([Reference {
            kind: "read_file".to_owned(),
            value: "src/main.rs".to_owned(),
        }]);
        SharedContextEngine::new(context, config, "You are a coding agent.\n")
    }

    #[test]
    fn a_prompt_has_prefix_guidance_and_goal() {
        let engine = engine(SharedContextEngineConfig::default());
        expect_test::expect![[r#"
            You are a coding agent.

            # State of the work

            Checks that ran in this run:

            - `make test`: failed at repro

            Calls of others that failed, with the files as they are now:

            - shell deploy: no rule to make target (at fix)

            - Failed 2 times in 2 workers: no rule to make target

            Already examined:

            - read_file src/main.rs

            # Your task

            Write the tests of test/1-1.

            - worker: test/1-1
        "#]]
        .assert_eq(&engine.build_worker_system_prompt(&task("test/1-1")));
    }

    #[test]
    fn the_prefix_is_the_same_to_the_byte_for_all_workers() {
        let engine = engine(SharedContextEngineConfig::default());
        let prompts = ["fix/1-1", "test/1-1", "new"].map(|worker| {
            engine
                .context
                .record_failure(worker, "shell x", "exit code 1");
            engine.build_worker_system_prompt(&task(worker))
        });
        for prompt in &prompts {
            assert!(prompt.starts_with(&engine.prefix));
        }
        assert_eq!(engine.build_worker_system_prompt(&task("new")), prompts[2]);
    }

    #[test]
    fn parts_can_be_left_out() {
        let engine = engine(SharedContextEngineConfig {
            max_failure_context: 1,
            include_insights: false,
            include_references: false,
        });
        expect_test::expect![[r#"
            You are a coding agent.

            # State of the work

            Checks that ran in this run:

            - `make test`: failed at repro

            Calls of others that failed, with the files as they are now:

            - read_file x: no such file (at test)
        "#]]
        .assert_eq(&engine.build_worker_system_prompt(&WorkerTask::default()));
        let empty = SharedContextEngine::new(
            Arc::default(),
            SharedContextEngineConfig::default(),
            "Work.\n",
        );
        assert_eq!(
            empty.build_worker_system_prompt(&WorkerTask::default()),
            "Work.\n"
        );
    }
}
