//! Words that are nearly a status (`succes`, `fial`): they are parsed as custom statuses, which no node
//! returns, so the condition never holds. Part of `condition_constant`.

use attractor_dot::Edit;

use crate::located_conditions::{LocatedCondition, conditions};
use crate::{DiagnosticSink, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_lang::Status;
use attractor_lang::condition::{Compare, Condition, OperandKind};
use attractor_model::catalogue::nearest;

/// Words for statuses in other systems, and the status here.
const MEANT: &[(&str, &str)] = &[
    ("success", "success"),
    ("succeeded", "succeeded"),
    ("succeed", "succeeded"),
    ("successful", "success"),
    ("partial_success", "partial_success"),
    ("partially_succeeded", "partially_succeeded"),
    ("fail", "fail"),
    ("failed", "failed"),
    ("failure", "fail"),
    ("retry", "retry"),
    ("skipped", "skipped"),
];

/// Reports them, wherever a condition compares an outcome.
pub(crate) fn report(lint: &Lint, ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let has_one = |condition: &Condition| {
        let mut comparisons = condition.comparisons();
        comparisons.any(|compare| typo(compare).is_some())
    };
    for located in conditions(ctx, has_one) {
        for compare in located.condition.comparisons() {
            one(lint, ctx, sink, &located, compare);
        }
    }
}

fn one(
    lint: &Lint,
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    located: &LocatedCondition<'_, '_>,
    compare: &Compare,
) {
    let Some((word, status)) = typo(compare) else {
        return;
    };
    let Some(range) = located.range(ctx.text, &compare.right.range) else {
        return;
    };
    let message = format!("unknown status `{word}`; did you mean `{status}`?");
    let better = range.text(ctx.text).replace(word, status);
    let found = sink.diagnostic(lint, range, message).fix(
        fix(
            format!("Replace with `{status}`"),
            Edit::replace(range, better),
        )
        .preferred(),
    );
    sink.push(located.site.target.annotate(ctx.pipeline, found));
}

/// The word an outcome is compared with, and the status it is nearly.
fn typo(compare: &Compare) -> Option<(&str, &'static str)> {
    let OperandKind::Key(key) = &compare.left.kind else {
        return None;
    };
    if !matches!(key.rsplit('.').next(), Some("outcome" | "best_outcome")) {
        return None;
    }
    let (OperandKind::Text(word) | OperandKind::Bare(word)) = &compare.right.kind else {
        return None;
    };
    Some((word, near_status(word)?))
}

fn near_status(word: &str) -> Option<&'static str> {
    let lower = word.trim().to_lowercase();
    if Status::known(&lower).is_some() {
        return None;
    }
    let exact = MEANT.iter().find(|(meant, _)| *meant == lower);
    let (meant, status) = exact.or_else(|| {
        let near = nearest(&lower, MEANT.iter().map(|(meant, _)| *meant))?;
        MEANT.iter().find(|(meant, _)| *meant == near)
    })?;
    // Another first letter makes another word (`bail`), and so do another letter of a short one (`fair`) and two of
    // a longer one (`ready`).
    let same_start = lower.chars().next() == meant.chars().next();
    let changed = lower
        .chars()
        .zip(meant.chars())
        .filter(|(one, other)| one != other);
    let other_word = lower.len() == meant.len()
        && !is_anagram(&lower, meant)
        && (lower.len() < 5 || changed.count() > 1);
    (same_start && !other_word).then_some(*status)
}

fn is_anagram(one: &str, other: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(one) == sorted(other)
}

#[cfg(test)]
mod tests {
    use super::near_status;

    #[test]
    fn typos_of_statuses_and_words_of_ones_own() {
        for (word, status) in [
            ("succes", "success"),
            ("sucess", "success"),
            ("succesful", "success"),
            ("Successful", "success"),
            ("success!", "success"),
            ("suceeded", "succeeded"),
            ("fial", "fail"),
            ("fai", "fail"),
            ("fails", "fail"),
            ("faild", "fail"),
            ("failure", "fail"),
            ("partial-success", "partial_success"),
            ("retyr", "retry"),
            ("skiped", "skipped"),
        ] {
            assert_eq!(near_status(word), Some(status), "{word}");
        }
        for word in [
            "success",
            "FAILED",
            "needs_dod",
            "has_dod",
            "process",
            "done",
            "yes",
            "skip",
            "port",
            "bail",
            "fair",
            "tail",
            "ready",
            "partial",
            "access",
        ] {
            assert_eq!(near_status(word), None, "{word}");
        }
    }
}
