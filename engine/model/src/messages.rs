//! Messages that settings of an editor and a configuration file share.

use crate::{Dialect, Level};

/// The name of a dialect that does not exist.
pub fn unknown_dialect(name: &str) -> String {
    let names = Dialect::ALL.map(Dialect::name).join(", ");
    format!("unknown dialect `{name}`; expected one of auto, {names}")
}

/// A level that a rule cannot have.
pub fn invalid_level(rule: &str, level: &str) -> String {
    let levels = Level::ALL.map(Level::name).join(", ");
    format!("invalid level `{level}` of rule `{rule}`; expected one of {levels}")
}
