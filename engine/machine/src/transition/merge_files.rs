//! Branches in folders of their own (`isolation=worktree`): their changes are merged where they meet.
//!
//! The node they meet at merges them before it does its work: so a conflict is a failure of that node, which may lead to
//! a person, and merging is tried again when the node is. Where branches meet nowhere, or where that is outside of an
//! outer branch, the parallel node does it at its end.

use super::state::{Branch, BranchProgress};
use super::{Effect, Frame, MergeReport, Phase, Transition, Unmerged};
use crate::event::EventKind;
use crate::frame::{FrameId, Ticket, Worktree};
use crate::outcome::{FailureClass, Outcome, Status};
use crate::plan::NodeRef;
use crate::transition::reasons;

/// Whether the branches of a parallel node work in folders of their own.
fn is_isolated(node_ref: NodeRef<'_>) -> bool {
    node_ref.word("isolation").as_deref() == Some("worktree")
}

/// The folder of a branch.
pub(super) fn worktree_of(split: Option<&String>, branch: &str) -> Option<Worktree> {
    Some(Worktree {
        split: split?.clone(),
        branch: branch.to_owned(),
    })
}

impl Transition<'_> {
    /// The name of the folder for the branches of a split; none where they share the files of the frame. In a dry run
    /// nothing is written.
    pub(super) fn worktrees_of(&mut self, frame: &Frame, node_ref: NodeRef<'_>) -> Option<String> {
        let is_wanted = is_isolated(node_ref) && !self.state.dry;
        is_wanted.then(|| format!("{}-{}", frame.node, self.new_step()))
    }

    /// A split is decided: notes what is to be merged, and continues with its outcome.
    pub(super) fn decided(&mut self, id: FrameId, frame: &Frame, outcome: Outcome) {
        let unmerged = self
            .unmerged(id, frame)
            .filter(|_| !outcome.status.is_failure());
        let merges_here = unmerged.as_ref().is_some_and(|one| one.at == frame.node);
        if let Some(frame) = self.frame_mut(id) {
            frame.unmerged = unmerged.map(Box::new);
        }
        self.cancel_deadline(id);
        if !merges_here {
            self.verify_postconditions(id, outcome);
            return;
        }
        let step = self.new_step();
        if let Some(frame) = self.frame_mut(id) {
            if let Phase::Split { split } = &mut frame.phase {
                split.deadline = Some(step);
            }
            if let Some(unmerged) = &mut frame.unmerged {
                unmerged.outcome = Some(Box::new(outcome));
            }
        }
        self.merge_in_split(id);
    }

    /// What the branches of a split have changed, and where that is merged.
    fn unmerged(&self, id: FrameId, frame: &Frame) -> Option<Unmerged> {
        let Phase::Split { split } = &self.frame(id)?.phase else {
            return None;
        };
        let with_folder = |branch: &Branch| {
            let name = branch.name.clone();
            Some((name, worktree_of(split.worktrees.as_ref(), &branch.name)?))
        };
        let succeeded = |branch: &&Branch| matches!(&branch.progress, BranchProgress::Done { status, .. } if !status.is_failure());
        let branches = split.branches.iter();
        let merged: Vec<_> = branches
            .clone()
            .filter(succeeded)
            .filter_map(with_folder)
            .collect();
        let stopped = branches.filter(|branch| branch.progress == BranchProgress::Dropped);
        let stopped = stopped.filter_map(|branch| Some(with_folder(branch)?.1));
        let (join, _) = self.split_exits(frame, self.node_ref(frame)?);
        let join = join.filter(|join| !frame.stops.contains(join));
        (!merged.is_empty()).then(|| Unmerged {
            at: join.unwrap_or_else(|| frame.node.clone()),
            branches: merged,
            stopped: stopped.collect(),
            outcome: None,
        })
    }

    /// Has the parallel node merge what its branches changed, if that is all that is left to do; says whether it is.
    pub(super) fn merge_in_split(&mut self, id: FrameId) -> bool {
        let Some(frame) = self.frame(id) else {
            return false;
        };
        let is_split = matches!(frame.phase, Phase::Split { .. });
        let waits = frame
            .unmerged
            .as_ref()
            .is_some_and(|one| one.outcome.is_some());
        let Some(step) = frame.step().filter(|_| is_split && waits) else {
            return false;
        };
        self.out
            .push(Effect::MergeFiles(Ticket { frame: id, step }));
        true
    }

    /// Has the node that a frame begins merge what branches changed; says whether there is anything.
    pub(super) fn merges_first(&mut self, id: FrameId, ticket: Ticket) -> bool {
        let waits = self.frame(id).is_some_and(Frame::merges_here);
        if waits {
            self.out.push(Effect::MergeFiles(ticket));
        }
        waits
    }

    /// The changes of branches are merged, or cannot be.
    pub(super) fn files_merged(&mut self, ticket: Ticket, report: MergeReport) {
        let id = ticket.frame;
        let Some(frame) = self.state.holder(ticket).cloned() else {
            return;
        };
        let (Some(unmerged), Some(node_ref)) = (frame.unmerged.clone(), self.node_ref(&frame))
        else {
            return;
        };
        let MergeReport {
            files,
            more_files,
            conflicts,
            error,
        } = report;
        let folders = unmerged.branches.clone();
        let failure = match error {
            Some(error) => Some((FailureClass::Internal, reasons::not_merged(&error))),
            None if conflicts.is_empty() => None,
            None => Some((
                FailureClass::Conflict,
                reasons::merge_conflict(&conflicts, &folders),
            )),
        };
        self.emit(EventKind::FilesMerged {
            at: frame.node_attempt(),
            branches: folders.iter().map(|(name, _)| name.clone()).collect(),
            files,
            more_files,
            conflicts,
        });
        let is_merged = failure.is_none();
        if is_merged {
            let merged = unmerged.branches.into_iter().map(|(_, worktree)| worktree);
            let unneeded: Vec<Worktree> = merged.chain(unmerged.stopped).collect();
            self.state.note_unneeded(&unneeded);
            self.out.push(Effect::RemoveWorktrees(unneeded));
        }
        if (is_merged || unmerged.outcome.is_some())
            && let Some(frame) = self.frame_mut(id)
        {
            frame.unmerged = None;
        }
        match (unmerged.outcome, failure) {
            (Some(outcome), None) => self.verify_postconditions(id, *outcome),
            (None, None) => self.work(id, node_ref, ticket),
            (outcome, Some((class, reason))) => {
                let outcome = outcome.map(|outcome| *outcome).unwrap_or_default();
                self.finish(
                    id,
                    Outcome {
                        status: Status::Fail,
                        failure_class: Some(class),
                        failure_reason: Some(reason),
                        ..outcome
                    },
                );
            }
        }
    }
}

impl Frame {
    /// Whether the node it is at merges what branches changed, before its work.
    pub(super) fn merges_here(&self) -> bool {
        let unmerged = self.unmerged.as_ref();
        unmerged.is_some_and(|one| one.outcome.is_none() && one.at == self.node)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use attractor_model::Pipeline;
    use attractor_text_diff::ConflictReason;
    use expect_test::{Expect, expect};

    use crate::event::MergeConflict;
    use crate::frame::Worktree;
    use crate::outcome::{FailureClass, Outcome};
    use crate::plan::Plan;
    use crate::transition::{Begin, Effect, Input, InputKind, MergeReport, State, next};

    /// What a run does whose commands succeed, but for nodes named `bad…`; the merge conflicts the first `conflicts`
    /// times. A run that fails is resumed once.
    fn check(statements: &str, conflicts: usize, expected: &Expect) {
        let dot = format!(
            "digraph main {{ s [shape=Mdiamond]; e [shape=Msquare]; node [shape=parallelogram, command=x]; {statements} }}"
        );
        let pipelines = Pipeline::from_text(&dot);
        let plan = Plan::new(pipelines[0].clone(), pipelines);
        let mut open = vec![InputKind::Start(Box::new(Begin {
            run: "R".to_owned(),
            ..Begin::default()
        }))];
        let (mut state, mut text) = (State::default(), String::new());
        let (mut merges, mut resumed) = (0, false);
        while let Some(kind) = open.pop() {
            let at = 1;
            let (after, effects) = next(&plan, state, Input { at, now: 1, kind });
            state = after;
            for effect in effects {
                match effect {
                    Effect::Execute(ticket) => {
                        let frame = state.holder(ticket).unwrap();
                        let folder = frame
                            .worktree
                            .as_ref()
                            .map_or_else(String::new, Worktree::path);
                        writeln!(text, "{} {folder}", frame.node).unwrap();
                        let outcome = if frame.node.starts_with("bad") {
                            Outcome::fail(FailureClass::Deterministic, "bad")
                        } else {
                            Outcome::success()
                        };
                        open.push(InputKind::Finished {
                            ticket,
                            outcome: Box::new(outcome),
                            jitter: 1000,
                            unread: Vec::new(),
                        });
                    }
                    Effect::MergeFiles(ticket) => {
                        let frame = state.holder(ticket).unwrap();
                        let unmerged = frame.unmerged.as_ref().unwrap();
                        let names: Vec<&str> =
                            unmerged.branches.iter().map(|one| &*one.0).collect();
                        writeln!(text, "{} merges {}", frame.node, names.join(" ")).unwrap();
                        merges += 1;
                        let mut report = MergeReport::default();
                        if merges <= conflicts {
                            report.conflicts.push(MergeConflict {
                                path: "a.txt".to_owned(),
                                branches: names.iter().map(|name| (*name).to_owned()).collect(),
                                in_project: false,
                                reason: ConflictReason::SameLines,
                            });
                        }
                        let report = Box::new(report);
                        open.push(InputKind::FilesMerged { ticket, report });
                    }
                    Effect::RemoveWorktrees(worktrees) => {
                        let names: Vec<String> = worktrees.iter().map(Worktree::path).collect();
                        writeln!(text, "removed {}", names.join(" ")).unwrap();
                    }
                    _ => {}
                }
            }
            if let Some(end) = &state.end {
                let failure = end.failure.as_ref();
                let failure = failure.map(|one| format!(" {}: {}", one.class.as_str(), one.reason));
                writeln!(
                    text,
                    "{:?}{}",
                    end.status,
                    failure.as_deref().unwrap_or_default()
                )
                .unwrap();
                if failure.is_some() && !resumed {
                    resumed = true;
                    open = vec![InputKind::resumed()];
                }
            }
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn node_where_branches_meet_merges_before_its_work() {
        check(
            "f [shape=component, isolation=worktree]; s -> f -> {a bad} -> j -> e; j [shape=tripleoctagon]",
            0,
            &expect![[r#"
                s 
                a branches/f-4/a
                bad branches/f-4/bad
                j merges a
                removed branches/f-4/a
                j 
                e 
                Success
            "#]],
        );
    }

    #[test]
    fn conflict_is_a_failure_and_merging_is_tried_again() {
        check(
            "f [shape=component, isolation=worktree]; s -> f -> {a b} -> c -> e",
            1,
            &expect![[r#"
                s 
                a branches/f-4/a
                b branches/f-4/b
                c merges a b
                Fail conflict: nothing was merged, because branches conflict: `a` and `b` changed the same lines of `a.txt` (branches/f-4/a/, branches/f-4/b/); make the versions equal in the folders of the branches, in the directory of the run, then run this node again
                c merges a b
                removed branches/f-4/a branches/f-4/b
                c 
                e 
                Success
            "#]],
        );
    }

    #[test]
    fn parallel_node_merges_where_branches_do_not_meet() {
        check(
            "f [shape=component, isolation=worktree]; s -> f -> a; f -> b",
            0,
            &expect![[r#"
                s 
                a branches/f-4/a
                b branches/f-4/b
                f merges a b
                removed branches/f-4/a branches/f-4/b
                Success
            "#]],
        );
    }

    #[test]
    fn inner_branches_are_merged_before_the_outer_one_ends() {
        check(
            "f [shape=component, isolation=worktree]; s -> f -> {g c} -> j -> e; j [shape=tripleoctagon]; \
             g [shape=component, isolation=worktree]; g -> {a b} -> j",
            0,
            &expect![[r#"
                s 
                c branches/f-4/c
                a branches/g-9/a
                b branches/g-9/b
                g merges j a b
                removed branches/g-9/j branches/g-9/a branches/g-9/b
                j merges c g
                removed branches/f-4/c branches/f-4/g
                j 
                e 
                Success
            "#]],
        );
    }

    #[test]
    fn nothing_of_a_failed_parallel_node_is_merged() {
        check(
            "f [shape=component, isolation=worktree, error_policy=fail_fast, max_parallel=1]; \
             s -> f -> {a bad c} -> j -> e; j [shape=tripleoctagon]",
            0,
            &expect![[r#"
                s 
                a branches/f-4/a
                bad branches/f-4/bad
                Fail deterministic: 1 of 3 branches failed; `bad`: bad
                a branches/f-10/a
                bad branches/f-10/bad
                Fail deterministic: 1 of 3 branches failed; `bad`: bad
            "#]],
        );
    }
}
