//! Pipelines inside pipelines: what `sub_pipeline` names, in this file or another.
//!
//! Opens nothing itself; [`Files`] decides what can be read.

use std::sync::Arc;

use crate::files::Files;
use crate::options::Options;
use crate::pipeline::Pipeline;

/// Endings tried after a name without one.
const ENDINGS: [&str; 6] = ["", ".dot", ".gv", ".attractor", ".fabro", ".dag"];
/// How many folders up a path may lead that was written for the project's root.
const FOLDERS_UP: usize = 8;

/// What a `sub_pipeline` value names.
#[derive(Clone, Debug)]
pub enum SubPipeline {
    /// A pipeline of the same file.
    Sibling(Arc<Pipeline>),
    /// A file, by its path relative to the DOT file.
    File(String),
}

/// Finds what `called` names: another digraph of the file, a file next to it with or without extension, or a path
/// relative to the DOT file or to a folder above it.
pub fn find(called: &str, siblings: &[Arc<Pipeline>], files: &dyn Files) -> Option<SubPipeline> {
    let called = called.trim();
    if let Some(sibling) = siblings.iter().find(|pipeline| pipeline.name == called) {
        return Some(SubPipeline::Sibling(sibling.clone()));
    }
    ENDINGS
        .iter()
        .find_map(|ending| find_file(&format!("{called}{ending}"), files))
        .map(SubPipeline::File)
}

/// The path at which a file exists: as written, else relative to a folder above the DOT file, as in pipelines
/// written for the project's root.
pub fn find_file(path: &str, files: &dyn Files) -> Option<String> {
    let path = path.trim().trim_start_matches("./");
    if path.is_empty() {
        return None;
    }
    let mut candidate = path.to_owned();
    for _ in 0..=FOLDERS_UP {
        if files.exists(&candidate) {
            return Some(candidate);
        }
        if path.starts_with('/') {
            return None;
        }
        candidate.insert_str(0, "../");
    }
    None
}

/// The text of a file, looked for as [`find_file`] does.
pub fn read_file(path: &str, files: &dyn Files) -> Option<String> {
    files
        .read(path)
        .or_else(|| files.read(&find_file(path, files)?))
}

/// The outermost folder of a path, if it exists neither next to the DOT file nor above. Then the path was written
/// for another location, or the file came without what it needs; in a folder that exists, a missing file is more
/// likely a typo.
pub fn missing_folder<'p>(path: &'p str, files: &dyn Files) -> Option<&'p str> {
    let path = path.trim().trim_start_matches("./");
    let inner = path.trim_start_matches("../").trim_start_matches('/');
    let (first, _) = inner.split_once('/')?;
    let folder = path.get(..path.len() - inner.len() + first.len())?;
    find_file(folder, files).is_none().then_some(folder)
}

/// The pipelines of a file, the first being the one a path alone means. Empty when it cannot be read.
pub fn load(path: &str, options: &Options, files: &dyn Files) -> Vec<Arc<Pipeline>> {
    let Some(text) = files.read(path) else {
        return Vec::new();
    };
    let options = Options {
        path: Some(path.to_owned()),
        ..options.clone()
    };
    let text = text.into();
    crate::graphs::pipelines(&text, &attractor_dot::parse(&text), &options)
}
