//! The client of `attractor serve`: runs of a server elsewhere, their events and their control.
//!
//! The command line (`--server`) and the language server (`attractor.server.remote`) both use it. It sends requests and
//! reads answers; it holds no state of runs, prints nothing, and never puts the token into a message.
//!
//! ```no_run
//! # async fn example() -> Result<(), attractor_client::ClientError> {
//! let server = attractor_client::Server::connect("http://127.0.0.1:4123", None)?;
//! for run in server.runs(100).await? {
//!     println!("{} {}", run.run, run.state.name());
//! }
//! # Ok(())
//! # }
//! ```
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod address;
mod changes;
mod connection;
mod error;
mod event_stream;
mod frame_stream;
mod run_changes;
mod run_row;
mod server;
mod token;

pub use address::ServerAddress;
pub use changes::{RemoteChanges, RemoteFile};
pub use error::{ClientError, TOKEN_VARIABLE};
pub use event_stream::{EventStream, Retries};
pub use run_changes::{RunChange, RunChanges};
pub use server::{AnswerOutcome, Server};
pub use token::token_file;
