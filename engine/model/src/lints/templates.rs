//! The templates and commands of a pipeline that have braces, parsed once for every lint that looks into them.

use std::ops::Range;

use super::written::{Spot, Written};
use attractor_lang::LangError;
use attractor_lang::template::{self, Form};

/// What lints ask about templates and commands, in the order written.
#[derive(Debug, Default)]
pub(super) struct Templates<'p> {
    /// Keys in braces that have no default.
    pub(super) keys: Vec<Key<'p>>,
    /// What is wrong with them, and where.
    pub(super) errors: Vec<(Spot<'p>, LangError)>,
}

/// A key in braces.
#[derive(Debug)]
pub(super) struct Key<'p> {
    /// Where its template is written.
    pub(super) spot: Spot<'p>,
    /// As written.
    pub(super) written: &'p str,
    start: usize,
}

impl Key<'_> {
    /// Its bytes in the value.
    pub(super) fn bytes(&self) -> Range<usize> {
        self.start..self.start + self.written.len()
    }
}

impl<'p> Templates<'p> {
    /// Linear in the length of the texts.
    pub(super) fn of(written: &Written<'p>) -> Self {
        let mut found = Self::default();
        for spot in &written.braced {
            found.read(*spot);
        }
        found
    }

    fn read(&mut self, spot: Spot<'p>) {
        let value = spot.attribute.value();
        let (template, errors) = template::parse(value);
        let keys = template.inserts().filter(|insert| {
            matches!(insert.form, Form::Braces | Form::Mustache) && insert.default.is_none()
        });
        self.keys.extend(keys.filter_map(|insert| {
            let written = value.get(insert.key_range.clone())?;
            let start = insert.key_range.start;
            Some(Key {
                spot,
                written,
                start,
            })
        }));
        self.errors
            .extend(errors.into_iter().map(|error| (spot, error)));
    }
}
