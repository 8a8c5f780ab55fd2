//! How much of a run a model sees besides the prompt of its node (`fidelity`): pure functions of the run's history.
//!
//! With `full` it sees the earlier prompts and answers of its thread, as a conversation. Every other mode puts a text
//! before the prompt: the goal, and more or less of what happened.

use std::fmt::Write as _;

/// The key of the context that holds a turn of a thread, followed by the thread's name and the turn's number.
const THREAD: &str = "internal.thread";

/// The thread of nodes that name none.
pub const DEFAULT_THREAD: &str = "main";

/// The steps that a preamble lists at most.
const MOST_STEPS: usize = 50;

/// How much a model sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fidelity {
    /// The conversation of its thread.
    Full,
    /// A text before the prompt.
    Preamble(Detail),
}

/// What a text before the prompt holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detail {
    /// Whether it lists the steps.
    lists_steps: bool,
    /// How many of the last results it holds.
    results: usize,
    /// The most characters of one result.
    characters: usize,
}

/// Word, steps, results, characters of a result.
const MODES: &[(&str, bool, usize, usize)] = &[
    ("truncate", false, 0, 0),
    ("compact", true, 0, 0),
    ("summary:low", true, 2, 300),
    ("summary:medium", true, 5, 800),
    ("summary:high", true, 10, 2_000),
];

/// What happened in a run before a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// The run's goal.
    pub goal: String,
    /// The nodes that are done, in order.
    pub steps: Vec<Step>,
}

/// A node that is done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    /// The node.
    pub node: String,
    /// Its result word.
    pub status: String,
    /// What it produced.
    pub result: String,
}

impl Fidelity {
    /// The mode of that name.
    pub fn parse(word: &str) -> Option<Self> {
        let word = word.trim().to_ascii_lowercase();
        if word == "full" {
            return Some(Self::Full);
        }
        let mode = MODES.iter().find(|(name, ..)| *name == word);
        mode.map(|(_, lists_steps, results, characters)| {
            Self::Preamble(Detail {
                lists_steps: *lists_steps,
                results: *results,
                characters: *characters,
            })
        })
    }
}

/// The key that holds turn number `turn` of a thread, counted from 1.
pub fn turn_key(thread: &str, turn: usize) -> String {
    format!("{THREAD}.{thread}.{turn}")
}

/// The text before a prompt.
pub fn preamble(detail: Detail, history: &History) -> String {
    let mut text = String::new();
    if !history.goal.is_empty() {
        let _ = writeln!(text, "Goal: {}", history.goal);
    }
    if !detail.lists_steps || history.steps.is_empty() {
        return text;
    }
    let count = history.steps.len();
    let skipped = count.saturating_sub(MOST_STEPS);
    text.push_str("Steps so far:\n");
    if skipped > 0 {
        let _ = writeln!(text, "- … {skipped} earlier steps");
    }
    for (index, step) in history.steps.iter().enumerate().skip(skipped) {
        let _ = writeln!(text, "- {}: {}", step.node, step.status);
        let is_recent = index + detail.results >= count;
        if is_recent && !step.result.trim().is_empty() {
            for line in shortened(step.result.trim(), detail.characters).lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
    }
    text
}

/// The beginning of a text, marked where it is cut.
fn shortened(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    fn step(node: &str, status: &str, result: &str) -> Step {
        Step {
            node: node.to_owned(),
            status: status.to_owned(),
            result: result.to_owned(),
        }
    }

    fn check(word: &str, expected: &Expect) {
        let history = History {
            goal: "ship it".to_owned(),
            steps: vec![
                step("plan", "success", "1. write\n2. test"),
                step("build", "fail", ""),
                step("fix", "success", &"long ".repeat(200)),
            ],
        };
        let text = match Fidelity::parse(word) {
            Some(Fidelity::Preamble(detail)) => preamble(detail, &history),
            other => format!("{other:?}"),
        };
        let text = text.replace(&"long ".repeat(20), "long… ");
        expected.assert_eq(&text);
    }

    #[test]
    fn modes() {
        check("full", &expect![["Some(Full)"]]);
        check("half", &expect![["None"]]);
        check(
            "truncate",
            &expect![[r#"
            Goal: ship it
        "#]],
        );
        check(
            "compact",
            &expect![[r#"
            Goal: ship it
            Steps so far:
            - plan: success
            - build: fail
            - fix: success
        "#]],
        );
        check(
            "summary:low",
            &expect![[r#"
            Goal: ship it
            Steps so far:
            - plan: success
            - build: fail
            - fix: success
              long… long… long… …
        "#]],
        );
        check(
            "Summary:High",
            &expect![[r#"
            Goal: ship it
            Steps so far:
            - plan: success
              1. write
              2. test
            - build: fail
            - fix: success
              long… long… long… long… long… long… long… long… long… long long long long long long long long long long long long long long long long long long long long
        "#]],
        );
    }

    fn detail(word: &str) -> Detail {
        match Fidelity::parse(word) {
            Some(Fidelity::Preamble(detail)) => detail,
            other => unreachable!("{word} is {other:?}"),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Each mode says at least as much as the one before it, the last step is always there, and a long run does not
        /// make a long prompt.
        #[test]
        fn more_detail_says_more_and_all_are_bounded(
            results in proptest::collection::vec("[a-zé ]{0,500}", 0..60),
        ) {
            let steps = results.iter().enumerate();
            let steps = steps.map(|(index, result)| step(&format!("n{index}"), "success", result));
            let history = History { goal: "g".to_owned(), steps: steps.collect() };
            let mut before = 0;
            for (word, ..) in MODES {
                let text = preamble(detail(word), &history);
                prop_assert!(text.starts_with("Goal: g"));
                prop_assert!(text.len() >= before, "{word}");
                before = text.len();
                if *word != "truncate" && let Some(last) = history.steps.last() {
                    prop_assert!(text.contains(&format!("- {}: success", last.node)), "{word}");
                }
                prop_assert!(text.chars().count() <= 50 * 30 + 10 * 2_100 * 3, "{word}");
            }
        }
    }
}
