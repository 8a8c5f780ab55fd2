//! Diagnostics of scenario files.

use attractor_ide::diagnostics::Source;
use attractor_ide::model;
use lsp_types::{Diagnostic, NumberOrString};

use super::suite::Suite;
use crate::documents::Snapshot;
use crate::session::Session;
use attractor_proto::to_proto;

/// Every problem of an open scenario file. Reads the file of its pipeline.
pub(crate) fn of(session: &Session, snapshot: &Snapshot) -> Vec<Diagnostic> {
    let suite = Suite::of_document(session, snapshot).filter(|suite| !suite.is_foreign());
    let Some(suite) = suite else {
        return Vec::new();
    };
    let problems = suite.problems.iter();
    problems
        .map(|problem| diagnostic(&suite, problem))
        .collect()
}

/// One problem.
pub(crate) fn diagnostic(suite: &Suite, problem: &model::Diagnostic) -> Diagnostic {
    Diagnostic {
        range: suite.range(problem.range),
        severity: Some(to_proto::severity(problem.severity)),
        code: Some(NumberOrString::String(problem.rule.to_owned())),
        source: Some(Source::Pipeline.name().to_owned()),
        message: problem.message.clone(),
        ..Diagnostic::default()
    }
}
