//! The life of a session: seven states, eighteen transitions between them, and the three states the public sees.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use serde_json::{Map, Value};

use self::AgentState::{Completing, Disposed, Error, Idle, Initializing, Paused, Running};

/// Where a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AgentState {
    /// It waits for an input.
    Idle,
    /// It prepares for an input.
    Initializing,
    /// It calls the model and runs tools.
    Running,
    /// It waits, for an approval for example.
    Paused,
    /// It finishes an input.
    Completing,
    /// An input failed; the session can take another one.
    Error,
    /// It is closed.
    Disposed,
}

/// What the public sees of the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SessionState {
    /// It takes an input.
    Idle,
    /// It works on one.
    Running,
    /// It takes none any more.
    Closed,
}

/// Every transition there is.
pub const TRANSITIONS: [(AgentState, AgentState); 18] = [
    (Idle, Initializing),
    (Initializing, Running),
    (Initializing, Error),
    (Running, Paused),
    (Running, Completing),
    (Running, Error),
    (Paused, Running),
    (Paused, Completing),
    (Paused, Error),
    (Completing, Idle),
    (Completing, Error),
    (Error, Idle),
    (Idle, Disposed),
    (Initializing, Disposed),
    (Running, Disposed),
    (Paused, Disposed),
    (Completing, Disposed),
    (Error, Disposed),
];

impl AgentState {
    /// Its word: `idle`, `running`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Idle => "idle",
            Initializing => "initializing",
            Running => "running",
            Paused => "paused",
            Completing => "completing",
            Error => "error",
            Disposed => "disposed",
        }
    }

    /// What the public sees.
    pub const fn public(self) -> SessionState {
        match self {
            Idle | Error => SessionState::Idle,
            Initializing | Running | Paused | Completing => SessionState::Running,
            Disposed => SessionState::Closed,
        }
    }
}

impl SessionState {
    /// Its word: `idle`, `running`, `closed`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Running => "running",
            Self::Closed => "closed",
        }
    }
}

impl fmt::Display for AgentState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// A transition that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid transition of a session: {from_state} → {to_state}")]
pub struct InvalidTransitionError {
    /// Where it was.
    pub from_state: AgentState,
    /// Where it should go.
    pub to_state: AgentState,
}

/// Sees every transition. A panic in it is caught: it cannot prevent the transition.
pub type TransitionListener = Box<dyn Fn(AgentState, AgentState, &Map<String, Value>) + Send>;

/// The state of a session, and how it got there.
pub struct StateMachine {
    state: AgentState,
    history: Vec<(AgentState, AgentState)>,
    listeners: Vec<TransitionListener>,
}

impl Default for StateMachine {
    fn default() -> Self {
        Self {
            state: Idle,
            history: Vec::new(),
            listeners: Vec::new(),
        }
    }
}

impl fmt::Debug for StateMachine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("StateMachine")
            .field("state", &self.state)
            .field("history", &self.history)
            .finish_non_exhaustive()
    }
}

impl StateMachine {
    /// Where it is.
    pub const fn state(&self) -> AgentState {
        self.state
    }

    /// The transitions so far.
    pub fn history(&self) -> &[(AgentState, AgentState)] {
        &self.history
    }

    /// Adds a listener.
    pub fn on_transition(&mut self, listener: TransitionListener) {
        self.listeners.push(listener);
    }

    /// Goes to a state, with facts for the listeners.
    pub fn transition(
        &mut self,
        to_state: AgentState,
        metadata: &Map<String, Value>,
    ) -> Result<(), InvalidTransitionError> {
        let from_state = self.state;
        if !TRANSITIONS.contains(&(from_state, to_state)) {
            return Err(InvalidTransitionError {
                from_state,
                to_state,
            });
        }
        self.state = to_state;
        self.history.push((from_state, to_state));
        for listener in &self.listeners {
            let _ = catch_unwind(AssertUnwindSafe(|| {
                listener(from_state, to_state, metadata);
            }));
        }
        Ok(())
    }

    /// Idle → initializing.
    pub fn initialize(&mut self) -> Result<(), InvalidTransitionError> {
        self.transition(Initializing, &Map::new())
    }

    /// Initializing → running.
    pub fn start(&mut self) -> Result<(), InvalidTransitionError> {
        self.transition(Running, &Map::new())
    }

    /// Running → paused.
    pub fn pause(&mut self) -> Result<(), InvalidTransitionError> {
        self.transition(Paused, &Map::new())
    }

    /// Paused → running.
    pub fn resume(&mut self) -> Result<(), InvalidTransitionError> {
        self.transition(Running, &Map::new())
    }

    /// Running or paused → completing.
    pub fn complete(&mut self) -> Result<(), InvalidTransitionError> {
        self.transition(Completing, &Map::new())
    }

    /// Completing → idle.
    pub fn finish(&mut self) -> Result<(), InvalidTransitionError> {
        self.transition(Idle, &Map::new())
    }

    /// → error, with the error for the listeners.
    pub fn fail(&mut self, error: &str) -> Result<(), InvalidTransitionError> {
        let metadata = Map::from_iter([("error".to_owned(), Value::from(error))]);
        self.transition(Error, &metadata)
    }

    /// → disposed.
    pub fn dispose(&mut self) -> Result<(), InvalidTransitionError> {
        self.transition(Disposed, &Map::new())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    const ALL: [AgentState; 7] = [
        Idle,
        Initializing,
        Running,
        Paused,
        Completing,
        Error,
        Disposed,
    ];

    fn at(state: AgentState) -> StateMachine {
        StateMachine {
            state,
            ..StateMachine::default()
        }
    }

    #[test]
    fn only_the_eighteen_transitions_exist() {
        let mut valid = 0;
        for from_state in ALL {
            for to_state in ALL {
                let mut machine = at(from_state);
                match machine.transition(to_state, &Map::new()) {
                    Ok(()) => {
                        valid += 1;
                        assert_eq!(machine.state(), to_state);
                        assert_eq!(machine.history(), [(from_state, to_state)]);
                    }
                    Err(error) => {
                        assert_eq!((error.from_state, error.to_state), (from_state, to_state));
                        assert_eq!(machine.state(), from_state);
                        assert!(machine.history().is_empty());
                    }
                }
            }
        }
        assert_eq!(valid, 18);
    }

    #[test]
    fn a_run_is_initialize_start_pause_resume_complete_finish() {
        let mut machine = StateMachine::default();
        for step in [
            StateMachine::initialize,
            StateMachine::start,
            StateMachine::pause,
            StateMachine::resume,
            StateMachine::complete,
            StateMachine::finish,
            StateMachine::dispose,
        ] {
            step(&mut machine).unwrap();
        }
        let public: Vec<&str> = machine
            .history()
            .iter()
            .map(|(_, to)| to.public().as_str())
            .collect();
        assert_eq!(
            public,
            [
                "running", "running", "running", "running", "running", "idle", "closed"
            ]
        );
        let error = machine.fail("late").unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid transition of a session: disposed → error"
        );
    }

    #[test]
    fn a_panic_in_a_listener_prevents_nothing() {
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let mut machine = at(Running);
        machine.on_transition(Box::new(|_, _, _| panic!("a listener")));
        let log = Arc::clone(&seen);
        machine.on_transition(Box::new(move |from_state, to_state, metadata| {
            let line = format!(
                "{from_state} {to_state} {}",
                Value::Object(metadata.clone())
            );
            log.lock().unwrap().push(line);
        }));
        machine.fail("no answer").unwrap();
        assert_eq!(machine.state(), Error);
        assert_eq!(
            *seen.lock().unwrap(),
            [r#"running error {"error":"no answer"}"#]
        );
    }
}
