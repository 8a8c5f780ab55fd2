//! The state of one connection: a struct of parts and nothing else. Functions take the parts they use.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use attractor::RunObserver;
use rustc_hash::FxHashSet;
use tower_lsp::Client;

use crate::api_keys::ApiKeys;
use crate::documents::Documents;
use crate::notifier::Notifier;
use crate::runs::registry::RunRegistry;
use crate::settings::Settings;
use crate::transport::FrameSender;
use crate::trust::Trust;
use crate::workspace::Workspace;
use crate::workspace_words_cache::WorkspaceWordsCache;
use attractor_proto::SemanticTokensCache;

/// The state of one connection.
pub(crate) struct Session {
    /// Sends to the client.
    pub(crate) notifier: Arc<Notifier>,
    /// What the editor has open.
    pub(crate) documents: Arc<Documents>,
    /// The scenario files that the editor has open. They are TOML, so none of them is ever analyzed as DOT.
    pub(crate) scenario_documents: Arc<Documents>,
    /// The folders the editor has open, and the settings.
    pub(crate) workspace: Arc<Workspace>,
    /// Which pipelines may run.
    pub(crate) trust: Arc<Trust>,
    /// The keys of providers that the editor keeps.
    pub(crate) api_keys: ApiKeys,
    /// The runs of the open documents.
    pub(crate) runs: Arc<RunRegistry>,
    /// Is informed of the runs.
    pub(crate) observer: Option<Arc<dyn RunObserver>>,
    /// The words of the workspace's files, for completion.
    pub(crate) workspace_words: Arc<WorkspaceWordsCache>,
    /// The semantic tokens the client was last sent.
    pub(crate) semantic_tokens: Arc<SemanticTokensCache>,
    /// Documents that the client pulled diagnostics of: it forgets what was reported of one that it closed.
    pub(crate) pulled: Mutex<FxHashSet<String>>,
    /// Set by `shutdown`.
    pub(crate) shutdown_requested: AtomicBool,
}

impl Session {
    /// The session of a client that has not sent `initialize`.
    pub(crate) fn new(
        client: Client,
        frames: FrameSender,
        settings: Settings,
        observer: Option<Arc<dyn RunObserver>>,
    ) -> Self {
        let state_dir = settings.state_folder();
        Self {
            notifier: Arc::new(Notifier::new(client, frames)),
            documents: Arc::default(),
            scenario_documents: Arc::default(),
            workspace: Arc::new(Workspace::new(settings)),
            trust: Arc::new(Trust::new(state_dir.as_deref())),
            api_keys: ApiKeys::default(),
            runs: Arc::default(),
            observer,
            workspace_words: Arc::default(),
            semantic_tokens: Arc::default(),
            pulled: Mutex::default(),
            shutdown_requested: AtomicBool::new(false),
        }
    }

    /// Whether the client has sent `initialize` and not `shutdown`.
    pub(crate) fn is_serving(&self) -> bool {
        self.notifier.is_initialized() && !self.shutdown_requested.load(Ordering::Relaxed)
    }
}
