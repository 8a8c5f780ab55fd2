//! `attractor help`: the overview of the commands, or the help of one.

use clap::Command;

use crate::console;
use crate::error::Error;
use crate::exit::Exit;

/// Print this overview, or the help of a command
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor help              the commands
  attractor help runs show    what `attractor runs show` takes")]
pub struct Help {
    /// A command, and its subcommand if it has one
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

impl Help {
    /// Prints the help of the command, as `--help` does.
    pub fn run(self, mut root: Command) -> Result<Exit, Error> {
        root.build();
        let mut command = &mut root;
        for name in &self.command {
            let names = command
                .get_subcommands()
                .map(|one| one.get_name().to_owned())
                .collect();
            command = command
                .find_subcommand_mut(name)
                .ok_or_else(|| Error::UnknownCommand {
                    name: name.clone(),
                    names,
                })?;
        }
        console::print(&command.render_long_help().ansi().to_string())?;
        Ok(Exit::Success)
    }
}
