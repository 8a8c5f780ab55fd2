//! Running commands: in a process group of their own, without secrets, with a limit on time, memory and
//! disk, and never left behind.
//!
//! A command ends in one of three ways: it ended, its time was up, or it was stopped. In the
//! last two the whole group gets TERM, and KILL two seconds later; so does everything the command started
//! that left the group (see `orphans`). If this process is killed, its commands go with it (`watchdog`); if
//! that fails too, the next engine ends them before it continues (`footprint`).

mod capture;
mod footprint;
mod identity;
mod job;
mod local;
mod lookup;
mod orphans;
mod pipe;
mod service;
mod table;
mod watchdog;

pub use capture::{Capture, CapturedOutput, is_incomplete};
pub use footprint::{footprint_name, footprints_in};
pub use identity::Identity;
pub use job::{ExecutionEnvironment, Exit, Job, JobResult, Output, OutputStream};
pub use local::{FilteredEnvironment, LocalEnvironment, end_run};
pub use lookup::find_program;
pub use orphans::OrphanScope;
pub use service::{Service, ServicePipes};
