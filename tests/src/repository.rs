//! Where this repository is.

use std::path::Path;

/// The folder this repository is checked out in.
pub fn repository() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}
