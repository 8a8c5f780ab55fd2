//! The configuration of a folder, with its problems on standard error.

use std::path::Path;

use attractor_config::{Configuration, user_file};

use crate::console;
use crate::error::Error;

/// The configuration of `path`, which is absolute.
pub fn read(path: &Path) -> Configuration {
    Configuration::read(path, user_file().as_deref())
}

/// The same for what starts agents or lets others start runs, with its problems printed.
pub fn read_to_run(path: &Path) -> Result<Configuration, Error> {
    let configuration = read(path);
    report_problems(&configuration);
    match configuration.fatal_problem() {
        Some((path, _)) => Err(Error::Configuration {
            path: path.to_owned(),
        }),
        None => Ok(configuration),
    }
}

/// Prints what cannot be used: an error where nothing runs because of it, else a warning.
pub fn report_problems(configuration: &Configuration) {
    for layer in configuration.layers() {
        for problem in &layer.problems {
            let kind = if layer.refuses(problem) {
                "error"
            } else {
                "warning"
            };
            console::remark(&format!(
                "{kind}: {}:{}",
                layer.path.display(),
                console::plain(&problem.to_string())
            ));
        }
    }
}
