//! The templates and commands of a pipeline that have braces, parsed once for every lint that looks into them.

use std::ops::Range;

use crate::attribute_index::{AttributeIndex, AttributeSite};
use attractor_lang::LangError;
use attractor_lang::template::{self, Form};

/// What lints ask about templates and commands, in the order written.
#[derive(Debug, Default)]
pub(crate) struct Templates<'p> {
    /// Keys in braces that have no default.
    pub(crate) keys: Vec<Key<'p>>,
    /// What is wrong with them, and where.
    pub(crate) errors: Vec<(AttributeSite<'p>, LangError)>,
}

/// A key in braces.
#[derive(Debug)]
pub(crate) struct Key<'p> {
    /// Where its template is written.
    pub(crate) site: AttributeSite<'p>,
    /// As written.
    pub(crate) written: &'p str,
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
        for site in &written.braced {
            found.read(*site);
        }
        found
    }

    fn read(&mut self, site: AttributeSite<'p>) {
        let value = site.attribute.value();
        let (template, errors) = template::parse(value);
        let keys = template.inserts().filter(|insert| {
            matches!(insert.form, Form::Braces | Form::Mustache) && insert.default.is_none()
        });
        self.keys.extend(keys.filter_map(|insert| {
            let written = value.get(insert.key_range.clone())?;
            let start = insert.key_range.start;
            Some(Key {
                site,
                written,
                start,
            })
        }));
        self.errors
            .extend(errors.into_iter().map(|error| (site, error)));
    }
}
