//! A file as the validator sees it from the command line: with the project's configuration and the
//! files next to it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_config::Configuration;
use attractor_convert::plan::{self, Converted};
use attractor_dot::Parse;
use attractor_lang::stylesheet::Stylesheet;
use attractor_lint::Analysis;
use attractor_model::{Diagnostic, FileKind, NodeKind, Options, Pipeline, Severity, graphs};
use attractor_run::{ProjectFiles, project_root, project_root_of_folder, today};

use crate::configuration;
use crate::input::Source;
use crate::render::Checked;
use crate::render::line_column::{LineColumn, Lines};

/// A text, its tree and its meaning.
pub struct Analyzed {
    /// The DOT text: that of the file, or what its JSON plan library is in DOT.
    pub source: Source,
    /// The library, when the file holds one.
    library: Option<Library>,
    /// Tokens and tree.
    pub parse: Parse,
    /// Graphs, pipelines and diagnostics.
    pub analysis: Analysis,
    /// How the text was read.
    pub options: Options,
    /// The files it may name.
    pub files: ProjectFiles,
    /// The configuration of its folder.
    pub configuration: Configuration,
    /// The project's configuration file, when something in it cannot be used. It has been reported.
    pub broken_configuration: Option<PathBuf>,
}

/// A JSON plan library.
struct Library {
    source: Source,
    converted: Converted,
}

impl Analyzed {
    /// The diagnostics that `keep` accepts, with the file as it is written.
    pub fn checked(&self, keep: impl Fn(&Diagnostic) -> bool) -> Checked {
        self.checked_of(self.analysis.diagnostics.clone(), keep)
    }

    fn checked_of(&self, lints: Vec<Diagnostic>, keep: impl Fn(&Diagnostic) -> bool) -> Checked {
        let (source, mut diagnostics) = match &self.library {
            Some(library) => (&library.source, library.converted.with_lints(lints)),
            None => (&self.source, lints),
        };
        diagnostics.retain(keep);
        Checked {
            source: source.clone(),
            diagnostics,
        }
    }

    /// As [`Self::checked`], without the warnings that inputs of these names make untrue.
    pub fn checked_with(&self, names: &[String], keep: impl Fn(&Diagnostic) -> bool) -> Checked {
        if names.is_empty() {
            return self.checked(keep);
        }
        let remaining = self.with_inputs(names);
        let mut lints = self.analysis.diagnostics.clone();
        lints.retain(|one| {
            let is_same = |other: &Diagnostic| (other.range, other.rule) == (one.range, one.rule);
            one.severity == Severity::Error || remaining.iter().any(is_same)
        });
        self.checked_of(lints, keep)
    }

    fn with_inputs(&self, names: &[String]) -> Vec<Diagnostic> {
        let options = Options {
            inputs: names.to_vec(),
            ..self.options.clone()
        };
        attractor_lint::analyze(&self.source.text, &self.parse, &options, &self.files).diagnostics
    }

    /// The lines of the file as it is written; positions are those of the DOT text.
    pub fn lines(&self) -> Lines<'_> {
        match &self.library {
            Some(library) => Lines::of_library(&library.source.text, &library.converted),
            None => Lines::new(&self.source.text),
        }
    }

    /// Whether the file holds a JSON plan library.
    pub fn is_library(&self) -> bool {
        self.library.is_some()
    }

    /// Whether the text is not DOT, or not a plan library, everywhere.
    pub fn has_syntax_errors(&self) -> bool {
        let library = self.library.as_ref();
        !self.parse.errors.is_empty()
            || library.is_some_and(|library| !library.converted.diagnostics.is_empty())
    }
}

/// The pipelines of a text, without lints.
#[derive(Default)]
pub struct PipelineText {
    /// The pipelines.
    pub pipelines: Vec<Arc<Pipeline>>,
    /// The syntax errors, with their places in the file as it is written.
    pub errors: Vec<(LineColumn, String)>,
}

/// Reads the pipelines of a text, DOT or a JSON plan library.
pub fn read_pipelines(source: Source, options: &Options) -> PipelineText {
    let (source, library) = in_dot(source);
    let parse = attractor_dot::parse(&source.text);
    let errors = if let Some(Library { source, converted }) = &library {
        let lines = Lines::new(&source.text);
        let errors = converted.diagnostics.iter();
        errors
            .map(|one| (lines.position(one.range.start()), one.message.clone()))
            .collect()
    } else {
        let lines = Lines::new(&source.text);
        let errors = parse.errors.iter();
        errors
            .map(|one| (lines.position(one.range.start()), one.message.clone()))
            .collect()
    };
    PipelineText {
        pipelines: graphs::pipelines(&source.text, &parse, options),
        errors,
    }
}

/// The options of the folder of a file.
pub fn folder_options(path: &Path) -> Options {
    let (options, configuration) = options_for(Some(path));
    configuration::report_problems(&configuration);
    options
}

/// Reads the meaning of a text; `stylesheet` is one given from outside. Problems of the configuration are reported.
pub fn analyze(source: Source, stylesheet: Stylesheet) -> Analyzed {
    let analyzed = analyze_unreported(source, stylesheet);
    configuration::report_problems(&analyzed.configuration);
    analyzed
}

/// The same without a report of the problems of the configuration.
pub fn analyze_unreported(source: Source, stylesheet: Stylesheet) -> Analyzed {
    let (source, library) = in_dot(source);
    let parse = attractor_dot::parse(&source.text);
    let (mut options, configuration) = options_for(source.path.as_deref());
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
        library,
        parse,
        analysis,
        options,
        files,
        broken_configuration: configuration
            .fatal_problem()
            .map(|(path, _)| path.to_owned()),
        configuration,
    }
}

/// The same for a file that is named to be run: where it has no pipeline, its digraphs with nodes are taken for one.
pub fn analyze_to_run(source: Source, stylesheet: Stylesheet) -> Analyzed {
    analyze_asked(source, stylesheet, |pipeline| !pipeline.nodes.is_empty())
}

/// The same for a file that is named to be validated: only a digraph that could be run, with a start and an end, is
/// taken for a pipeline.
pub fn analyze_named(source: Source, stylesheet: Stylesheet) -> Analyzed {
    analyze_asked(source, stylesheet, |pipeline| {
        pipeline.start.is_some() && has_exit(pipeline)
    })
}

/// Takes the digraphs of a file without a pipeline for pipelines, if one `may_be` it.
fn analyze_asked(
    source: Source,
    stylesheet: Stylesheet,
    may_be: impl Fn(&Pipeline) -> bool,
) -> Analyzed {
    let analyzed = analyze(source, stylesheet);
    if analyzed.analysis.pipelines().next().is_some() {
        return analyzed;
    }
    let options = Options {
        kind: FileKind::Pipelines,
        ..analyzed.options.clone()
    };
    let (text, parse) = (&analyzed.source.text, &analyzed.parse);
    let mut pipelines = graphs::pipelines(text, parse, &options).into_iter();
    if !pipelines.any(|one| may_be(&one)) {
        return analyzed;
    }
    Analyzed {
        analysis: attractor_lint::analyze(text, parse, &options, &analyzed.files),
        options,
        ..analyzed
    }
}

fn has_exit(pipeline: &Pipeline) -> bool {
    let mut nodes = pipeline.nodes.iter();
    nodes.any(|node| node.kind == NodeKind::Exit)
}

/// Diagnostics of the DOT text of a file that has been read before, with the file as it is written.
pub fn checked(source: Source, diagnostics: Vec<Diagnostic>) -> Checked {
    match library_of(&source) {
        Some(library) => Checked {
            diagnostics: library.converted.with_lints(diagnostics),
            source: library.source,
        },
        None => Checked {
            source,
            diagnostics,
        },
    }
}

/// The lines, from 1, of the nodes of a pipeline, in the file as it is written. `source` is the DOT text of a file
/// that has been read before.
pub fn node_lines(source: &Source, pipeline: &Pipeline) -> BTreeMap<String, u32> {
    let library = library_of(source);
    let lines = match &library {
        Some(library) => Lines::of_library(&library.source.text, &library.converted),
        None => Lines::new(&source.text),
    };
    let nodes = pipeline.nodes.iter();
    nodes
        .map(|node| (node.id.to_string(), lines.span(node.range).start.line))
        .collect()
}

/// The plan library of a file whose DOT text this is.
fn library_of(source: &Source) -> Option<Library> {
    let file = Source::read(source.path.as_deref()?).ok()?;
    let (dot, library) = in_dot(file);
    library.filter(|_| dot.text == source.text)
}

/// The DOT text of a file, and its plan library if that is what it holds.
fn in_dot(source: Source) -> (Source, Option<Library>) {
    if !plan::is_library(&source.text) {
        return (source, None);
    }
    let converted = plan::convert(&source.text);
    let dot = Source {
        text: converted.dot.as_str().into(),
        ..source.clone()
    };
    (dot, Some(Library { source, converted }))
}

/// The options of the file's folder, and its configuration.
fn options_for(path: Option<&Path>) -> (Options, Configuration) {
    let options = Options {
        path: path.map(|path| path.display().to_string()),
        today: today(),
        ..Options::default()
    };
    let here = path
        .and_then(|path| std::path::absolute(path).ok())
        .or_else(|| std::env::current_dir().ok());
    let Some(here) = here else {
        return (options, Configuration::default());
    };
    let configuration = configuration::read(&here);
    let options = Options {
        path: options.path,
        today: options.today,
        ..configuration.options(&here)
    };
    (options, configuration)
}
