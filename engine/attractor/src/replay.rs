//! Prompts answered by a recording, for runs in which nothing is real.
//!
//! A prompt node gets the recorded answer to its request. The session of a codergen node is followed in the recording:
//! its tools are not run, and no file is changed.

use std::path::Path;
use std::sync::Arc;

use attractor_agent::prompt::environment_pattern;
use attractor_exec::{AgentSandbox, Redactor};
use attractor_llm::middleware::{Cassette, Normaliser};
use attractor_run::{
    Agency, BackendError, BackendRegistry, CodergenBackend, CodergenRequest, CodergenResponse,
    FailureClass, Progress,
};
use futures::future::BoxFuture;

use crate::agent_settings::AgentSettings;
use crate::native::{NAME, NativeBackend, recorded_session};
use crate::providers::Providers;

/// Backends that answer from the recording in a file instead of calling models. Nodes that request another backend than
/// `native` are simulated.
///
/// # Errors
/// The file cannot be read, or is damaged.
pub fn replay_backends(path: &Path) -> Result<BackendRegistry, String> {
    let folder = path.parent().unwrap_or(path);
    let cassette = Cassette::replay(
        path,
        cassette_normaliser(folder, attractor_exec::redactor([])),
    );
    let cassette = Arc::new(cassette.map_err(|error| error.data().message.clone())?);
    let native = NativeBackend::new(
        Providers::replaying(Arc::clone(&cassette) as _),
        AgentSettings::default(),
    );
    Ok(BackendRegistry::of(ReplayBackend { native, cassette }))
}

/// What differs between folders and days in the requests of recorded runs of a folder: its path, and what the instructions
/// of agents say about it. What `redactor` finds is masked in requests and answers.
pub fn cassette_normaliser(folder: &Path, redactor: Redactor) -> Normaliser {
    // The folder of a bare file name is empty.
    let here = std::path::absolute(Path::new(".").join(folder)).unwrap_or_default();
    let real = std::fs::canonicalize(&here).unwrap_or_else(|_| here.clone());
    let environment = environment_pattern().into_iter();
    let normaliser = environment.fold(Normaliser::new(redactor), |normaliser, pattern| {
        normaliser.mask(pattern, "environment")
    });
    [real, here]
        .into_iter()
        // The root is in every path.
        .filter(|folder| folder.parent().is_some())
        .fold(normaliser, |normaliser, folder| {
            normaliser.replace(folder.display().to_string(), "workspace")
        })
}

struct ReplayBackend {
    native: NativeBackend,
    cassette: Arc<Cassette>,
}

impl CodergenBackend for ReplayBackend {
    fn name(&self) -> &'static str {
        NAME
    }

    fn unavailable(&self, request: &CodergenRequest) -> Option<String> {
        self.native.unavailable(request)
    }

    fn sandbox(&self) -> Option<AgentSandbox> {
        self.native.sandbox()
    }

    fn run(
        &self,
        input: CodergenRequest,
        progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
        if input.agency == Agency::OneAnswer {
            return self.native.run(input, progress);
        }
        let cassette = Arc::clone(&self.cassette);
        let model = self.native.model(&input);
        Box::pin(async move {
            let unavailable = |reason| BackendError::new(FailureClass::Configuration, reason);
            let (client, model) = model.map_err(unavailable)?;
            let redactor = progress.redactor();
            recorded_session(&client, &cassette, &input, model, &redactor).map_err(|error| *error)
        })
    }
}
