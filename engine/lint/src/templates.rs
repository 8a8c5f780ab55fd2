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
        let keys = &mut self.keys;
        let errors = template::placeholders(value, |found| {
            if found.default.is_none() {
                keys.push(Key {
                    site,
                    written: found.key,
                    form: found.form,
                    start: found.key_range.start,
                });
            }
        });
        self.errors
            .extend(errors.into_iter().map(|error| (site, error)));
    }
}
