//! `attractor completions`: the completion scripts of shells.
//!
//! The script runs the program at each Tab, so that runs, templates, rules and nodes complete too.

use clap_complete::env::Shells;

use crate::console;
use crate::error::Error;
use crate::exit::Exit;

/// The environment variable that the script sets for the program.
pub const VARIABLE: &str = "ATTRACTOR_COMPLETE";

/// Print a shell completion script
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  source <(attractor completions bash)                                    in ~/.bashrc
  attractor completions fish > ~/.config/fish/completions/attractor.fish")]
pub struct Completions {
    /// The shell
    #[arg(value_parser = ["bash", "elvish", "fish", "powershell", "zsh"])]
    shell: String,
}

impl Completions {
    /// Prints the script.
    pub fn run(self) -> Result<Exit, Error> {
        let mut script = Vec::new();
        if let Some(shell) = Shells::builtins().completer(&self.shell) {
            shell
                .write_registration(VARIABLE, "attractor", "attractor", "attractor", &mut script)
                .map_err(|cause| Error::unwritable("the script", cause))?;
        }
        console::print(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Success)
    }
}
