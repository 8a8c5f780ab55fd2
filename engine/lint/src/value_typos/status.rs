//! Words that are nearly a status (`succes`, `fial`): read as statuses of the pipeline's own, which no node ends with.

use attractor_lang::Status;
use attractor_model::catalogue::nearest_within;

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

/// Words that are one letter from a status and mean something else.
const OTHER_WORDS: [&str; 5] = ["fair", "fall", "foil", "filed", "skipper"];

/// From this length on a word may be two letters off.
const LONG: usize = 7;

/// The status a word is nearly.
pub(super) fn near(word: &str) -> Option<&'static str> {
    let lower = word.trim().to_lowercase();
    if Status::known(&lower).is_some() || OTHER_WORDS.contains(&lower.as_str()) {
        return None;
    }
    let status = |wanted: &str| {
        let mut meant = MEANT.iter();
        meant
            .find(|(meant, _)| *meant == wanted)
            .map(|(_, status)| *status)
    };
    if let Some(status) = status(&lower) {
        return Some(status);
    }
    // Another first letter makes another word (`bail`, `access`), unless the first two are only swapped.
    let candidates = MEANT.iter().map(|(meant, _)| *meant);
    let candidates = candidates.filter(|meant| starts_alike(&lower, meant));
    let limit = if lower.chars().count() < LONG { 1 } else { 2 };
    status(nearest_within(limit, &lower, candidates)?)
}

/// Whether two words begin with the same letter, or with the same two in another order.
fn starts_alike(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.chars(), other.chars());
    let (first, second) = ((one.next(), one.next()), (other.next(), other.next()));
    first.0 == second.0 || (first.0 == second.1 && first.1 == second.0)
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn typos_of_statuses_and_words_of_ones_own() {
        for (word, status) in [
            ("succes", "success"),
            ("sucess", "success"),
            ("usccess", "success"),
            ("sucecss", "success"),
            ("succesful", "success"),
            ("Successful", "success"),
            ("success!", "success"),
            ("suceeded", "succeeded"),
            ("fial", "fail"),
            ("faol", "fail"),
            ("fai", "fail"),
            ("fails", "fail"),
            ("faild", "fail"),
            ("failure", "fail"),
            ("partial-success", "partial_success"),
            ("retyr", "retry"),
            ("skiped", "skipped"),
        ] {
            assert_eq!(near(word), Some(status), "{word}");
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
            "fixed",
            "filed",
        ] {
            assert_eq!(near(word), None, "{word}");
        }
    }
}
