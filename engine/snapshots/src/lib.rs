//! The files of a workspace at moments of a run, in an object store of its own.
//!
//! A snapshot is a tree of folders by content hash, as in Git, and never touches a Git index or object. Folders that did
//! not change are stored once; a file whose size and times did not change is not read again. Files that `.gitignore`
//! excludes, `.git`, what Attractor keeps and `.env` files are left out.
//!
//! The changes that several copies of a workspace had since they were made are merged into it: what one of them changed
//! is taken over, texts that several changed are merged by lines, and where that is not possible nothing is written.
//!
//! Bounded: a large file is recorded by its checksum or by its size and time alone, and one snapshot stores a limited
//! amount of new content. What is not stored can be listed as changed, and neither shown nor reverted.
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod capture;
mod changes;
mod checkout;
mod combine;
mod entry;
mod error;
mod files;
mod id;
mod merge;
mod merged;
mod objects;
mod obstacles;
mod revert;
mod stat_cache;
mod store;
mod tree;
mod walk;

#[cfg(test)]
mod tests;

pub use attractor_text_diff::ConflictReason;
pub use changes::{Change, ChangeKind};
pub use entry::{Entry, FileKind};
pub use error::SnapshotError;
pub use id::SnapshotId;
pub use merged::{MergeConflict, MergeSource, Merged, MergedFile};
pub use revert::Reverted;
pub use store::{Snapshot, SnapshotStore};
pub use walk::Scope;
