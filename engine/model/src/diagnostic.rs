//! Diagnostics: a problem in a file, its range, and what to do about it.
//!
//! A diagnostic never talks to a screen: editors, terminals and CI formats render it. Its `rule` is a
//! name of a lint, so every finding has a reference page.

use attractor_dot::{Applicability, Fix, Related, TextRange};
use serde::{Deserialize, Serialize};

/// How bad a finding is. The order is from worst to mildest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
// Exhaustive: these are the severities of the Language Server Protocol.
pub enum Severity {
    /// The pipeline does not run.
    Error,
    /// It runs, and probably not as its author believes.
    Warning,
    /// Worth knowing.
    Info,
    /// A suggestion; editors show it quietly.
    Hint,
}

impl Severity {
    /// The word of the JSON output: `error`, `warning`, `info` or `hint`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
            Self::Hint => "hint",
        }
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that speaks, for example `unknown_handler`.
    pub rule: &'static str,
    /// How bad it is, after the project's levels have been applied.
    pub severity: Severity,
    /// A sentence for a person: what was found, what was expected, what to do.
    pub message: String,
    /// The text it is about, in bytes.
    pub range: TextRange,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// The node it is about.
    pub node: Option<String>,
    /// The edge it is about: source and target.
    pub edge: Option<(String, String)>,
    /// Ways out, best first.
    pub fixes: Vec<Fix>,
    /// The text could be deleted without loss; editors fade it.
    pub unnecessary: bool,
}

impl Diagnostic {
    /// A finding with nothing but its rule, place and sentence.
    pub fn new(
        rule: &'static str,
        severity: Severity,
        range: TextRange,
        message: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            severity,
            message: message.into(),
            range,
            related: Vec::new(),
            node: None,
            edge: None,
            fixes: Vec::new(),
            unnecessary: false,
        }
    }

    /// Says which node the finding is about.
    #[must_use]
    pub fn node(mut self, id: impl Into<String>) -> Self {
        self.node = Some(id.into());
        self
    }

    /// Says which edge the finding is about.
    #[must_use]
    pub fn edge(mut self, from: impl Into<String>, to: impl Into<String>) -> Self {
        self.edge = Some((from.into(), to.into()));
        self
    }

    /// Adds a fix.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        // Most have one: capacity for one is enough.
        if self.fixes.is_empty() {
            self.fixes = vec![fix];
        } else {
            self.fixes.push(fix);
        }
        self
    }

    /// Adds a way out when there is one.
    #[must_use]
    pub fn maybe_fix(mut self, fix: Option<Fix>) -> Self {
        self.fixes.extend(fix);
        self
    }

    /// The fix that is the single plausible one, if there is just one.
    pub fn preferred_fix(&self) -> Option<&Fix> {
        let mut plausible = self
            .fixes
            .iter()
            .filter(|fix| fix.applicability != Applicability::Suggested);
        plausible.next().filter(|_| plausible.next().is_none())
    }

    /// The fix a tool may apply unasked, if there is one.
    pub fn safe_fix(&self) -> Option<&Fix> {
        self.preferred_fix()
            .filter(|fix| fix.applicability == Applicability::Safe)
    }

    /// Points at another place that explains the finding.
    #[must_use]
    pub fn related(mut self, range: TextRange, message: impl Into<String>) -> Self {
        self.related.push(Related {
            range,
            message: message.into(),
        });
        self
    }

    /// Marks the text as one that could be deleted.
    #[must_use]
    pub fn unnecessary(mut self) -> Self {
        self.unnecessary = true;
        self
    }
}
