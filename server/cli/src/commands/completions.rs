//! `attractor completions`: the script that makes a shell complete this program's command line.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Arguments;
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
    pub fn run(self) -> Result<Exit, Error> {
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut Arguments::command(),
            "attractor",
            &mut script,
        );
        console::print(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Success)
    }
}
