//! The folder of a project: which files a pipeline may name, which are listed, and where runs are kept.

pub(crate) mod dot_file;
pub(crate) mod files;
pub(crate) mod folder_files;
pub(crate) mod hard_links;
pub(crate) mod runs_dir;
