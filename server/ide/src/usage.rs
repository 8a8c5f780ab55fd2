//! What the file itself writes: which names the lists of each owner hold, which name follows which, and the short
//! values of each name. Completion puts first what is usual in the file.

use attractor_dot::TextRange;
use attractor_dot::ast::{Attr, Id, Stmt};
use attractor_lang::stylesheet;
use attractor_model::catalogue::{self, AttrType, Owner};
use rustc_hash::FxHashMap;

use crate::analyzed_text::AnalyzedText;
use crate::walk::{self, AttributeOwner};

/// Longer values are prose, which is not repeated.
const MAX_VALUE_CHARS: usize = 60;
/// A name with more different values than this has no vocabulary.
const MAX_VALUES: usize = 200;

/// What a file writes.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    owners: FxHashMap<Option<Owner>, ListStats>,
    values: ValueStats,
    names: FxHashMap<String, u32>,
    /// The rules of stylesheets, as lists of their own.
    rules: ListStats,
}

/// The values of each name, those of edges apart: a label of an edge says nothing about labels of nodes.
#[derive(Debug, Default)]
struct ValueStats {
    of_edges: FxHashMap<String, Vec<UsedValue>>,
    others: FxHashMap<String, Vec<UsedValue>>,
}

/// The lists of one owner.
#[derive(Debug, Default)]
struct ListStats {
    count: u32,
    names: FxHashMap<String, u32>,
    /// How often a name directly follows another.
    after: FxHashMap<String, FxHashMap<String, u32>>,
}

/// A value and how often it is written.
#[derive(Debug)]
pub(crate) struct UsedValue {
    /// The value, decoded.
    pub value: String,
    /// How often.
    pub count: u32,
    /// Where it is written first.
    pub first: TextRange,
}

impl Usage {
    /// Counts what a text writes.
    pub(crate) fn new(doc: &AnalyzedText) -> Self {
        let mut usage = Self::default();
        let mut owners: FxHashMap<Option<Owner>, ListStats> = FxHashMap::default();
        walk::statements(&doc.parse.file, |graph, inside, statement| {
            let Some(holder) = walk::holder(inside, statement) else {
                return;
            };
            let owner = crate::values::owner(doc, graph, holder);
            let lists = owners.entry(owner).or_default();
            if !matches!(holder, AttributeOwner::Graph | AttributeOwner::Subgraph) {
                lists.count += 1;
            }
            let own = match statement {
                Stmt::Assign(attr) => Some(attr),
                _ => None,
            };
            let mut previous: Option<String> = None;
            let listed = statement.attributes().iter().flat_map(|list| &list.items);
            for attr in own.into_iter().chain(listed) {
                let name = doc.decode(&attr.key);
                add(&mut lists.names, &name);
                add(&mut usage.names, &name);
                if let Some(previous) = &previous {
                    match lists.after.get_mut(previous) {
                        Some(after) => add(after, &name),
                        None => add(lists.after.entry(previous.clone()).or_default(), &name),
                    }
                }
                usage.add_value(doc, owner, &name, attr);
                previous = Some(name.into_owned());
            }
        });
        usage.owners = owners;
        usage
    }

    /// How many lists of attributes an owner has, and how many of them hold a name.
    pub(crate) fn lists(&self, owner: Option<Owner>, name: &str) -> (u32, u32) {
        self.owners.get(&owner).map_or((0, 0), |lists| {
            (lists.count, lists.names.get(name).copied().unwrap_or(0))
        })
    }

    /// How many names follow a name in lists of an owner, and how often it is this one.
    pub(crate) fn follows(
        &self,
        owner: Option<Owner>,
        previous: Option<&str>,
        name: &str,
    ) -> (u32, u32) {
        let lists = self.owners.get(&owner);
        let after = previous.and_then(|previous| lists?.after.get(previous));
        after.map_or((0, 0), |after| {
            (after.values().sum(), after.get(name).copied().unwrap_or(0))
        })
    }

    /// How often a name is written anywhere.
    pub(crate) fn count(&self, name: &str) -> u32 {
        self.names.get(name).copied().unwrap_or(0)
    }

    /// The names that lists of an owner hold.
    pub(crate) fn names(&self, owner: Option<Owner>) -> impl Iterator<Item = (&str, u32)> {
        let lists = self.owners.get(&owner).into_iter();
        lists.flat_map(|lists| lists.names.iter().map(|(name, count)| (&**name, *count)))
    }

    /// The values of a name on an owner, but what is only written around the cursor.
    pub(crate) fn values(
        &self,
        owner: Option<Owner>,
        name: &str,
        cursor: usize,
    ) -> impl Iterator<Item = &UsedValue> {
        let values = match owner {
            Some(Owner::Edge) => &self.values.of_edges,
            _ => &self.values.others,
        };
        let values = values.get(name).map(Vec::as_slice).unwrap_or_default();
        values
            .iter()
            .filter(move |used| used.count > 1 || !used.first.contains_inclusive(cursor))
    }

    /// Every value that is not of an edge, with its name as written.
    pub(crate) fn all_values(&self) -> impl Iterator<Item = (&str, &UsedValue)> {
        let lists = self.values.others.iter();
        lists.flat_map(|(name, used)| used.iter().map(|used| (&**name, used)))
    }

    /// How many rules stylesheets have, and how many of them hold a property.
    pub(crate) fn rules(&self, property: &str) -> (u32, u32) {
        let with = self.rules.names.get(property).copied().unwrap_or(0);
        (self.rules.count, with)
    }

    fn add_value(&mut self, doc: &AnalyzedText, owner: Option<Owner>, name: &str, attr: &Attr) {
        let Some(id) = attr.value else { return };
        let is_stylesheet = owner
            .and_then(|owner| catalogue::attribute(owner, name))
            .is_some_and(|row| row.ty == AttrType::Stylesheet);
        if is_stylesheet {
            self.add_stylesheet(doc, &id);
        } else if id.range.len() <= MAX_VALUE_CHARS {
            self.push(owner, name, &doc.decode(&id), id.range);
        }
    }

    fn add_stylesheet(&mut self, doc: &AnalyzedText, id: &Id) {
        let text = id.decoded(&doc.text).unescape();
        let (sheet, _) = stylesheet::parse(&text.text);
        for rule in &sheet.rules {
            self.rules.count += 1;
            for declaration in &rule.declarations {
                add(&mut self.rules.names, &declaration.property);
                let place = &declaration.value_range;
                let place = text.range_to_source(place.start, place.end);
                self.push(None, &declaration.property, &declaration.value, place);
            }
        }
    }

    fn push(&mut self, owner: Option<Owner>, name: &str, value: &str, place: TextRange) {
        if value.trim().is_empty() || value.contains('\n') {
            return;
        }
        let values = match owner {
            Some(Owner::Edge) => &mut self.values.of_edges,
            _ => &mut self.values.others,
        };
        if !values.contains_key(name) {
            values.insert(name.to_owned(), Vec::new());
        }
        let Some(used) = values.get_mut(name) else {
            return;
        };
        if let Some(known) = used.iter_mut().find(|used| used.value == value) {
            known.count += 1;
        } else if used.len() < MAX_VALUES {
            used.push(UsedValue {
                value: value.to_owned(),
                count: 1,
                first: place,
            });
        }
    }
}

fn add(counts: &mut FxHashMap<String, u32>, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => {
            counts.insert(name.to_owned(), 1);
        }
    }
}
