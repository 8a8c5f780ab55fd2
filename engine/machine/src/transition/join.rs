//! When a split is decided: `join_policy` and `error_policy`, written at the parallel node or at the fan-in
//! where its branches meet.

use super::state::{BranchProgress, Split};
use crate::outcome::Status;
use crate::plan::NodeRef;

/// When and how the branches of a parallel node are joined.
#[derive(Clone, Copy)]
pub(super) struct JoinRules<'p> {
    /// The parallel node.
    pub(super) split: NodeRef<'p>,
    /// The fan-in of its branches, if there is one; what the parallel node says itself wins.
    pub(super) meet: Option<NodeRef<'p>>,
}

/// When a split is decided (language reference, `join_policy`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JoinPolicy {
    WaitAll,
    /// This many must succeed.
    Needed(usize),
}

/// What a failed branch does to the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ErrorPolicy {
    Continue,
    FailFast,
    Ignore,
}

impl<'p> JoinRules<'p> {
    /// How many branches may run at once.
    pub(super) fn most_at_once(self) -> usize {
        self.says("max_parallel")
            .and_then(|node_ref| node_ref.count("max_parallel"))
            .filter(|most| *most > 0)
            .map_or(4, |most| most as usize)
    }

    /// The status of a split, once it is decided.
    pub(super) fn verdict(self, split: &Split) -> Option<Status> {
        let all = split.branches.len();
        let (succeeded, failed) = tally(split);
        let open = all - succeeded - failed;
        let errors = self.error_policy();
        match self.join_policy(all) {
            JoinPolicy::Needed(needed) if succeeded >= needed => Some(Status::Success),
            JoinPolicy::Needed(needed) if succeeded + open < needed => Some(Status::Fail),
            _ if failed > 0 && errors == ErrorPolicy::FailFast => Some(Status::Fail),
            _ if open > 0 => None,
            JoinPolicy::Needed(_) => Some(Status::Fail),
            JoinPolicy::WaitAll if failed == 0 || errors == ErrorPolicy::Ignore => {
                Some(Status::Success)
            }
            // A failure that the author leads to where the branches meet is looked at there.
            JoinPolicy::WaitAll if succeeded == 0 && split.join.is_none() => Some(Status::Fail),
            JoinPolicy::WaitAll => Some(Status::PartialSuccess),
        }
    }

    /// How many branches must succeed, where that cannot be reached any more.
    pub(super) fn out_of_reach(self, split: &Split) -> Option<usize> {
        let all = split.branches.len();
        let (_, failed) = tally(split);
        match self.join_policy(all) {
            JoinPolicy::Needed(needed) if all - failed < needed => Some(needed),
            JoinPolicy::Needed(_) | JoinPolicy::WaitAll => None,
        }
    }

    /// The node that says something about `name`.
    fn says(self, name: &str) -> Option<NodeRef<'p>> {
        let written = |node_ref: &NodeRef<'p>| node_ref.written(name).is_some();
        [Some(self.split), self.meet]
            .into_iter()
            .flatten()
            .find(written)
    }

    fn word(self, name: &str) -> Option<String> {
        self.says(name)?.word(name)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a fraction of a count of branches"
    )]
    fn join_policy(self, all: usize) -> JoinPolicy {
        match self.word("join_policy").as_deref() {
            Some("first_success" | "any_success" | "any") => JoinPolicy::Needed(1),
            Some("all_success") => JoinPolicy::Needed(all),
            Some("k_of_n") => {
                let wanted = self
                    .says("join_k")
                    .and_then(|node_ref| node_ref.count("join_k"));
                JoinPolicy::Needed(wanted.map_or(all, |wanted| wanted as usize))
            }
            Some("quorum") => {
                let share = self
                    .says("join_quorum")
                    .and_then(|node_ref| node_ref.node.attributes.float("join_quorum"))
                    .unwrap_or(0.5)
                    .clamp(0.0, 1.0);
                JoinPolicy::Needed(((share * all as f64).ceil() as usize).max(1))
            }
            _ => JoinPolicy::WaitAll,
        }
    }

    fn error_policy(self) -> ErrorPolicy {
        match self.word("error_policy").as_deref() {
            Some("fail_fast") => ErrorPolicy::FailFast,
            Some("ignore") => ErrorPolicy::Ignore,
            _ if self.word("join_policy").as_deref() == Some("ignore") => ErrorPolicy::Ignore,
            _ => ErrorPolicy::Continue,
        }
    }
}

/// Branches that succeeded and branches that failed.
pub(super) fn tally(split: &Split) -> (usize, usize) {
    split
        .branches
        .iter()
        .fold((0, 0), |(good, bad), branch| match &branch.progress {
            BranchProgress::Done { status, .. } if status.is_failure() => (good, bad + 1),
            BranchProgress::Done { .. } => (good + 1, bad),
            _ => (good, bad),
        })
}

/// The first branch that failed, and why.
pub(super) fn first_error(split: &Split) -> Option<(&str, &str)> {
    split
        .branches
        .iter()
        .find_map(|branch| match &branch.progress {
            BranchProgress::Done { status, output, .. } if status.is_failure() => {
                Some((branch.name.as_str(), output.get("error")?.as_str()?))
            }
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use attractor_model::Pipeline;

    use super::*;
    use crate::plan::Plan;
    use crate::transition::state::Branch;

    /// Whether a split of two branches is decided when the first has ended so, and how.
    #[test]
    fn a_policy_decides_when_the_first_branch_has_ended() {
        use Status::{Fail, Success};
        for (policy, first, decided) in [
            ("wait_all", Fail, None),
            ("all_success", Fail, Some(Fail)),
            ("all_success", Success, None),
            ("first_success", Success, Some(Success)),
            ("any_success", Success, Some(Success)),
            ("any_success", Fail, None),
            ("ignore", Fail, None),
        ] {
            let dot = format!(
                "digraph {{ goal=x; s [shape=Mdiamond]; f [shape=component, join_policy={policy}]; s -> f }}"
            );
            let pipelines = Pipeline::from_text(&dot);
            let plan = Plan::new(pipelines[0].clone(), pipelines);
            let split = plan.node_ref(None, "f").unwrap();
            let rules = JoinRules { split, meet: None };
            let verdict = rules.verdict(&first_ended(first.clone()));
            assert_eq!(verdict, decided, "{policy} {first}");
        }
    }

    /// A split of two branches, of which the first has ended.
    fn first_ended(status: Status) -> Split {
        let done = BranchProgress::Done {
            status,
            scope: 0,
            output: serde_json::Value::Null,
        };
        let branches = [("a", done), ("b", BranchProgress::Queued)];
        let branches = branches.map(|(name, progress)| Branch {
            name: name.to_owned(),
            node: name.to_owned(),
            item: None,
            progress,
        });
        Split {
            stops: BTreeSet::new(),
            branches: branches.into(),
            worktrees: None,
            join: None,
            deadline: None,
        }
    }

    #[test]
    fn four_branches_run_at_once_unless_a_positive_number_is_written() {
        for (attributes, most) in [
            ("", 4),
            ("max_parallel=0", 4),
            ("max_parallel=1", 1),
            ("max_parallel=9", 9),
        ] {
            let dot = format!(
                "digraph {{ goal=x; s [shape=Mdiamond]; f [shape=component, {attributes}]; s -> f }}"
            );
            let pipelines = Pipeline::from_text(&dot);
            let plan = Plan::new(pipelines[0].clone(), pipelines);
            let split = plan.node_ref(None, "f").unwrap();
            let rules = JoinRules { split, meet: None };
            assert_eq!(rules.most_at_once(), most, "{attributes}");
        }
    }
}
