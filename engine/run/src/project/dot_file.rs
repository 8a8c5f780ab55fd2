//! The names of files with pipelines.

use std::ffi::OsStr;
use std::path::Path;

/// The extensions of DOT files.
pub const DOT_EXTENSIONS: [&str; 5] = ["dot", "gv", "attractor", "fabro", "dag"];

/// Whether a path has the extension of a DOT file, in any case.
///
/// ```
/// use std::path::Path;
/// assert!(attractor_run::is_dot_file(Path::new("flows/RELEASE.DOT")));
/// assert!(!attractor_run::is_dot_file(Path::new("dot")));
/// ```
pub fn is_dot_file(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    DOT_EXTENSIONS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(extension))
}
