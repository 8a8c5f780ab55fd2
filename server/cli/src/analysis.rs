//! A file as the validator sees it from the command line: with the project's configuration and the
//! files beside it.

use std::fs;
use std::path::{Path, PathBuf};

use attractor_dot::Parse;
use attractor_model::lints::LINTS;
use attractor_model::{Analysis, FileKind, Files, Options};
use globset::Glob;

use crate::configuration::{complain, layers};
use crate::input::Source;

/// A referenced file larger than this is not read for analysis.
const LARGEST: u64 = 16 * 1024 * 1024;

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
    /// The files beside it.
    pub files: Beside,
}

impl Analyzed {
    /// Whether the text is not DOT everywhere.
    pub fn has_syntax_errors(&self) -> bool {
        !self.parse.errors.is_empty()
    }
}

/// Reads the meaning of a text; `stylesheet` is one given from outside.
pub fn analyze(source: Source, stylesheet: Option<String>) -> Analyzed {
    let parse = attractor_dot::parse(&source.text);
    let mut options = options_for(source.path.as_deref());
    options.stylesheet = stylesheet;
    let folder = source
        .path
        .as_deref()
        .and_then(Path::parent)
        .map_or_else(PathBuf::new, Path::to_path_buf);
    let files = Beside { folder };
    let analysis = attractor_model::analyze(&source.text, &parse, &options, &files);
    Analyzed {
        source,
        parse,
        analysis,
        options,
        files,
    }
}

/// What the configuration of the file's folder asks for.
fn options_for(path: Option<&Path>) -> Options {
    let mut options = Options {
        path: path.map(|path| path.display().to_string()),
        ..Options::default()
    };
    let here = path
        .and_then(|path| std::path::absolute(path).ok())
        .or_else(|| std::env::current_dir().ok());
    let Some(here) = here else { return options };
    let layers = layers(&here);
    complain(&layers);
    for layer in &layers {
        let relative = here.strip_prefix(&layer.root).unwrap_or(&here);
        let is_pipeline = |glob: &String| {
            Glob::new(glob).is_ok_and(|glob| glob.compile_matcher().is_match(relative))
        };
        if layer.says.pipeline_globs.iter().any(is_pipeline) {
            options.kind = FileKind::Pipelines;
        }
    }
    // From the weakest to the strongest.
    for layer in layers.into_iter().rev() {
        options.dialect = layer.says.dialect.unwrap_or(options.dialect);
        for lint in LINTS {
            if let Some(level) = layer.says.lints.get(lint.rule) {
                options.levels.set(lint.rule, level);
            }
        }
        options.custom_handlers.extend(layer.says.handlers);
    }
    options
}

/// The files beside a pipeline.
pub struct Beside {
    folder: PathBuf,
}

impl Files for Beside {
    fn read(&self, path: &str) -> Option<String> {
        let path = self.folder.join(path);
        let size = fs::metadata(&path)
            .ok()
            .filter(fs::Metadata::is_file)?
            .len();
        if size > LARGEST {
            None
        } else {
            fs::read_to_string(path).ok()
        }
    }

    fn exists(&self, path: &str) -> bool {
        self.folder.join(path).exists()
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let folder = self.folder.join(if dir.is_empty() { "." } else { dir });
        let Ok(entries) = fs::read_dir(folder) else {
            return Vec::new();
        };
        entries
            .filter_map(Result::ok)
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                Some(if is_folder { format!("{name}/") } else { name })
            })
            .collect()
    }
}
