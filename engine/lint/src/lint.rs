//! What a lint is, and the sink it reports to.
//!
//! A check is a pure function of a [`LintContext`]. It reports through a [`DiagnosticSink`], which applies the levels
//! of the project, once. The table of all lints is in [`registry`](crate::registry).

use attractor_dot::TextRange;
use attractor_model::{Diagnostic, Level, Levels, Severity};

use crate::LintContext;

/// A lint.
#[derive(Debug)]
pub struct Lint {
    /// Its name, as diagnostics, comments and the configuration write it.
    pub rule: &'static str,
    /// Its level when a project says nothing.
    pub level: Level,
    /// How much of a pipeline its findings depend on.
    pub extent: Extent,
    /// Whether it offers a quick fix.
    pub fixable: bool,
    /// One line.
    pub summary: &'static str,
    /// Markdown: what it finds, why that hurts, what to do.
    pub doc: &'static str,
    /// DOT that it speaks about; empty when the doc says it all.
    pub example: &'static str,
    /// What it looks at.
    pub check: Check,
}

/// How much of a pipeline a finding depends on, so how much must be written before it is worth reporting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The statement that contains it.
    Statement,
    /// Other statements too: a missing edge, node or attribute may be written next, an open bracket closed.
    Graph,
}

/// What a lint looks at.
#[derive(Clone, Copy)]
pub enum Check {
    /// The parser or another lint finds it; there is nothing to call.
    Elsewhere,
    /// One pipeline.
    Pipeline(fn(&LintContext<'_>, &mut DiagnosticSink<'_>)),
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Elsewhere => "Elsewhere",
            Self::Pipeline(_) => "Pipeline",
        })
    }
}

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
