//! `attractor man`: the manual, from the same table as `--help`.

use std::fs;
use std::path::PathBuf;

use clap::Command;

use crate::console;
use crate::error::Error;
use crate::exit::Exit;

/// Print or write manual pages
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor man FOLDER      write a page per command
  attractor man | man -l -  read the page of the program")]
pub struct Man {
    /// Write a page per command to this folder; read one with `man -l FOLDER/attractor-run.1`
    folder: Option<PathBuf>,
}

impl Man {
    /// Prints the page or writes all.
    pub fn run(self, command: Command) -> Result<Exit, Error> {
        let Some(folder) = self.folder else {
            let mut page = Vec::new();
            clap_mangen::Man::new(command)
                .render(&mut page)
                .map_err(|cause| Error::unwritable("the manual", cause))?;
            console::print(&String::from_utf8_lossy(&page))?;
            return Ok(Exit::Success);
        };
        let written =
            fs::create_dir_all(&folder).and_then(|()| clap_mangen::generate_to(command, &folder));
        written.map_err(|cause| Error::unwritable(folder.display().to_string(), cause))?;
        Ok(Exit::Success)
    }
}
