//! A file as the validator sees it from the command line: with the project's configuration and the
//! files next to it.

use std::path::{Path, PathBuf};

use attractor_dot::Parse;
use attractor_lang::stylesheet::Stylesheet;
use attractor_lint::Analysis;
use attractor_model::Options;
use attractor_run::{ProjectFiles, project_root, project_root_of_folder};

use crate::configuration;
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
    let options = Options {
        path: path.map(|path| path.display().to_string()),
        ..Options::default()
    };
    let here = path
        .and_then(|path| std::path::absolute(path).ok())
        .or_else(|| std::env::current_dir().ok());
    let Some(here) = here else {
        return (options, None);
    };
    let configuration = configuration::read(&here);
    configuration::report_problems(&configuration);
    let broken = configuration.project_problem();
    let broken = broken.map(|(path, _)| path.to_owned());
    let options = Options {
        path: options.path,
        ..configuration.options(&here)
    };
    (options, broken)
}
