//! The execution environment: runs commands in process groups, filters what they see of the environment, masks
//! secrets in what they write, opens files beneath a root, and writes files durably.
//!
//! Knows no pipeline and no model.
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod beneath;
mod digest;
mod disk;
pub mod git;
mod ignore_files;
mod isolation;
mod platform;
mod process;
mod random;
mod redact;
mod root;
pub mod secret_environment;
mod secrets;
mod shell_programs;
mod signature;
mod temporary_folder;

pub use attractor_permissions::SandboxMode;
pub use attractor_redact::{MASK, Redactor, Scrubber, printable};
pub use beneath::{is_beneath, normalize, open_beneath};
pub use digest::sha256;
pub use disk::{
    AppendFile, Disk, RealDisk, open_regular, read_regular, sync_directory, write_if_missing,
};
pub use ignore_files::{has_readable_ignore_files, has_readable_ignore_files_above};
pub use isolation::{
    AgentSandbox, Confinement, HookAccess, Isolation, LandlockRules, RepositoryAccess,
    SandboxSettings, SandboxSupport, SandboxedEnvironment,
};
pub use platform::{OPEN_PROGRAM, WATCHES_TREES};
pub use process::{
    Capture, CapturedOutput, Connection, ExecutionEnvironment, Exit, FilteredEnvironment,
    GitPermission, Identity, Job, JobResult, LocalEnvironment, OrphanScope, Output, OutputStream,
    ProtectedChange, Sender, Service, ServicePipes, SetAside, SettledWork, adopt_descendants,
    end_run, find_program, footprint_name, footprints_in, is_incomplete,
};
pub use random::random_hex;
pub use redact::redactor;
pub use root::{DirectoryEntry, EntryKind, ResolveError, RootDirectory};
pub use secrets::{MissingSecrets, Secrets, is_secret};
pub use shell_programs::shell_programs;
pub use signature::{is_signature, signature};
pub use temporary_folder::TemporaryFolder;
