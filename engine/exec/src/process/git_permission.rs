//! Who decides about what a command wants to write by Git.

use std::fmt::Debug;

use futures::future::BoxFuture;

/// Whether an agent may run a subcommand of Git that writes.
pub trait GitPermission: Debug + Send + Sync {
    /// Decides, and asks a person where a rule says so; the reason if it may not.
    fn permit<'a>(&'a self, subcommand: &'a str) -> BoxFuture<'a, Result<(), String>>;
}
