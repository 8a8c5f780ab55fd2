//! A pipeline with errors does not run.

use std::path::Path;

use attractor_lint::analyze;
use attractor_model::Files;

use crate::error::RunError;
use crate::launch::Launch;
use crate::project_files::{ProjectFiles, project_root};

/// Refuses a pipeline that the validator finds errors in. It is analyzed once more from its text: a caller may
/// not have looked at what an earlier analysis said.
pub(super) fn check_valid(launch: &Launch) -> Result<(), RunError> {
    let text = &launch.source.text;
    let parse = attractor_model::dot::parse(text);
    let options = launch.handlers.declared_in(launch.options.clone());
    let analysis = analyze(text, &parse, &options, &LaunchFiles(launch));
    let errors: Vec<String> = analysis
        .errors_of(&launch.pipeline)
        .map(|error| {
            let before = text.get(..error.range.start()).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            format!("line {line}: {} ({})", error.message, error.rule)
        })
        .collect();
    if errors.is_empty() {
        return Ok(());
    }
    Err(RunError::Invalid {
        pipeline: launch.pipeline.name.clone(),
        errors,
    })
}

/// The files that are part of a launch. Other files of its project can only be tested for existence: the run would not
/// have their text.
struct LaunchFiles<'l>(&'l Launch);

impl LaunchFiles<'_> {
    fn project(&self) -> ProjectFiles {
        let file = &self.0.source.path;
        let folder = file.parent().unwrap_or(Path::new(""));
        ProjectFiles::new(folder, &project_root(file))
    }
}

impl Files for LaunchFiles<'_> {
    fn read(&self, path: &str) -> Option<String> {
        let mut files = self.0.files.iter().chain(&self.0.sources);
        let (_, text) = files.find(|(name, _)| name == path)?;
        Some(text.clone())
    }

    fn exists(&self, path: &str) -> bool {
        self.read(path).is_some() || self.project().exists(path)
    }

    fn is_outside(&self, path: &str) -> bool {
        self.project().is_outside(path)
    }

    fn list(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}
