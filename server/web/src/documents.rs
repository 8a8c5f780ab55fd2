//! The open documents.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use attractor_ide::diagnostics::typing::ReportedDiagnostics;
use attractor_ide::document::Document;
use attractor_ide::model::{NoFiles, Options};
use attractor_ide::position::{self, Change, Encoding};
use attractor_models::Date;
use attractor_proto::{LanguageSettings, paths};
use lsp_types::Uri;
use ropey::Rope;

use crate::host::OpenFiles;

/// The newest version of one open document.
pub(crate) struct OpenDocument {
    pub(crate) uri: Uri,
    pub(crate) document: Arc<Document>,
    /// The byte offset where the user is typing; `None` when nobody is.
    pub(crate) typing_at: Option<usize>,
    /// What was reported when nobody was typing.
    pub(crate) reported: Arc<Mutex<Arc<ReportedDiagnostics>>>,
}

/// The open documents, in the order in which they were opened.
#[derive(Default)]
pub(crate) struct Documents {
    open: Vec<OpenDocument>,
}

/// How texts are analyzed.
pub(crate) struct Analysis<'a> {
    pub(crate) settings: &'a LanguageSettings,
    pub(crate) today: Option<Date>,
}

impl Documents {
    /// The newest version of a document.
    pub(crate) fn get(&self, uri: &Uri) -> Option<&OpenDocument> {
        self.open.iter().find(|open| open.uri == *uri)
    }

    /// Every document.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &OpenDocument> {
        self.open.iter()
    }

    /// Opens a document, or replaces it when it is open already.
    pub(crate) fn open(&mut self, uri: Uri, version: i32, text: &str, analysis: &Analysis<'_>) {
        let document = self.analyze(&uri, version, Rope::from_str(text), analysis);
        self.close(&uri);
        self.open.push(OpenDocument {
            uri,
            document,
            typing_at: None,
            reported: Arc::default(),
        });
    }

    /// Applies changes in order. `false` when the document is not open.
    pub(crate) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: impl Iterator<Item = Change>,
        encoding: Encoding,
        analysis: &Analysis<'_>,
    ) -> bool {
        let Some(old) = self.get(uri) else {
            return false;
        };
        let (mut rope, mut typing_at) = (old.document.rope.clone(), old.typing_at);
        for change in changes {
            typing_at = Some(position::apply(&mut rope, &change, encoding));
        }
        let document = self.analyze(uri, version, rope, analysis);
        if let Some(open) = self.open.iter_mut().find(|open| open.uri == *uri) {
            (open.document, open.typing_at) = (document, typing_at);
        }
        true
    }

    /// Ends the typing in a document.
    pub(crate) fn settle(&mut self, uri: &Uri) {
        if let Some(open) = self.open.iter_mut().find(|open| open.uri == *uri) {
            open.typing_at = None;
        }
    }

    /// Closes a document.
    pub(crate) fn close(&mut self, uri: &Uri) {
        self.open.retain(|open| open.uri != *uri);
    }

    /// Analyzes every document again: the settings changed, or files that they depend on.
    pub(crate) fn reload(&mut self, analysis: &Analysis<'_>) {
        for index in 0..self.open.len() {
            let Some(OpenDocument { uri, document, .. }) = self.open.get(index) else {
                continue;
            };
            let (version, rope) = (document.version, document.rope.clone());
            let document = self.analyze(uri, version, rope, analysis);
            if let Some(open) = self.open.get_mut(index) {
                open.document = document;
            }
        }
    }

    /// The files a document may refer to; `None` for documents without a path.
    pub(crate) fn files(&self, uri: &Uri) -> Option<OpenFiles> {
        let path = paths::path_of(uri)?;
        let folder = path.parent().map(PathBuf::from).unwrap_or_default();
        let open = self.open.iter();
        let texts =
            open.filter_map(|open| Some((paths::path_of(&open.uri)?, open.document.rope.clone())));
        Some(OpenFiles {
            folder,
            texts: texts.collect(),
        })
    }

    fn analyze(
        &self,
        uri: &Uri,
        version: i32,
        rope: Rope,
        analysis: &Analysis<'_>,
    ) -> Arc<Document> {
        let options = Options {
            dialect: analysis.settings.dialect,
            levels: analysis.settings.lints.clone(),
            today: analysis.today,
            path: paths::path_of(uri).map(|path| path.display().to_string()),
            ..Options::default()
        };
        let document = match self.files(uri) {
            Some(files) => Document::from_rope(rope, version, options, &files),
            None => Document::from_rope(rope, version, options, &NoFiles),
        };
        Arc::new(document)
    }
}
