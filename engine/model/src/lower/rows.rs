//! What the catalogue says about the names of one graph, looked up once for each owner.

use attractor_dot::graph::{Graph, Name, NameSet};

use crate::catalogue::{self, AttributeRow, Owner};

/// A name on an owner.
#[derive(Clone, Copy)]
pub(super) struct Meaning {
    /// What the catalogue says; `None` when it means nothing there.
    pub(super) row: Option<&'static AttributeRow>,
    /// Its canonical name, as a set of one.
    pub(super) name: NameSet,
}

/// The names of one graph on each owner.
pub(super) struct Rows<'g> {
    graph: &'g Graph,
    owners: Vec<(Owner, Vec<Option<Meaning>>)>,
}

/// Names beyond these are looked up each time; no graph but a made-up one has so many.
const NOTED: usize = 256;

impl<'g> Rows<'g> {
    pub(super) fn of(graph: &'g Graph) -> Self {
        Self {
            graph,
            owners: Vec::new(),
        }
    }

    /// What `name` means on the owner with this place in the list, which [`Rows::owner`] gives.
    #[inline]
    pub(super) fn meaning(&mut self, place: usize, name: Name) -> Meaning {
        let noted = self.owners.get(place);
        match noted.and_then(|(_, noted)| *noted.get(name.index())?) {
            Some(meaning) => meaning,
            None => self.look_up(place, name),
        }
    }

    /// Where an owner is in the list.
    pub(super) fn owner(&mut self, owner: Owner) -> usize {
        let known = self.owners.iter().position(|(known, _)| *known == owner);
        known.unwrap_or_else(|| {
            let names = self.graph.names().len().min(NOTED);
            self.owners.push((owner, vec![None; names]));
            self.owners.len() - 1
        })
    }

    fn look_up(&mut self, place: usize, name: Name) -> Meaning {
        let written = self.graph.names().get(name.index());
        let written = written.map_or("", |written| written);
        let Some((owner, noted)) = self.owners.get_mut(place) else {
            return Meaning {
                row: None,
                name: NameSet::default(),
            };
        };
        let row = catalogue::attribute(*owner, written);
        let meaning = Meaning {
            row,
            name: std::iter::once(catalogue::canonical(row, written)).collect(),
        };
        if let Some(noted) = noted.get_mut(name.index()) {
            *noted = Some(meaning);
        }
        meaning
    }
}
