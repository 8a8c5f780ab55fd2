//! A pipeline with errors does not run.

use std::path::Path;

use attractor_lint::{Analysis, analyze};
use attractor_machine::transition::RunWarning;
use attractor_model::{Diagnostic, Files, Severity};

use crate::error::RunError;
use crate::launch::Launch;
use crate::project::files::{ProjectFiles, project_root};

/// Refuses a pipeline that the validator finds errors in, with the inputs of the run known. It is analyzed once more
/// from its text: a caller may not have looked at what an earlier analysis said, and did not know the inputs. Gives the
/// warnings that only the inputs lead to.
pub(super) fn check_valid(launch: &Launch) -> Result<Vec<RunWarning>, RunError> {
    let names: Vec<String> = launch.inputs.keys().cloned().collect();
    let analysis = analysis(launch, names);
    let errors: Vec<String> = analysis
        .errors_of(&launch.pipeline)
        .map(|error| {
            format!(
                "line {}: {} ({})",
                line(launch, error),
                error.message,
                error.rule
            )
        })
        .collect();
    if !errors.is_empty() {
        return Err(RunError::Invalid {
            pipeline: launch.pipeline.name.clone(),
            errors,
        });
    }
    if launch.inputs.is_empty() {
        return Ok(Vec::new());
    }
    let before = self::analysis(launch, Vec::new()).diagnostics;
    let is_of_pipeline = |one: &&Diagnostic| launch.pipeline.range.contains_range(one.range);
    let is_new = |one: &&Diagnostic| {
        let is_same = |other: &Diagnostic| (other.range, other.rule) == (one.range, one.rule);
        one.severity == Severity::Warning && !before.iter().any(is_same)
    };
    let warnings = analysis
        .diagnostics
        .iter()
        .filter(is_of_pipeline)
        .filter(is_new);
    let warnings = warnings.map(|warning| RunWarning {
        message: warning.message.clone(),
        rule: warning.rule.to_owned(),
        line: line(launch, warning),
    });
    Ok(warnings.collect())
}

/// What the validator says of the text of a launch when inputs of these names are set.
fn analysis(launch: &Launch, inputs: Vec<String>) -> Analysis {
    let text = &launch.source.text;
    let parse = attractor_model::dot::parse(text);
    let mut options = launch.handlers.declared_in(launch.options.clone());
    options.inputs = inputs;
    analyze(text, &parse, &options, &LaunchFiles(launch))
}

/// The line of a diagnostic, from 1.
fn line(launch: &Launch, diagnostic: &Diagnostic) -> u32 {
    let before = launch.source.text.get(..diagnostic.range.start());
    let breaks = before.unwrap_or_default().matches('\n').count();
    u32::try_from(breaks + 1).unwrap_or(u32::MAX)
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

    fn has_root(&self) -> bool {
        self.project().has_root()
    }

    fn list(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}
