//! Two versions of a file, and what has changed between them.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use attractor_diff::{FileDifference, ProblemSide, Status, SyntaxProblem, diff_files, draw};
use attractor_model::{FileKind, Options};
use attractor_run::is_dot_file;
use attractor_text_diff::{CONTEXT, TextDiff};

use crate::analysis::{PipelineText, folder_options, read_pipelines};
use crate::error::Error;
use crate::input::{Source, under};

/// Two versions of a file.
pub(super) struct Pair {
    /// The path it has now.
    pub(super) path: PathBuf,
    /// The path it had, if that is another one.
    pub(super) old_path: Option<PathBuf>,
    /// The old version; none of a new file.
    pub(super) old: Option<Source>,
    /// The new version; none of a file that was removed.
    pub(super) new: Option<Source>,
}

impl Pair {
    /// The pairs of two files or two folders.
    pub(super) fn of_paths(old: &Path, new: &Path) -> Result<Vec<Result<Self, Error>>, Error> {
        if old.is_dir() && new.is_dir() {
            return Ok(of_folders(old, new));
        }
        let pair = Self {
            path: new.to_owned(),
            old_path: (old != new).then(|| old.to_owned()),
            old: Some(read(old)?),
            new: Some(read(new)?),
        };
        Ok(vec![Ok(pair)])
    }
}

/// The files of two folders, by their paths in them.
fn of_folders(old: &Path, new: &Path) -> Vec<Result<Pair, Error>> {
    let plain = |path: &Path| -> PathBuf {
        let parts = path.components();
        parts.filter(|part| *part != Component::CurDir).collect()
    };
    let inside = |folder: &Path| -> BTreeSet<PathBuf> {
        let prefix = plain(folder);
        let files = under(folder).into_iter();
        files
            .filter_map(|path| Some(plain(&path).strip_prefix(&prefix).ok()?.to_owned()))
            .collect()
    };
    let (before, after) = (inside(old), inside(new));
    let names = before.union(&after);
    let pair = |name: &PathBuf| {
        let version = |folder: &Path, names: &BTreeSet<PathBuf>| {
            let is_there = names.contains(name);
            is_there.then(|| read(&folder.join(name))).transpose()
        };
        let folder = if after.contains(name) { new } else { old };
        Ok(Pair {
            path: plain(folder).join(name),
            old_path: None,
            old: version(old, &before)?,
            new: version(new, &after)?,
        })
    };
    names.map(pair).collect()
}

/// Reads a file that must be text.
pub(super) fn read(path: &Path) -> Result<Source, Error> {
    let binary = || Error::Binary {
        path: path.display().to_string(),
    };
    match Source::read(path) {
        Ok(source) if source.text.contains('\0') => Err(binary()),
        result => result,
    }
}

/// Whether differences have a flowchart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flowcharts {
    None,
    Mermaid,
}

/// What has changed in a file; none if both versions are equal.
pub(super) fn compare(pair: Pair, flowcharts: Flowcharts) -> Option<FileDifference> {
    let sources = [pair.old.as_ref(), pair.new.as_ref()];
    let [old_text, new_text] = sources.map(|one| one.map(|source| Arc::clone(&source.text)));
    if old_text == new_text {
        return None;
    }
    let mut options = folder_options(&pair.path);
    let [mut old, mut new] = sources.map(|one| read_version(one, &options));
    // A digraph that lost or got what makes it a pipeline is compared with what it was or is.
    if old.pipelines.is_empty() != new.pipelines.is_empty()
        && pair.old.is_some()
        && pair.new.is_some()
    {
        options.kind = FileKind::Pipelines;
        [old, new] = sources.map(|one| read_version(one, &options));
    }
    let mut pipelines = diff_files(&old.pipelines, &new.pipelines);
    if flowcharts == Flowcharts::Mermaid {
        draw(&mut pipelines, &old.pipelines, &new.pipelines);
    }
    let is_plain = old.pipelines.is_empty() && new.pipelines.is_empty();
    let status = match (&pair.old, &pair.new) {
        (None, _) => Status::Added,
        (_, None) => Status::Removed,
        _ if is_plain || pipelines.iter().any(|one| !one.is_empty()) => Status::Changed,
        _ => Status::Unchanged,
    };
    let path = pair.path.display().to_string();
    let lines = is_plain.then(|| {
        let [old, new] = [&old_text, &new_text].map(|text| text.as_deref().unwrap_or_default());
        TextDiff::of_lines(old, new).unified_with_names(CONTEXT, &path, &path)
    });
    let mut problems: Vec<SyntaxProblem> = problems(old, ProblemSide::Old)
        .chain(problems(new, ProblemSide::New))
        .collect();
    if is_plain && !is_dot_file(&pair.path) {
        // As `GIT_EXTERNAL_DIFF`, this command gets files of all kinds.
        problems.clear();
    }
    Some(FileDifference {
        path,
        old_path: pair.old_path.map(|path| path.display().to_string()),
        status,
        problems,
        pipelines,
        lines,
    })
}

fn read_version(source: Option<&Source>, options: &Options) -> PipelineText {
    match source {
        Some(source) => read_pipelines(source.clone(), options),
        None => PipelineText::default(),
    }
}

fn problems(text: PipelineText, version: ProblemSide) -> impl Iterator<Item = SyntaxProblem> {
    let errors = text.errors.into_iter();
    errors.map(move |(at, message)| SyntaxProblem {
        version,
        line: at.line,
        column: at.column,
        message,
    })
}
