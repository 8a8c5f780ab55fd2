//! The templates and commands of a pipeline with placeholders, parsed once for every lint that looks into them.

use std::ops::Range;

use crate::attribute_index::{AttributeIndex, AttributeSite};
use attractor_lang::LangError;
use attractor_lang::template::{self, Form};

/// What lints ask about templates and commands, in the order written.
#[derive(Debug, Default)]
pub(crate) struct Templates<'p> {
    /// Keys of placeholders that have no default.
    pub(crate) keys: Vec<Key<'p>>,
    /// What is wrong with them, and where.
    pub(crate) errors: Vec<(AttributeSite<'p>, LangError)>,
}

/// The key of a placeholder.
#[derive(Debug)]
pub(crate) struct Key<'p> {
    /// Where its template is written.
    pub(crate) site: AttributeSite<'p>,
    /// As written.
    pub(crate) written: &'p str,
    /// How the placeholder is written.
    pub(crate) form: Form,
    start: usize,
}

impl Key<'_> {
    /// Its bytes in the value.
    pub(crate) fn bytes(&self) -> Range<usize> {
        self.start..self.start + self.written.len()
    }
}

impl<'p> Templates<'p> {
    /// Linear in the length of the texts.
    pub(crate) fn of(written: &AttributeIndex<'p>) -> Self {
        let mut found = Self::default();
        for site in &written.templates {
            found.read(*site);
        }
        found
    }

    fn read(&mut self, site: AttributeSite<'p>) {
        let value = site.attribute.value();
        let (inserts, errors) = template::inserts(value);
        let keys = inserts.iter().filter(|insert| insert.default.is_none());
        self.keys.extend(keys.filter_map(|insert| {
            let written = value.get(insert.key_range.clone())?;
            let start = insert.key_range.start;
            Some(Key {
                site,
                written,
                form: insert.form,
                start,
            })
        }));
        self.errors
            .extend(errors.into_iter().map(|error| (site, error)));
    }
}
