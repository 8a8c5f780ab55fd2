//! What follows from many runs.

use std::collections::{BTreeMap, BTreeSet};

use attractor_model::RunState;
use serde::Serialize;

use super::{AttemptRecord, RunRecord};
use crate::transcript::figures;

/// The runs from which on figures are shown.
pub const MIN_RUNS: usize = 5;

/// The middle and the usual range of a figure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct Spread {
    /// One in ten is lower.
    pub low: f64,
    /// Half of them are lower.
    pub median: f64,
    /// One in ten is higher.
    pub high: f64,
}

/// All runs of a pipeline.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct PipelineStatistics {
    /// How many runs have ended.
    pub runs: usize,
    /// How many of them with success.
    pub succeeded: usize,
    /// Milliseconds at work of a run, from its start to its end; branches at the same time count once.
    pub active_ms: Spread,
    /// Milliseconds of a run until people answered.
    pub people_ms: Spread,
    /// USD of a run.
    pub cost: Spread,
    /// Its nodes, by sub-pipeline and name.
    pub nodes: Vec<NodeStatistics>,
}

/// All attempts of a node.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct NodeStatistics {
    /// The node.
    pub node: String,
    /// The sub-pipeline it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
    /// In how many runs it was.
    pub runs: usize,
    /// How many attempts have ended.
    pub attempts: usize,
    /// How many of them failed.
    pub failures: usize,
    /// Milliseconds at work of an attempt.
    pub active_ms: Spread,
    /// Milliseconds of an attempt until people answered.
    pub people_ms: Spread,
    /// USD of an attempt.
    pub cost: Spread,
    /// The model that answered last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Attempts and failures since the node is defined as it is now; absent where all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since_edit: Option<(usize, usize)>,
}

impl Spread {
    /// The spread of figures; zero where there are none.
    pub fn of(mut figures: Vec<f64>) -> Self {
        figures.sort_by(f64::total_cmp);
        let at = |tenths: usize| {
            let last = figures.len().saturating_sub(1);
            // The nearest rank.
            let rank = (last * tenths + 5) / 10;
            figures.get(rank).copied().unwrap_or_default()
        };
        Self {
            low: at(1),
            median: at(5),
            high: at(9),
        }
    }
}

impl PipelineStatistics {
    /// The statistics of runs of one pipeline. `definition` gives the hash of what defines a node now.
    pub fn of<'r>(
        runs: impl IntoIterator<Item = &'r RunRecord>,
        definition: impl Fn(Option<&str>, &str) -> Option<String>,
    ) -> Self {
        let runs: Vec<&RunRecord> = runs.into_iter().collect();
        let sum = |of: fn(&AttemptRecord) -> f64, is_meant: fn(&AttemptRecord) -> bool| {
            let sums = runs.iter().map(|run| {
                let attempts = run.attempts.iter().filter(|one| is_meant(one));
                attempts.map(of).sum()
            });
            Spread::of(sums.collect())
        };
        // The time of a split, and of a node that calls a pipeline, includes that of the nodes inside.
        let is_outside = |one: &AttemptRecord| one.branch.is_none() && one.graph.is_none();
        let mut nodes: BTreeMap<_, Vec<(&str, &AttemptRecord)>> = BTreeMap::new();
        for run in &runs {
            for attempt in &run.attempts {
                let attempts = nodes.entry((&attempt.graph, &attempt.node)).or_default();
                attempts.push((&run.run, attempt));
            }
        }
        Self {
            runs: runs.len(),
            succeeded: runs
                .iter()
                .filter(|run| run.state == RunState::Success)
                .count(),
            active_ms: sum(|one| float(one.active_ms), is_outside),
            people_ms: sum(|one| float(one.people_ms), |_| true),
            cost: sum(|one| one.cost, |_| true),
            nodes: nodes
                .into_values()
                .map(|attempts| NodeStatistics::of(&attempts, &definition))
                .collect(),
        }
    }
}

impl NodeStatistics {
    fn of(
        attempts: &[(&str, &AttemptRecord)],
        definition: &impl Fn(Option<&str>, &str) -> Option<String>,
    ) -> Self {
        let Some((_, first)) = attempts.first() else {
            return Self::default();
        };
        let spread = |of: fn(&AttemptRecord) -> f64| {
            Spread::of(attempts.iter().map(|(_, one)| of(one)).collect())
        };
        let now = definition(first.graph.as_deref(), &first.node);
        let is_current = |one: &&AttemptRecord| now.is_some() && one.definition == now;
        let all = || attempts.iter().map(|(_, one)| *one);
        let current = all().filter(is_current);
        let since_edit = (
            current.clone().count(),
            current.filter(|one| one.failure.is_some()).count(),
        );
        let runs: BTreeSet<&str> = attempts.iter().map(|(run, _)| *run).collect();
        Self {
            node: first.node.clone(),
            graph: first.graph.clone(),
            runs: runs.len(),
            attempts: attempts.len(),
            failures: all().filter(|one| one.failure.is_some()).count(),
            active_ms: spread(|one| float(one.active_ms)),
            people_ms: spread(|one| float(one.people_ms)),
            cost: spread(|one| one.cost),
            model: all().rev().find_map(|one| one.model.clone()),
            since_edit: (now.is_some() && since_edit.0 < attempts.len()).then_some(since_edit),
        }
    }

    /// `~4 min 0 s · $0.31 · 1 in 6 fails · 23 runs`; nothing from fewer than [`MIN_RUNS`] runs.
    pub fn hint(&self) -> Option<String> {
        if self.runs < MIN_RUNS {
            return None;
        }
        let mut parts = vec![format!(
            "~{}",
            figures::duration(whole(self.active_ms.median))
        )];
        if self.people_ms.median > 0.0 {
            let people = figures::duration(whole(self.people_ms.median));
            parts.push(format!("~{people} until answered"));
        }
        if self.cost.median > 0.0 {
            parts.push(figures::dollars(self.cost.median));
        }
        if let Some(attempts) = self.attempts.checked_div(self.failures) {
            parts.push(match attempts {
                1 => "most attempts fail".to_owned(),
                attempts => format!("1 in {attempts} fails"),
            });
        }
        parts.push(format!("{} runs", self.runs));
        if let Some((attempts, failures)) = self.since_edit {
            parts.push(match failures {
                0 => format!("{attempts} attempts since your edit"),
                failures => format!("{failures} of {attempts} fail since your edit"),
            });
        }
        Some(parts.join(" · "))
    }
}

/// As a number that can be averaged; exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "milliseconds of 285,000 years")]
fn float(number: u64) -> f64 {
    number as f64
}

/// Back to whole milliseconds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it was one, not negative"
)]
fn whole(number: f64) -> u64 {
    number as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::FailureClass;

    fn run(number: usize, active_ms: u64, failure: Option<FailureClass>) -> RunRecord {
        let attempt = AttemptRecord {
            node: "fix".to_owned(),
            graph: None,
            branch: None,
            visit: 1,
            attempt: 1,
            failure,
            active_ms,
            people_ms: 0,
            cost: 0.25,
            tokens: 100,
            model: None,
            definition: Some(if number < 4 { "old" } else { "new" }.to_owned()),
        };
        RunRecord {
            run: format!("run{number}"),
            pipeline: "p".to_owned(),
            path: "p.dot".to_owned(),
            state: RunState::Success,
            started_at: String::new(),
            journal_bytes: 0,
            attempts: vec![attempt],
        }
    }

    #[test]
    fn a_node_is_summed_up_in_a_line() {
        let failed = |number| (number % 3 == 0).then_some(FailureClass::Deterministic);
        let runs: Vec<RunRecord> = (0..6)
            .map(|number| run(number, 60_000 * (number as u64 + 1), failed(number)))
            .collect();
        let statistics = PipelineStatistics::of(&runs, |_, _| Some("new".to_owned()));
        let node = &statistics.nodes[0];
        assert_eq!(
            node.hint().unwrap(),
            "~4 min 0 s · $0.25 · 1 in 3 fails · 6 runs · 2 attempts since your edit"
        );
        let minutes = |ms: f64| whole(ms) / 60_000;
        let active = statistics.active_ms;
        assert_eq!((minutes(active.low), minutes(active.high)), (2, 6));
        let few = PipelineStatistics::of(&runs[..4], |_, _| None);
        assert_eq!(few.nodes[0].hint(), None);
    }

    #[test]
    fn a_spread_of_nothing_is_zero() {
        assert_eq!(Spread::of(Vec::new()), Spread::default());
        let one = Spread::of(vec![3.0]);
        assert_eq!((one.low, one.median, one.high), (3.0, 3.0, 3.0));
    }
}
