//! The language server for web pages and editors in a browser, as WebAssembly.
//!
//! [`handle`] takes one message of the language server protocol and returns the messages that answer it, at once: no
//! thread, no timer, no file. The answers are those of `attractor lsp`, because both servers call
//! [`attractor_proto`]. A client knows two things besides the protocol:
//!
//! - After a change, diagnostics that would disturb somebody who types are held back. `textDocument/didSave` brings the
//!   rest; a worker sends it after a second without an edit, as the native server does by itself.
//! - The files that a pipeline names are the other open documents with a `file:` URI.
//!
//! `ci/web/build.sh` builds the module; `docs/web.md` shows a worker.
//!
//! ```
//! use attractor_web::LanguageServer;
//!
//! let mut server = LanguageServer::new(None);
//! let answers = server.handle(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#);
//! assert!(answers[0].contains("\"hoverProvider\":true"));
//! // What is not a message is answered, too.
//! assert!(server.handle("{")[0].contains("Parse error"));
//! ```

mod commands;
mod documents;
mod exports;
mod host;
mod jsonrpc;
mod server;

pub use attractor_models::Date;

pub use self::exports::handle;
pub use self::server::LanguageServer;
