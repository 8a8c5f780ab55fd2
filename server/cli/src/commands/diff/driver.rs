//! Calls by Git: `diff.NAME.command` and `GIT_EXTERNAL_DIFF` give the path, and a file, an object id and a mode of each
//! version.

use std::path::{Path, PathBuf};

use super::compared::{Pair, read};
use crate::error::Error;

/// Set by Git for the programs that it shows differences with.
const COUNTER: &str = "GIT_DIFF_PATH_COUNTER";

/// Whether these are the arguments that Git gives: seven, nine of a file that was renamed, one of a file that has not been
/// merged.
pub(super) fn is_call(arguments: &[PathBuf]) -> bool {
    let is_git = std::env::var_os(COUNTER).is_some();
    matches!(arguments.len(), 7 | 9) || arguments.len() == 1 && is_git
}

/// The versions of a call; none of a file that has not been merged.
pub(super) fn pair(arguments: &[PathBuf]) -> Option<Result<Pair, Error>> {
    let [path, old, _, _, new, _, _, rest @ ..] = arguments else {
        return None;
    };
    let version = |file: &Path| {
        let is_there = file != Path::new("/dev/null");
        is_there.then(|| read(file)).transpose()
    };
    // Of a renamed file the new path follows the versions.
    let now = rest.first().unwrap_or(path);
    let pair = || {
        Ok(Pair {
            path: now.clone(),
            old_path: (now != path).then(|| path.clone()),
            old: version(old)?,
            new: version(new)?,
        })
    };
    Some(pair())
}
