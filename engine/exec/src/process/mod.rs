//! Running commands: in a session and process group of their own, without secrets, with a limit on time, memory and
//! disk, and never left behind.
//!
//! A command ends in one of three ways: it ended, its time was up, or it was stopped. In the
//! last two the whole group gets TERM, and KILL two seconds later; so does everything the command started
//! that left the group (see `orphans`). What an agent's commands left is ended with its work (`orphan_baseline`). If
//! this process is killed, its commands go with it (`watchdog`); if that fails too, the next engine ends them before it
//! continues (`footprint`).

mod capture;
pub(crate) mod children;
mod connection;
mod environment;
mod footprint;
mod git_permission;
mod identity;
mod job;
mod local;
mod lookup;
pub(crate) mod marks;
mod orphan_baseline;
pub(crate) mod orphan_scope;
mod orphans;
mod pipe;
mod sender;
mod service;
pub(crate) mod sessions;
mod spawn;
mod watchdog;

pub use capture::{Capture, CapturedOutput, is_incomplete};
pub use connection::Connection;
pub use environment::ExecutionEnvironment;
pub use footprint::{footprint_name, footprints_in};
pub use git_permission::GitPermission;
pub use identity::Identity;
pub use job::{Exit, Job, JobResult, Output, OutputStream, ProtectedChange, SetAside, SettledWork};
pub use local::{FilteredEnvironment, LocalEnvironment, end_run};
pub use lookup::find_program;
pub(crate) use orphan_baseline::OrphanBaseline;
pub use orphan_scope::OrphanScope;
pub use sender::{Sender, adopt_descendants};
pub use service::{Service, ServicePipes};
