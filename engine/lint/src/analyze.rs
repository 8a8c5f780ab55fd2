//! From a parsed text to its pipelines and everything there is to say about them.
//!
//! Total: any text gives an analysis. Syntax errors are among the diagnostics. Time and memory are linear in
//! the size of the graphs.

use std::sync::Arc;

use attractor_dot::{Parse, TextRange};
use rustc_hash::FxHashSet;

use crate::registry::{self, ErrorDensity};
use crate::rules::{syntax, unknown_directive};
use crate::{DiagnosticSink, LintContext, LintInput, SubPipelineError};
use attractor_model::Options;
use attractor_model::Pipeline;
use attractor_model::directives::Directives;
use attractor_model::graphs::{GraphInfo, graphs};
use attractor_model::{Diagnostic, Severity};
use attractor_model::{Files, NoFiles};
use attractor_redact::mask_keys;

/// What a text means.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// Its graphs, in order.
    pub graphs: Vec<GraphInfo>,
    /// Every finding, by place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Analysis {
    /// The pipelines of the file.
    pub fn pipelines(&self) -> impl Iterator<Item = &Arc<Pipeline>> {
        self.graphs
            .iter()
            .filter_map(|graph| graph.pipeline.as_ref())
    }

    /// The analysis of a text alone, with default options and no other files. For tests and examples.
    pub fn of_text(text: &str) -> Self {
        let text = Arc::from(text);
        analyze(
            &text,
            &attractor_dot::parse(&text),
            &Options::default(),
            &NoFiles,
        )
    }

    /// What keeps a pipeline of this file from running: errors in it, and errors of syntax anywhere. Errors of
    /// other graphs do not matter.
    pub fn errors_of(&self, pipeline: &Pipeline) -> impl Iterator<Item = &Diagnostic> {
        let range = pipeline.range;
        self.diagnostics.iter().filter(move |diagnostic| {
            let is_mine = diagnostic.rule == "syntax" || range.contains_range(diagnostic.range);
            diagnostic.severity == Severity::Error && is_mine
        })
    }

    /// Whether a run would be refused.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

fn damage(parse: &Parse, graph: TextRange) -> ErrorDensity {
    const MANY: usize = 10;
    let inside = parse
        .errors
        .iter()
        .filter(|error| graph.contains_range(error.range));
    if inside.take(MANY).count() < MANY {
        ErrorDensity::Little
    } else {
        ErrorDensity::Much
    }
}

/// Analyzes a text and its tree. The analysis keeps the text, which is not copied.
pub fn analyze(text: &Arc<str>, parse: &Parse, options: &Options, files: &dyn Files) -> Analysis {
    let directives = Directives::read(text, parse);
    let (graphs, scopes) = graphs(text, parse, options, &directives);
    let mut sink = DiagnosticSink::new(&options.levels);
    syntax::report(text, parse, &graphs, &mut sink);
    unknown_directive::report(text, &directives.named, registry::LINTS, &mut sink);
    let siblings: Vec<Arc<Pipeline>> = graphs
        .iter()
        .filter_map(|info| info.pipeline.clone())
        .collect();
    for ((info, scope), tree) in graphs.iter().zip(scopes).zip(&parse.file.graphs) {
        let Some(pipeline) = &info.pipeline else {
            continue;
        };
        let input = LintInput {
            siblings: &siblings,
            options,
            files,
            scope,
            check_sub_pipeline,
        };
        let ctx = LintContext::new(text, tree, &info.graph, pipeline, input);
        registry::check(&ctx, damage(parse, tree.range), &mut sink);
    }
    let mut diagnostics = sink.into_diagnostics();
    drop_echoes(&mut diagnostics);
    drop_allowed(&mut diagnostics, &directives.allowed(text));
    drop_repeated(&mut diagnostics);
    diagnostics.iter_mut().for_each(mask_secrets);
    diagnostics.sort_by(|left, right| {
        (left.range, left.severity, left.rule).cmp(&(right.range, right.severity, right.rule))
    });
    Analysis {
        graphs,
        diagnostics,
    }
}

/// Messages quote the file, and are shown and stored in more places than it is.
fn mask_secrets(diagnostic: &mut Diagnostic) {
    mask_keys(&mut diagnostic.message);
    let related = diagnostic.related.iter_mut();
    related.for_each(|other| mask_keys(&mut other.message));
    let fixes = diagnostic.fixes.iter_mut();
    fixes.for_each(|fix| mask_keys(&mut fix.title));
}

/// What is said of nodes that are the rest of a value is an echo of the quote that ended it, or of the `=` that was lost.
fn drop_echoes(diagnostics: &mut Vec<Diagnostic>) {
    let mut torn: Vec<TextRange> = diagnostics
        .iter()
        .filter(|found| registry::EXPLAINING.contains(&found.rule))
        .map(|found| found.range)
        .collect();
    if torn.is_empty() {
        return;
    }
    // Values do not overlap, so the last one that begins before a place is the only one that can hold it.
    torn.sort_unstable();
    let is_echo = |range: TextRange| {
        let after = torn.partition_point(|torn| torn.start() <= range.start());
        let last = after.checked_sub(1).and_then(|last| torn.get(last));
        last.is_some_and(|torn| torn.contains_range(range))
    };
    diagnostics.retain(|found| registry::EXPLAINING.contains(&found.rule) || !is_echo(found.range));
}

fn drop_allowed(diagnostics: &mut Vec<Diagnostic>, allowed: &[(String, TextRange)]) {
    if allowed.is_empty() {
        return;
    }
    diagnostics.retain(|diagnostic| {
        !allowed.iter().any(|(rule, range)| {
            rule == diagnostic.rule && range.contains_inclusive(diagnostic.range.start())
        })
    });
}

/// One problem of one place is one message.
fn drop_repeated(diagnostics: &mut Vec<Diagnostic>) {
    for (rule, repeated) in registry::REPEATED {
        let of_rule = diagnostics.iter().filter(|found| found.rule == *rule);
        let ranges: FxHashSet<TextRange> = of_rule.map(|found| found.range).collect();
        diagnostics.retain(|found| found.rule != *repeated || !ranges.contains(&found.range));
    }
}

/// Why the pipeline of another file cannot be run; what it reads itself is its own affair, so this ends.
fn check_sub_pipeline(text: String, options: &Options) -> Option<SubPipelineError> {
    let text = text.into();
    let analysis = analyze(&text, &attractor_dot::parse(&text), options, &NoFiles);
    let Some(pipeline) = analysis.pipelines().next() else {
        return Some(SubPipelineError::NoPipeline);
    };
    let error = analysis.diagnostics.iter().find(|found| {
        found.severity == Severity::Error && pipeline.range.contains_range(found.range)
    })?;
    let before = text.get(..error.range.start()).unwrap_or_default();
    Some(SubPipelineError::Error {
        line: before.matches('\n').count() + 1,
        message: error.message.clone(),
    })
}
