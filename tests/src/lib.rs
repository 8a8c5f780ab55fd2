//! The kit of the end-to-end tests: a project in a temporary folder, and the real program in it.
//!
//! Nothing here knows what a pipeline means. Every invocation is bounded in time, does not inherit the environment
//! of the test process, and fails the test if the program panicked.
//!
//! ```no_run
//! let project = attractor_tests::Project::with("a.dot", "digraph { start [shape=Mdiamond] }");
//! let output = project.run(["validate", "a.dot"]);
//! assert_eq!(output.code, Some(1), "{output}");
//! ```

#![expect(
    clippy::missing_panics_doc,
    reason = "the kit fails a test by panicking"
)]

mod editor;
mod fresh;
mod git;
mod mock_provider;
mod process_output;
mod program;
mod project;
mod repository;
pub mod schema_tables;
mod skip;
mod terminal;

pub use editor::Editor;
pub use fresh::{fresh, fresh_parts};
pub use git::git;
pub use mock_provider::{KEY, MockProvider, Reply, Sent};
pub use process_output::ProcessOutput;
pub use program::program;
pub use project::{Project, RunningProcess};
pub use repository::repository;
pub use skip::skip;
pub use terminal::Terminal;
