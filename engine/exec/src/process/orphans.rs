//! Finding and ending what a command left behind.
//!
//! A command may start others that leave its process group (`setsid`) and outlive it. Everything a step
//! starts carries two variables in its environment and is in the session of its command, and on Linux this process adopts
//! orphans (it is their *subreaper*), so a process that drops the variables as well is still found as an adopted child in a
//! foreign session. What an engine that died left is found by the variables and by its footprints. Signals never
//! go to a process that is none of these. Elsewhere only the group is known.

pub(super) use super::children::{Registration, register, starting};
pub(super) use super::marks::{EndedOrphans, GRACE, RUN_MARK, STEP_MARK, Signal};
pub(super) use super::orphan_scope::OrphanScope;
pub(super) use crate::platform::orphans::{
    KNOWS_DESCENDANTS, adopt_orphans, adopted_now, any_below, any_left, end_adopted, end_run,
    is_renewing, reap, signal_below, signal_group, signal_marked, started_by_commands,
};
