//! Fixes that findings carry, one for each, all at once, and the comment that silences a rule here.

use std::collections::BTreeMap;

use attractor_dot::{Edit, TextRange};
use attractor_model::Diagnostic;

use super::{Action, ActionKind, indent, line_end};
use crate::document::Document;

/// The fixes of the findings that touch a range.
pub(super) fn of(doc: &Document, range: TextRange) -> Vec<Action> {
    let touches = |found: &&Diagnostic| {
        found.range.start() <= range.end() && range.start() <= found.range.end()
    };
    let found: Vec<&Diagnostic> = doc.analysis.diagnostics.iter().filter(touches).collect();
    let mut actions = Vec::new();
    for finding in &found {
        for (number, fix) in finding.fixes.iter().enumerate() {
            let action = Action::edit(fix.title.clone(), ActionKind::QuickFix, fix.edits.clone());
            actions.push(Action {
                mends: Some((finding.rule, finding.range)),
                preferred: number == 0 && finding.fixes.len() == 1,
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
        mends: Some((finding.rule, finding.range)),
        ..action
    }
}

/// Every finding's only fix in one go; a fix that overlaps an earlier one waits for the next time.
pub(super) fn all(doc: &Document) -> Option<Action> {
    // Edits that are kept, by where they begin and when they came: a new one can only collide with its
    // neighbours.
    let mut kept: BTreeMap<(usize, usize), &Edit> = BTreeMap::new();
    let mut fixed = 0_usize;
    for finding in &doc.analysis.diagnostics {
        let [fix] = finding.fixes.as_slice() else {
            continue;
        };
        let is_free = |edit: &Edit| {
            let start = edit.range.start();
            let before = kept.range(..=(start, usize::MAX)).next_back();
            let after = kept.range((start, 0)..).next();
            let mut neighbours = before.into_iter().chain(after);
            neighbours.all(|(_, other)| !overlap(edit.range, other.range))
        };
        if fix.edits.iter().all(is_free) {
            for edit in &fix.edits {
                kept.insert((edit.range.start(), kept.len()), edit);
            }
            fixed += 1;
        }
    }
    let edits = kept.into_values().cloned().collect();
    (fixed > 0).then(|| {
        let title = if fixed == 1 {
            "Fix the one problem that can be fixed".into()
        } else {
            format!("Fix all {fixed} fixable problems")
        };
        Action::edit(title, ActionKind::FixAll, edits)
    })
}

/// Whether two edits collide. Two insertions at one place do too: their order would be chance.
fn overlap(a: TextRange, b: TextRange) -> bool {
    a.intersects(b) || a.start() == b.start() || a.contains(b.start()) || b.contains(a.start())
}
