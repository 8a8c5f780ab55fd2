//! The state that all workers of a run share, and how one worker uses it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::context::{Reference, SharedContextState, format_failures, latest};
use super::economics::{GlobalDoomLoop, SharedEconomicsState};
use super::engine::{SharedContextEngine, SharedContextEngineConfig, WorkerTask, foreign};
use super::persistence::{PersistenceAdapter, PersistenceError};
use super::worker_budget::{WorkerBudgetConfig, WorkerBudgetTracker, WorkerLimit};
use super::worker_id::is_own;

/// The keys of what is kept.
const CONTEXT: &str = "context";
const ECONOMICS: &str = "economics";

/// What the workers of a run share.
#[derive(Debug, Default)]
pub struct SharedState {
    context: Arc<SharedContextState>,
    economics: Arc<SharedEconomicsState>,
    store: Option<Box<dyn PersistenceAdapter>>,
}

impl SharedState {
    /// A state that is kept in a store; it begins with what the store holds.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn open(store: Box<dyn PersistenceAdapter>) -> Result<Self, PersistenceError> {
        let state = Self::default();
        if let Some(data) = read(store.as_ref(), CONTEXT)? {
            state.context.restore(data);
        }
        if let Some(data) = read(store.as_ref(), ECONOMICS)? {
            state.economics.restore(data);
        }
        Ok(Self {
            store: Some(store),
            ..state
        })
    }

    /// Checks, failures and references.
    pub fn context(&self) -> &Arc<SharedContextState> {
        &self.context
    }

    /// Repeated calls and tokens.
    pub fn economics(&self) -> &Arc<SharedEconomicsState> {
        &self.economics
    }

    /// Keeps it in its store, if it has one.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn save(&self) -> Result<(), PersistenceError> {
        let Some(store) = &self.store else {
            return Ok(());
        };
        store.save(CONTEXT, &value(&self.context.data()))?;
        store.save(ECONOMICS, &value(&self.economics.data()))
    }
}

fn value(data: &impl Serialize) -> Value {
    serde_json::to_value(data).unwrap_or_default()
}

fn read<T: DeserializeOwned>(
    store: &dyn PersistenceAdapter,
    key: &str,
) -> Result<Option<T>, PersistenceError> {
    let Some(value) = store.load(key)? else {
        return Ok(None);
    };
    let data = serde_json::from_value(value);
    data.map(Some).map_err(|cause| PersistenceError::Damaged {
        key: key.to_owned(),
        cause,
    })
}

/// A worker of a run: a session, or one of its subagents. Clones are the same worker.
#[derive(Debug, Clone)]
pub struct SharedWorker {
    id: String,
    state: Arc<SharedState>,
    limits: Option<WorkerBudgetConfig>,
    /// The limits of the workers that it starts.
    subworkers: WorkerBudgetConfig,
    own: Arc<Mutex<WorkerRecord>>,
}

/// What belongs to one worker.
#[derive(Debug)]
struct WorkerRecord {
    budget: WorkerBudgetTracker,
    /// The number of what it was last informed of.
    informed: u64,
    /// The fingerprints that it was warned about.
    warned: Vec<String>,
}

/// What to do about a call that several workers repeat without effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DoomDecision {
    /// It is not run, and the model receives the reason.
    Refuse(String),
    /// The work ends.
    End(String),
}

impl Default for SharedWorker {
    /// A worker that shares nothing.
    fn default() -> Self {
        Self::new("session", Arc::default(), None)
    }
}

impl SharedWorker {
    /// A worker. `limits` are those of its own budget; without them only the budget of its session limits it.
    pub fn new(
        id: impl Into<String>,
        state: Arc<SharedState>,
        limits: Option<WorkerBudgetConfig>,
    ) -> Self {
        let id = id.into();
        let economics = Arc::clone(&state.economics);
        let own = WorkerRecord {
            budget: WorkerBudgetTracker::new(id.clone(), limits.unwrap_or_default(), economics),
            // What happened before is part of its instructions.
            informed: state.context.last_number(),
            warned: Vec::new(),
        };
        Self {
            id,
            state,
            limits,
            subworkers: WorkerBudgetConfig::default(),
            own: Arc::new(Mutex::new(own)),
        }
    }

    /// The same, with these limits for the workers that it starts.
    #[must_use]
    pub fn limiting_subworkers(self, subworkers: WorkerBudgetConfig) -> Self {
        Self { subworkers, ..self }
    }

    /// A worker that this one starts.
    #[must_use]
    pub fn subworker(&self, id: &str) -> Self {
        let id = format!("{}/{id}", self.id);
        Self::new(id, Arc::clone(&self.state), Some(self.subworkers))
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The state it shares.
    pub fn state(&self) -> &Arc<SharedState> {
        &self.state
    }

    /// The instructions of the worker: `prefix`, then what others have learned, then the goal if there is one.
    pub fn system_prompt(&self, prefix: &str, goal: Option<String>) -> String {
        let config = SharedContextEngineConfig::default();
        let context = Arc::clone(&self.state.context);
        let metadata = match &goal {
            Some(_) => vec![("worker".to_owned(), self.id.clone())],
            None => Vec::new(),
        };
        SharedContextEngine::new(context, config, prefix).build_worker_system_prompt(&WorkerTask {
            worker: self.id.clone(),
            goal,
            metadata,
        })
    }

    /// The model was called.
    pub fn record_iteration(&self, tokens: u64) {
        self.own().budget.record_iteration(tokens);
    }

    /// The limit of its own budget that is reached, for people. Repeated calls are left to the loop detection of the
    /// session, which reacts step by step.
    pub fn limit_reached(&self) -> Option<(&'static str, String)> {
        self.limits?;
        match self.own().budget.reached()? {
            WorkerLimit::Tokens(used) => {
                let message = format!("the worker used {used} tokens, its limit (`worker_tokens`)");
                Some(("worker_tokens", message))
            }
            WorkerLimit::Iterations(used) => {
                let message = format!(
                    "the worker called the model {used} times, its limit (`worker_iterations`)"
                );
                Some(("worker_iterations", message))
            }
            WorkerLimit::DoomLoop(_) => None,
        }
    }

    /// Records a call that is about to run. Gives its fingerprint, or what to do about a call that failed for several
    /// workers again and again.
    ///
    /// # Errors
    /// The call must not run.
    pub fn begin_call(&self, tool: &str, arguments: &Value) -> Result<String, DoomDecision> {
        let mut own = self.own();
        let fingerprint = own.budget.record_tool_call(tool, arguments);
        let Some(GlobalDoomLoop { count, workers }) =
            self.state.economics.global_doom_loop(&fingerprint)
        else {
            return Ok(fingerprint);
        };
        let problem = format!(
            "the same call of `{tool}` failed {count} times in {workers} workers of this run"
        );
        if own.warned.contains(&fingerprint) {
            return Err(DoomDecision::End(problem));
        }
        own.warned.push(fingerprint);
        Err(DoomDecision::Refuse(problem))
    }

    /// A call has failed: it counts towards a doom loop.
    pub fn call_failed(&self, fingerprint: &str) {
        self.state.economics.record_call(&self.id, fingerprint);
    }

    /// A call has failed in a way that may concern others.
    pub fn report_failure(&self, fingerprint: &str, input: &str, error: &str) {
        let context = &self.state.context;
        context.record_failed_call(&self.id, fingerprint, input, error);
    }

    /// A check has passed or failed.
    pub fn report_check(&self, command: &str, passed: bool) {
        self.state.context.record_check(&self.id, command, passed);
    }

    /// A call has succeeded.
    pub fn call_succeeded(&self, fingerprint: &str) {
        self.state.economics.forget(fingerprint);
        self.state.context.call_succeeded(fingerprint);
    }

    /// Files may have changed: calls may have another result now.
    pub fn files_changed(&self) {
        self.state.economics.forget_all();
        self.state.context.files_changed();
    }

    /// The conversation became shorter: what it was about stays known.
    pub fn add_references(&self, references: impl IntoIterator<Item = Reference>) {
        self.state.context.add_references(references);
    }

    /// What other workers report since it was last informed, as a message; none without any.
    pub fn news(&self) -> Option<String> {
        let mut own = self.own();
        let informed = own.informed;
        own.informed = self.state.context.last_number().max(informed);
        let context = &self.state.context;
        let checks =
            context.check_lines(|one| one.number > informed && !is_own(&one.worker, &self.id));
        let mut failures = foreign(context.failures(), &self.id);
        failures.retain(|failure| failure.number > informed);
        if checks.is_empty() && failures.is_empty() {
            return None;
        }
        let most = SharedContextEngineConfig::default().max_failure_context;
        Some(format!(
            "For information, from other workers of this run: checks and calls that failed.\n\n{checks}{}",
            format_failures(&latest(failures, most))
        ))
    }

    fn own(&self) -> MutexGuard<'_, WorkerRecord> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::persistence::JsonFilePersistenceAdapter;
    use super::*;

    fn fail(worker: &SharedWorker) -> Result<(), DoomDecision> {
        let fingerprint = worker.begin_call("shell", &json!({"command": "curl x"}))?;
        worker.call_failed(&fingerprint);
        worker.report_failure(&fingerprint, "shell curl x", "connection refused");
        Ok(())
    }

    #[test]
    fn a_global_doom_loop_is_refused_then_ends_each_worker() {
        let state = Arc::<SharedState>::default();
        let workers = ["a", "b", "c"].map(|id| SharedWorker::new(id, Arc::clone(&state), None));
        for call in 0..10 {
            assert_eq!(fail(&workers[call % 3]), Ok(()), "{call}");
        }
        let problem = "the same call of `shell` failed 10 times in 3 workers of this run";
        for worker in &workers {
            assert_eq!(fail(worker), Err(DoomDecision::Refuse(problem.to_owned())));
            assert_eq!(fail(worker), Err(DoomDecision::End(problem.to_owned())));
        }
        // Another call is not affected, and a changed file gives this one another chance.
        let other = workers[0]
            .begin_call("write_file", &json!({"path": "x"}))
            .unwrap();
        workers[0].call_succeeded(&other);
        workers[0].files_changed();
        assert_eq!(fail(&workers[0]), Ok(()));
    }

    #[test]
    fn news_are_the_failures_of_others_once() {
        let state = Arc::<SharedState>::default();
        let [one, two] = ["one", "two"].map(|id| SharedWorker::new(id, Arc::clone(&state), None));
        let sub = one.subworker("subagent_1");
        fail(&one).unwrap();
        fail(&sub).unwrap();
        one.report_check("make test", false);
        assert_eq!(one.news(), None);
        expect_test::expect![[r#"
            For information, from other workers of this run: checks and calls that failed.

            - `make test`: failed at one
            - shell curl x: connection refused (at one)
            - shell curl x: connection refused (at one)
        "#]]
        .assert_eq(&two.news().unwrap());
        assert_eq!(two.news(), None);
        assert_eq!(sub.news().map(|news| news.contains("(at one)")), Some(true));
        // A worker that starts later has them in its instructions.
        let late = SharedWorker::new("late", Arc::clone(&state), None);
        assert_eq!(late.news(), None);
        assert!(
            late.system_prompt("Work.\n", None)
                .contains("connection refused")
        );
    }

    #[test]
    fn only_workers_with_limits_are_limited() {
        let session = SharedWorker::default();
        let worker = session.subworker("subagent_1");
        for _ in 0..50 {
            session.record_iteration(10_000);
            worker.record_iteration(10);
        }
        assert_eq!(session.limit_reached(), None);
        let (limit, message) = worker.limit_reached().unwrap();
        assert_eq!(limit, "worker_iterations");
        assert_eq!(
            message,
            "the worker called the model 50 times, its limit (`worker_iterations`)"
        );
    }

    #[test]
    fn a_resume_has_the_state() {
        let folder = tempfile::tempdir().unwrap();
        let open = || {
            let store = JsonFilePersistenceAdapter::new(folder.path().join("shared"));
            Arc::new(SharedState::open(Box::new(store)).unwrap())
        };
        let state = open();
        for id in ["a", "b"] {
            let worker = SharedWorker::new(id, Arc::clone(&state), None);
            for _ in 0..5 {
                fail(&worker).unwrap();
            }
            worker.record_iteration(7);
        }
        state.save().unwrap();
        let resumed = open();
        assert_eq!(resumed.context().failures(), state.context().failures());
        assert_eq!(resumed.economics().tokens()["a"], 7);
        let worker = SharedWorker::new("a", resumed, None);
        assert!(matches!(fail(&worker), Err(DoomDecision::Refuse(_))));
    }
}
