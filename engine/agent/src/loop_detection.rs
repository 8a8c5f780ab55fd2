//! Finds tool calls that repeat, and decides what to do about it: warn, refuse the call, end the work.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// How many of the latest calls are looked at by default.
const WINDOW: usize = 10;

/// The longest pattern.
const LONGEST: usize = 3;

/// How often a pattern occurs in a row before it is a loop.
const REPETITIONS: usize = 3;

/// After how many calls without a loop the earlier ones no longer count.
const FORGIVEN_AFTER: usize = 2 * WINDOW;

/// Tracks tool calls and detects repeating patterns.
#[derive(Debug, Clone, Default)]
pub struct LoopDetector {
    history: Vec<String>,
}

impl LoopDetector {
    /// Records a call. `arguments_hash` is any text that is the same for the same arguments.
    pub fn record_call(&mut self, tool_name: &str, arguments_hash: &str) {
        let digest = Sha256::digest(format!("{tool_name}:{arguments_hash}"));
        let mut fingerprint = String::new();
        for byte in digest.iter().take(8) {
            let _ = write!(fingerprint, "{byte:02x}");
        }
        self.history.push(fingerprint);
        let surplus = self.history.len().saturating_sub(10 * WINDOW);
        self.history.drain(..surplus);
    }

    /// A warning if the latest calls repeat a pattern of one to three calls at least three times in a row.
    pub fn check_for_loops(&self, window_size: usize) -> Option<String> {
        let start = self.history.len().saturating_sub(window_size);
        let window = self.history.get(start..).unwrap_or_default();
        let (length, count) = (1..=LONGEST).find_map(|length| {
            let count = repetitions(window, length);
            (count >= REPETITIONS).then_some((length, count))
        })?;
        Some(match length {
            1 => format!("the same tool call was made {count} times in a row"),
            _ => format!("the same {length} tool calls were made {count} times in a row"),
        })
    }

    /// Forgets all calls.
    pub fn reset(&mut self) {
        self.history.clear();
    }
}

/// How often the last `length` calls occur in a row at the end.
fn repetitions(window: &[String], length: usize) -> usize {
    let mut groups = window.rchunks_exact(length);
    let Some(last) = groups.next() else { return 0 };
    1 + groups.take_while(|group| *group == last).count()
}

/// What happens to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LoopDecision {
    /// It is not part of a loop.
    Continue,
    /// It runs, and the model is warned.
    Warn(String),
    /// It does not run.
    Refuse(String),
    /// The work ends.
    End(String),
}

/// The reaction to loops: each one found is answered more severely.
#[derive(Debug, Default)]
pub(crate) struct LoopGuard {
    detector: LoopDetector,
    /// Loops found so far.
    found: usize,
    /// Calls since the last one.
    clean: usize,
}

impl LoopGuard {
    pub(crate) fn check(&mut self, tool_name: &str, arguments: &str) -> LoopDecision {
        self.detector.record_call(tool_name, arguments);
        let Some(warning) = self.detector.check_for_loops(WINDOW) else {
            self.clean += 1;
            if self.clean >= FORGIVEN_AFTER {
                self.found = 0;
            }
            return LoopDecision::Continue;
        };
        self.clean = 0;
        self.found += 1;
        match self.found {
            1 => LoopDecision::Warn(warning),
            2 | 3 => LoopDecision::Refuse(warning),
            _ => LoopDecision::End(warning),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws after which of the calls a loop is found: each letter is a call.
    fn drawn(calls: &str) -> String {
        let mut detector = LoopDetector::default();
        calls
            .chars()
            .map(|call| {
                detector.record_call("t", &call.to_string());
                detector.check_for_loops(WINDOW).map_or('.', |_| '^')
            })
            .collect()
    }

    #[test]
    fn patterns_of_one_to_three_calls_are_found() {
        for (calls, found) in [
            ("aaaab", "..^^."),
            ("abababab", ".....^^^"),
            ("abcabcabcd", "........^."),
            ("abcdabcdabcd", "............"),
            ("aabaabaab", "........^"),
            ("abacadae", "........"),
        ] {
            assert_eq!(drawn(calls), found, "{calls}");
        }
    }

    #[test]
    fn a_warning_says_what_repeats() {
        let mut detector = LoopDetector::default();
        for call in ["a", "b", "a", "b", "a", "b"] {
            detector.record_call("shell", call);
        }
        assert_eq!(
            detector.check_for_loops(WINDOW).as_deref(),
            Some("the same 2 tool calls were made 3 times in a row")
        );
        assert_eq!(detector.check_for_loops(5), None);
        detector.reset();
        assert_eq!(detector.check_for_loops(WINDOW), None);
    }

    #[test]
    fn each_loop_is_answered_more_severely() {
        let mut guard = LoopGuard::default();
        let decisions: String = (0..6)
            .map(|_| match guard.check("shell", "{}") {
                LoopDecision::Continue => 'c',
                LoopDecision::Warn(_) => 'w',
                LoopDecision::Refuse(_) => 'r',
                LoopDecision::End(_) => 'e',
            })
            .collect();
        assert_eq!(decisions, "ccwrre");
        let mut guard = LoopGuard::default();
        for _ in 0..3 {
            guard.check("shell", "{}");
        }
        for other in 0..FORGIVEN_AFTER {
            guard.check("shell", &other.to_string());
        }
        guard.check("shell", "x");
        guard.check("shell", "x");
        assert!(matches!(guard.check("shell", "x"), LoopDecision::Warn(_)));
    }
}
