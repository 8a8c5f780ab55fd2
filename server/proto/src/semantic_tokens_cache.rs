//! The semantic tokens each document's client was last sent, so that after an edit only the part that changed is computed,
//! encoded and sent.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use attractor_ide::document::Document;
use attractor_ide::semantic_tokens::Token;
use lsp_types::{SemanticToken, Uri};
use rustc_hash::FxHashMap;

use crate::sync::lock;

/// The last result of each document.
#[derive(Debug, Default)]
pub struct SemanticTokensCache {
    last: Mutex<FxHashMap<Uri, (String, CachedTokens)>>,
    count: AtomicU64,
}

/// The tokens of one version of a document.
#[derive(Debug)]
pub(crate) struct CachedTokens {
    /// The document they are of.
    pub(crate) document: Arc<Document>,
    /// The tokens.
    pub(crate) tokens: Vec<Token>,
    /// The same as the protocol encodes them.
    pub(crate) encoded: Vec<SemanticToken>,
}

impl SemanticTokensCache {
    /// Takes the result of that id out of the cache; `None` when it is not the last one.
    pub(crate) fn take(&self, uri: &Uri, result_id: &str) -> Option<CachedTokens> {
        let mut last = lock(&self.last);
        let is_last = last.get(uri).is_some_and(|(id, _)| id == result_id);
        is_last
            .then(|| last.remove(uri))
            .flatten()
            .map(|(_, tokens)| tokens)
    }

    /// Stores a result and returns its id.
    pub(crate) fn store(&self, uri: Uri, tokens: CachedTokens) -> String {
        let result_id = self.count.fetch_add(1, Ordering::Relaxed).to_string();
        lock(&self.last).insert(uri, (result_id.clone(), tokens));
        result_id
    }

    /// Drops the result of a document.
    pub fn remove(&self, uri: &Uri) {
        lock(&self.last).remove(uri);
    }
}
