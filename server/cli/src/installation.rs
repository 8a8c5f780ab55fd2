//! How this program was installed, by the place of its executable, and how it is updated.
//!
//! Nothing is asked over the network. Whether there is a newer version comes from files that a package manager keeps on
//! this machine, where it keeps any; else the command that asks is named.

mod local_files;
mod methods;
mod newer;

use serde::Serialize;

pub use local_files::{LocalFiles, ThisMachine};

use methods::METHODS;

/// How the program was installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Installation {
    /// The executable.
    pub path: String,
    /// What installed it.
    pub method: &'static str,
    /// The command or the step that updates it.
    pub update: String,
    /// A newer version that this machine knows of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<String>,
    /// The command that asks for a newer version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<&'static str>,
}

/// The installation of an executable, whose symbolic links are resolved.
pub fn installation(executable: &str, version: &str, files: &dyn LocalFiles) -> Installation {
    let found = METHODS
        .iter()
        .find(|method| (method.is_at)(executable, files));
    let method = found.unwrap_or(&methods::ARCHIVE);
    let known = (method.versions)(executable, files);
    Installation {
        path: executable.to_owned(),
        method: method.name,
        update: method.update.to_owned(),
        newer: newer::newest_above(version, known),
        ask: method.ask,
    }
}

/// The installation of this process.
pub fn of_this_process() -> Option<Installation> {
    let executable = std::env::current_exe().ok()?;
    let executable = executable.canonicalize().unwrap_or(executable);
    let version = crate::version::VERSION;
    Some(installation(executable.to_str()?, version, &ThisMachine))
}

#[cfg(test)]
mod tests;
