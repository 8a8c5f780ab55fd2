//! What the id of a worker says: `fix/2-1/subagent_0a` is a subagent of the second visit of the node `fix`.

/// The place of a worker in its run: the node, or the session itself where there is none.
pub(super) fn place(worker: &str) -> &str {
    split(worker).0
}

/// Whether what a worker did is known to another anyway, or was in an earlier visit of its own node.
pub(super) fn is_own(of: &str, worker: &str) -> bool {
    let rest = of.strip_prefix(worker);
    let is_below = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let ((own_place, own_session), (place, session)) = (split(worker), split(of));
    is_below || (own_place == place && own_session != session)
}

/// The place of a worker, and its session: the place with the visit.
fn split(worker: &str) -> (&str, &str) {
    let mut start = 0;
    for segment in worker.split('/') {
        let end = start + segment.len();
        if is_visit(segment) && start > 0 {
            let place = worker.get(..start - 1).unwrap_or(worker);
            return (place, worker.get(..end).unwrap_or(worker));
        }
        start = end + 1;
    }
    let first = worker.split('/').next().unwrap_or(worker);
    (first, first)
}

/// `2-1`: visit and attempt.
fn is_visit(segment: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    segment
        .split_once('-')
        .is_some_and(|(visit, attempt)| is_number(visit) && is_number(attempt))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_visits_and_subagents_are_no_other_workers() {
        let cases = [
            ("fix/1-1", "fix/1-1", true),
            ("fix/1-1/subagent_1", "fix/1-1", true),
            ("fix/1-1", "fix/2-1", true),
            ("fix/1-1/subagent_1", "fix/1-2", true),
            ("fix/1-1", "fix/1-1/subagent_1", false),
            ("fix/1-1/subagent_2", "fix/1-1/subagent_1", false),
            ("fixed/1-1", "fix/1-1", false),
            ("sub/fix/1-1", "fix/1-1", false),
            ("one", "two", false),
            ("one/subagent_1", "one", true),
        ];
        for (of, worker, expected) in cases {
            assert_eq!(is_own(of, worker), expected, "{of} {worker}");
        }
        assert_eq!(place("sub/fix/12-1/subagent_1"), "sub/fix");
        assert_eq!(place("session/subagent_1"), "session");
    }
}
