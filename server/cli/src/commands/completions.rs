//! `attractor completions`: the script that makes a shell complete this program's command line.

use clap::Command;
use clap_complete::Shell;

use crate::console;
use crate::error::Error;
use crate::exit::Exit;

/// Print the completion script of a shell
#[derive(Debug, clap::Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Prints the script.
    pub fn run(self, mut command: Command) -> Result<Exit, Error> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "attractor", &mut script);
        console::print(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Success)
    }
}
