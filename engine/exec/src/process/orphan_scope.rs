//! What else may be ended with a run than what carries its mark.

use super::footprint;
use super::identity::Identity;

/// What else may be ended with a run than what carries its mark.
pub enum OrphanScope<'f> {
    /// Nothing: other runs of this process are under way.
    Nothing,
    /// Every child that fell to this process.
    Adopted,
    /// What an earlier engine left, by the footprints in these files.
    Footprints(&'f [std::path::PathBuf]),
}

impl OrphanScope<'_> {
    /// The groups that were left. Only while its leader is there is a group surely the one that was.
    pub(crate) fn groups(&self) -> Vec<i32> {
        let Self::Footprints(files) = self else {
            return Vec::new();
        };
        files
            .iter()
            .filter_map(|file| footprint::read(file))
            .filter(Identity::exists)
            .map(|leader| leader.pid)
            .collect()
    }
}
