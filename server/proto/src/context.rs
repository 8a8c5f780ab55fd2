//! What a request works on: an immutable snapshot of one document.

use std::path::Path;
use std::sync::Arc;

use attractor_dot::format::settings::FormatSettings;
use attractor_ide::diagnostics::typing::ReportedDiagnostics;
use attractor_ide::document::Document;
use attractor_ide::model::Files;
use attractor_ide::position::Encoding;
use attractor_ide::runs::RunView;
use attractor_ide::workspace_words::WorkspaceWords;
use lsp_types::Uri;

use crate::client_capabilities::Features;
use crate::paths;
use crate::semantic_tokens_cache::SemanticTokensCache;
use crate::settings::LanguageSettings;

/// The version of a document that the editor does not have open.
pub const UNOPENED: i32 = i32::MIN;

/// What a server knows about a document besides its text.
pub trait Host: Send + Sync {
    /// The files the document may refer to.
    fn files(&self) -> Box<dyn Files>;

    /// The words of the workspace's pipelines, for completion.
    fn words(&self) -> Arc<WorkspaceWords>;

    /// What was reported of the document when it was last settled.
    fn reported(&self) -> Arc<ReportedDiagnostics>;

    /// Stores what was reported of the settled document.
    fn set_reported(&self, reported: ReportedDiagnostics);

    /// The semantic tokens the client was last sent.
    fn semantic_tokens(&self) -> &SemanticTokensCache;

    /// The formatter options that the project of the document sets.
    fn project_format(&self) -> FormatSettings {
        FormatSettings::default()
    }

    /// The runs of the document, newest first.
    fn runs(&self, _document: &Document) -> Vec<RunView> {
        Vec::new()
    }

    /// The same with their status reports, for hovers.
    fn runs_with_reports(&self, document: &Document) -> Vec<RunView> {
        self.runs(document)
    }
}

/// Every pipeline file that a server knows, open or not.
pub trait Workspace {
    /// The context of every DOT file.
    fn contexts(&self) -> Box<dyn Iterator<Item = RequestContext> + '_>;

    /// The context of the document at a path.
    fn at(&self, path: &Path) -> Option<RequestContext>;
}

/// One version of one document, with the settings at that time.
pub struct RequestContext {
    /// The document's URI as its client writes it.
    pub uri: Uri,
    /// The document.
    pub document: Arc<Document>,
    /// What the client can do.
    pub features: Arc<Features>,
    /// The settings.
    pub settings: Arc<LanguageSettings>,
    /// The byte offset where the user is typing in the document; `None` when nobody is.
    pub typing_at: Option<usize>,
    /// What the server knows besides.
    pub host: Box<dyn Host>,
}

impl RequestContext {
    /// The unit of columns.
    pub fn encoding(&self) -> Encoding {
        self.features.encoding
    }

    /// The client's version of the document; `None` when it is not open.
    pub fn open_version(&self) -> Option<i32> {
        Some(self.document.version).filter(|version| *version != UNOPENED)
    }

    /// The runs of the document, newest first.
    pub fn runs(&self) -> Vec<RunView> {
        self.host.runs(&self.document)
    }

    /// The files the document may refer to.
    pub fn files(&self) -> Box<dyn Files> {
        self.host.files()
    }

    /// The URI of a file by its path relative to the document.
    pub fn uri_of(&self, path: &str) -> Option<Uri> {
        let own = paths::path_of(&self.uri)?;
        paths::file_uri(&paths::resolve(own.parent()?, path))
    }
}
