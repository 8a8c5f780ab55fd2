//! The language server protocol over the editor features, as pure functions.
//!
//! What a request answers depends on a [`RequestContext`] only: one version of one document, with what its server
//! knows besides ([`Host`]). [`REQUESTS`] lists the requests about one document by their method. The native server
//! (`lsp`) and the one for web pages (`web`) answer them by these functions; they differ in how messages arrive and in
//! what a host knows of files and runs.
//!
//! ```
//! let method = "textDocument/hover";
//! let row = attractor_proto::REQUESTS.iter().find(|row| row.method == method).unwrap();
//! // No such document is open.
//! let params = serde_json::json!({
//!     "textDocument": { "uri": "file:///a.dot" },
//!     "position": { "line": 0, "character": 0 },
//! });
//! assert_eq!((row.answer)(&|_| None, params).unwrap(), "null");
//! ```
#![cfg_attr(test, expect(clippy::expect_used, reason = "tests fail by panicking"))]

pub mod client_capabilities;
pub mod commands;
mod context;
pub mod diagnostics;
mod errors;
mod format_options;
pub mod from_proto;
pub mod paths;
mod request;
pub mod requests;
#[cfg(feature = "schema")]
pub mod schema;
mod semantic_tokens;
mod semantic_tokens_cache;
pub mod server_capabilities;
pub mod settings;
pub mod sync;
pub mod to_proto;

pub use self::client_capabilities::Features;
pub use self::context::{Host, RequestContext, UNOPENED, Workspace};
pub use self::errors::{REQUEST_FAILED, RequestError};
pub use self::request::{Contexts, DocumentRequest, RequestRow};
pub use self::requests::REQUESTS;
pub use self::semantic_tokens_cache::SemanticTokensCache;
pub use self::settings::LanguageSettings;
