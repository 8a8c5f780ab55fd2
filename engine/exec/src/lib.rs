//! The execution environment: runs commands in process groups, filters what they see of the environment, masks
//! secrets in what they write, opens files beneath a root, and writes files durably.
//!
//! Knows no pipeline and no model.
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod beneath;
mod digest;
mod disk;
mod isolation;
mod process;
mod redact;
mod root;
pub mod secret_environment;
mod secrets;
mod signature;

pub use attractor_permissions::SandboxMode;
pub use beneath::{is_beneath, normalize, open_beneath};
pub use digest::sha256;
pub use disk::{AppendFile, Disk, RealDisk, sync_directory};
pub use isolation::{Confinement, SandboxSettings, SandboxSupport, SandboxedEnvironment};
pub use process::{
    Capture, CapturedOutput, ExecutionEnvironment, Exit, FilteredEnvironment, Identity, Job,
    JobResult, LocalEnvironment, OrphanScope, Output, OutputStream, Service, ServicePipes, end_run,
    find_program, footprint_name, footprints_in, is_incomplete,
};
pub use redact::{MASK, Redactor, printable};
pub use root::{DirectoryEntry, EntryKind, ResolveError, RootDirectory};
pub use secrets::{MissingSecrets, Secrets, is_secret};
pub use signature::{is_signature, signature};
