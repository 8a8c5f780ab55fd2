//! The files of a workspace at moments of a run, in an object store of its own.
//!
//! A snapshot is a tree of folders by content hash, as in Git, and never touches a Git index or object. Folders that did
//! not change are stored once; a file whose size and times did not change is not read again. Files that `.gitignore`
//! excludes, `.git`, what Attractor keeps and `.env` files are left out.
//!
//! Bounded: a large file is recorded by its checksum or by its size and time alone, and one snapshot stores a limited
//! amount of new content. What is not stored can be listed as changed, and neither shown nor reverted.
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod capture;
mod changes;
mod entry;
mod error;
mod id;
mod objects;
mod revert;
mod stat_cache;
mod store;
mod tree;
mod walk;

#[cfg(test)]
mod tests;

pub use changes::{Change, ChangeKind};
pub use entry::{Entry, FileKind};
pub use error::SnapshotError;
pub use id::SnapshotId;
pub use revert::Reverted;
pub use store::{Snapshot, SnapshotStore};
pub use walk::Scope;
