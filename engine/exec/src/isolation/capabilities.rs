//! The capabilities that commands keep when root starts them: none, but those for files of another user, where the folder
//! they work in is one's.
//!
//! With all of them a command would mount what a sandbox shows read-only once more, and write it.

use std::path::Path;

/// What commands keep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Capabilities {
    /// Nothing.
    #[default]
    None,
    /// Reading, writing and changing the mode of files of other users.
    Files,
}

impl Capabilities {
    /// What commands need to work in a folder.
    pub(super) fn for_work_in(folder: &Path) -> Self {
        use std::os::unix::fs::MetadataExt;
        let is_of_other = std::fs::metadata(folder).is_ok_and(|folder| folder.uid() != 0);
        if is_of_other && rustix::process::geteuid().is_root() {
            Self::Files
        } else {
            Self::None
        }
    }

    /// The arguments of bubblewrap after those that drop all.
    pub(super) fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::None => &[],
            Self::Files => &["--cap-add", "CAP_DAC_OVERRIDE", "--cap-add", "CAP_FOWNER"],
        }
    }
}
