//! Git as this program itself calls it. Nothing that a repository configures is run: neither hooks nor filters, pagers,
//! editors, file system monitors, credential helpers or external diffs.
//!
//! A repository is found once, when a run begins ([`Repository::discover`]), and each later call is refused when its `.git`
//! has become something else. A call does not see the configuration of the repository, nor that of the machine and the
//! user: it gets a copy that has only keys known to be data ([`view`]). It runs with an environment of its own, without
//! network, in the sandbox of this machine, and can write only where the call says.
//!
//! Commands of agents cannot write `.git` in a sandbox that can prevent it. The `git` that they find first hands what
//! writes to the engine ([`run_as_git`]), which decides and runs it in the same way ([`crate::GitPermission`]).
//!
//! ```no_run
//! # async fn example(execution: &dyn attractor_exec::ExecutionEnvironment) -> Result<(), attractor_exec::git::GitError> {
//! use attractor_exec::git::{Call, Git, Repository};
//! if let Some(repository) = Repository::discover("/home/ada/project".as_ref())? {
//!     let git = Git::new(&repository, execution);
//!     let head = git.text(Call::read("/home/ada/project", ["rev-parse", "HEAD"])).await?;
//! }
//! # Ok(()) }
//! ```

mod broker;
mod call;
mod client;
mod commit;
mod configuration;
mod created;
mod error;
mod identity;
mod named_programs;
mod names;
mod protection;
mod repository;
mod request;
mod socket;
mod subcommand;
mod view;
mod worktree;

pub(crate) use broker::Broker;
pub use call::{Call, Git};
pub(crate) use client::client_program;
pub use client::run_as_git;
pub use commit::Commit;
pub(crate) use created::{is_bare_repository, set_aside, with_inner};
pub use error::GitError;
pub(crate) use named_programs::named_programs;
pub use names::NAME;
pub(crate) use names::SOCKET;
pub use repository::Repository;
pub(crate) use socket::BrokerSocket;
pub use worktree::{add_worktree, forget_worktree};

/// Where Git is, if it is installed.
pub fn program() -> Option<std::path::PathBuf> {
    crate::process::find_program("git")
}
