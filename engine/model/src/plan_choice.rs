//! Which of several plans fits a task: by the words of its `triggers`, its `domains`, and the plans a role may use.
//!
//! ```
//! use attractor_model::plan_choice::{Candidate, Request, choose};
//! let plans = [Candidate { name: "bugfix", triggers: vec!["fix bug".into()], threshold: 1, domains: vec![] }];
//! let request = Request { task: "Fix the login bug", ..Request::default() };
//! assert_eq!(choose(&plans, request).unwrap().name, "bugfix");
//! ```

use std::cmp::Reverse;

use crate::Pipeline;

/// A plan that may be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate<'p> {
    /// The name of its pipeline.
    pub name: &'p str,
    /// Phrases of tasks it is for. A plan without any is never chosen.
    pub triggers: Vec<String>,
    /// How many of them must occur in a task, at least 1.
    pub threshold: usize,
    /// Kinds of work it is for; empty for any.
    pub domains: Vec<String>,
}

/// What a plan is wanted for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Request<'r> {
    /// The task, in words.
    pub task: &'r str,
    /// The kind of work; without it the domains of plans do not matter.
    pub domain: Option<&'r str>,
    /// The plans that may be used; without it all of them.
    pub allowed: Option<&'r [String]>,
}

/// The plan that fits best.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice<'p> {
    /// The name of its pipeline.
    pub name: &'p str,
    /// Its triggers that occur in the task.
    pub matched: Vec<String>,
}

impl<'p> Candidate<'p> {
    /// What a pipeline says about the tasks it is for.
    pub fn of(pipeline: &'p Pipeline) -> Self {
        let threshold = pipeline.attributes.int("trigger_threshold").unwrap_or(1);
        Self {
            name: &pipeline.name,
            triggers: pipeline.attributes.list("triggers"),
            threshold: usize::try_from(threshold).unwrap_or(1).max(1),
            domains: pipeline.attributes.list("domains"),
        }
    }

    /// The triggers that occur in a task, when the plan fits a request.
    fn matched(&self, request: Request<'_>) -> Option<Vec<String>> {
        let same =
            |left: &str, right: &str| left.trim().to_lowercase() == right.trim().to_lowercase();
        let is_allowed = request
            .allowed
            .is_none_or(|allowed| allowed.iter().any(|name| name.trim() == self.name));
        let is_domain = request.domain.is_none_or(|domain| {
            self.domains.is_empty() || self.domains.iter().any(|own| same(own, domain))
        });
        if !is_allowed || !is_domain {
            return None;
        }
        let task = words(request.task);
        let triggers = self.triggers.iter();
        let matched = triggers.filter(|trigger| occurs(trigger, &task)).cloned();
        let matched: Vec<String> = matched.collect();
        (matched.len() >= self.threshold.max(1)).then_some(matched)
    }
}

/// The plan that fits best: that with the most triggers in the task, then the most words in them, then the first by
/// name. `None` when none fits.
pub fn choose<'p>(candidates: &[Candidate<'p>], request: Request<'_>) -> Option<Choice<'p>> {
    let fitting = candidates.iter().filter_map(|candidate| {
        let matched = candidate.matched(request)?;
        Some(Choice {
            name: candidate.name,
            matched,
        })
    });
    fitting.min_by_key(|choice| {
        let words: usize = choice.matched.iter().map(|one| words(one).len()).sum();
        (Reverse(choice.matched.len()), Reverse(words), choice.name)
    })
}

/// Whether the words of a trigger occur in a task, in their order.
fn occurs(trigger: &str, task: &[String]) -> bool {
    let trigger = words(trigger);
    let mut rest = task.iter();
    !trigger.is_empty() && trigger.iter().all(|word| rest.any(|other| other == word))
}

/// The words of a text, in lower case: letters and digits, with `-` and `.` between them and `+` and `#` after them.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut characters = text.chars().flat_map(char::to_lowercase).peekable();
    while let Some(character) = characters.next() {
        let is_inner = match character {
            '+' | '#' => !word.is_empty(),
            '-' | '.' => {
                !word.is_empty() && characters.peek().is_some_and(|next| next.is_alphanumeric())
            }
            _ => character.is_alphanumeric(),
        };
        if is_inner {
            word.push(character);
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_text() {
        for (text, expected) in [
            ("Fix the login bug.", "fix|the|login|bug"),
            ("C++, c# and .NET 4.5!", "c++|c#|and|net|4.5"),
            ("re-deploy -- now - ok-", "re-deploy|now|ok"),
            ("ÜBER  größe\n#tag +1", "über|größe|tag|1"),
            (" . ", ""),
        ] {
            assert_eq!(words(text).join("|"), expected, "{text}");
        }
    }

    #[test]
    fn trigger_occurs_as_whole_words_in_order() {
        for (trigger, task, expected) in [
            ("fix bug", "Fix the login bug", true),
            ("fix bug", "fix bugs", false),
            ("fix bug", "prefix bugs", false),
            ("fix bug", "the bug is to fix", false),
            ("fix fix", "fix", false),
            ("c++", "port it to C++", true),
            ("c", "port it to C++", false),
            ("deploy", "re-deploy it", false),
            ("re-deploy", "Re-Deploy it", true),
            ("", "anything", false),
            ("!", "anything!", false),
        ] {
            assert_eq!(
                occurs(trigger, &words(task)),
                expected,
                "{trigger} in {task}"
            );
        }
    }

    fn candidate<'p>(
        name: &'p str,
        triggers: &str,
        threshold: usize,
        domains: &str,
    ) -> Candidate<'p> {
        let list = |text: &str| {
            let items = text.split(',').map(|item| item.trim().to_owned());
            items.filter(|item| !item.is_empty()).collect()
        };
        Candidate {
            name,
            triggers: list(triggers),
            threshold,
            domains: list(domains),
        }
    }

    #[test]
    fn best_plan_for_a_task() {
        let plans = [
            candidate("silent", "", 1, ""),
            candidate("bugfix", "fix bug, broken, error", 1, "bugs"),
            candidate("repair", "fix login bug", 1, ""),
            candidate("strict", "fix, bug, login", 3, ""),
            candidate("zeta", "deploy", 1, "ops"),
            candidate("alpha", "deploy", 1, "ops, Web"),
        ];
        let allowed = |names: &[&str]| -> Option<Vec<String>> {
            Some(names.iter().map(|name| (*name).to_owned()).collect())
        };
        let none = || None;
        for (task, domain, role, expected) in [
            // The most triggers.
            ("fix the login bug", None, none(), "strict: fix, bug, login"),
            (
                "fix a bug: broken login",
                None,
                none(),
                "strict: fix, bug, login",
            ),
            (
                "broken: fix the bug",
                None,
                none(),
                "bugfix: fix bug, broken",
            ),
            // The threshold.
            ("login to fix", None, none(), "nothing"),
            // The most words, among those a role may use.
            (
                "fix the login bug",
                None,
                allowed(&["bugfix", "repair"]),
                "repair: fix login bug",
            ),
            // The name.
            ("deploy it", None, none(), "alpha: deploy"),
            // The domain; a plan without domains is for any.
            ("deploy it", Some("ops"), none(), "alpha: deploy"),
            (
                "deploy it",
                Some("WEB"),
                allowed(&["zeta", "alpha"]),
                "alpha: deploy",
            ),
            ("deploy it", Some("bugs"), none(), "nothing"),
            ("broken: fix the bug", Some("ops"), none(), "nothing"),
            (
                "fix the login bug",
                Some("ops"),
                allowed(&["bugfix", "repair"]),
                "repair: fix login bug",
            ),
            // The role.
            ("deploy it", None, allowed(&["zeta"]), "zeta: deploy"),
            ("deploy it", None, allowed(&["silent"]), "nothing"),
            ("deploy it", None, allowed(&[]), "nothing"),
            ("", None, none(), "nothing"),
        ] {
            let request = Request {
                task,
                domain,
                allowed: role.as_deref(),
            };
            let found = choose(&plans, request);
            let found = found.map(|one| format!("{}: {}", one.name, one.matched.join(", ")));
            assert_eq!(found.as_deref().unwrap_or("nothing"), expected, "{task}");
        }
    }

    #[test]
    fn pipeline_says_what_it_is_for() {
        let text =
            "digraph p { triggers=\"fix bug, c++\"; domains=ops; trigger_threshold=2; goal=x }";
        let pipelines = Pipeline::from_text(text);
        let expected = candidate("p", "fix bug, c++", 2, "ops");
        assert_eq!(Candidate::of(&pipelines[0]), expected);
    }
}
