//! The output items of a stream: which item of the whole response is which item of the stream.
//!
//! An item has an index in the stream, but the response at its end may leave items out, and some servers name an item
//! differently there. An item that is taken for another one would be delivered twice.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

/// The items of one stream, by their index.
#[derive(Debug, Default)]
pub(super) struct Items {
    indexes: HashMap<String, usize>,
    kinds: BTreeMap<usize, String>,
    done: BTreeMap<usize, Value>,
}

impl Items {
    /// An item that begins.
    pub(super) fn add(&mut self, index: usize, item: &Value) {
        if let Some(id) = text(item, "id") {
            self.indexes.insert(id.to_owned(), index);
        }
        let kind = text(item, "type").unwrap_or_default();
        self.kinds.insert(index, kind.to_owned());
    }

    /// An item that is complete; false if it was before.
    pub(super) fn complete(&mut self, index: usize, item: &Value) -> bool {
        if self.done.contains_key(&index) {
            return false;
        }
        self.add(index, item);
        self.done.insert(index, item.clone());
        true
    }

    /// The indexes of the items of a whole response: by id, else by content, else by place.
    pub(super) fn indexes_of(&self, items: &[Value]) -> Vec<usize> {
        let mut taken = BTreeSet::new();
        let known: Vec<Option<usize>> = items
            .iter()
            .map(|item| {
                let index = self.known(item, &taken)?;
                taken.insert(index);
                Some(index)
            })
            .collect();
        let mut next = self.kinds.keys().next_back().map_or(0, |last| last + 1);
        next = next.max(items.len());
        let places = known.into_iter().zip(items).enumerate();
        places
            .map(|(place, (known, item))| {
                let is_free = !taken.contains(&place)
                    && self
                        .kinds
                        .get(&place)
                        .is_none_or(|kind| text(item, "type") == Some(kind));
                match known {
                    Some(index) => index,
                    None if is_free => place,
                    None => {
                        next += 1;
                        next - 1
                    }
                }
            })
            .collect()
    }

    fn known(&self, item: &Value, taken: &BTreeSet<usize>) -> Option<usize> {
        let by_id = text(item, "id").and_then(|id| self.indexes.get(id));
        if let Some(index) = by_id {
            return Some(*index);
        }
        let mut done = self.done.iter();
        let same = done.find(|(index, done)| !taken.contains(index) && is_same(done, item));
        same.map(|(index, _)| *index)
    }
}

/// Whether two items are the same apart from their ids.
fn is_same(one: &Value, other: &Value) -> bool {
    ["type", "call_id", "content", "arguments", "summary"]
        .into_iter()
        .all(|key| one.get(key) == other.get(key))
}

fn text<'v>(item: &'v Value, key: &str) -> Option<&'v str> {
    let text = item.get(key).and_then(Value::as_str);
    text.filter(|text| !text.is_empty())
}
