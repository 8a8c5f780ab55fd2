//! Changes of edges. Edges between the same nodes are paired by what they have in common.

use attractor_model::{EdgeIx, NodeIx, Pipeline};

use crate::attributes::{AttributeChange, Defaults, Setting, compare, settings};
use crate::difference::{Change, ChangeKind, Subject};
use crate::topic::Topic;
use crate::versions::{OldEdges, Versions};

/// From where an edge leads, and to where. Nodes that are only in the old version have numbers of their own.
type Ends = (usize, usize);

/// The changes of edges, removed ones first, and the edges that keep their order.
pub(super) fn compare_edges(versions: Versions<'_>) -> (Vec<Change>, OldEdges) {
    let Versions {
        old, new, matching, ..
    } = versions;
    let before = sorted(old, |ix| match matching.to_new(ix) {
        Some(new) => new.index(),
        None => new.nodes.len() + ix.index(),
    });
    let after = sorted(new, NodeIx::index);
    let (mut before, mut after) = (before.as_slice(), after.as_slice());
    let mut comparison = EdgeComparison {
        versions,
        old_edges: vec![None; new.edges.len()],
        changes: Vec::new(),
    };
    while let Some((ends, _)) = [before.first(), after.first()].into_iter().flatten().min() {
        let ends = *ends;
        comparison.compare_group(take(&mut before, ends), take(&mut after, ends));
    }
    let mut changes = comparison.changes;
    changes.sort_by_key(|(place, _)| *place);
    let changes = changes.into_iter().map(|(_, change)| change);
    (changes.collect(), comparison.old_edges)
}

/// The edges by their ends.
fn sorted(pipeline: &Pipeline, number: impl Fn(NodeIx) -> usize) -> Vec<(Ends, EdgeIx)> {
    let edges = pipeline.indexed_edges();
    let mut sorted: Vec<(Ends, EdgeIx)> = edges
        .map(|(ix, edge)| ((number(edge.from), number(edge.to)), ix))
        .collect();
    sorted.sort_unstable();
    sorted
}

/// The first of sorted edges, those with these ends.
fn take<'e>(edges: &mut &'e [(Ends, EdgeIx)], ends: Ends) -> &'e [(Ends, EdgeIx)] {
    let count = edges.iter().take_while(|(own, _)| *own == ends).count();
    let (first, rest) = edges.split_at(count);
    *edges = rest;
    first
}

/// An edge with the attributes that are compared.
struct ComparedEdge<'p> {
    ix: EdgeIx,
    settings: Vec<Setting<'p>>,
}

/// What two edges between the same nodes have in common.
#[derive(Clone, Copy)]
enum Likeness {
    Equal,
    ConditionAndLabel,
    Condition,
    Label,
    Ends,
}

impl Likeness {
    /// The best first.
    const ALL: [Self; 5] = [
        Self::Equal,
        Self::ConditionAndLabel,
        Self::Condition,
        Self::Label,
        Self::Ends,
    ];
}

impl ComparedEdge<'_> {
    fn value(&self, name: &str) -> Option<&str> {
        let setting = self.settings.iter().find(|one| one.name == name)?;
        Some(&setting.value)
    }

    fn is_like(&self, other: &Self, likeness: Likeness) -> bool {
        let same = |name| self.value(name) == other.value(name);
        match likeness {
            Likeness::Equal => {
                let [own, others] = [self, other]
                    .map(|edge| edge.settings.iter().map(|one| (one.name, &one.value)));
                own.eq(others)
            }
            Likeness::ConditionAndLabel => same("condition") && same("label"),
            Likeness::Condition => same("condition"),
            Likeness::Label => same("label"),
            Likeness::Ends => true,
        }
    }
}

fn compared<'p>(pipeline: &'p Pipeline, edges: &[(Ends, EdgeIx)]) -> Vec<ComparedEdge<'p>> {
    let edges = edges.iter().filter_map(|(_, ix)| {
        Some(ComparedEdge {
            ix: *ix,
            settings: settings(&pipeline.edge(*ix)?.attributes),
        })
    });
    edges.collect()
}

struct EdgeComparison<'p> {
    versions: Versions<'p>,
    old_edges: OldEdges,
    /// The changes, those of new edges with their place.
    changes: Vec<(Option<EdgeIx>, Change)>,
}

impl<'p> EdgeComparison<'p> {
    /// Compares the edges between two nodes.
    fn compare_group(&mut self, old: &[(Ends, EdgeIx)], new: &[(Ends, EdgeIx)]) {
        let mut old = compared(self.versions.old, old);
        let mut new = compared(self.versions.new, new);
        for likeness in Likeness::ALL {
            new.retain_mut(|after| {
                let mut candidates = old.iter();
                let Some(place) = candidates.position(|before| before.is_like(after, likeness))
                else {
                    return true;
                };
                let before = old.remove(place);
                let settings = std::mem::take(&mut after.settings);
                self.compare_pair(before, (after.ix, settings));
                false
            });
        }
        for edge in old {
            let subject = subject(self.versions.old, edge.ix);
            let change = Change::new(Topic::Routes, ChangeKind::Removed, subject);
            self.changes.push((None, change));
        }
        for edge in new {
            let subject = subject(self.versions.new, edge.ix);
            let mut change = Change::new(Topic::Routes, ChangeKind::Added, subject);
            let settings = edge.settings.into_iter();
            let others = settings.filter(|one| !matches!(one.name, "condition" | "label"));
            change.settings = others
                .map(|one| (one.name.to_owned(), one.value.into_owned()))
                .collect();
            self.changes.push((Some(edge.ix), change));
        }
    }

    fn compare_pair(&mut self, old: ComparedEdge<'p>, (ix, new): (EdgeIx, Vec<Setting<'p>>)) {
        let changes = compare(old.settings, new, Defaults::Apply, self.versions.rename);
        let decides = |change: &AttributeChange<'_>| {
            matches!(change.name, "condition" | "priority" | "weight")
        };
        if !changes.iter().any(decides)
            && let Some(place) = self.old_edges.get_mut(ix.index())
        {
            *place = Some(old.ix);
        }
        for change in changes {
            let topic = Topic::of(change.name, change.row, Topic::Routes);
            let subject = subject(self.versions.new, ix);
            self.changes
                .push((Some(ix), change.into_change(topic, subject)));
        }
    }
}

fn subject(pipeline: &Pipeline, ix: EdgeIx) -> Subject {
    let Some(edge) = pipeline.edge(ix) else {
        return Subject::Pipeline;
    };
    let settings = settings(&edge.attributes);
    let value = |name: &str| {
        let setting = settings.iter().find(|one| one.name == name)?;
        Some(setting.value.to_string())
    };
    Subject::Route {
        from: pipeline.id(edge.from).to_owned(),
        to: pipeline.id(edge.to).to_owned(),
        condition: value("condition"),
        label: value("label"),
    }
}
