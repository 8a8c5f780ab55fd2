//! A synchronous language server: a message in, messages out.

use std::path::Path;
use std::sync::Arc;

use attractor_models::Date;
use attractor_proto::server_capabilities::capabilities;
use attractor_proto::settings::SettingsReader;
use attractor_proto::{
    Features, LanguageSettings, REQUESTS, RequestContext, RequestError, SemanticTokensCache,
    Workspace, diagnostics, from_proto, paths, requests,
};
use lsp_types::notification::{
    DidChangeConfiguration, DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument,
    DidSaveTextDocument, Exit, Notification, PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{
    CallHierarchyIncomingCalls, CallHierarchyOutgoingCalls, ColorPresentationRequest,
    DocumentDiagnosticRequest, ExecuteCommand, Initialize, Request, ResolveCompletionItem,
    Shutdown, WorkspaceSymbolRequest,
};
use lsp_types::{
    DocumentDiagnosticReportResult, InitializeParams, InitializeResult, MessageType,
    PublishDiagnosticsParams, ServerInfo, ShowMessageParams, Uri,
};
use serde::Serialize;
use serde_json::Value;

use crate::commands;
use crate::documents::{Analysis, Documents, OpenDocument};
use crate::host::PageHost;
use crate::jsonrpc::{self, Error, Message};

/// Where a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Uninitialized,
    Serving,
    ShutDown,
}

/// The server of one client.
pub struct LanguageServer {
    phase: Phase,
    today: Option<Date>,
    features: Arc<Features>,
    settings: Arc<LanguageSettings>,
    documents: Documents,
    semantic_tokens: Arc<SemanticTokensCache>,
}

impl LanguageServer {
    /// A server that waits for `initialize`. Models that are retired `today` are reported; without a date none is.
    pub fn new(today: Option<Date>) -> Self {
        Self {
            phase: Phase::Uninitialized,
            today,
            features: Arc::default(),
            settings: Arc::default(),
            documents: Documents::default(),
            semantic_tokens: Arc::default(),
        }
    }

    /// Takes a message as JSON and returns those to send: notifications, or the response to a request.
    pub fn handle(&mut self, message: &str) -> Vec<String> {
        let value: Value = match serde_json::from_str(message) {
            Ok(value) => value,
            Err(_) => return vec![jsonrpc::response(&Value::Null, Err(Error::parse()))],
        };
        let Ok(message) = serde_json::from_value::<Message>(value) else {
            return vec![jsonrpc::response(
                &Value::Null,
                Err(Error::invalid_request()),
            )];
        };
        match (message.id, message.method) {
            (Some(id), Some(method)) => {
                let mut sent = Vec::new();
                let result = self.answer(&method, message.params, &mut sent);
                sent.push(jsonrpc::response(&id, result));
                sent
            }
            (None, Some(method)) => self.notified(&method, message.params),
            // The server sends no requests, so this is the response to none.
            (_, None) => Vec::new(),
        }
    }

    /// The context of an open document.
    pub(crate) fn context(&self, uri: &Uri) -> Option<RequestContext> {
        self.documents.get(uri).map(|open| self.context_of(open))
    }

    fn context_of(&self, open: &OpenDocument) -> RequestContext {
        RequestContext {
            uri: open.uri.clone(),
            document: Arc::clone(&open.document),
            features: Arc::clone(&self.features),
            settings: Arc::clone(&self.settings),
            typing_at: open.typing_at,
            host: Box::new(PageHost {
                files: self.documents.files(&open.uri),
                reported: Arc::clone(&open.reported),
                semantic_tokens: Arc::clone(&self.semantic_tokens),
            }),
        }
    }

    fn answer(
        &mut self,
        method: &str,
        params: Value,
        sent: &mut Vec<String>,
    ) -> Result<String, Error> {
        match (self.phase, method) {
            (Phase::Uninitialized, Initialize::METHOD) => {
                return json(self.initialize(&read::<Initialize>(params)?, sent));
            }
            (Phase::Uninitialized, _) => return Err(Error::not_initialized()),
            (Phase::Serving, Shutdown::METHOD) => {
                self.phase = Phase::ShutDown;
                return Ok("null".to_owned());
            }
            (Phase::ShutDown, _) | (Phase::Serving, Initialize::METHOD) => {
                return Err(Error::invalid_request());
            }
            (Phase::Serving, _) => {}
        }
        if let Some(row) = REQUESTS.iter().find(|row| row.method == method) {
            return Ok((row.answer)(&|uri| self.context(uri), params)?);
        }
        match method {
            DocumentDiagnosticRequest::METHOD => {
                json(self.diagnostic(&read::<DocumentDiagnosticRequest>(params)?))
            }
            ResolveCompletionItem::METHOD => {
                json(requests::completion_resolve(read::<ResolveCompletionItem>(
                    params,
                )?))
            }
            ColorPresentationRequest::METHOD => {
                json(requests::color_presentation(&read::<
                    ColorPresentationRequest,
                >(params)?))
            }
            WorkspaceSymbolRequest::METHOD => {
                let query = read::<WorkspaceSymbolRequest>(params)?.query;
                json(requests::workspace_symbols(self, &query))
            }
            CallHierarchyIncomingCalls::METHOD => {
                let item = read::<CallHierarchyIncomingCalls>(params)?.item;
                let context = self.context(&item.uri);
                json(
                    context.and_then(|context| requests::incoming_calls(self, &context, item.data)),
                )
            }
            CallHierarchyOutgoingCalls::METHOD => {
                let item = read::<CallHierarchyOutgoingCalls>(params)?.item;
                let context = self.context(&item.uri);
                json(
                    context.and_then(|context| requests::outgoing_calls(self, &context, item.data)),
                )
            }
            ExecuteCommand::METHOD => {
                let result =
                    commands::execute(&|uri| self.context(uri), read::<ExecuteCommand>(params)?)?;
                json(self.features.protocol.translated(result))
            }
            _ => Err(Error::method_not_found()),
        }
    }

    fn initialize(
        &mut self,
        params: &InitializeParams,
        sent: &mut Vec<String>,
    ) -> InitializeResult {
        let client = params.client_info.as_ref().map(|info| info.name.as_str());
        self.features = Arc::new(Features::read(&params.capabilities, client));
        if let Some(options) = &params.initialization_options {
            sent.extend(self.change_settings(options));
        }
        self.phase = Phase::Serving;
        InitializeResult {
            capabilities: capabilities(&self.features, commands::names()),
            server_info: Some(ServerInfo {
                name: "attractor".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            offset_encoding: None,
        }
    }

    /// Takes over settings and returns messages about what is wrong with them.
    fn change_settings(&mut self, section: &Value) -> Vec<String> {
        let mut reader = SettingsReader::new(section);
        Arc::make_mut(&mut self.settings).merge(&mut reader);
        let problems = reader.into_problems().into_iter();
        let messages = problems.filter_map(|message| {
            let typ = MessageType::WARNING;
            jsonrpc::notification(ShowMessage::METHOD, &ShowMessageParams { typ, message })
        });
        messages.collect()
    }

    fn diagnostic(
        &self,
        params: &lsp_types::DocumentDiagnosticParams,
    ) -> DocumentDiagnosticReportResult {
        let context = self.context(&params.text_document.uri);
        let items = context.map_or_else(Vec::new, |context| diagnostics::shown(&context));
        diagnostics::report(items, params.previous_result_id.as_ref()).into()
    }

    /// Notifications with other parameters than theirs, and unknown ones, are ignored, as the protocol wants it.
    fn notified(&mut self, method: &str, params: Value) -> Vec<String> {
        if method == Exit::METHOD {
            *self = Self::new(self.today);
            return Vec::new();
        }
        if self.phase != Phase::Serving {
            return Vec::new();
        }
        self.apply(method, params).unwrap_or_default()
    }

    fn apply(&mut self, method: &str, params: Value) -> Option<Vec<String>> {
        let settings = Arc::clone(&self.settings);
        let analysis = Analysis {
            settings: &settings,
            today: self.today,
        };
        match method {
            DidOpenTextDocument::METHOD => {
                let opened = parameters::<DidOpenTextDocument>(params)?.text_document;
                let uri = opened.uri.clone();
                let (version, text) = (opened.version, &opened.text);
                self.documents.open(opened.uri, version, text, &analysis);
                Some(self.publish(&uri))
            }
            DidChangeTextDocument::METHOD => {
                let changed = parameters::<DidChangeTextDocument>(params)?;
                let (uri, version) = (changed.text_document.uri, changed.text_document.version);
                let edits = changed.content_changes.into_iter().map(from_proto::change);
                let encoding = self.features.encoding;
                let documents = &mut self.documents;
                let is_open = documents.change(&uri, version, edits, encoding, &analysis);
                is_open.then(|| self.publish(&uri))
            }
            DidSaveTextDocument::METHOD => {
                let saved = parameters::<DidSaveTextDocument>(params)?;
                self.documents.settle(&saved.text_document.uri);
                self.documents.reload(&analysis);
                Some(self.publish_all())
            }
            DidCloseTextDocument::METHOD => {
                let uri = parameters::<DidCloseTextDocument>(params)?
                    .text_document
                    .uri;
                self.documents.close(&uri);
                self.semantic_tokens.remove(&uri);
                Some(self.publish(&uri))
            }
            DidChangeConfiguration::METHOD => {
                let settings = parameters::<DidChangeConfiguration>(params)?.settings;
                let section = settings.get("attractor").unwrap_or(&settings);
                let mut sent = self.change_settings(section);
                let settings = Arc::clone(&self.settings);
                let (settings, today) = (&*settings, self.today);
                self.documents.reload(&Analysis { settings, today });
                sent.extend(self.publish_all());
                Some(sent)
            }
            _ => None,
        }
    }

    fn publish_all(&self) -> Vec<String> {
        let documents = self.documents.iter();
        documents.flat_map(|open| self.publish(&open.uri)).collect()
    }

    /// The diagnostics of a document; none of one that was closed. Clients that pull diagnostics are sent none.
    fn publish(&self, uri: &Uri) -> Vec<String> {
        if self.features.pull_diagnostics {
            return Vec::new();
        }
        let params = match self.context(uri) {
            Some(context) => PublishDiagnosticsParams::new(
                uri.clone(),
                diagnostics::shown(&context),
                context.open_version(),
            ),
            None => PublishDiagnosticsParams::new(uri.clone(), Vec::new(), None),
        };
        let message = jsonrpc::notification(PublishDiagnostics::METHOD, &params);
        message.into_iter().collect()
    }
}

impl Workspace for LanguageServer {
    fn contexts(&self) -> Box<dyn Iterator<Item = RequestContext> + '_> {
        Box::new(self.documents.iter().map(|open| self.context_of(open)))
    }

    fn at(&self, path: &Path) -> Option<RequestContext> {
        let mut documents = self.documents.iter();
        let open = documents.find(|open| paths::path_of(&open.uri).as_deref() == Some(path))?;
        Some(self.context_of(open))
    }
}

fn read<R: Request>(params: Value) -> Result<R::Params, Error> {
    let params = serde_json::from_value(params);
    Ok(params.map_err(|problem| RequestError::InvalidParams(problem.to_string()))?)
}

fn parameters<N: Notification>(params: Value) -> Option<N::Params> {
    serde_json::from_value(params).ok()
}

/// By way of a value, as the native server writes results.
fn json<T: Serialize>(result: T) -> Result<String, Error> {
    let value = serde_json::to_value(result).map_err(|_| RequestError::Internal)?;
    Ok(value.to_string())
}
