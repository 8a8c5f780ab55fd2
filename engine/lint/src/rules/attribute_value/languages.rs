//! Values that are a text of a small language: checks of output, schemas, goal gates in words.

use attractor_dot::TextRange;
use rustc_hash::FxHashSet;

use crate::attribute_index::AttributeSite;
use crate::rules::condition_syntax::lang_finding;
use crate::value_forms::is_fine;
use crate::{DiagnosticSink, Lint, LintContext};
use attractor_lang::{LangError, json_schema, verify};
use attractor_model::Severity;
use attractor_model::catalogue::{AttrType, values};

/// The places already spoken of: edges and nodes of one statement share theirs.
type SeenRanges = FxHashSet<TextRange>;

/// A `verify` that cannot be read; nothing would ever pass it. Its condition is for `condition_syntax` to judge.
pub(super) fn check_of_output(
    lint: &Lint,
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    site: &AttributeSite<'_>,
    seen: &mut SeenRanges,
) {
    let value = site.attribute.value();
    if verify::condition_in(value).is_some() || !is_new(site, seen) {
        return;
    }
    let argument = value.find(':').unwrap_or(value.len());
    let inserts = value.contains(['$', '{']);
    // What is inserted at run time may be right.
    let sure = |error: &LangError| !inserts || error.range.start <= argument;
    let errors = verify::parse(value).1.into_iter().filter(sure);
    report(lint, ctx, sink, site, errors);
}

/// An `output_schema` nothing can satisfy, with the place inside it. What is inserted at run time may be right.
pub(super) fn schema(
    lint: &Lint,
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    site: &AttributeSite<'_>,
    seen: &mut SeenRanges,
) {
    let value = site.attribute.value();
    let open = value.starts_with(['$', '{']) && !value.contains(['"', ':']);
    if value.trim().is_empty() || open || !is_new(site, seen) {
        return;
    }
    report(lint, ctx, sink, site, json_schema::parse(value).1);
}

fn is_new(site: &AttributeSite<'_>, seen: &mut SeenRanges) -> bool {
    site.attribute
        .value_range()
        .is_some_and(|range| seen.insert(range))
}

fn report(
    lint: &Lint,
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    site: &AttributeSite<'_>,
    errors: impl IntoIterator<Item = LangError>,
) {
    for error in errors {
        if let Some(found) = lang_finding(lint, ctx, sink, site.attribute, 0, error) {
            sink.push(site.target.annotate(ctx.pipeline, found));
        }
    }
}

/// A goal gate in words: other engines keep them, and a run takes it for no gate.
pub(super) fn in_words(
    lint: &Lint,
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    site: &AttributeSite<'_>,
    seen: &mut SeenRanges,
) {
    let attribute = site.attribute;
    let value = attribute.value().trim();
    if values::boolean(value).is_some() || !is_fine(AttrType::BoolOrCondition, value) {
        return;
    }
    let new = |range: &TextRange| seen.insert(*range);
    let Some(range) = attribute.value_range().filter(new) else {
        return;
    };
    let name = attribute.written();
    let message = format!(
        "`{name}` must be `true` or `false`, so this text has no effect; set `{name}=true` and put the condition in `verify` or `goal_conditions`"
    );
    let mut found = sink.diagnostic(lint, range, message);
    found.severity = sink.severity_or(lint, Severity::Info);
    sink.push(site.target.annotate(ctx.pipeline, found));
}
