//! Where lints report to: levels and severities are applied here, once.

use attractor_dot::TextRange;

use crate::Lint;
use attractor_model::{Diagnostic, Severity};
use attractor_model::{Level, Levels};

/// Collects the findings of one file.
pub struct DiagnosticSink<'a> {
    levels: &'a Levels,
    found: Vec<Diagnostic>,
}

impl<'a> DiagnosticSink<'a> {
    /// Nothing found yet; `levels` are the project's.
    pub fn new(levels: &'a Levels) -> Self {
        Self {
            levels,
            found: Vec::new(),
        }
    }

    /// The severity findings of a lint have in this project, or `None` when they are not wanted.
    pub fn severity(&self, lint: &Lint) -> Option<Severity> {
        self.levels.get(lint.rule).unwrap_or(lint.level).severity()
    }

    /// A finding of `lint` at `range`, to be completed and [pushed](Self::push).
    pub fn diagnostic(
        &self,
        lint: &Lint,
        range: TextRange,
        message: impl Into<String>,
    ) -> Diagnostic {
        let severity = self.severity(lint).unwrap_or(Severity::Hint);
        Diagnostic::new(lint.rule, severity, range, message)
    }

    /// The severity of one finding that deserves another than its lint's usual one. The project's level wins.
    pub fn severity_or(&self, lint: &Lint, usual: Severity) -> Severity {
        self.levels
            .get(lint.rule)
            .and_then(Level::severity)
            .unwrap_or(usual)
    }

    /// How many findings there are so far.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether nothing has been found so far.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Reports a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Everything reported.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.found
    }
}
