//! Where conditions and templates get the values of keys from.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;

use indexmap::IndexMap;

use super::value::Value;

/// A flat table of context keys. Keys may hold dots (`tool.output`); they are looked up as they are written.
pub trait Lookup {
    /// The value of `key`, or `None` when it was never set.
    fn get(&self, key: &str) -> Option<Value>;
}

impl Lookup for BTreeMap<String, Value> {
    fn get(&self, key: &str) -> Option<Value> {
        BTreeMap::get(self, key).cloned()
    }
}

impl<S: BuildHasher> Lookup for HashMap<String, Value, S> {
    fn get(&self, key: &str) -> Option<Value> {
        HashMap::get(self, key).cloned()
    }
}

impl<S: BuildHasher> Lookup for IndexMap<String, Value, S> {
    fn get(&self, key: &str) -> Option<Value> {
        IndexMap::get(self, key).cloned()
    }
}

impl Lookup for BTreeMap<String, serde_json::Value> {
    fn get(&self, key: &str) -> Option<Value> {
        BTreeMap::get(self, key).map(Value::from)
    }
}

impl Lookup for serde_json::Map<String, serde_json::Value> {
    fn get(&self, key: &str) -> Option<Value> {
        serde_json::Map::get(self, key).map(Value::from)
    }
}

/// The empty table.
impl Lookup for () {
    fn get(&self, _key: &str) -> Option<Value> {
        None
    }
}

impl<T: Lookup + ?Sized> Lookup for &T {
    fn get(&self, key: &str) -> Option<Value> {
        (**self).get(key)
    }
}

/// Finds `key`; one written `context.a.b` is looked up as is, then as `a.b`.
pub fn find(table: &dyn Lookup, key: &str) -> Option<Value> {
    table.get(key).or_else(|| {
        key.strip_prefix("context.")
            .and_then(|bare| table.get(bare))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_full_key_wins_over_the_one_without_context() {
        let mut table = BTreeMap::from([("a.b".to_owned(), Value::from("short"))]);
        assert_eq!(find(&table, "context.a.b"), Some(Value::from("short")));
        table.insert("context.a.b".to_owned(), Value::from("long"));
        assert_eq!(find(&table, "context.a.b"), Some(Value::from("long")));
        assert_eq!(find(&table, "b"), None);
    }
}
