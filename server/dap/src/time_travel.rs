//! Steps through the past of a run: which moment comes before or after the one that is shown. Nothing is executed.

use attractor_run::{NodeAttempt, node_point};

use crate::debuggee::{Debuggee, Moment, Visit};

/// How far a step through the past goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// To the visit before.
    Back,
    /// To the visit after.
    Forward,
}

/// The moment one visit of a branch further. Without one the beginning stays, and after the last visit comes the present.
pub(crate) fn step(debuggee: &Debuggee, direction: Direction, branch: Option<&str>) -> Moment {
    let is_meant = |visit: &Visit| match branch {
        // The main line has those of all branches between its own.
        None => true,
        Some(branch) => visit.at.branch.as_deref().is_none_or(|own| own == branch),
    };
    find(debuggee, direction, is_meant)
}

/// The next moment in a direction at which a visit is of one of the points; the beginning, or the present, where there is
/// none.
pub(crate) fn run_to(
    debuggee: &Debuggee,
    direction: Direction,
    is_point: impl Fn(&str) -> bool,
) -> Moment {
    let found = find(debuggee, direction, |visit| is_point(&point(&visit.at)));
    match (direction, found) {
        (Direction::Back, found) if found == debuggee.moment() => first(debuggee),
        (_, found) => found,
    }
}

/// The moment of a visit: `NODE`, `GRAPH/NODE` or one of them with `@VISIT`; without a visit the last one.
pub(crate) fn find_visit(debuggee: &Debuggee, written: &str) -> Option<Moment> {
    let (node, visit) = match written.rsplit_once('@') {
        Some((node, visit)) => (node, Some(visit.parse::<u32>().ok()?)),
        None => (written, None),
    };
    let is_meant = |one: &Visit| {
        let named = one.at.node == node || point(&one.at) == node;
        named && visit.is_none_or(|visit| visit == one.at.visit)
    };
    debuggee
        .visits()
        .iter()
        .rposition(is_meant)
        .map(Moment::Past)
}

fn find(debuggee: &Debuggee, direction: Direction, is_meant: impl Fn(&Visit) -> bool) -> Moment {
    let visits = debuggee.visits();
    match direction {
        Direction::Back => {
            let end = match debuggee.moment() {
                Moment::Now => visits.len(),
                Moment::Past(index) => index,
            };
            let before = visits.get(..end).unwrap_or_default();
            let found = before.iter().rposition(is_meant);
            found.map_or(debuggee.moment(), Moment::Past)
        }
        Direction::Forward => {
            let Moment::Past(index) = debuggee.moment() else {
                return Moment::Now;
            };
            let mut after = visits.iter().enumerate().skip(index + 1);
            let found = after.find(|(_, visit)| is_meant(visit));
            found.map_or(Moment::Now, |(index, _)| Moment::Past(index))
        }
    }
}

fn first(debuggee: &Debuggee) -> Moment {
    if debuggee.visits().is_empty() {
        Moment::Now
    } else {
        Moment::Past(0)
    }
}

fn point(at: &NodeAttempt) -> String {
    node_point(at.graph.as_deref(), &at.node)
}
