//! Which backend a node gets: the one its `backend` names, else the first one that can answer, else the simulation,
//! at that node only.

use std::sync::Arc;

use super::{CodergenBackend, CodergenRequest, SimulateBackend};

/// The reason of a simulation that nothing else explains.
const NO_BACKEND: &str = "no backend for models is configured";

/// The backends of a run, by name. Without any, every model is simulated.
#[derive(Clone, Default)]
pub struct BackendRegistry {
    /// In order of preference.
    backends: Vec<Arc<dyn CodergenBackend>>,
}

/// What answers one request.
pub(crate) struct Choice {
    pub(crate) backend: Arc<dyn CodergenBackend>,
    /// Why the answer is simulated, if it is.
    pub(crate) simulated: Option<Simulation>,
}

/// Why the answer of a model is simulated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simulation {
    /// In a sentence, for a user.
    pub reason: String,
    /// Whether it was requested: by the run, the node, or the program that registered such a backend. Else, it only
    /// replaces a model that cannot be called.
    pub is_requested: bool,
}

impl Simulation {
    /// A simulation that was requested.
    pub(crate) fn requested(reason: String) -> Self {
        Self {
            reason,
            is_requested: true,
        }
    }

    fn stopgap(reason: String) -> Self {
        Self {
            reason,
            is_requested: false,
        }
    }
}

impl std::fmt::Debug for BackendRegistry {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("BackendRegistry")
            .field(&self.names())
            .finish()
    }
}

impl BackendRegistry {
    /// A registry of one backend.
    pub fn of(backend: impl CodergenBackend + 'static) -> Self {
        let mut registry = Self::default();
        registry.register(Arc::new(backend));
        registry
    }

    /// Adds a backend, in front of the others. It replaces one of the same name.
    pub fn register(&mut self, backend: Arc<dyn CodergenBackend>) {
        self.backends.retain(|known| known.name() != backend.name());
        self.backends.insert(0, backend);
    }

    /// The backend of that name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn CodergenBackend>> {
        self.backends.iter().find(|backend| backend.name() == name)
    }

    /// The names, in order of preference.
    pub fn names(&self) -> Vec<&'static str> {
        self.backends.iter().map(|backend| backend.name()).collect()
    }

    /// What answers a request, or why the node fails. A node that names a backend of this registry gets that one or
    /// fails; one that names another is simulated.
    pub(crate) fn choose(&self, request: &CodergenRequest) -> Result<Choice, String> {
        let requested = request.backend.as_deref().map(str::trim);
        if let Some(backend) = requested.and_then(|name| self.get(name)) {
            return match backend.unavailable(request) {
                None => Ok(Choice::of(backend)),
                Some(reason) => Err(format!(
                    "the backend `{}` is not available: {reason}",
                    backend.name()
                )),
            };
        }
        if let Some(name) = requested {
            return Ok(Choice::simulation(match name {
                "simulate" => {
                    Simulation::requested("the node requests it (`backend=simulate`)".to_owned())
                }
                other => Simulation::stopgap(format!(
                    "the backend `{other}` is not available in this version"
                )),
            }));
        }
        let mut reasons = Vec::new();
        let is_offered = |backend: &&Arc<dyn CodergenBackend>| !backend.is_only_by_name();
        for backend in self.backends.iter().filter(is_offered) {
            match backend.unavailable(request) {
                None => return Ok(Choice::of(backend)),
                Some(reason) => reasons.push(reason),
            }
        }
        if reasons.is_empty() {
            reasons.push(NO_BACKEND.to_owned());
        }
        Ok(Choice::simulation(Simulation::stopgap(reasons.join("; "))))
    }

    /// The secrets of all backends.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let backends = self.backends.iter();
        backends.flat_map(|backend| backend.secrets()).collect()
    }
}

impl Choice {
    fn of(backend: &Arc<dyn CodergenBackend>) -> Self {
        Self {
            backend: Arc::clone(backend),
            simulated: backend.simulation().map(Simulation::requested),
        }
    }

    fn simulation(simulation: Simulation) -> Self {
        Self {
            backend: Arc::new(SimulateBackend),
            simulated: Some(simulation),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::future::BoxFuture;

    use super::super::{BackendError, CodergenResponse, Progress};
    use super::*;

    /// Answers for its own provider only.
    struct OneProvider(&'static str);

    impl CodergenBackend for OneProvider {
        fn name(&self) -> &'static str {
            self.0
        }

        fn unavailable(&self, request: &CodergenRequest) -> Option<String> {
            let is_own = request.provider.as_deref() == Some(self.0);
            (!is_own).then(|| format!("{} has no key", self.0))
        }

        fn run(
            &self,
            _: CodergenRequest,
            _: Arc<dyn Progress>,
        ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
            Box::pin(async { Ok(CodergenResponse::default()) })
        }
    }

    fn chosen(backend: Option<&str>, provider: Option<&str>) -> String {
        let mut registry = BackendRegistry::of(OneProvider("one"));
        registry.register(Arc::new(OneProvider("two")));
        let request = CodergenRequest {
            backend: backend.map(str::to_owned),
            provider: provider.map(str::to_owned),
            ..CodergenRequest::default()
        };
        match registry.choose(&request) {
            Ok(choice) => match choice.simulated {
                Some(why) => format!("{} ({})", choice.backend.name(), why.reason),
                None => choice.backend.name().to_owned(),
            },
            Err(reason) => reason,
        }
    }

    #[test]
    fn each_request_gets_a_backend_of_its_own() {
        for (backend, provider, expected) in [
            (None, Some("one"), "one"),
            (None, Some("two"), "two"),
            (None, None, "simulate (two has no key; one has no key)"),
            (Some("one"), Some("one"), "one"),
            (
                Some("one"),
                Some("two"),
                "the backend `one` is not available: one has no key",
            ),
            (
                Some("simulate"),
                Some("one"),
                "simulate (the node requests it (`backend=simulate`))",
            ),
            (
                Some("cli"),
                Some("one"),
                "simulate (the backend `cli` is not available in this version)",
            ),
        ] {
            assert_eq!(
                chosen(backend, provider),
                expected,
                "{backend:?} {provider:?}"
            );
        }
        let none = BackendRegistry::default();
        let choice = none.choose(&CodergenRequest::default()).unwrap();
        let expected = Simulation::stopgap(NO_BACKEND.to_owned());
        assert_eq!(choice.simulated, Some(expected));
    }
}
