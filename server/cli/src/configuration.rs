//! The configuration of a folder, with its problems on standard error.

use std::path::Path;

use attractor_config::{Configuration, Owner, user_file};

use crate::console;

/// The configuration of `path`, which is absolute.
pub fn read(path: &Path) -> Configuration {
    Configuration::read(path, user_file().as_deref())
}

/// Prints what cannot be used: errors of the project's file, warnings of the user's.
pub fn report_problems(configuration: &Configuration) {
    for layer in configuration.layers() {
        for problem in &layer.problems {
            let kind = match layer.owner {
                Owner::Project => "error",
                Owner::User => "warning",
            };
            console::remark(&format!(
                "{kind}: {}:{}",
                layer.path.display(),
                console::plain(&problem.to_string())
            ));
        }
    }
}
