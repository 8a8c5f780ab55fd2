//! The runs of sub-pipelines, as runs of their own: `RUN/CHILD`, and `RUN/CHILD/CHILD` inside of one.

use crate::event::Event;
use crate::snapshot::RunSnapshot;

/// The id of a run, and what names the run of a sub-pipeline in it.
pub fn split_child(run: &str) -> (&str, Option<&str>) {
    match run.split_once('/') {
        Some((run, child)) => (run, Some(child)),
        None => (run, None),
    }
}

impl RunSnapshot {
    /// The run of a sub-pipeline by the path of its name: `CHILD`, `CHILD/CHILD`.
    pub fn child(&self, path: &str) -> Option<&Self> {
        let mut names = path.split('/');
        names.try_fold(self, |run, name| Some(&run.children.get(name)?.run))
    }
}

/// The events of the run of a sub-pipeline as those of a run of its own, with the numbers they have in the whole run.
/// None when there is no such run.
pub fn events_of_child<'e>(
    events: impl IntoIterator<Item = &'e Event>,
    path: &str,
) -> Option<Vec<Event>> {
    let mut whole = RunSnapshot::default();
    let mut own = Vec::new();
    for event in events {
        whole.apply(event);
        let Some(child) = whole.child(path) else {
            continue;
        };
        // Whether the event went into that run.
        if child.last == event.seq {
            own.push(Event {
                run: child.run.clone(),
                kind: event.kind.in_sub_pipeline(),
                ..event.clone()
            });
        }
    }
    whole.child(path).is_some().then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{EventKind, NodeAttempt};
    use crate::outcome::Status;

    fn at(node: &str, graph: Option<&str>) -> NodeAttempt {
        NodeAttempt {
            node: node.to_owned(),
            visit: 1,
            attempt: 1,
            graph: graph.map(str::to_owned),
            ..NodeAttempt::default()
        }
    }

    fn started(node: &str, graph: Option<&str>) -> EventKind {
        EventKind::StageStarted {
            at: at(node, graph),
            kind: "tool".to_owned(),
            label: node.to_owned(),
            until: None,
        }
    }

    fn child(name: &str) -> [EventKind; 2] {
        [
            EventKind::ChildStarted {
                at: at("watch", None),
                child: name.to_owned(),
                pipeline: "inner".to_owned(),
                nodes: 2,
            },
            EventKind::ChildCompleted {
                at: at("watch", None),
                child: name.to_owned(),
                status: Status::Success,
                reason: None,
            },
        ]
    }

    #[test]
    fn each_run_of_a_sub_pipeline_has_its_own_events() {
        let ([first, first_end], [second, second_end]) = (child("watch"), child("watch-2"));
        let kinds = [
            started("watch", None),
            first,
            started("a", Some("inner")),
            first_end,
            second,
            started("a", Some("inner")),
            started("b", Some("inner")),
            second_end,
        ];
        let events: Vec<Event> = (1..)
            .zip(kinds)
            .map(|(seq, kind)| Event {
                run: "R".to_owned(),
                seq,
                time: "2026-01-02T03:04:05Z".to_owned(),
                workflow: None,
                simulated: false,
                kind,
            })
            .collect();
        let shown = |path: &str| {
            let own = events_of_child(&events, path)?;
            let lines = own.iter().map(|event| {
                let at = event.kind.node_attempt().unwrap();
                assert_eq!(at.graph, None);
                format!("{} {} {}", event.run, event.seq, at.node)
            });
            Some(lines.collect::<Vec<_>>())
        };
        assert_eq!(shown("watch").unwrap(), ["R/watch 3 a"]);
        assert_eq!(
            shown("watch-2").unwrap(),
            ["R/watch-2 6 a", "R/watch-2 7 b"]
        );
        assert_eq!(shown("nobody"), None);
        assert_eq!(split_child("R/watch"), ("R", Some("watch")));
        assert_eq!(split_child("R"), ("R", None));
    }
}
