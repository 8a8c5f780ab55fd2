//! Fixes that diagnostics carry, one for each, all at once, and the comment that silences a rule here.

use std::collections::BTreeMap;

use attractor_dot::{Edit, TextRange, apply};
use attractor_model::{Diagnostic, Files};

use super::{Action, ActionKind, indent, line_end};
use crate::document::Document;

/// The diagnostics that a range is about: at a cursor between two both, at the range of one no neighbour.
pub(super) fn touched(doc: &Document, range: TextRange) -> impl Iterator<Item = &Diagnostic> {
    let touches = move |found: &&Diagnostic| {
        let touches = found.range.start() <= range.end() && range.start() <= found.range.end();
        touches && (range.is_empty() || found.range.is_empty() || found.range.intersects(range))
    };
    doc.analysis.diagnostics.iter().filter(touches)
}

/// The fixes of the diagnostics that touch a range.
pub(super) fn of(doc: &Document, range: TextRange) -> Vec<Action> {
    let found: Vec<&Diagnostic> = touched(doc, range).collect();
    let mut actions = Vec::new();
    for finding in &found {
        for fix in &finding.fixes {
            let action = Action::edit(fix.title.clone(), ActionKind::QuickFix, fix.edits.clone());
            actions.push(Action {
                fixes: Some((finding.rule, finding.range)),
                preferred: finding.preferred_fix() == Some(fix),
                ..action
            });
        }
    }
    actions.extend(
        found
            .iter()
            .filter(|finding| finding.rule != "syntax")
            .map(|finding| silence(doc, finding)),
    );
    actions
}

fn silence(doc: &Document, finding: &Diagnostic) -> Action {
    let before = doc.text.get(..finding.range.start()).unwrap_or(&doc.text);
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let comment = format!(
        "{}// attractor: allow({}){}",
        indent(&doc.text, finding.range.start()),
        finding.rule,
        line_end(&doc.text)
    );
    let title = format!("Allow `{}` here", finding.rule);
    let action = Action::edit(
        title,
        ActionKind::QuickFix,
        vec![Edit::insert(line, comment)],
    );
    Action {
        fixes: Some((finding.rule, finding.range)),
        ..action
    }
}

/// Applies every safe fix at once, so that a second time finds nothing to do.
pub(super) fn all(doc: &Document, files: &dyn Files) -> Option<Action> {
    let first = safe_edits(doc);
    let mut fixed = first.fixed;
    let edits = if first.postponed {
        let (text, more) = finish(doc, &first.edits, files);
        fixed += more;
        vec![replacement(&doc.text, &text)]
    } else {
        first.edits
    };
    (fixed > 0).then(|| {
        let title = if fixed == 1 {
            "Apply the safe fix".into()
        } else {
            format!("Apply all {fixed} safe fixes")
        };
        Action::edit(title, ActionKind::FixAll, edits)
    })
}

/// The maximum number of rounds; a fix that still conflicts with others is left to the user.
const MAX_ROUNDS: usize = 8;

/// Applies the fixes that conflicted with those of `edits`. Returns the final text and how many more were applied.
fn finish(doc: &Document, edits: &[Edit], files: &dyn Files) -> (String, usize) {
    let mut text = apply(&doc.text, edits);
    let mut fixed = 0;
    for _ in 0..MAX_ROUNDS {
        let next = Document::new(&text, doc.version, doc.options.clone(), files);
        let round = safe_edits(&next);
        if round.fixed == 0 {
            break;
        }
        fixed += round.fixed;
        text = apply(&text, &round.edits);
    }
    (text, fixed)
}

/// One edit that makes `after` of `before`: their common beginning and end are left alone.
fn replacement(before: &str, after: &str) -> Edit {
    let common = |left: &mut dyn Iterator<Item = char>, right: &mut dyn Iterator<Item = char>| {
        let same = left.zip(right).take_while(|(left, right)| left == right);
        same.map(|(letter, _)| letter.len_utf8()).sum::<usize>()
    };
    let head = common(&mut before.chars(), &mut after.chars());
    let (old, new) = (
        before.get(head..).unwrap_or_default(),
        after.get(head..).unwrap_or_default(),
    );
    let tail = common(&mut old.chars().rev(), &mut new.chars().rev());
    let range = TextRange::new(head, before.len() - tail);
    Edit::replace(range, new.get(..new.len() - tail).unwrap_or_default())
}

/// The edits of the safe fixes of a document.
struct SafeEdits {
    edits: Vec<Edit>,
    /// How many problems they fix.
    fixed: usize,
    /// Whether a fix was left out because it collides with an earlier one.
    postponed: bool,
}

fn safe_edits(doc: &Document) -> SafeEdits {
    // Edits that are kept, by where they begin and when they came: a new one can only collide with its
    // neighbours.
    let mut kept: BTreeMap<(usize, usize), &Edit> = BTreeMap::new();
    let (mut fixed, mut postponed) = (0_usize, false);
    for fix in doc
        .analysis
        .diagnostics
        .iter()
        .filter_map(Diagnostic::safe_fix)
    {
        let is_free = |edit: &Edit| {
            let start = edit.range.start();
            let before = kept.range(..=(start, usize::MAX)).next_back();
            let after = kept.range((start, 0)..).next();
            let mut neighbours = before.into_iter().chain(after);
            neighbours.all(|(_, other)| !overlap(edit.range, other.range))
        };
        if !fix.edits.iter().all(is_free) {
            postponed = true;
            continue;
        }
        for edit in &fix.edits {
            kept.insert((edit.range.start(), kept.len()), edit);
        }
        fixed += 1;
    }
    SafeEdits {
        edits: kept.into_values().cloned().collect(),
        fixed,
        postponed,
    }
}

/// Whether two edits collide. Two insertions at one place do too: their order would be chance.
fn overlap(a: TextRange, b: TextRange) -> bool {
    a.intersects(b) || a.start() == b.start() || a.contains(b.start()) || b.contains(a.start())
}
