//! The rows of the list of runs, in the order of their last changes.
//!
//! Every change has a revision, one higher than that of the change before. Readers keep the revision that they have seen
//! and ask for what is newer: of a run that changed several times since, only its last row. So a reader needs no buffer,
//! and what the table keeps does not grow with readers that are slow.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::view::ListedRun;

/// How many removals are remembered. Who has not seen one that is forgotten reads the list again.
const REMOVALS: usize = 1000;

/// The runs of a server, by id.
#[derive(Default)]
pub(crate) struct RunTable {
    rows: BTreeMap<String, Row>,
    /// The runs by the revision of their last change.
    changed: BTreeMap<u64, String>,
    /// Removals by revision, oldest first.
    removed: VecDeque<(u64, String)>,
    /// The revision of the last change.
    revision: u64,
    /// The revision of the last removal that is forgotten.
    forgotten: u64,
}

struct Row {
    run: Arc<ListedRun>,
    revision: u64,
}

/// What happened to a run.
#[derive(Clone)]
pub(crate) enum RunChange {
    /// It is new, or its row is another one.
    Changed(Arc<ListedRun>),
    /// It is not stored any more.
    Removed(String),
}

impl RunTable {
    /// The revision of the last change.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// How many runs there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The runs, newest first.
    pub(crate) fn newest(&self) -> impl Iterator<Item = &Arc<ListedRun>> {
        self.rows.values().rev().map(|row| &row.run)
    }

    /// Takes in a run as it is now.
    pub(crate) fn set(&mut self, run: ListedRun) {
        let before = self.rows.get(&run.id);
        if before.is_some_and(|before| *before.run == run) {
            return;
        }
        if let Some(before) = before {
            self.changed.remove(&before.revision);
        }
        self.revision += 1;
        self.changed.insert(self.revision, run.id.clone());
        let row = Row {
            revision: self.revision,
            run: Arc::new(run),
        };
        self.rows.insert(row.run.id.clone(), row);
    }

    /// Takes out a run.
    pub(crate) fn remove(&mut self, id: &str) {
        let Some(row) = self.rows.remove(id) else {
            return;
        };
        self.changed.remove(&row.revision);
        self.revision += 1;
        self.removed.push_back((self.revision, id.to_owned()));
        if self.removed.len() > REMOVALS
            && let Some((forgotten, _)) = self.removed.pop_front()
        {
            self.forgotten = forgotten;
        }
    }

    /// The first changes after a revision, at most `most`. None if that revision is unknown, or a removal after it is
    /// forgotten.
    pub(crate) fn since(&self, after: u64, most: usize) -> Option<Vec<(u64, RunChange)>> {
        if after > self.revision || after < self.forgotten {
            return None;
        }
        let next = after + 1;
        let changed = self.changed.range(next..).take(most);
        let changed = changed.filter_map(|(revision, id)| {
            let row = self.rows.get(id)?;
            Some((*revision, RunChange::Changed(row.run.clone())))
        });
        let from = self
            .removed
            .partition_point(|(revision, _)| *revision < next);
        let removed = self.removed.range(from..).take(most);
        let removed = removed.map(|(revision, id)| (*revision, RunChange::Removed(id.clone())));
        let mut both: Vec<_> = changed.chain(removed).collect();
        both.sort_by_key(|(revision, _)| *revision);
        both.truncate(most);
        Some(both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(id: &str, steps: u64) -> ListedRun {
        let mut run = ListedRun::of(attractor_run::RunSnapshot::default());
        id.clone_into(&mut run.id);
        run.steps = steps;
        run
    }

    fn shown(table: &RunTable, after: u64, most: usize) -> String {
        let Some(changes) = table.since(after, most) else {
            return "unknown".to_owned();
        };
        let shown = changes.iter().map(|(revision, change)| match change {
            RunChange::Changed(run) => format!("{revision}:{}={}", run.id, run.steps),
            RunChange::Removed(id) => format!("{revision}:-{id}"),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_the_last_row_of_a_run_is_given_in_the_order_of_changes() {
        let mut table = RunTable::default();
        for (id, steps) in [("a", 1), ("b", 1), ("a", 2), ("a", 2), ("c", 1)] {
            table.set(run(id, steps));
        }
        assert_eq!(shown(&table, 0, 9), "2:b=1 3:a=2 4:c=1");
        assert_eq!(shown(&table, 0, 2), "2:b=1 3:a=2");
        assert_eq!(shown(&table, 3, 9), "4:c=1");
        assert_eq!(shown(&table, 4, 9), "");
        assert_eq!(shown(&table, 5, 9), "unknown");
        let newest: Vec<&str> = table.newest().map(|run| run.id.as_str()).collect();
        assert_eq!(newest, ["c", "b", "a"]);
    }

    #[test]
    fn removals_are_given_between_changes() {
        let mut table = RunTable::default();
        table.set(run("a", 1));
        table.set(run("b", 1));
        table.remove("a");
        table.remove("a");
        table.set(run("b", 2));
        assert_eq!(shown(&table, 0, 9), "3:-a 4:b=2");
        table.set(run("a", 1));
        assert_eq!(shown(&table, 2, 9), "3:-a 4:b=2 5:a=1");
        assert_eq!(shown(&table, 2, 1), "3:-a");
    }

    #[test]
    fn who_missed_a_forgotten_removal_reads_the_list_again() {
        let mut table = RunTable::default();
        for number in 0..=REMOVALS {
            table.set(run(&number.to_string(), 1));
        }
        let all = table.revision();
        for number in 0..=REMOVALS {
            table.remove(&number.to_string());
        }
        assert_eq!(shown(&table, all, 1), "unknown");
        assert_eq!(shown(&table, all + 1, 1), format!("{}:-1", all + 2));
    }
}
