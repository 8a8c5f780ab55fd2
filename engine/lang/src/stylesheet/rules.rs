//! Rule lists as data (JSON, YAML or TOML) → stylesheet.
//!
//! `{"rules": [{"handler_type": "codergen", "model": "…"}, {"name_pattern": "test_*", "timeout": 120}]}`:
//! all criteria of a rule must match, and later rules override earlier ones. A rule with an error is left
//! out as a whole, so that a misspelt criterion never makes it match more nodes than its author meant.

use std::ops::Range;

use super::data::{Data, Entry, Kind};
use super::{Declaration, Part, PartKind, Rule, Scope, Selector, Stylesheet, Weight};
use crate::LangError;

/// The table of properties with any name.
const EXTRA: &str = "extra";
/// The keys of a rule that are no property.
const KEYS: [&str; 4] = ["handler_type", "name_pattern", "match_attributes", EXTRA];
const RULES: &str = "rules";

/// The names a rule may set: the language of stylesheets does not know the attributes of nodes.
pub trait Properties {
    /// Whether a rule may set that name.
    fn is_known(&self, name: &str) -> bool;

    /// The name that is meant by a misspelt one: a property, or one of `others`.
    fn nearest(&self, name: &str, others: &[&'static str]) -> Option<&'static str>;
}

/// Reads a rule list: a table with `rules`, or the list itself.
pub(super) fn from_rules(data: &Data, properties: &dyn Properties) -> (Stylesheet, Vec<LangError>) {
    let mut reader = RulesReader {
        properties,
        errors: Vec::new(),
    };
    let rules = reader.rules(data);
    let sheet = Stylesheet {
        rules,
        comments: Vec::new(),
    };
    (sheet, reader.errors)
}

struct RulesReader<'p> {
    properties: &'p dyn Properties,
    errors: Vec<LangError>,
}

impl RulesReader<'_> {
    fn report(&mut self, range: &Range<usize>, message: impl Into<String>) {
        self.errors.push(LangError::new(range.clone(), message));
    }

    fn rules(&mut self, data: &Data) -> Vec<Rule> {
        match &data.kind {
            Kind::List(entries) => entries.iter().filter_map(|one| self.rule(one)).collect(),
            Kind::Table(entries) => self.document(data, entries),
            _ => {
                self.report(
                    &data.range,
                    "expected a table with the key `rules`, a list of tables",
                );
                Vec::new()
            }
        }
    }

    fn document(&mut self, data: &Data, entries: &[Entry]) -> Vec<Rule> {
        let mut rules = Vec::new();
        for entry in entries {
            match (&*entry.key, &entry.value.kind) {
                (RULES, Kind::List(list)) => {
                    rules.extend(list.iter().filter_map(|one| self.rule(one)));
                }
                (RULES, _) => self.report(
                    &entry.value.range,
                    "invalid `rules`; expected a list of tables",
                ),
                (key, _) => self.report(
                    &entry.key_range,
                    format!("unknown key `{key}`; expected `rules`"),
                ),
            }
        }
        if entries.is_empty() {
            self.report(
                &data.range,
                "missing key `rules`; expected a list of tables",
            );
        }
        rules
    }

    /// One rule, unless something in it is wrong.
    fn rule(&mut self, data: &Data) -> Option<Rule> {
        let Kind::Table(entries) = &data.kind else {
            self.report(
                &data.range,
                "expected a rule: a table of criteria and properties, `{\"handler_type\": \"tool\", \"timeout\": 60}`",
            );
            return None;
        };
        let known = self.errors.len();
        let mut parts = Vec::new();
        let mut declarations = Vec::new();
        for entry in entries {
            self.entry(entry, &mut parts, &mut declarations);
        }
        if self.errors.len() > known {
            return None;
        }
        if parts.is_empty() {
            parts.push(Part {
                kind: PartKind::Any,
                range: data.range.clone(),
            });
        }
        Some(Rule {
            selectors: vec![Selector {
                parts,
                range: data.range.clone(),
            }],
            declarations,
            range: data.range.clone(),
            weight: Weight::ByOrder,
            scope: Scope::default(),
        })
    }

    fn entry(&mut self, entry: &Entry, parts: &mut Vec<Part>, set: &mut Vec<Declaration>) {
        let value = &entry.value;
        let mut part = |kind| {
            parts.push(Part {
                kind,
                range: value.range.clone(),
            });
        };
        match (&*entry.key, &value.kind) {
            (key, Kind::Null) if self.is_known(key) => {}
            ("handler_type", Kind::Text(kind)) => part(PartKind::Name(kind.clone())),
            ("name_pattern", Kind::Text(pattern)) => part(PartKind::Attribute {
                name: "name".to_owned(),
                value: pattern.clone(),
            }),
            ("match_attributes", Kind::Table(wanted)) => {
                for one in wanted {
                    if let Some(value) = self.plain(one) {
                        let name = one.key.clone();
                        part(PartKind::Attribute { name, value });
                    }
                }
            }
            (EXTRA, Kind::Table(extra)) => {
                set.extend(extra.iter().filter_map(|one| self.declaration(one)));
            }
            (key @ ("handler_type" | "name_pattern"), _) => {
                self.report(&value.range, format!("invalid `{key}`; expected a string"));
            }
            (key @ ("match_attributes" | EXTRA), _) => {
                self.report(&value.range, format!("invalid `{key}`; expected a table"));
            }
            (key, _) if self.is_known(key) => set.extend(self.declaration(entry)),
            (key, _) => self.unknown(key, &entry.key_range),
        }
    }

    fn is_known(&self, key: &str) -> bool {
        KEYS.contains(&key) || self.properties.is_known(key)
    }

    fn unknown(&mut self, key: &str, range: &Range<usize>) {
        let todo = match self.properties.nearest(key, &KEYS) {
            Some(name) => format!("did you mean `{name}`?"),
            None => "an attribute of your own belongs in the table `extra`".to_owned(),
        };
        let message = format!("unknown key `{key}`, so this rule matches nothing; {todo}");
        self.report(range, message);
    }

    fn declaration(&mut self, entry: &Entry) -> Option<Declaration> {
        Some(Declaration {
            value: self.plain(entry)?,
            property: entry.key.clone(),
            property_range: entry.key_range.clone(),
            value_range: entry.value.range.clone(),
        })
    }

    fn plain(&mut self, entry: &Entry) -> Option<String> {
        match &entry.value.kind {
            Kind::Text(text) | Kind::Scalar(text) => Some(text.clone()),
            Kind::Null => None,
            Kind::List(_) | Kind::Table(_) => {
                let message = format!(
                    "invalid `{}`; expected a string, a number or a boolean",
                    entry.key
                );
                self.report(&entry.value.range, message);
                None
            }
        }
    }
}
