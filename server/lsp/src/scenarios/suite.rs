//! A scenario file with its problems and the pipeline that it tests.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_dot::TextRange;
use attractor_ide::line_index::Lines;
use attractor_ide::model::{Diagnostic, Severity};
use attractor_ide::position::{self, Encoding, Position};
use attractor_run::{DOT_EXTENSIONS, Source};
use attractor_scenario::{RULE, ScenarioFile, Subject, check, check_cassettes, pipeline_paths};
use lsp_types::{Range, Uri};
use ropey::Rope;

use crate::context;
use crate::documents::Snapshot;
use crate::paths;
use crate::session::Session;
use attractor_proto::RequestContext;
use attractor_proto::to_proto;

/// One version of a scenario file.
pub(crate) struct Suite {
    pub(crate) uri: Option<Uri>,
    /// Where its cassettes are.
    pub(crate) folder: PathBuf,
    pub(crate) text: String,
    pub(crate) file: ScenarioFile,
    /// The problems of the file, in its order.
    pub(crate) problems: Vec<Diagnostic>,
    pub(crate) pipeline: Option<RequestContext>,
    /// What the scenarios run; `None` without a pipeline.
    pub(crate) subject: Option<Subject>,
    lines: Lines,
    encoding: Encoding,
}

impl Suite {
    /// The file at a path: as the editor has it open, else as it is on the disk.
    pub(crate) fn of_file(session: &Session, path: &Path) -> Option<Self> {
        let open = session.scenario_documents.text_at(path);
        let text = open.or_else(|| paths::read_small(path))?;
        Some(Self::new(session, path, text))
    }

    /// An open document.
    pub(crate) fn of_document(session: &Session, snapshot: &Snapshot) -> Option<Self> {
        let path = paths::path_of(&snapshot.uri)?;
        let suite = Self::new(session, &path, snapshot.rope.to_string());
        Some(Self {
            uri: Some(snapshot.uri.clone()),
            ..suite
        })
    }

    /// A file at a path with a text.
    pub(crate) fn new(session: &Session, path: &Path, text: String) -> Self {
        let (file, mut problems) = ScenarioFile::parse(&text);
        let pipeline = pipeline_of(session, path, &file);
        let subject = pipeline.as_ref().map(subject_of);
        if let Some(subject) = &subject {
            problems.extend(check(&file, subject));
            problems.extend(check_cassettes(&file, folder_of(path)));
            problems.sort_by_key(|problem| problem.range.start());
        } else if !file.scenarios.is_empty() {
            problems.push(missing_pipeline(path, &file));
        }
        Self {
            uri: Uri::from_file_path(path),
            folder: folder_of(path).to_owned(),
            lines: Lines::new(&text),
            text,
            file,
            problems,
            pipeline,
            subject,
            encoding: session.notifier.features().encoding,
        }
    }

    /// The problems that keep scenarios from running.
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        let problems = self.problems.iter();
        problems.filter(|one| one.severity == Severity::Error)
    }

    /// Whether the file is for other tests than scenarios of a pipeline: other tools name files like it.
    pub(crate) fn is_foreign(&self) -> bool {
        let is_empty = self.file.pipeline.is_none() && self.file.scenarios.is_empty();
        self.pipeline.is_none() && is_empty
    }

    /// The range of bytes.
    pub(crate) fn range(&self, range: TextRange) -> Range {
        let position =
            |offset| to_proto::line_column(self.lines.position(&self.text, offset, self.encoding));
        Range::new(position(range.start()), position(range.end()))
    }

    /// The byte offset of a position.
    pub(crate) fn offset(&self, at: lsp_types::Position) -> usize {
        let at = Position {
            line: at.line,
            character: at.character,
        };
        position::offset(&Rope::from_str(&self.text), at, self.encoding)
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn missing_pipeline(path: &Path, file: &ScenarioFile) -> Diagnostic {
    let expected = pipeline_paths(path, file, &DOT_EXTENSIONS);
    let expected = expected.first().and_then(|path| path.file_name());
    let expected = expected.unwrap_or_default().to_string_lossy();
    let message = format!(
        "no pipeline to test: expected a file `{expected}` with one, or another file in `pipeline = \"…\"`"
    );
    let named = file.pipeline.as_ref();
    let range = named.map_or(TextRange::empty(0), |named| named.range);
    Diagnostic::new(RULE, Severity::Error, range, message)
}

/// The pipeline file that a scenario file tests, as it is open, else as it is on the disk.
fn pipeline_of(session: &Session, path: &Path, file: &ScenarioFile) -> Option<RequestContext> {
    let paths: Vec<PathBuf> = pipeline_paths(path, file, &DOT_EXTENSIONS);
    let mut existing = paths.iter().filter(|path| path.is_file());
    let context = context::of_file(session, existing.next()?)?;
    let has_pipeline = context.document.pipelines().next().is_some();
    has_pipeline.then_some(context)
}

fn subject_of(context: &RequestContext) -> Subject {
    let source = Source {
        path: paths::path_of(&context.uri).unwrap_or_default(),
        text: Arc::clone(&context.document.text),
    };
    let pipelines: Vec<_> = context.document.analysis.pipelines().cloned().collect();
    let options = &context.document.options;
    Subject::new(&source, &pipelines, options, context.files().as_ref())
}
