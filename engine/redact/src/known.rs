//! Known values, found by one automaton over the anchors of all their forms.

use aho_corasick::AhoCorasick;

use crate::forms::Needle;
use crate::occurrence::Occurrence;

/// Shorter values would make texts unreadable.
const SHORTEST: usize = 4;

/// A shorter end of a text is not taken for the beginning of a value.
const LEAST_BEGUN: usize = 2;

/// Values and how to find them.
pub(crate) struct KnownSecrets {
    values: Vec<String>,
    needles: Vec<Needle>,
    /// For each pattern of the automaton: its needle, and how much of that is before the pattern.
    anchors: Vec<(usize, usize)>,
    /// Missing where there are no values.
    automaton: Option<AhoCorasick>,
}

impl KnownSecrets {
    pub(crate) fn new(mut values: Vec<String>) -> Self {
        values.retain(|value| value.len() >= SHORTEST);
        values.sort_unstable();
        values.dedup();
        let needles: Vec<Needle> = values.iter().flat_map(|value| Needle::of(value)).collect();
        let mut texts = Vec::new();
        let mut anchors = Vec::new();
        for (at, needle) in needles.iter().enumerate() {
            for anchor in needle.anchors() {
                anchors.push((at, anchor.before));
                texts.push(anchor.text);
            }
        }
        let automaton = (!texts.is_empty()).then(|| AhoCorasick::new(&texts));
        let automaton = automaton.transpose().unwrap_or_else(|error| {
            tracing::error!(%error, "secrets cannot be masked");
            None
        });
        Self {
            values,
            needles,
            anchors,
            automaton,
        }
    }

    pub(crate) const fn values(&self) -> &Vec<String> {
        &self.values
    }

    /// The length of the longest value that spans lines.
    pub(crate) fn spanning(&self) -> usize {
        let spanning = self.values.iter().filter(|value| value.contains('\n'));
        spanning.map(String::len).max().unwrap_or(0)
    }

    /// Whether a text may end with the beginning of a value.
    pub(crate) fn may_begin(&self, text: &[u8]) -> bool {
        let begins = |value: &String| {
            let value = value.as_bytes();
            (LEAST_BEGUN..=text.len().min(value.len()))
                .any(|length| text.get(text.len() - length..) == value.get(..length))
        };
        self.values.iter().any(begins)
    }

    /// Adds where values are, in any form.
    pub(crate) fn find(&self, bytes: &[u8], found: &mut Vec<Occurrence>) {
        let Some(automaton) = &self.automaton else {
            return;
        };
        for anchor in automaton.find_overlapping_iter(bytes) {
            let target = self.anchors.get(anchor.pattern().as_usize());
            found.extend(target.and_then(|(needle, before)| {
                let needle = self.needles.get(*needle)?;
                needle.around(bytes, anchor.start(), *before)
            }));
        }
    }
}
