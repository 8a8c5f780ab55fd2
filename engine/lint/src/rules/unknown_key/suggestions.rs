//! Words that were meant as conditions of their own and are none: `on_failure`, `success`, `otherwise`.

use attractor_lang::Status;
use attractor_lang::condition::Keyword;
use attractor_model::catalogue::nearest;

/// What people write, and the keyword that means it.
const OTHERS: &[(&str, Keyword)] = &[
    ("on_ok", Keyword::OnSuccess),
    ("on_pass", Keyword::OnSuccess),
    ("on_passed", Keyword::OnSuccess),
    ("on_succeed", Keyword::OnSuccess),
    ("on_succeeded", Keyword::OnSuccess),
    ("on_failed", Keyword::OnFail),
    ("on_failure", Keyword::OnFail),
    ("on_error", Keyword::OnFail),
    ("on_retries", Keyword::OnRetry),
    ("on_exhausted", Keyword::OnExhaust),
    ("on_exhaustion", Keyword::OnExhaust),
    ("on_any", Keyword::Always),
    ("on_complete", Keyword::Always),
    ("on_completion", Keyword::Always),
    ("on_done", Keyword::Always),
    ("any", Keyword::Always),
    ("default", Keyword::Always),
    ("else", Keyword::Always),
    ("otherwise", Keyword::Always),
    ("unconditional", Keyword::Always),
];

/// The condition that was probably meant by a key that is used alone and that nothing sets.
pub(super) fn meant(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    if let Some((_, keyword)) = OTHERS.iter().find(|(other, _)| *other == lower) {
        return Some(keyword.word().to_owned());
    }
    if Status::known(&lower).is_some() {
        return Some(format!("outcome={lower}"));
    }
    let near = || nearest(&lower, Keyword::ALL.into_iter().map(Keyword::word));
    let asks = lower.starts_with("on") || lower.starts_with("alw");
    asks.then(near).flatten().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn what_was_meant() {
        for (word, expected) in [
            ("on_sucess", Some("on_success")),
            ("onfail", Some("on_fail")),
            ("on_failure", Some("on_fail")),
            ("ON_ERROR", Some("on_fail")),
            ("on_exaust", Some("on_exhaust")),
            ("alway", Some("always")),
            ("otherwise", Some("always")),
            ("success", Some("outcome=success")),
            ("Failed", Some("outcome=failed")),
            ("online", None),
            ("only_tests", None),
            ("approved", None),
            ("tests_passed", None),
        ] {
            assert_eq!(meant(word).as_deref(), expected, "{word}");
        }
    }
}
