//! A file as the validator sees it from the command line: with the project's configuration and the
//! files next to it.

use std::path::{Path, PathBuf};

use attractor_dot::Parse;
use attractor_lang::stylesheet::Stylesheet;
use attractor_lint::Analysis;
use attractor_lint::LINTS;
use attractor_model::{FileKind, Options};
use attractor_run::{ProjectFiles, project_root, project_root_of_folder};
use globset::Glob;

use crate::configuration::{Owner, layers, report_problems};
use crate::input::Source;

/// A text, its tree and its meaning.
pub struct Analyzed {
    /// The text.
    pub source: Source,
    /// Tokens and tree.
    pub parse: Parse,
    /// Graphs, pipelines and diagnostics.
    pub analysis: Analysis,
    /// How the text was read.
    pub options: Options,
    /// The files it may name.
    pub files: ProjectFiles,
    /// The project's configuration file, when something in it cannot be used. It has been reported.
    pub broken_configuration: Option<PathBuf>,
}

impl Analyzed {
    /// Whether the text is not DOT everywhere.
    pub fn has_syntax_errors(&self) -> bool {
        !self.parse.errors.is_empty()
    }
}

/// Reads the meaning of a text; `stylesheet` is one given from outside.
pub fn analyze(source: Source, stylesheet: Stylesheet) -> Analyzed {
    let parse = attractor_dot::parse(&source.text);
    let (mut options, broken_configuration) = options_for(source.path.as_deref());
    options.stylesheet = stylesheet;
    let files = match &source.path {
        Some(path) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            ProjectFiles::new(folder, &project_root(path))
        }
        // Standard input: as if it were a file of this folder.
        None => ProjectFiles::new(Path::new(""), &project_root_of_folder(Path::new("."))),
    };
    let analysis = attractor_lint::analyze(&source.text, &parse, &options, &files);
    Analyzed {
        source,
        parse,
        analysis,
        options,
        files,
        broken_configuration,
    }
}

/// The options of the file's folder, and the project's configuration file when it has problems.
fn options_for(path: Option<&Path>) -> (Options, Option<PathBuf>) {
    let mut options = Options {
        path: path.map(|path| path.display().to_string()),
        ..Options::default()
    };
    let here = path
        .and_then(|path| std::path::absolute(path).ok())
        .or_else(|| std::env::current_dir().ok());
    let Some(here) = here else {
        return (options, None);
    };
    let layers = layers(&here);
    report_problems(&layers);
    let broken = layers
        .iter()
        .find(|layer| layer.owner == Owner::Project && !layer.problems.is_empty())
        .map(|layer| layer.path.clone());
    for layer in &layers {
        let relative = here.strip_prefix(&layer.root).unwrap_or(&here);
        let is_pipeline = |glob: &String| {
            Glob::new(glob).is_ok_and(|glob| glob.compile_matcher().is_match(relative))
        };
        if layer.settings.pipeline_globs.iter().any(is_pipeline) {
            options.kind = FileKind::Pipelines;
        }
    }
    // In reverse order of precedence.
    for layer in layers.into_iter().rev() {
        options.dialect = layer.settings.dialect.unwrap_or(options.dialect);
        for lint in LINTS {
            if let Some(level) = layer.settings.lints.get(lint.rule) {
                options.levels.set(lint.rule, level);
            }
        }
        // The first of a name is used: the user's handler before the project's.
        options.custom_handlers.extend(layer.settings.handlers);
    }
    (options, broken)
}
